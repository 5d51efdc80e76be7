import json
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from bakeoff.arena.battles.ballots import cast
from bakeoff.arena.battles.life import State, Void
from bakeoff.database import open_database, reading, writing
from bakeoff.database.tables import ballot, battle, guess
from bakeoff.errors import BakeoffError
from tests.arena.battles.playing import MODELS


def test_a_vote_reveals_both_names_and_is_kept_with_its_reasons_and_guesses(live):
    there = live.ready()
    told = live.cast(there, "b", reasons=["more correct", "é"], guesses={"right": MODELS[2]})
    assert (told.left, told.right, told.outcome) == (MODELS[0], MODELS[1], "b")
    assert live.seen(there).revealed == told
    assert told.reasons == ("more correct", "é")
    assert told.guesses == {"right": MODELS[2]}
    assert live.served() == (1, 1, 0.25)


def test_the_same_vote_again_is_done_already_and_another_is_refused(live):
    there = live.ready()
    told = live.cast(there, "tie", reasons=["short"], guesses={"left": MODELS[1]})
    # By now the names are known: what is guessed now is no guess.
    assert live.cast(there, "tie", reasons=["short"], guesses={"left": MODELS[0]}) == told
    for other in ({"outcome": "a", "reasons": ["short"]}, {"outcome": "tie"}):
        with pytest.raises(BakeoffError, match="has its vote already"):
            live.cast(there, **other)
    assert live.served()[1] == 1


def test_seconds_from_the_answers_to_the_vote_are_kept_however_few(live):
    at_once, late = live.ready(), live.ready()
    live.cast(at_once)
    live.later(12.5)
    live.cast(late)
    with reading(live.engine) as connection:
        found = dict(connection.execute(select(ballot.c.battle, ballot.c.seconds)).all())
    assert 0 <= found[at_once] < 12.5 <= found[late] < 25


@pytest.mark.parametrize(
    ("vote", "said"),
    [
        ({"outcome": "left"}, "there is no outcome 'left'"),
        ({"reasons": [""]}, "a reason has 1 to 60 characters"),
        ({"reasons": ["x" * 61]}, "a reason has 1 to 60 characters"),
        ({"reasons": ["a\x00"]}, "a reason has 1 to 60 characters"),
        ({"reasons": ["a", "a"]}, "10 different reasons"),
        ({"guesses": {"left": "ghost"}}, "names a model that is not in the list"),
        ({"guesses": {"first": MODELS[0]}}, "of the left or of the right"),
    ],
)
def test_a_vote_that_cannot_be_is_refused_whole(live, vote, said):
    there = live.ready()
    with pytest.raises(BakeoffError, match=said):
        live.cast(there, **vote)
    assert live.seen(there).state is State.ANSWERED
    assert live.cast(there).outcome == "a"


def test_a_guess_may_not_find_out_which_private_variants_there_are(live):
    from tests.arena.policy.making import Arena

    rules = Arena(live.engine)
    rules.register("secret-9")
    rules.move("secret-9", "testing")
    there = live.ready(pair=("secret-9", MODELS[0]))
    said = []
    for named in ("secret-9", "no-such-model"):
        with pytest.raises(BakeoffError) as error:
            live.cast(there, guesses={"left": named})
        said.append(str(error.value))
    assert said[0] == said[1]
    assert live.cast(there, guesses={"right": MODELS[0]}).left == "secret-9"


def test_no_vote_before_both_answers_are_whole_nor_where_nothing_is_to_be_judged(live):
    answering, void, left = live.open(), live.ready(), live.ready()
    live.void(void, Void.TIMEOUT)
    live.leave(left)
    for each, said in (
        (answering, "still answering"),
        (void, "did not answer in time"),
        (left, "ran out"),
    ):
        with pytest.raises(BakeoffError, match=said):
            live.cast(each)
    for forged in ("", "x" * 22, "'; DROP TABLE ballot; --", answering[:-1]):
        with pytest.raises(BakeoffError, match="you have no battle of that id"):
            live.cast(forged)
    assert live.served()[1] == 0


def test_a_vote_that_is_given_many_times_at_once_is_counted_once(database, live):
    battles = [live.ready() for _ in range(6)]
    engines = [open_database(database) for _ in range(4)]
    start = threading.Barrier(len(engines))
    ann = live.voter()

    def vote(number):
        done = []
        start.wait()
        for each in battles:
            try:
                with writing(engines[number]) as connection:
                    done.append(cast(connection, each, ann, "ab"[number % 2]).outcome)
            except BakeoffError:
                done.append(None)
        return done

    with ThreadPoolExecutor(len(engines)) as pool:
        told = list(zip(*pool.map(vote, range(len(engines))), strict=True))
    for each in engines:
        each.dispose()
    kept = {each: live.seen(each).revealed.outcome for each in battles}
    for each, found in zip(battles, told, strict=True):
        # Both who voted as it was kept are told so, and the two others that they came too late.
        assert sorted(found, key=str) == sorted([kept[each]] * 2 + [None] * 2, key=str)
    assert live.served()[:2] == (6, 6)
    assert live.pair_counts().total == 6


def _vote(url, ids, voter, outcome, gate):
    engine = open_database(url)
    gate.wait()
    for each in ids:
        try:
            with writing(engine) as connection:
                cast(connection, each, voter, outcome)
        except BakeoffError:
            pass
    engine.dispose()


def test_processes_that_vote_at_once_count_each_battle_once(database, live):
    battles = [live.ready() for _ in range(10)]
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(2)
    voters = [
        context.Process(target=_vote, args=(database, battles, live.voter(), outcome, gate))
        for outcome in ("a", "b")
    ]
    for each in voters:
        each.start()
    for each in voters:
        each.join()
        assert each.exitcode == 0
    with reading(live.engine) as connection:
        assert connection.execute(select(func.count()).select_from(ballot)).scalar_one() == 10
        states = set(connection.execute(select(battle.c.state)).scalars())
    assert states == {"voted"}
    assert live.served() == (10, 10, 2.5)
    assert live.pair_counts().counts.sum(axis=0)[2:].tolist() == [0, 0]


def test_the_vote_and_all_that_it_counts_are_kept_together_or_not_at_all(live):
    there = live.ready()
    with pytest.raises(RuntimeError), writing(live.engine) as connection:  # noqa: PT012
        cast(connection, there, live.voter(), "a", guesses={"left": MODELS[0]})
        raise RuntimeError("the server dies here")
    with reading(live.engine) as connection:
        assert [connection.execute(select(each)).all() for each in (ballot, guess)] == [[], []]
    assert live.served()[1] == 0
    assert live.seen(there).state is State.ANSWERED


def test_reasons_are_json_that_others_can_read(live):
    live.cast(live.ready(), reasons=['"x"', "y"])
    with reading(live.engine) as connection:
        assert json.loads(connection.execute(select(ballot.c.reasons)).scalar_one()) == ['"x"', "y"]
