"""What every engine offers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from bakeoff.nouns import Generate, Loglikelihood, Response


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can do, as the engine knows or as the probe found.

    `json_schema` and `regex` say that a written answer can be held to one (`Constraint`). `cacheable` says
    that the same request gets an answer worth keeping; recorded answers go by item instead. `repairs` says
    that it can be told what is wrong with its answer, and write another.
    """

    generate: bool = True
    loglikelihood: bool = False
    chat: bool = True
    plain: bool = True
    images: bool = False
    streaming: bool = False
    json_schema: bool = False
    regex: bool = False
    cacheable: bool = True
    repairs: bool = True


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answered: recorded, never guessed. Empty means the engine could not say.

    `revision` is a commit, a digest of the weights, or an API's dated snapshot. `settings` are the ones that
    can move an answer (context length, attention kernel, reasoning effort, and so on); secrets never enter.
    `details` are facts worth keeping that do not change what was asked (device, threads, batch size); those
    named `tokens_...` count what was done since the model was opened.
    """

    engine: str
    name: str
    engine_version: str = ""
    revision: str = ""
    precision: str = ""
    chat_template: str = ""
    tokenizer: str = ""
    endpoint: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)


class Model(Protocol):
    """A model behind some engine, opened by `bakeoff.model.open_model`.

    Use it as an async context manager: entering loads the weights or reaches the server, and fixes
    `identity` and `capabilities`. One request goes in, one response comes out; an engine batches whatever is
    in flight by itself, so callers keep up to `window` requests in flight and no more. What goes wrong with
    one request is a `Response.failure`; what makes every further request pointless (wrong key, server gone)
    is a raised `ModelError`.
    """

    @property
    def identity(self) -> Identity:
        """Who answers. Known once entered."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do. Known once entered."""
        ...

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may take together; None where the engine does not know."""
        ...

    @property
    def window(self) -> int:
        """How many requests the engine wants in flight."""
        ...

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:
        """Tokens of the rendered input (with its longest continuation); None where the engine cannot say."""
        ...

    async def generate(self, request: Generate) -> Response:
        """Write an answer."""
        ...

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations; `Response.options` is in their order."""
        ...

    def cost(self, response: Response) -> float | None:
        """US dollars for one response at the prices the user gave; None without prices or token counts."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...
