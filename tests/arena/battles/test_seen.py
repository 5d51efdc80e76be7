"""Nothing that a voter may see before the vote names a model."""

from dataclasses import asdict, replace

import orjson
import pytest

from bakeoff.arena.battles.conversations import conversations
from bakeoff.arena.battles.erasing import erase
from bakeoff.arena.battles.life import Void
from bakeoff.database import reading, writing
from bakeoff.database.clock import current
from bakeoff.errors import BakeoffError
from bakeoff.nouns.response import FinishReason
from tests.arena.battles.playing import MODELS, said


def everything(live, battle):
    """All that the voter of a battle may see or be told of it, and of votes that are refused, as text."""
    told = [orjson.dumps(asdict(live.seen(battle)))]
    for outcome in ("nonsense", None):
        with pytest.raises(BakeoffError) as error:
            live.cast(battle, outcome)
        told.append(repr(error.value).encode() + str(error.value).encode())
    return b"\n".join(told).decode().casefold()


def test_fifty_battles_show_no_name_before_the_vote(live):
    words = {word.casefold() for name in MODELS for word in (name, *name.split())}
    for number in range(50):
        pair = (MODELS[number % 3], MODELS[(number + 1) % 3])
        there = live.open(pair=pair)
        left, right = (
            said(f"I am {name}, by {name}.", shown="I am ███, by ███.", scrubbed=2) for name in pair
        )
        if number % 10 != 9:
            live.answered(there, left, right)
        if number % 10 == 8:
            live.void(there, Void.MODERATED)
        if number % 10 == 7:
            live.leave(there)
        found = everything(live, there)
        assert not [word for word in words if word in found]
        if number % 10 < 7:
            live.cast(there)
            found = orjson.dumps(asdict(live.seen(there))).decode()
            assert all(name in found for name in pair)


def test_answers_are_as_they_were_written_once_names_are_known(live):
    there = live.open()
    live.answered(
        there, said("I am Orca.", shown="I am ███.", scrubbed=1), said("Hello", finish=FinishReason.LENGTH)
    )
    (before,) = live.seen(there).turns
    assert (before.left.text, before.right.text) == ("I am ███.", "Hello")
    assert (before.left.cut, before.right.cut) == (False, True)
    live.cast(there)
    (after,) = live.seen(there).turns
    assert (after.left.text, after.right.text) == ("I am Orca.", "Hello")


def test_two_answers_that_differ_in_what_tells_models_apart_look_alike(live):
    """Times, tokens, and what a model wrote before it was blacked out show in nothing that is seen."""
    one = said("I am A.", shown="I am ███.", scrubbed=1)
    other = replace(one, text="I am Beta.", first_token_s=None, total_s=90.0, tokens=None)
    found = []
    for answer in (one, other):
        there = live.open()
        live.answered(there, answer, said("Hello"))
        found.append(replace(live.seen(there), battle=""))
    assert found[0] == found[1]


def test_each_model_is_asked_with_its_own_answers(live):
    there = live.ready(prompt="One?")
    live.next_turn(there, prompt="Two?")
    with reading(live.engine) as connection:
        left, right = conversations(connection, there)
    assert (left.variant, right.variant) == MODELS[:2]
    assert [(each.role, each.text) for each in left.messages] == [
        ("user", "One?"),
        ("assistant", "Ten *metres*."),
        ("user", "Two?"),
    ]
    assert right.messages[1].text == "**Deep**, deep."


def test_texts_of_battles_that_ended_are_erased_and_their_counts_stay(live):
    voted, open_still = live.ready(), live.ready()
    live.cast(voted)
    before = live.battles(words="none")
    with writing(live.engine) as connection:
        end = current(connection) + 1
        assert erase(connection, "chat", end - 60) == 0
        assert erase(connection, "chat", end) == 1
        assert erase(connection, "chat", end) == 0
    (only,) = live.seen(voted).turns
    assert (only.prompt, only.left.text, only.right.text) == (None, None, None)
    assert live.seen(open_still).turns[0].left.text == "Ten *metres*."
    assert live.battles() == before
    with reading(live.engine) as connection, pytest.raises(BakeoffError, match="were erased"):
        conversations(connection, voted)
