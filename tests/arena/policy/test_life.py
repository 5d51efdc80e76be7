import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.policy.history import histories
from bakeoff.arena.policy.life import FOLLOWING, PUBLIC, REMOVED, UNRELEASED, State, check_move, following
from bakeoff.database.log import Event
from bakeoff.database.tables.arena import STATES
from bakeoff.errors import BakeoffError


def test_the_database_knows_the_same_states():
    assert {each.value for each in State} == set(STATES) == {each.value for each in FOLLOWING}


def test_nobody_becomes_unreleased_again_and_nothing_follows_a_withdrawal():
    for now, then in FOLLOWING.items():
        assert State.REGISTERED not in then
        assert now is State.REGISTERED or State.TESTING not in then
    assert not FOLLOWING[State.WITHDRAWN]


def test_every_state_but_the_first_can_be_reached_and_all_but_the_last_can_be_left():
    reached, new = set(), {State.REGISTERED}
    while new:
        reached |= new
        new = {each for now in reached for each in FOLLOWING[now]} - reached
    assert reached == set(State)
    for before in set(State) - {State.WITHDRAWN, State.DISPUTED}:
        assert State.WITHDRAWN in following(State.DISPUTED, before)
        assert before in following(State.DISPUTED, before)


@given(st.lists(st.sampled_from(State), max_size=12))
def test_no_way_leads_around_the_release_or_out_of_sight(tried):
    """Whatever is tried in whatever order: what was public never is unreleased, not even by a dispute."""
    now, before, standing = State.REGISTERED, None, [State.REGISTERED]
    for then in tried:
        try:
            check_move(now, then, "why", before)
        except BakeoffError:
            continue
        before = (before or now) if then is State.DISPUTED else None
        now = then
        standing.append(before or now)
    public = [place for place, each in enumerate(standing) if each in PUBLIC]
    removed = [place for place, each in enumerate(standing) if each in REMOVED - {State.WITHDRAWN}]
    if public:
        assert not UNRELEASED & set(standing[public[0] :])
    assert not removed or (public and public[0] < removed[0])
    assert State.WITHDRAWN not in standing[:-1]


def test_a_dispute_is_not_disputed():
    with pytest.raises(BakeoffError, match="disputed cannot become disputed"):
        check_move(State.DISPUTED, State.DISPUTED, "why", State.LISTED)


@pytest.mark.parametrize("then", [State.RETIRED, State.INACTIVE, State.WITHDRAWN, State.DISPUTED])
def test_who_removes_or_disputes_says_why(then):
    with pytest.raises(BakeoffError, match="for a reason"):
        check_move(State.LISTED, then, " \n")


def entry(number, word, name="a/b", arena="chat", **facts):
    return Event(number, float(number), "ann", f"variant {word}", f"variant {arena}/{name}", "r", facts)


def test_a_history_is_of_one_arena_and_has_what_a_dispute_interrupted():
    told = [
        entry(1, "registered", provider="Acme", family="f", licence="proprietary", access="private"),
        entry(2, "registered", arena="other"),
        entry(3, "testing"),
        entry(4, "disputed"),
        Event(5, 5.0, "ann", "voted", "variant chat/a/b", ""),
        entry(6, "polished"),
        entry(7, "withdrawn"),
        entry(8, "testing", name="unregistered"),
    ]
    found = histories(told, "chat")
    assert list(found) == ["a/b", "unregistered"]
    one = found["a/b"]
    assert [each.entry for each in one.steps] == [1, 3, 4, 7]
    assert (one.provider, one.artefact, one.registered.entry, one.tested.entry) == ("Acme", "", 1, 3)
    assert [one.under_test(each) for each in one.steps] == [True, True, True, False]
    assert [one.by(number) for number in (0, 1, 2, 9)] == [None, one.steps[0], one.steps[0], one.steps[-1]]
    assert (one.steps[2].standing, one.last.state, one.released) == (State.TESTING, State.WITHDRAWN, None)
    assert found["unregistered"].provider == ""
