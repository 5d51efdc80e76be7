"""The one family of errors a person is meant to read."""


class BakeoffError(Exception):
    """Something the user can mend: what was wrong, and what to do.

    The command line prints `message` and `hint` as two lines and exits with `exit_code`.
    Any other exception is a bug and keeps its traceback.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class TaskError(BakeoffError):
    """A task, its data or its prompt is wrong. Names the file, line or field."""


class BrokenItemError(TaskError):
    """An item's own reference solution or its tests fail on this machine, so nothing can be judged by it."""


class ModelError(BakeoffError):
    """The model cannot be reached or cannot do what the task asks. Nothing was scored because of it."""

    exit_code = 3


class StoreError(BakeoffError):
    """A run folder or a cache cannot be read or written. What was written before stays whole."""

    exit_code = 4
