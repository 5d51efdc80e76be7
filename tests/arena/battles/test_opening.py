import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from bakeoff.arena.battles.life import State, Void
from bakeoff.arena.battles.limits import Limits
from bakeoff.arena.battles.opening import open_battle
from bakeoff.arena.battles.prompt import Prompt
from bakeoff.arena.battles.turns import abandon_old
from bakeoff.arena.pairing.draw import Draw
from bakeoff.database import open_database, reading, writing
from bakeoff.database.tables import battle, turn
from bakeoff.errors import BakeoffError
from bakeoff.nouns.item import Part
from tests.arena.battles.playing import MODELS
from tests.arena.policy.making import Arena


def test_a_battle_is_counted_as_shown_when_it_opens_whatever_comes_of_it(live):
    there = live.open(held_back=True)
    assert live.served() == (1, 0, 0.25)
    live.void(there, Void.MODEL_ERROR)
    assert live.served() == (1, 0, 0.25)
    with reading(live.engine) as connection:
        row = connection.execute(select(battle)).one()
    assert (row.left, row.right, row.rule, row.held_back) == (*MODELS[:2], "uniform@1", True)


def test_an_id_that_was_used_is_refused_and_nothing_changes(live):
    there = live.open()
    with pytest.raises(BakeoffError, match="a battle of that id already"), writing(live.engine) as connection:
        open_battle(connection, "chat", live.voter("bob"), Draw(*MODELS[1:], 1.0, "r@1"), there, Prompt("Hi"))
    assert live.served() == (1, 0, 0.25)
    assert live.seen(there).turns[0].prompt == "How deep is the lake?"


@pytest.mark.parametrize("pair", [("ghost", MODELS[0]), (MODELS[0], "tested in secret")])
def test_a_pair_that_is_not_to_be_shown_is_refused_without_a_name(live, pair):
    Arena(live.engine).register("tested in secret")
    with pytest.raises(BakeoffError) as error:
        live.open(pair=pair)
    assert not any(name in repr(error.value) + str(error.value) for name in pair)
    assert error.value.__suppress_context__
    assert error.value.__cause__ is None
    with reading(live.engine) as connection:
        assert connection.execute(select(battle)).all() == []


def test_an_arena_that_is_not_live_and_a_voter_in_clear_are_refused(live):
    with writing(live.engine) as connection:
        with pytest.raises(BakeoffError, match="there is no live arena code"):
            open_battle(connection, "code", "0" * 16, Draw(*MODELS[:2], 1.0, "r@1"), "i", Prompt("x"))
        with pytest.raises(ValueError, match="pseudonym"):
            open_battle(
                connection, "chat", "ann@example.org", Draw(*MODELS[:2], 1.0, "r@1"), "i", Prompt("x")
            )


def test_what_no_database_keeps_is_spelt_out_and_images_come_back(live):
    image = Part("image", "iVBORw0KGgo=", "image/png")
    there = live.open(prompt=Prompt("a\x00b \ud800 🙂", images=(image,)))
    live.answered(there, left="\x00\udfff", right="é")
    (only,) = live.seen(there).turns
    assert (only.prompt, only.images) == ("a\\x00b \\ud800 🙂", (image,))
    assert (only.left.text, only.right.text) == ("\\x00\\udfff", "é")


def test_prompts_of_one_text_have_one_pseudonym_which_its_text_alone_does_not_give(live):
    from bakeoff.arena.votes.pseudonym import prompt_pseudonym

    for text in ("How deep?", "  HOW   deep? ", "How wide?"):
        live.open(prompt=text)
    with reading(live.engine) as connection:
        found = dict(connection.execute(select(turn.c.prompt, turn.c.pseudonym)).all())
    assert found["How deep?"] == found["  HOW   deep? "] != found["How wide?"]
    assert found["How deep?"] != prompt_pseudonym("How deep?")


def test_a_voter_has_so_many_battles_open_and_others_are_not_held_up(live):
    limits = Limits(open=2)
    first, second = live.open(limits=limits), live.ready(limits=limits)
    with pytest.raises(BakeoffError, match="you have 2 battles without a vote"):
        live.open(limits=limits)
    live.open(limits=limits, by="bob")
    live.cast(second)
    live.open(limits=limits)
    with pytest.raises(BakeoffError, match="without a vote"):
        live.open(limits=limits)
    live.leave(first)
    live.open(limits=limits)


def test_votes_and_battles_are_counted_over_24_hours(live):
    limits = Limits(votes=2, battles=4)
    for _ in range(2):
        live.cast(live.ready(limits=limits))
    with pytest.raises(BakeoffError, match="2 votes in 24 hours"):
        live.open(limits=limits)
    live.later(86_401)
    for _ in range(4):
        live.leave(live.open(limits=limits))
    with pytest.raises(BakeoffError, match="begun 4 battles in 24 hours"):
        live.open(limits=limits)
    with pytest.raises(ValueError, match="at least 1"):
        Limits(open=0)


def test_who_begins_many_battles_at_once_gets_no_more_than_the_limit(database, live):
    engines = [open_database(database) for _ in range(6)]
    start, ann = threading.Barrier(len(engines)), live.voter()

    def begin(number):
        start.wait()
        try:
            with writing(engines[number]) as connection:
                draw = Draw(*MODELS[:2], 0.25, "uniform@1")
                open_battle(
                    connection, "chat", ann, draw, f"id {number}", Prompt("Hi"), limits=Limits(open=2)
                )
        except BakeoffError:
            return False
        return True

    with ThreadPoolExecutor(len(engines)) as pool:
        assert sum(pool.map(begin, range(len(engines)))) == 2
    for each in engines:
        each.dispose()
    assert live.served() == (2, 0, 0.5)


def test_a_battle_in_which_nothing_happens_runs_out_and_a_newer_one_does_not(live):
    old, answering = live.ready(), live.open()
    voted = live.ready()
    live.cast(voted)
    live.later(3_600)
    new = live.ready()
    with writing(live.engine) as connection:
        assert abandon_old(connection, "chat", older_than=1_800) == 2
        assert abandon_old(connection, "chat", older_than=1_800) == 0
        assert abandon_old(connection, "other", older_than=0) == 0
    states = [live.seen(each).state for each in (old, answering, voted, new)]
    assert states == [State.ABANDONED, State.ABANDONED, State.VOTED, State.ANSWERED]
    with pytest.raises(BakeoffError, match="ran out"):
        live.answered(answering)


def test_a_battle_has_so_many_turns(live):
    there = live.ready()
    live.next_turn(there, limits=Limits(turns=2))
    live.answered(there)
    with pytest.raises(BakeoffError, match="2 turns at most"):
        live.next_turn(there, limits=Limits(turns=2))
    assert live.cast(there).outcome == "a"


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_prompt_is_refused_and_an_empty_answer_is_none(live, text):
    with pytest.raises(BakeoffError, match="the prompt is empty"):
        live.open(prompt=text)
    there = live.open()
    with pytest.raises(ValueError, match="an answer is empty"):
        live.answered(there, left=text)
    assert live.seen(there).state is State.ANSWERING
