"""How long people take to vote, and whom the rule on pace takes for a machine."""

import numpy as np
import pytest

from bakeoff.arena.answering.pace import STEADY
from bakeoff.arena.cleaning.machine_pace import MachinePace
from bakeoff.arena.simulate.crowd import columns
from bakeoff.arena.simulate.pauses import GLANCES, QUICK, READS, WAITS, lengths, pauses

VOTERS, EACH = 400, 20


def voters_lost(reader, median=150.0, seed=0):
    """The share of voters of a kind who lose their votes."""
    rng = np.random.default_rng(seed)
    voter, n = np.repeat(np.arange(VOTERS), EACH), VOTERS * EACH
    words = lengths(rng, n, median)
    one = np.ones(n, dtype=np.int64)
    votes = columns(2, 0 * one, one, 0 * one, 1 + voter, 0 * one, -one, words)
    object.__setattr__(votes, "seconds", pauses(rng, reader, voter, words, STEADY))
    lost = MachinePace()(votes).mask.reshape(VOTERS, EACH)
    assert (lost.all(axis=1) == lost.any(axis=1)).all()
    return lost.any(axis=1).mean()


def test_reading_takes_as_long_as_is_published():
    rng = np.random.default_rng(1)
    words = np.full((20_000, 2), 119.0)
    found = pauses(rng, READS, np.arange(20_000), words, letters_per_s=1e9)
    # 238 words at 238 a minute, and 1.3 s for the hand; a speed is e^N(0, 1/4).
    assert np.median(found) == pytest.approx(61.3, rel=0.02)
    assert (found - 1.3 > 238 / 300 * 60).mean() == pytest.approx(0.82, abs=0.03)
    assert np.quantile(found, [0.16, 0.84]) == pytest.approx([61.3 * 175 / 238, 61.3 * 300 / 238], rel=0.09)


def test_what_was_read_while_it_was_written_takes_no_time_behind_it():
    rng = np.random.default_rng(2)
    words = np.full((1_000, 2), 100.0)
    slow = pauses(rng, READS, np.arange(1_000), words, letters_per_s=2.0)
    assert np.median(slow) == pytest.approx(1.3, rel=0.05)
    assert np.median(pauses(rng, GLANCES, np.arange(1_000), words, STEADY)) == pytest.approx(1.3, rel=0.05)


@pytest.mark.parametrize("median", [3.0, 30.0, 150.0, 600.0])
@pytest.mark.parametrize("reader", [READS, *QUICK], ids=lambda each: each.name)
def test_no_honest_reader_is_taken_for_a_machine_however_quick(reader, median):
    assert voters_lost(reader, median) == 0


def test_a_hand_that_lies_on_the_button_is_no_different_from_a_machine():
    """Whoever votes by reflex on every long answer has not read the end of any."""
    assert voters_lost(WAITS) > 0.9
    assert voters_lost(WAITS, median=2.0) < 0.4
