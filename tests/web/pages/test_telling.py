"""What the log says, in words."""

import pytest

from bakeoff.board.life import State
from bakeoff.database.log import Event
from bakeoff.jobs import Fault
from bakeoff.web.pages.telling import FAULTS, STATES, error_and_remedy, happening, length, words


def _event(kind, **facts):
    return Event(1, 0.0, "ann", kind, "submission 1", "", facts)


MODEL = '{"name": "org/m", "revision": "sha256:0123456789abcdef"}'


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (_event("submitted", model=MODEL), "handed in org/m at 0123456789ab"),
        (
            _event("submitted", model='{"name": "m", "revision": ""}', duplicate_of=3),
            "handed in m, the same as submission 3",
        ),
        (_event("identified", model=MODEL), "found that it is org/m at 0123456789ab"),
        (_event("scored", scores={}), "kept its scores"),
        (_event("key lent", address="https://x.example/v1"), "lent a key for https://x.example/v1, sealed"),
        (_event("key destroyed"), "destroyed the key that was lent"),
        (_event("board version", version=2), "registered version 2 of the board"),
        (_event("snapshot", rows=7), "published a snapshot of 7 rows"),
        (_event("voted"), "voted for it"),
        (_event("flag raised", flag=2, rule="conduct"), "raised flag 2 under the rule conduct"),
        (_event("flag replied to", flag=2), "replied to flag 2"),
        (_event("flag upheld", flag=2, urgent=True), "upheld flag 2, as urgent"),
        (_event("flag dismissed", flag=2), "dismissed flag 2"),
        (_event("post added", post=4, organisation="Aurora"), "wrote post 4 for Aurora"),
        (_event("post hidden", post=4), "hid post 4"),
        (_event("post shown", post=4), "showed again post 4"),
        (_event("post erased", post=4), "erased the text of post 4"),
        (_event("something new"), "something new"),
    ],
)
def test_each_kind_of_entry_has_its_words(event, said):
    assert words(event) == said
    assert happening(event).digest == event.digest


@pytest.mark.parametrize("state", [each for each in State if each is not State.DRAFT])
def test_each_move_and_each_state_has_its_words(state):
    assert words(_event(f"submission {state}")) != f"submission {state}"
    assert STATES[state]


def test_each_fault_has_its_words():
    assert set(FAULTS) == set(Fault)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "1 s"),
        (1.4, "1 s"),
        (89, "89 s"),
        (90, "2 min"),
        (3600, "60 min"),
        (5400, "1.5 h"),
        (86_400, "24.0 h"),
        (200_000, "2 days"),
    ],
)
def test_a_length_is_said_in_the_unit_that_reads_best(seconds, said):
    assert length(seconds) == said


def test_an_error_is_a_message_and_what_to_do():
    assert error_and_remedy("no such name\ncorrect it\nor not") == ("no such name", "correct it\nor not")
    assert error_and_remedy("no such name") == ("no such name", "")
