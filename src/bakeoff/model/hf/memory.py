"""Batches under a token budget that gives way when memory runs out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar


class Job(Protocol):
    """Something to compute. `size` is what its row costs, in tokens; `done` says that nobody needs it now."""

    @property
    def size(self) -> int: ...  # noqa: D102

    @property
    def done(self) -> bool: ...  # noqa: D102


AnyJob = TypeVar("AnyJob", bound=Job)


@dataclass(slots=True)
class Budget:
    """How many tokens a batch may hold (its rows, padded to the longest). Shrinks for the engine's life."""

    tokens: int


def run_in_batches(
    jobs: Sequence[AnyJob],
    budget: Budget,
    run: Callable[[Sequence[AnyJob]], None],
    give_up: Callable[[AnyJob], None],
    rows: int | None = None,
) -> None:
    """Run all `jobs`, the largest first, in batches within `budget` and of at most `rows`.

    When a batch runs out of memory the budget halves and what is not done is tried again; a job that does
    not fit alone goes to `give_up`.
    """
    left = sorted(jobs, key=lambda job: job.size, reverse=True)
    while left := [job for job in left if not job.done]:
        fitting = max(1, min(budget.tokens // max(1, left[0].size), rows or len(left)))
        batch = left[:fitting]
        if fits(lambda: run(batch)):  # noqa: B023 (called at once)
            left = left[len(batch) :]
        elif len(batch) > 1:
            budget.tokens = len(batch) * left[0].size // 2
        else:
            give_up(batch[0])
            left = left[1:]


def fits(run: Callable[[], None]) -> bool:
    """Whether `run` ends without running out of memory; if not, what it held is given back."""
    try:
        run()
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
    else:
        return True
    # Outside the handler: the traceback held the batch's tensors.
    _release()
    return False


def out_of_memory(error: BaseException) -> bool:
    """Whether `error` is CUDA's, MPS's or the CPU allocator's way to say that memory ran out."""
    import torch

    text = str(error).lower()
    return (
        isinstance(error, MemoryError | torch.OutOfMemoryError)
        or "out of memory" in text
        or "can't allocate memory" in text
        or "cannot allocate memory" in text
    )


def _release() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()
