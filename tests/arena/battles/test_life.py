"""A battle goes through its life in every order that is allowed, and in no other."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import make_url

from bakeoff.arena.battles.life import FOLLOWING, OPEN, State, Void, before
from bakeoff.arena.battles.turns import stop_unfinished
from bakeoff.arena.votes.battle import OUTCOMES
from bakeoff.database import writing
from bakeoff.database.tables import live
from bakeoff.errors import BakeoffError
from tests.arena.battles.playing import MODELS, made
from tests.database.databases import with_tables


def test_the_tables_know_the_states_the_reasons_and_the_outcomes():
    assert set(live.STATES) == set(State)
    assert set(live.VOID) == set(Void)
    assert live.OUTCOMES == OUTCOMES
    assert before(State.VOTED) == (State.ANSWERED,)
    assert {state for state in State if FOLLOWING[state]} == OPEN


class Battles(RuleBasedStateMachine):
    """Does anything to any battle, and knows beside what must come of it."""

    live = None
    """Set by the test: a live arena whose battles are none of ours yet."""

    def __init__(self):
        super().__init__()
        self.live.forget()
        self.mine = {}
        self.shown = 0

    def some(self, data):
        return data.draw(st.sampled_from(sorted(self.mine))) if self.mine else None

    def tried(self, battle, then, act):
        """Do it; it is done if and only if the state allows it."""
        if battle is None:
            return
        allowed = then in FOLLOWING[self.mine[battle][0]]
        if allowed:
            act()
            self.mine[battle] = (then, *self.mine[battle][1:])
        else:
            with pytest.raises(BakeoffError) as error:
                act()
            assert not any(name in str(error.value) for name in MODELS)

    @rule(by=st.sampled_from(["ann", "bob"]))
    def open(self, by):
        self.mine[self.live.open(by=by)] = (State.ANSWERING, by, None, 1)
        self.shown += 1

    @rule(data=st.data())
    def answered(self, data):
        battle = self.some(data)
        self.tried(battle, State.ANSWERED, lambda: self.live.answered(battle))

    @rule(data=st.data())
    def next_turn(self, data):
        battle = self.some(data)
        if battle is not None:
            by = self.mine[battle][1]
            can = self.mine[battle][0] is State.ANSWERED
            self.tried(battle, State.ANSWERING, lambda: self.live.next_turn(battle, by=by))
            if can:
                state, by, outcome, turns = self.mine[battle]
                self.mine[battle] = (state, by, outcome, turns + 1)

    @rule(data=st.data(), reason=st.sampled_from(Void))
    def void(self, data, reason):
        battle = self.some(data)
        self.tried(battle, State.VOID, lambda: self.live.void(battle, reason))

    @rule(data=st.data())
    def leave(self, data):
        battle = self.some(data)
        self.tried(battle, State.ABANDONED, lambda: self.live.leave(battle, by=self.mine[battle][1]))

    @rule(data=st.data(), outcome=st.sampled_from(OUTCOMES))
    def cast(self, data, outcome):
        battle = self.some(data)
        if battle is None:
            return
        state, by, before, turns = self.mine[battle]
        if state is State.VOTED and before == outcome:
            assert self.live.cast(battle, outcome, by=by).outcome == outcome  # as done, and not again
            return
        self.tried(battle, State.VOTED, lambda: self.live.cast(battle, outcome, by=by))
        if state is State.ANSWERED:
            self.mine[battle] = (State.VOTED, by, outcome, turns)

    @rule(data=st.data())
    def touched_by_another(self, data):
        battle = self.some(data)
        if battle is None:
            return
        for act in (self.live.cast, self.live.seen, self.live.next_turn, self.live.leave):
            with pytest.raises(BakeoffError, match="you have no battle of that id"):
                act(battle, by="eve")

    @rule()
    def restarted(self):
        with writing(self.live.engine) as connection:
            count = stop_unfinished(connection, "chat")
        stopped = [each for each, found in self.mine.items() if found[0] is State.ANSWERING]
        assert count == len(stopped)
        for each in stopped:
            self.mine[each] = (State.VOID, *self.mine[each][1:])

    @invariant()
    def all_is_as_it_must_be(self):
        for battle, (state, by, _, turns) in self.mine.items():
            found = self.live.seen(battle, by=by)
            assert found.state is state
            assert len(found.turns) == turns
            assert (found.revealed is not None) == (state is State.VOTED)
            assert (found.void is not None) == (state is State.VOID)
            if state in (State.ANSWERED, State.VOTED):
                assert all(each.left and each.right for each in found.turns)
        voted = [found for found in self.mine.values() if found[0] is State.VOTED]
        assert self.live.served() == (self.shown, len(voted), self.shown * 0.25)
        assert self.live.pair_counts().total == len(voted)
        told = Counter(each.outcome for each in self.live.battles(words="none"))
        assert told == Counter(found[2] for found in voted)


def test_whatever_is_done_in_whatever_order_states_votes_and_counts_agree(tmp_path):
    from sqlalchemy import delete

    from bakeoff.database.tables import answer, ballot, battle, served, turn

    engine = with_tables(make_url(f"sqlite:///{tmp_path / 'life.db'}"))
    there = made(engine)

    def forget():
        with writing(engine) as connection:
            for table in (ballot, answer, turn, battle, served):
                connection.execute(delete(table))

    there.forget = forget
    Battles.live = there
    run_state_machine_as_test(
        Battles,
        settings=settings(
            max_examples=12,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
    engine.dispose()
