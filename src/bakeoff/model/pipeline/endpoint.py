"""A user's own HTTP endpoint in the place of a model."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import orjson

from bakeoff.errors import ModelError
from bakeoff.model.pipeline.question import question_of
from bakeoff.model.pipeline.reply import ReplyError, read_reply, stopped
from bakeoff.model.pipeline.streak import Streak
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.remote.budget import Budget
from bakeoff.model.remote.caller import Caller
from bakeoff.model.remote.endpoint import Endpoint, read_endpoint
from bakeoff.model.remote.faults import Fault, Retry, malformed
from bakeoff.model.remote.settings import read_settings
from bakeoff.model.remote.sse import Event
from bakeoff.model.remote.transport import Transport
from bakeoff.nouns import Failure, FailureKind, Generate, Loglikelihood, Response, Timing

_SETTINGS = ("api_key_env", "api_key_header", "concurrency", "deadline_s", "attempts", "version")
_DEFAULTS = {"concurrency": "8", "deadline_s": "300", "attempts": "3"}
_BEARER = "Authorization"


class EndpointModel:
    """An address that is posted `{"question", "messages", "id"}` and answers with the JSON of `read_reply`.

    Requests are paced, retried and given up as those to model servers are. A reply that is no JSON, too large
    or of another shape is a failure, `malformed`. A key is sent only if `api_key_env` names the variable that
    holds it: as a bearer token, or as it is in the header that `api_key_header` names. It is never recorded.

    An endpoint may change without saying so: answers are kept for later runs only with a `version`, which is
    the user's word for it. Stop strings of the task cut the answer; how it is sampled and how long it may
    be is the pipeline's own.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        given = read_settings("endpoint", _DEFAULTS | dict(settings), _SETTINGS)
        self._version = settings.get("version", "")
        self._header = settings.get("api_key_header", _BEARER)
        url, _, self._own_name = name.partition("#")
        base, self._path = _split(url)
        self._endpoint = read_endpoint(base, given.api_key_env, required=bool(given.api_key_env))
        shown = f"{self._endpoint.url}/{self._path}"
        self._name = self._own_name or shown.partition("://")[2].rstrip("/")
        self._shown = shown
        self._concurrency = given.concurrency
        self._transport = Transport(self._endpoint, self._headers(), given.concurrency, given.stall_s)
        self._caller = Caller(self._name, self._endpoint, self._transport, Budget(given), given)
        self._streak = Streak(shown)

    def __repr__(self) -> str:
        return f"EndpointModel({self._shown})"

    @property
    def identity(self) -> Identity:
        """The address, and the version that the user gives it."""
        facts = {"query": self._endpoint.query, "version": self._version}
        return Identity(
            engine="endpoint",
            name=self._name,
            endpoint=self._shown,
            settings={name: value for name, value in facts.items() if value},
            details={"concurrency": str(self._concurrency)},
        )

    @property
    def capabilities(self) -> Capabilities:
        """Written answers to texts and messages."""
        return Capabilities(cacheable=bool(self._version))

    @property
    def context_length(self) -> int | None:
        """Not known."""
        return None

    @property
    def window(self) -> int:
        """Twice the concurrency: enough to keep every connection busy, and memory flat."""
        return 2 * self._concurrency

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:  # noqa: ARG002
        """Not known."""
        return None

    def cost(self, response: Response) -> float | None:
        """What the pipeline says an answer cost, in US dollars."""
        return response.stages.get("cost")

    async def generate(self, request: Generate) -> Response:
        """Post the question.

        Raises:
            ModelError: no further request makes sense: a key that is not taken, a server that is gone, many
                failures in a row.
        """
        question = question_of(request)
        if isinstance(question, Failure):
            return Response(failure=question)
        asked = asdict(question)
        body = orjson.dumps({"id": asked.pop("item_id")} | asked)
        response = await self._caller.call(
            self._path, body, lambda: _Reader(self._endpoint), request.key, request.seed, stream=False
        )
        self._streak.note(response.failure)
        return stopped(response, request.generation.stop)

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Refuse: a pipeline writes.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self._name} gives no log-probabilities, and {request.key} asks for them")

    async def __aenter__(self) -> Self:
        self._transport.open()
        try:
            # Any status will do: it shows that somebody is there.
            await self._transport.get(self._endpoint.address(self._path))
        except Fault as fault:
            if fault.kind is FailureKind.CONNECTION:
                await self._close()
                raise ModelError(
                    f"cannot reach {self._shown}: {fault.message}", "Is it running, and the address right?"
                ) from None
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._close()

    async def _close(self) -> None:
        self._caller.limiter.close()
        await self._transport.close()

    def _headers(self) -> dict[str, str]:
        key = self._endpoint.key
        if not key:
            return {}
        if not self._header.replace("-", "").isalnum() or not self._header.isascii():
            raise ModelError(f"the endpoint setting api_key_header is no name of a header: {self._header!r}")
        return {self._header: f"Bearer {key.reveal()}" if self._header == _BEARER else key.reveal()}


class _Reader:
    """Reads one reply."""

    started = False

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._response: Response | None = None

    def whole(self, payload: Any) -> None:
        """Take the reply."""
        try:
            self._response = read_reply(payload)
        except ReplyError as error:
            # Asked again, it would have the same shape.
            message = self._endpoint.scrub(str(error))
            raise Fault(FailureKind.MALFORMED, message, Retry.NEVER) from None

    def event(self, event: Event) -> bool:  # noqa: ARG002
        """Refuse: the reply is wanted in one piece."""
        raise malformed("the reply is a stream of events, not JSON")

    def response(self, timing: Timing) -> Response:
        """The answer."""
        if self._response is None:
            raise malformed("there was no reply")
        return replace(self._response, timing=timing)


def _split(url: str) -> tuple[str, str]:
    """The address up to its last slash with its query, and the path behind: a base and a path below it."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # brackets that do not close
        known = False
    if not known:
        raise ModelError(
            f"the model reference 'endpoint:{url}' needs an address",
            "Write endpoint:http://HOST/PATH or endpoint:https://HOST/PATH.",
        )
    folder, _, last = parts.path.rpartition("/")
    return urlunsplit((parts.scheme, parts.netloc, folder, parts.query, "")), last
