from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hf.prefixes import Prefixes, next_batch
from bakeoff.model.pair import common_start

prompts = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=8).map(tuple), max_size=12)


def keeping(most_tokens, kept, worth=1):
    """Prefixes that keep each of `kept`, with the prompt itself in the place of its keys and values."""
    prefixes = Prefixes(most_tokens, worth)
    for prompt in kept:
        prefixes.keep(prompt, prompt)
    return prefixes


@given(prompts, st.lists(st.integers(0, 2), min_size=1, max_size=8).map(tuple), st.integers(1, 4))
def test_what_is_found_begins_like_the_prompt_as_far_as_any_kept_one_does(kept, prompt, worth):
    prefixes = keeping(1000, kept, worth)
    found, tokens = prefixes.look_up(prompt)
    best = max([min(common_start(each, prompt), len(prompt) - 1) for each in kept], default=0)
    assert tokens == prefixes.known(prompt) == (best if best >= worth else 0)
    assert found is None if tokens == 0 else found[:tokens] == prompt[:tokens]


def test_what_was_not_used_for_longest_is_dropped_first():
    prefixes = keeping(8, [(1, 1, 1, 1), (2, 2, 2, 2)])
    prefixes.look_up((1, 1, 5))
    prefixes.keep((3, 3, 3, 3), ())
    assert [prefixes.known((n, n, n, 5)) for n in (1, 2, 3)] == [3, 0, 3]


@given(prompts, st.integers(0, 30))
def test_no_more_tokens_are_kept_than_allowed(kept, most_tokens):
    prefixes = Prefixes(most_tokens, 1)
    for prompt in kept:
        if prefixes.keeps(prompt):
            prefixes.keep(prompt, prompt)
    assert sum(map(len, prefixes._kept)) <= most_tokens


def test_memory_that_ran_out_is_given_back_and_less_is_kept_from_then_on():
    prefixes = keeping(8, [(1, 1, 1, 1)])
    assert prefixes.cut_down()
    assert prefixes.known((1, 1, 1)) == 0
    assert prefixes.keeps((1, 1, 1, 1))
    assert not prefixes.keeps((1, 1, 1, 1, 1))
    assert not prefixes.cut_down()


def computed(jobs, prefixes, most_tokens):
    """The batches of `jobs`, and how many tokens are computed for each, if every prompt is kept."""
    batches = []
    while jobs:
        batch = next_batch(jobs, lambda job: job, prefixes, most_tokens)
        batches.append([len(job) - prefixes.known(job) for job in batch])
        for job in batch:
            jobs.remove(job)
            if prefixes.keeps(job):
                prefixes.keep(job, ())
    return batches


@given(prompts, st.integers(1, 40))
def test_each_distinct_beginning_is_computed_once(kept, most_tokens):
    # A last token of its own, because the last token of a prompt is computed whatever is known.
    jobs = [(*prompt, 100 + n) for n, prompt in enumerate(kept)]
    batches = computed(list(jobs), Prefixes(1000, 1), most_tokens)
    assert sum(map(sum, batches)) == len({job[:n] for job in jobs for n in range(1, len(job) + 1)})
    assert all(len(batch) == 1 or len(batch) * max(batch) <= most_tokens for batch in batches)


@given(prompts)
def test_without_sharing_nobody_waits_for_another(kept):
    batches = computed(list(kept), Prefixes(0), 10_000)
    assert batches == ([sorted(map(len, kept), reverse=True)] if kept else [])
