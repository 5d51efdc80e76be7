import numpy as np
import pytest

from bakeoff.arena.judges.constant import constancy
from bakeoff.arena.judges.ranking import Judge, judge_ranking
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings import rank_ranges
from tests.arena.judges.making import FAMILIES, MODELS, judged

JUDGE = Judge("one", "2024-04-09", "sha256:0123456789abcdef", None)


def test_a_ranking_says_whose_it_is():
    found = judge_ranking(judged(0, 40), JUDGE)
    assert found.label == JUDGE.label
    for word in ("one", "2024-04-09", "0123456789ab", "not by people", "both orders"):
        assert word in found.label
    with pytest.raises(BakeoffError, match="`version` is empty"):
        Judge("one", "", "sha256:0")


def test_a_judge_ranks_models_in_their_order():
    found = judge_ranking(judged(0, 300), JUDGE)
    assert found.models == tuple(sorted(MODELS))
    assert found.fit.strength[0] == max(found.fit.strength)
    assert np.corrcoef(found.fit.strength, np.arange(8))[0, 1] < -0.95
    assert found.votes == found.counts.votes == 1800
    ranks = rank_ranges(found.fit)
    assert ranks[0].low == 1


def test_a_judge_does_not_rank_its_own_family():
    judge = Judge("own", "1", "sha256:0", "f")
    found = judge_ranking(judged(0, 60, favour=0.2), judge, families=FAMILIES)
    rated = {name for name, yes in zip(found.models, found.fit.rated, strict=True) if yes}
    assert rated == {name for name in MODELS if name[0] != "f"}
    assert found.own_family + found.votes == found.counts.votes
    assert found.own_family > 0


def test_a_constant_entry_is_blocked_and_named():
    answers = {
        "g1": constancy(["always this"] * 60),
        "g2": constancy([f"{'ab'[k % 2] * k} x" for k in range(60)]),
    }
    found = judge_ranking(judged(0, 60), JUDGE, answers=answers)
    assert set(found.blocked) == {"g1"}
    assert not found.fit.rated[found.models.index("g1")]
    assert found.fit.rated[found.models.index("g2")]
    assert found.of_blocked + found.votes == found.counts.votes


def test_a_ranking_without_votes_is_an_error():
    verdicts = judged(0, 10)
    with pytest.raises(BakeoffError, match="no verdict by 'nobody'"):
        judge_ranking(verdicts, Judge("nobody", "1", "sha256:0"))
    one_order = verdicts.where(verdicts.first < verdicts.second)
    with pytest.raises(BakeoffError, match="0 votes left on 0 items"):
        judge_ranking(one_order, JUDGE)
