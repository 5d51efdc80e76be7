"""What is judged."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be judged: `answers` is one text to grade, or two to compare.

    `context` is what the answers had to rest on: a text, or passages in the order in which they were found.
    `reference` is a right answer. Both None where there is none; () where no passage was found.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    context: str | tuple[str, ...] | None = None
    reference: str | None = None

    @property
    def passages(self) -> tuple[str, ...]:
        """The context in pieces; a text is one."""
        if self.context is None:
            return ()
        return (self.context,) if isinstance(self.context, str) else self.context
