"""Who the crowd of a voter is."""

import numpy as np

from bakeoff.arena.cleaning.crowd import cells
from bakeoff.arena.votes.pseudonym import pseudonym
from tests.arena.cleaning.made import battle, votes


def of(found, voter):
    """(own for m, own for n, crowd's for m, crowd's for n) on the pair m, n."""
    (at,) = np.flatnonzero(found.voters[found.voter] == int(pseudonym(voter), 16))
    return tuple(int(each[at]) for each in (found.won, found.lost, found.all_won, found.all_lost))


def cast(voter, won, lost):
    return [battle(f"{voter} {n}", voter=voter, outcome="a" if n < won else "b") for n in range(won + lost)]


def test_those_who_vote_about_as_often_are_not_of_the_crowd():
    """Of 10 and of 12 votes; of 60; of 4; and of nobody known."""
    rows = cast("ten", 10, 0) + cast("twelve", 9, 3) + cast("sixty", 20, 40) + cast("four", 1, 3)
    found = cells(votes(*rows, *cast(None, 2, 5)))
    assert of(found, "ten") == (10, 0, 10 + 20 + 1 + 2, 40 + 3 + 5)
    assert of(found, "twelve") == (9, 3, 9 + 20 + 1 + 2, 3 + 40 + 3 + 5)
    assert of(found, "four") == (1, 3, 10 + 9 + 20 + 1 + 2, 3 + 40 + 3 + 5)


def test_where_that_would_be_less_than_half_of_all_votes_everybody_is():
    rows = cast("ten", 10, 0) + cast("twelve", 9, 3) + cast("sixty", 20, 40)
    found = cells(votes(*rows))
    assert of(found, "sixty") == (20, 40, 39, 43)
    alike = cells(votes(*cast("one", 5, 5), *cast("other", 8, 2)))
    assert of(alike, "one") == (5, 5, 13, 7)


def test_ties_are_no_part_of_it():
    tied = [battle(f"t{n}", voter="tied", outcome="tie") for n in range(30)]
    found = cells(votes(*tied, *cast("one", 5, 5), *cast("other", 20, 9)))
    assert of(found, "one") == (5, 5, 25, 14)
    assert len(found.voters) == 2
