"""Models behind the Anthropic wire format."""

from collections.abc import Mapping
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.remote.anthropic_wire import VERSION, AnthropicReader, request_body
from bakeoff.model.remote.connection import Connection
from bakeoff.model.remote.endpoint import read_endpoint
from bakeoff.model.remote.settings import SHARED, read_settings
from bakeoff.model.streaming import Telling, Told
from bakeoff.nouns import Failure, FailureKind, Generate, Loglikelihood, Response

_HOME = "https://api.anthropic.com/v1"


class AnthropicModel:
    """A model behind `/messages`: chat only, no log-probabilities, no seed.

    Without `base_url` this is api.anthropic.com, with the key in ANTHROPIC_API_KEY. With one, no key is sent
    unless BAKEOFF_API_KEY, or the variable that `api_key_env` names, holds one.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._settings = given = read_settings("anthropic", settings, SHARED)
        home = not given.base_url
        self._endpoint = read_endpoint(
            given.base_url or _HOME,
            given.api_key_env or ("ANTHROPIC_API_KEY" if home else "BAKEOFF_API_KEY"),
            required=home or bool(given.api_key_env),
        )
        key = self._endpoint.key
        headers = {"anthropic-version": VERSION} | ({"x-api-key": key.reveal()} if key else {})
        self._connection = Connection(name, self._endpoint, headers, given, "models?limit=1000")
        self._name = name

    def __repr__(self) -> str:
        return f"AnthropicModel({self._name!r} at {self._endpoint.url})"

    @property
    def identity(self) -> Identity:
        """Who answers, as far as the server says."""
        facts = self._connection.facts
        return Identity(
            engine="anthropic",
            name=self._name,
            engine_version=facts.software,
            revision=facts.revision,
            precision=facts.precision,
            chat_template=facts.chat_template,
            endpoint=self._endpoint.url,
            settings=self._settings.recorded,
            details={"concurrency": str(self._settings.concurrency), "anthropic-version": VERSION},
        )

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        return Capabilities(plain=False, images=True, streaming=self._settings.stream, json_schema=True)

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

    async def generate(self, request: Generate) -> Response:
        """Write an answer. The API applies stop strings to the answer alone, never to its thinking.

        Raises:
            ModelError: a text instead of messages, or no further request makes sense.
        """
        return await self._answer(request, None)

    async def stream(self, request: Generate, told: Told) -> Response:
        """Write an answer and tell it as it comes; see `bakeoff.model.streaming`."""
        telling = self._connection.telling(told, request.generation.stop)
        response = await self._answer(request, telling)
        self._connection.learn(telling, response)
        return response

    async def _answer(self, request: Generate, telling: Telling | None) -> Response:
        if isinstance(request.input, str):
            raise ModelError(
                f"anthropic:{self._name} takes messages, not plain text", "Use a task with a chat prompt."
            )
        constraint = request.generation.constraint
        if constraint is not None and constraint.kind != "json_schema":
            message = f"the Anthropic format cannot hold an answer to a {constraint.kind}"
            return Response(failure=Failure(FailureKind.UNSUPPORTED, message))
        body = request_body(
            self._name, request.input, request, self._settings, server_stops=self._settings.stops == "server"
        )
        stops = request.generation.stop
        return await self._connection.ask(
            "messages",
            body,
            lambda: AnthropicReader(self._endpoint, stops, telling),
            request.key,
            request.seed,
            telling,
        )

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Refuse: this format has no log-probabilities.

        Raises:
            ModelError: always.
        """
        raise ModelError(
            f"anthropic:{self._name} gives no log-probabilities, and {request.key} asks for them",
            "Use a task that generates its answers, or an engine that scores: hf:…, gguf:…",
        )

    def revive(self) -> None:
        """Ask the server again, though it has answered nothing for long."""
        self._connection.revive()

    async def __aenter__(self) -> Self:
        await self._connection.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._connection.close()
