import numpy as np
import pytest

from bakeoff.arena.judges.board import judge_board
from bakeoff.arena.judges.both_orders import as_votes, both_orders
from bakeoff.arena.judges.constant import constancy
from bakeoff.arena.judges.ranking import Judge
from bakeoff.arena.judges.verdict import Verdict, verdicts_of
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_votes
from bakeoff.errors import BakeoffError
from tests.arena.judges.making import FAMILIES, MODELS, judged

JUDGE = Judge("one", "1", "sha256:0123456789ab")


def test_a_judges_board_is_that_of_its_votes_rated_as_peoples_are():
    verdicts = judged(3, 60)
    board = judge_board(verdicts, JUDGE, level=0.9, seed=5)
    votes = as_votes(both_orders(verdicts.by("one")))
    ranking = rank_votes(votes, Method(together="prompt", level=0.9, seed=5))
    assert board.votes == ranking.votes
    assert [row.model for row in board.rows] == [row.model for row in ranking.rows]
    for ours, theirs in zip(board.rows, ranking.rows, strict=True):
        assert ours.score == pytest.approx(theirs.score)
        assert ours.interval.low == pytest.approx(theirs.interval.low)
        assert ours.expected == pytest.approx(theirs.expected)
        assert (ours.low, ours.high) == (theirs.low, theirs.high)


def test_votes_are_rated_or_left_out_and_models_without_one_are_named():
    answers = {"g1": constancy(["always this"] * 60), "g2": constancy(["a", "b"])}
    own = Judge("own", "1", "sha256:0123456789ab", "f")
    board = judge_board(judged(0, 60, favour=0.2), own, families=FAMILIES, answers=answers)
    assert board.votes + board.own_family + board.of_blocked == board.counts.votes
    unrated = {row.model: row.status for row in board.rows if row.score is None}
    assert unrated == dict.fromkeys(("f1", "f2", "g1"), "unseen")
    assert set(board.blocked) == {"g1"}
    assert set(board.unchecked) == set(MODELS) - {"g1", "g2"}


def test_models_that_only_other_judges_judged_are_not_on_the_board():
    other = [Verdict("i", "two", "new", "f1", "first"), Verdict("i", "two", "f1", "new", "second")]
    rows = [
        Verdict(f"i{n}", "one", *order)
        for n in range(4)
        for order in (("x", "y", "first" if n else "second"), ("y", "x", "second" if n else "first"))
    ]
    board = judge_board(verdicts_of([*rows, *other]), JUDGE)
    assert [row.model for row in board.rows] == ["x", "y"]
    assert board.rows[0].score - board.rows[1].score == pytest.approx(400 * np.log10(3))


def test_what_cannot_be_ranked_says_whose_it_is():
    def pair(item, a, b, wins):
        first, second = ("first", "second") if wins else ("second", "first")
        return [Verdict(item, "one", a, b, first), Verdict(item, "one", b, a, second)]

    alone = verdicts_of([*pair("i", "x", "y", True), *pair("k", "x", "y", True)])
    with pytest.raises(BakeoffError, match="one let no two models"):
        judge_board(alone, JUDGE)
    # x, y and z beat one another in a circle, but on one item; w loses on the other.
    circle = [*pair("i", "x", "y", True), *pair("i", "y", "z", True), *pair("i", "z", "x", True)]
    with pytest.raises(BakeoffError, match="one cannot rank: clusters must be two or more"):
        judge_board(verdicts_of([*circle, *pair("k", "x", "w", True)]), JUDGE)
