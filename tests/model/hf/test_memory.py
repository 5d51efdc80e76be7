from dataclasses import dataclass

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hf.memory import Budget, run_in_batches


@dataclass
class Sized:
    size: int
    done: bool = False


def drive(sizes, tokens, capacity=10**9, rows=None, error=torch.OutOfMemoryError):
    """Run jobs of `sizes` where `capacity` tokens fit: the batches that ran, the given up, the budget."""
    batches, given_up = [], []

    def run(batch):
        if len(batch) * max(job.size for job in batch) > capacity:
            raise error("out of memory")
        batches.append([job.size for job in batch])

    budget = Budget(tokens)
    run_in_batches([Sized(size) for size in sizes], budget, run, lambda job: given_up.append(job.size), rows)
    return batches, given_up, budget.tokens


sizes = st.lists(st.integers(1, 50), max_size=30)


@given(sizes, st.integers(1, 200), st.integers(1, 200))
def test_every_job_runs_once_or_is_given_up_because_it_fits_nowhere(sizes, tokens, capacity):
    batches, given_up, left = drive(sizes, tokens, capacity)
    assert sorted([size for batch in batches for size in batch] + given_up) == sorted(sizes)
    assert all(size > capacity for size in given_up)
    assert all(len(batch) == 1 or len(batch) * max(batch) <= tokens for batch in batches)
    assert left <= tokens


def test_the_longest_run_first_and_together_with_their_like():
    assert drive([1, 9, 2, 8], 18)[0] == [[9, 8], [2, 1]]


def test_a_batch_has_at_most_so_many_rows():
    assert [len(batch) for batch in drive([1] * 7, 100, rows=3)[0]] == [3, 3, 1]


def test_the_budget_stays_small_once_memory_ran_out():
    batches, given_up, left = drive([10] * 8, 80, capacity=30)
    assert [len(batch) for batch in batches] == [2] * 4
    assert (given_up, left) == ([], 20)


def test_a_cpu_allocator_that_fails_is_out_of_memory_too():
    def fails(_):
        return RuntimeError("[enforce fail at alloc_cpu.cpp:121] DefaultCPUAllocator: can't allocate memory")

    assert drive([10, 10], 80, capacity=10, error=fails)[0] == [[10], [10]]


def test_other_errors_are_not_taken_for_memory():
    def broken(_):
        raise RuntimeError("shape mismatch")

    with pytest.raises(RuntimeError, match="shape mismatch"):
        run_in_batches([Sized(1)], Budget(10), broken, lambda job: None)


def test_jobs_that_nobody_waits_for_do_not_run():
    batches = []
    run_in_batches(
        [Sized(1, done=True), Sized(2)], Budget(10), lambda b: batches.append(len(b)), lambda job: None
    )
    assert batches == [1]
