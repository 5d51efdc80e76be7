"""Votes at the pace of a machine, cast one by one as a server casts them, and then looked at."""

import numpy as np
import pytest

from bakeoff.arena.answering.pace import STEADY
from bakeoff.arena.battles import as_votes
from bakeoff.arena.cleaning.recipe import DEFAULT
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.simulate.pauses import GLANCES, SKIMS, pauses
from bakeoff.database import reading

WORDS, EACH = 150, 12
ANSWER = "word " * WORDS


@pytest.fixture
def voted(live):
    """Casts votes of somebody, so many seconds after the answers ended."""

    def cast(by, waits):
        for number, wait in enumerate(waits):
            battle = live.open(by=by)
            live.answered(battle, ANSWER, ANSWER)
            live.later(wait)
            live.cast(battle, "ab"[number % 2], by=by)

    return cast


def test_bots_are_found_by_the_seconds_that_the_server_measured_and_quick_readers_are_not(live, voted):
    rng = np.random.default_rng(5)
    words, one = np.full((EACH, 2), WORDS), np.zeros(EACH, dtype=np.int64)
    waits = {
        "bot": np.zeros(EACH),
        "slower bot": np.full(EACH, 0.8),
        "skims": pauses(rng, SKIMS, one, words, STEADY),
        "glances": pauses(rng, GLANCES, one, words, STEADY),
    }
    for by, each in waits.items():
        voted(by, each.tolist())
    with reading(live.engine) as connection:
        votes = as_votes.votes(connection, "chat")
        cleaned = clean(votes, DEFAULT)
    found = {by: int((~cleaned.used)[votes.voter == int(live.voter(by), 16)].sum()) for by in waits}
    # Whoever programs a bot to wait is not found by the clock.
    assert found == {"bot": EACH, "slower bot": 0, "skims": 0, "glances": 0}
    measured = votes.seconds[votes.voter == int(live.voter("slower bot"), 16)]
    assert (measured >= 0.8).all()
    assert (~cleaned.used).sum() == next(
        step.flagged for step in cleaned.steps if step.name == "machine pace"
    )
