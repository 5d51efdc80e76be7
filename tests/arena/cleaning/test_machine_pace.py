import numpy as np
import pytest

from bakeoff.arena.cleaning.machine_pace import MachinePace
from bakeoff.arena.votes.style import Style
from tests.arena.cleaning.made import battle, votes


def of(voter, seconds, words=300, start=0):
    """Votes of one voter, so many seconds after answers of so many words together."""
    style = None if words is None else Style(words // 2)
    return [
        battle(f"{voter} {start + number}", voter=voter, seconds=each, style_a=style, style_b=style)
        for number, each in enumerate(seconds)
    ]


def lost(found, flags):
    """The voters who lost votes, with how many."""
    names = [said.id.split()[0] for said in found.texts]
    return {name: names.count(name) for name, gone in zip(names, flags.mask, strict=True) if gone}


def test_a_voter_at_the_pace_of_a_machine_loses_all_votes_and_people_none():
    rng = np.random.default_rng(3)
    found = votes(
        *of("bot", [*[0.05] * 9, 30.0]),
        *of("reader", rng.gamma(4, 4, 40)),
        *of("hasty", rng.uniform(0.6, 2.0, 40)),
        *of("sometimes", [0.2] * 5 + [9.0] * 5),
        *of("new", [0.05] * 9),
    )
    flags = MachinePace()(found)
    assert lost(found, flags) == {"bot": 10}
    assert flags.reasons.names == ("the voter votes faster than anybody reads",)
    assert flags.unjudged == 0


def test_short_answers_are_read_in_a_moment():
    yes_or_no = votes(*of("quick", [0.25] * 20, words=4))
    assert not MachinePace()(yes_or_no).mask.any()
    # Four words at twenty a second are 0.2 s.
    assert MachinePace()(votes(*of("quick", [0.19] * 20, words=4))).mask.all()


def test_what_was_not_recorded_is_not_judged():
    found = votes(
        *of("untimed", [None] * 12),
        *of("unmeasured", [0.01] * 12, words=None),
        battle("nobody's", seconds=0.01, style_a=Style(9), style_b=Style(9)),
        *of("bot", [0.01] * 10),
        *of("bot", [None] * 2, start=10),
    )
    flags = MachinePace()(found)
    assert lost(found, flags) == {"bot": 12}
    assert flags.unjudged == 25


def test_the_order_of_votes_changes_nothing():
    rows = [*of("bot", [0.05] * 12), *of("reader", [8.0] * 12)]
    order = np.random.default_rng(1).permutation(len(rows))
    mixed = votes(*(rows[place] for place in order))
    assert (MachinePace()(mixed).mask == MachinePace()(votes(*rows)).mask[order]).all()


@pytest.mark.parametrize(
    "told", [{"share": 0}, {"share": 1.1}, {"at_least": 0}, {"hand_s": 0.0}, {"words_per_s": -1.0}]
)
def test_parameters_that_cannot_be_are_refused(told):
    with pytest.raises(ValueError, match=next(iter(told))):
        MachinePace(**told)
