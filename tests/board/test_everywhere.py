import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.community.discussion import about, hide, say
from bakeoff.board.everywhere import MOST, Hit, everywhere
from bakeoff.board.registry import register
from bakeoff.database import reading, writing
from tests.board.little import LITTLE
from tests.board.making import entrant, snapshot

RUNS = [("20260102T000000Z-bbbbbb", "arithmetic", "org-model"), ("20260101T000000Z-aaaaaa", "dates", "other")]


@pytest.fixture
def search(engine):
    with writing(engine) as connection:
        register(connection, LITTLE, actor="bob")
        say(connection, about(connection, "board small"), "I doubt the licence of <b>Größe</b>", author="eve")
        hide(
            connection,
            say(connection, about(connection, "board small"), "secret doubts", author="eve").id,
            actor="bob",
            reason="rude",
        )
    rows = snapshot(*(entrant(number) for number in range(30)), entrant(99, model="org/model-1-large"))

    def found(words, newest=lambda _board: rows):
        with reading(engine) as connection:
            return {each.kind: each for each in everywhere(connection, words, newest=newest, runs=RUNS)}

    return found


def test_it_finds_what_holds_every_word_whatever_its_case(search):
    assert search("SMALL")["board"].hits[0].name == "small"
    assert search("arith bbbb")["run"].hits == (Hit("run", RUNS[0][0], text="arithmetic · org-model"),)
    assert search("arithmetic")["task"].hits[0].name == "arithmetic"
    assert search("GRÖSSE licence")["post"].hits[0].name == "board small"
    assert search("arithmetic nowhere") == {}


def test_the_closest_name_is_first_and_all_are_counted(search):
    found = search("model-1")["model"]
    assert [hit.name for hit in found.hits[:3]] == ["org/model-1", "org/model-10", "org/model-11"]
    assert found.total == 12
    every = search("model")["model"]
    assert (len(every.hits), every.total) == (MOST, 31)


def test_what_was_hidden_is_not_found(search):
    assert search("doubt")["post"].total == 1
    assert "post" not in search("secret")


def test_nothing_is_found_for_nothing(search):
    assert search("  ") == {}


@given(st.text(max_size=300))
def test_any_words_can_be_searched_for(words):
    hits = list(everywhere_names(words))
    assert all(all(word in hit.casefold() for word in words[:200].casefold().split()) for hit in hits)


def everywhere_names(words):
    from bakeoff.board.everywhere import _tasks

    wanted = tuple(words[:200].casefold().split())
    return (f"{hit.name} {hit.text}" for hit in _tasks(wanted)) if wanted else ()
