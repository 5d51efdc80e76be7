"""A model's place on a server: found on entering, then asked."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bakeoff.digest import digest_bytes
from bakeoff.errors import ModelError
from bakeoff.model.remote.budget import Budget
from bakeoff.model.remote.caller import Caller
from bakeoff.model.remote.draft import lost
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import Fault, read_error
from bakeoff.model.remote.listing import Entry, Listing, read_listing, same_model
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.model.remote.transport import Reader, Reply, Transport
from bakeoff.model.streaming import Telling, Told
from bakeoff.nouns import FailureKind, Response

_START_S = 60.0
"""How long a server that is loading its model may take to be ready."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server said of itself and of the model. Empty where it did not say."""

    software: str = ""
    revision: str = ""
    precision: str = ""
    chat_template: str = ""
    context_length: int | None = None


class Connection:
    """One model on one endpoint."""

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        headers: dict[str, str],
        settings: RemoteSettings,
        models: str = "models",
    ) -> None:
        self.name = name
        self.budget = Budget(settings)
        self.facts = Facts()
        self.url = endpoint.url
        self._endpoint = endpoint
        self._settings = settings
        self._models_path = models
        self._transport = Transport(endpoint, headers, settings.concurrency, settings.stall_s)
        self._caller = Caller(name, endpoint, self._transport, self.budget, settings)
        self._listing = Listing()
        self._entry: Entry | None = None
        self._thinks_first = False

    async def open(self) -> None:
        """Reach the server and find the model there.

        Raises:
            ModelError: no server, a key it does not take, or a model it does not have.
        """
        self._transport.open()
        try:
            await self._find_model()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close every connection."""
        self._caller.limiter.close()
        await self._transport.close()

    def revive(self) -> None:
        """Ask the server again, though it has answered nothing for long (`Caller.revive`)."""
        self._caller.revive()

    def telling(self, told: Told, stops: Sequence[str]) -> Telling:
        """What tells one answer, without the key in it."""
        return Telling(
            told,
            stops,
            secret=self._endpoint.key.reveal(),
            hide=self._endpoint.without_key,
            waits=self._thinks_first,
        )

    def learn(self, telling: Telling, response: Response) -> None:
        """Keep from one answer whether the model's texts begin with reasoning that the prompt has opened.

        Only a lone closing mark shows it, and by then the reasoning was told: that answer is lost, and the
        next ones wait for the mark, until one comes without.
        """
        if response.failure is None:
            late = not response.text.startswith(telling.said)
            self._thinks_first = bool(response.reasoning) and (late or self._thinks_first)

    async def ask(
        self,
        path: str,
        body: dict[str, Any],
        new_reader: Callable[[], Reader],
        key: str,
        seed: int,
        telling: Telling | None = None,
    ) -> Response:
        """The answer to one request; an answer of another model is a failure.

        Raises:
            ModelError: no further request makes sense.
        """
        response = await self._caller.call(
            path,
            orjson.dumps(body),
            new_reader,
            key,
            seed,
            stream=bool(body.get("stream")),
            telling=telling,
        )
        if response.failure is not None:
            if response.failure.status == 404:
                raise self._listing.missing(self.name, self._endpoint.url, response.failure.message)
            return response
        if response.served_by is not None and not self._is_ours(response.served_by):
            message = f"asked for {self.name!r}, answered by {response.served_by!r}"
            return lost(response, FailureKind.WRONG_MODEL, message)
        return response

    def _is_ours(self, served_by: str) -> bool:
        if self._settings.served_as:
            return same_model(self._settings.served_as, served_by)
        if same_model(self.name, served_by):
            return True
        # A local server may answer with a path or an alias: fine if its own list ties that to this model.
        return self._entry is not None and served_by in self._entry.names

    async def _find_model(self) -> None:
        reply = await self._models()
        if reply.status in (401, 403):
            raise self._endpoint.denied(reply.status, self._endpoint.scrub(read_error(reply.body).message))
        if reply.status != 200:
            return  # No list to be had: the first answer will tell.
        if reply.payload is None:
            raise ModelError(
                f"{self._endpoint.url}/models answers, but not in JSON: this is no model server",
                "Is the path right? Most servers want …/v1.",
            )
        self._listing = read_listing(reply.payload)
        self._entry = self._listing.find(self.name)
        if self._listing.entries and self._entry is None and not self._settings.served_as:
            raise self._listing.missing(self.name, self._endpoint.url)
        self.facts = await self._read_facts()

    async def _models(self) -> Reply:
        """The reply to GET /models, once the server is up and ready to talk."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + _START_S
        pause = 0.25
        while True:
            try:
                reply = await self._transport.get(self._endpoint.address(self._models_path))
            except Fault as fault:
                raise ModelError(
                    f"cannot reach {self._endpoint.url}: {fault.message}",
                    "Is the server running, and the address right?",
                ) from None
            if reply.status not in (429, 502, 503, 504, 529):
                return reply
            if loop.time() + pause > give_up:
                said = self._endpoint.scrub(read_error(reply.body).message)
                raise ModelError(f"{self._endpoint.url} is not ready: HTTP {reply.status}: {said}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 5.0)

    async def _read_facts(self) -> Facts:
        entry = self._entry
        if entry is None:
            return Facts()
        snapshot = self._listing.snapshot(self.name)
        facts = Facts(revision=entry.revision or snapshot, context_length=entry.context_length)
        match entry.facts.get("owned_by"):
            case "llamacpp":
                return _llamacpp(facts, await self._beside("props"))
            case "vllm":
                version = (await self._beside("version")).get("version", "")
                return Facts(f"vllm {version}".strip(), facts.revision, context_length=facts.context_length)
            case _:
                return facts

    async def _beside(self, path: str) -> dict[str, Any]:
        """A JSON object the server keeps outside its API; empty where it has none."""
        try:
            reply = await self._transport.get(self._endpoint.beside(path))
        except Fault:
            return {}  # These are facts for the record, not conditions.
        return reply.payload if reply.status == 200 and isinstance(reply.payload, dict) else {}


def _llamacpp(facts: Facts, props: dict[str, Any]) -> Facts:
    defaults = props.get("default_generation_settings")
    context = defaults.get("n_ctx") if isinstance(defaults, dict) else None
    template = props.get("chat_template")
    return Facts(
        software=f"llama.cpp {props.get('build_info', '')}".strip(),
        revision=facts.revision,
        precision=str(props.get("model_ftype") or ""),
        chat_template=digest_bytes(template.encode()) if isinstance(template, str) and template else "",
        context_length=context if isinstance(context, int) else facts.context_length,
    )
