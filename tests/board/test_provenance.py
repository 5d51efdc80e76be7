from bakeoff.board.life import State
from bakeoff.board.ranking.provenance import provenance
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import Submission
from tests.board.making import model


def _submission(number, *, organisation, way="weights", given=None):
    return Submission(
        id=number,
        board="small",
        version=1,
        organisation=organisation,
        submitter="ann",
        way=way,
        model=given or model(1),
        state=State.PUBLISHED,
        attempt=1,
        duplicate_of=None,
        supersedes=None,
        job=None,
        scores={},
        created=0.0,
        changed=0.0,
    )


def _scores(value, half=0.02):
    return Scores(Value(None) if value is None else Value(value, value - half, value + half, 400), {})


FIRST = _submission(1, organisation="a")


def _said(second, value, *, half=0.02):
    scores = {1: _scores(0.5), 2: _scores(value, half)}
    return provenance(FIRST, scores, [FIRST, second])


def test_what_another_organisation_measured_again_within_the_intervals_is_reproduced():
    assert _said(_submission(2, organisation="b"), 0.51) == ("reproduced", ())


def test_a_repetition_that_comes_out_otherwise_is_said():
    known, flags = _said(_submission(2, organisation="b"), 0.6)
    assert known == "measured"
    assert flags == ("measured again as submission 2, with another result",)
    # The wide interval of a poor repetition proves nothing: each has to lie in the other's.
    assert _said(_submission(2, organisation="b"), 0.6, half=0.2)[0] == "measured"


def test_ones_own_repetition_another_model_and_supplied_records_reproduce_nothing():
    for second in (
        _submission(2, organisation="a"),
        _submission(2, organisation="b", given=model(2)),
        _submission(2, organisation="b", given=model(1, precision="int8")),
        _submission(2, organisation="b", way="predictions"),
    ):
        assert _said(second, 0.5) == ("measured", ())


def test_a_repetition_without_a_score_says_nothing():
    assert _said(_submission(2, organisation="b"), None) == ("measured", ())


def test_supplied_records_are_that_whoever_measures_again():
    supplied = _submission(1, organisation="a", way="predictions")
    scores = {1: _scores(0.5), 2: _scores(0.5)}
    assert provenance(supplied, scores, [_submission(2, organisation="b")]) == ("records", ())
