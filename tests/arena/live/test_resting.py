"""A model that fails again and again is not drawn for a while, whoever made it."""

from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.live.resting import IN_A_ROW, REST_S, VOTERS, Resting


def fail(resting, name, times, at=0.0, voters=VOTERS):
    for number in range(times):
        resting.failed(name, f"voter {number % voters}", at)


def test_one_answer_between_failures_begins_the_count_anew():
    resting = Resting()
    for _ in range(3):
        fail(resting, "wren", IN_A_ROW - 1)
        resting.answered(["wren"])
    assert resting.now(0.0) == frozenset()


def test_nobody_puts_a_model_to_rest_alone():
    resting = Resting()
    fail(resting, "wren", 100, voters=VOTERS - 1)
    assert resting.now(0.0) == frozenset()
    resting.failed("wren", "another", 0.0)
    assert resting.now(0.0) == {"wren"}


def test_a_rest_ends():
    resting = Resting()
    fail(resting, "wren", IN_A_ROW, at=10.0)
    fail(resting, "orca", IN_A_ROW - 1, at=10.0)
    assert resting.now(10.0 + REST_S - 1) == {"wren"}
    assert resting.now(10.0 + REST_S) == frozenset()
    fail(resting, "wren", VOTERS, at=400.0)
    assert resting.now(400.0) == {"wren"}
    resting.answered(["wren"])
    assert resting.now(400.0) == frozenset()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans(), st.sampled_from("xyz")), max_size=60))
def test_who_rests_has_failed_so_often_so_many_voters_since_the_last_answer(events):
    resting, since = Resting(), {"a": [], "b": []}
    for name, answered, voter in events:
        if answered:
            resting.answered([name])
            since[name] = []
        else:
            resting.failed(name, voter, 0.0)
            since[name].append(voter)
    for name in resting.now(0.0):
        assert len(since[name]) >= IN_A_ROW
        assert len(set(since[name])) >= VOTERS
