"""What an extractor found in an answer."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Extraction:
    """A piece of the answer taken to be what the model meant.

    `strength` is `explicit` where the model marked its answer as such ("The answer is B", `\\boxed{18}`, a
    lone "B"), `fallback` where we had to guess (the last number). `how` says which rule found it, in words.
    `start` and `end` are offsets into the text that was searched; an `end` at the end of a text that was cut
    by the token limit means that the answer itself may have been cut.
    """

    text: str
    strength: Literal["explicit", "fallback"]
    how: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """No answer could be taken, and why: none was found, or several that contradict each other."""

    why: str
