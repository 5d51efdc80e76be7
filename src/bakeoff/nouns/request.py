"""One call to a model."""

from dataclasses import dataclass

from bakeoff.nouns.constraint import Constraint
from bakeoff.nouns.item import Message, Part

Input = str | tuple[Message, ...]
"""A text is sent as it is (plain completion); messages are a conversation (chat)."""


@dataclass(frozen=True, slots=True)
class Generation:
    """How an answer is sampled. `temperature` 0 means greedy; `constraint` is what the answer is held to."""

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    stop: tuple[str, ...] = ()
    constraint: Constraint | None = None


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

    A continuation carries its own delimiter (" Paris"). `leads` has nothing, or one text per continuation
    that stands between the input and it without being scored, for questions whose options fill a gap and
    are judged by what follows. With `unconditional`, each continuation is also scored after the engine's
    beginning-of-text alone, for pointwise mutual information. With `rolling`, continuations are documents
    and the input is empty: each token is scored once, in as few windows of the context's length as need be
    (lm-eval's `loglikelihood_rolling`), and a document may be longer than the context.
    """

    key: str
    input: Input
    continuations: tuple[str, ...]
    unconditional: bool = False
    leads: tuple[str, ...] = ()
    rolling: bool = False

    def input_of(self, option: int) -> Input:
        """The input with the lead of that option behind it: at the end of its last message, for messages."""
        if not self.leads or not self.leads[option]:
            return self.input
        if isinstance(self.input, str):
            return self.input + self.leads[option]
        last = self.input[-1]
        return (*self.input[:-1], Message(last.role, (*last.parts, Part("text", self.leads[option]))))
