"""One call to a model."""

from dataclasses import dataclass

from bakeoff.nouns.item import Message

Input = str | tuple[Message, ...]
"""A text is sent as it is (plain completion); messages are a conversation (chat)."""


@dataclass(frozen=True, slots=True)
class Generation:
    """How an answer is sampled. `temperature` 0 means greedy."""

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generate:
    """Write an answer to `input`.

    Stop strings end the answer and are not part of it; they apply after a reasoning block, never inside it.
    `key` names the request in messages to people (item and repeat); it is not sent.
    """

    key: str
    input: Input
    generation: Generation
    seed: int


@dataclass(frozen=True, slots=True)
class Loglikelihood:
    """Give the log-probability of each continuation after `input`.

    A continuation carries its own delimiter (" Paris"). With `unconditional`, each continuation is also
    scored after the engine's beginning-of-text alone, for pointwise mutual information.
    """

    key: str
    input: Input
    continuations: tuple[str, ...]
    unconditional: bool = False
