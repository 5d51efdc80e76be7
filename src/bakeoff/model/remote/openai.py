"""Models behind the OpenAI wire format: OpenAI itself, vLLM, llama.cpp, and most other servers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from bakeoff.errors import ModelError
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.remote.connection import Connection
from bakeoff.model.remote.echo_scorer import EchoScorer
from bakeoff.model.remote.endpoint import read_endpoint
from bakeoff.model.remote.openai_wire import OpenAIReader, request_body
from bakeoff.model.remote.settings import OPENAI, read_settings
from bakeoff.model.streaming import Telling, Told
from bakeoff.nouns import FinishReason, Generate, Loglikelihood, Response

_HOME = "https://api.openai.com/v1"


class OpenAIModel:
    """A model behind the OpenAI wire format.

    Messages go to `/chat/completions`, texts as they are to `/completions`. Log-likelihoods come from
    `/completions` with `echo`, once a probe has shown that the server's echo can be trusted.

    Without `base_url` this is api.openai.com, with the key in OPENAI_API_KEY. With one, no key is sent unless
    BAKEOFF_API_KEY, or the variable that `api_key_env` names, holds one: a key never goes to another address
    than its own by accident.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._settings = given = read_settings("openai", settings, OPENAI)
        home = not given.base_url
        if home and not given.max_tokens_field:
            # The only name that OpenAI's reasoning models take; other servers know the older one.
            self._settings = replace(given, max_tokens_field="max_completion_tokens")
        self._endpoint = read_endpoint(
            given.base_url or _HOME,
            given.api_key_env or ("OPENAI_API_KEY" if home else "BAKEOFF_API_KEY"),
            required=home or bool(given.api_key_env),
        )
        key = self._endpoint.key
        headers = {"Authorization": f"Bearer {key.reveal()}"} if key else {}
        self._connection = Connection(name, self._endpoint, headers, self._settings)
        self._name = name
        self._server_stops = given.stops == "server"
        self._echo = EchoScorer(self._connection, name)

    def __repr__(self) -> str:
        return f"OpenAIModel({self._name!r} at {self._endpoint.url})"

    @property
    def identity(self) -> Identity:
        """Who answers, as far as the server says."""
        facts = self._connection.facts
        return Identity(
            engine="openai",
            name=self._name,
            engine_version=facts.software,
            revision=facts.revision,
            precision=facts.precision,
            chat_template=facts.chat_template,
            endpoint=self._endpoint.url,
            settings=self._settings.recorded,
            details={"concurrency": str(self._settings.concurrency)},
        )

    @property
    def capabilities(self) -> Capabilities:
        """What it can do. `loglikelihood` stays false until `probe_loglikelihood` has shown it; whether the
        server takes a constraint shows when it is asked for one."""
        chat = self._settings.api == "chat"
        return Capabilities(
            loglikelihood=self._echo.trusted,
            chat=chat,
            images=chat,
            streaming=self._settings.stream,
            json_schema=True,
            regex=self._settings.constrain in ("structured_outputs", "guided"),
        )

    @property
    def context_length(self) -> int | None:
        """Tokens of context: as set, or as the server's list says."""
        return self._settings.context_length or self._connection.facts.context_length

    @property
    def window(self) -> int:
        """Twice the concurrency: enough to keep every connection busy, and memory flat."""
        return 2 * self._settings.concurrency

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:  # noqa: ARG002
        """None: the tokenizer is the server's."""
        return None

    def cost(self, response: Response) -> float | None:
        """US dollars for an answer, by the given prices; None without prices or without token counts."""
        return self._connection.budget.price(response.usage)

    async def probe_loglikelihood(self) -> None:
        """Find out whether the server's echo gives true log-probabilities of a prompt.

        Raises:
            ModelError: it does not; the message says exactly what came back.
        """
        await self._echo.probe()

    async def generate(self, request: Generate) -> Response:
        """Write an answer.

        Where a stop string sent to the server ended its reasoning before any answer, the request is repeated
        without stop strings and we cut the answer ourselves, from then on for every request: answers that
        the server's stops had left alone are the same either way.
        """
        return await self._answer(request, None)

    async def stream(self, request: Generate, told: Told) -> Response:
        """Write an answer and tell it as it comes; see `bakeoff.model.streaming`."""
        telling = self._connection.telling(told, request.generation.stop)
        response = await self._answer(request, telling)
        self._connection.learn(telling, response)
        return response

    async def _answer(self, request: Generate, telling: Telling | None) -> Response:
        if self._settings.api == "completions" and not isinstance(request.input, str):
            raise ModelError(
                f"{self._name} is asked through /completions, which takes text, not messages",
                "Use api=chat, or a prompt of plain text.",
            )
        sent_stops = self._server_stops and "stop" not in self._settings.omit
        response = await self._ask(request, telling, server_stops=sent_stops)
        if sent_stops and request.generation.stop and _stopped_in_thought(response):
            self._server_stops = False
            again = await self._ask(request, telling, server_stops=False)
            return replace(again, attempts=again.attempts + response.attempts)
        return response

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations by the server's echo, after a probe of it at the first call.

        Raises:
            ModelError: messages instead of text, or a server whose echo cannot be trusted.
        """
        return await self._echo.score(request)

    def revive(self) -> None:
        """Ask the server again, though it has answered nothing for long."""
        self._connection.revive()

    async def __aenter__(self) -> Self:
        await self._connection.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._connection.close()

    async def _ask(self, request: Generate, telling: Telling | None, *, server_stops: bool) -> Response:
        chat = not isinstance(request.input, str)
        body: dict[str, Any] = request_body(self._name, request, self._settings, server_stops=server_stops)
        return await self._connection.ask(
            "chat/completions" if chat else "completions",
            body,
            lambda: OpenAIReader(self._endpoint, request.generation.stop, chat=chat, telling=telling),
            request.key,
            request.seed,
            telling,
        )


def _stopped_in_thought(response: Response) -> bool:
    return (
        response.failure is None
        and bool(response.reasoning)
        and not response.text.strip()
        and response.finish is FinishReason.STOP
    )
