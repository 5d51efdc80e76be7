"""When to stop asking a pipeline that only fails."""

from bakeoff.errors import ModelError
from bakeoff.nouns import Failure

MOST = 20
"""So many failures in a row, no answer between them, end the run."""


class Streak:
    """Counts the failures since the last answer."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._length = 0

    def note(self, failure: Failure | None) -> None:
        """Take an answer (None) or a failure into account.

        Raises:
            ModelError: it is the MOST-th failure in a row.
        """
        self._length = 0 if failure is None else self._length + 1
        if failure is not None and self._length >= MOST:
            raise ModelError(
                f"{self._name} failed {MOST} times in a row, at last with {failure.kind}: {failure.message}",
                "Answers so far are kept. Mend the pipeline and run again.",
            )
