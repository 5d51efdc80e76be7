from datetime import UTC, datetime, timedelta

import pytest

from bakeoff.store import CalibrationRecord, JudgingRecord, caveats, expired, judge_name
from tests.store.test_manifest import MANIFEST

END = datetime(2026, 3, 31, 12, tzinfo=UTC)


def _judged(expires=None, judge=None):
    known = expires and CalibrationRecord(
        id="c", made="", expires=expires, labels=40, agreement=0.8, low=0.7, high=0.9, level=0.95
    )
    judging = JudgingRecord(
        rubric={},
        rubric_digest="",
        judge={"name": "j"} if judge is None else judge,
        runs=[],
        folders=[],
        calibration=known or None,
    )
    return MANIFEST.model_copy(update={"judging": judging})


def test_a_run_without_a_judge_has_no_caveat():
    assert caveats(MANIFEST) == ()


def test_a_judge_without_labels_is_uncalibrated_whenever_one_looks():
    for now in (datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC), None):
        (said,) = caveats(_judged(), now=now)
        assert said.startswith("uncalibrated: the scores are what j says")


@pytest.mark.parametrize(
    "expires", ["2026-03-31T12:00:00+00:00", "2026-03-31T12:00:00", "2026-03-31T14:00:00+02:00"]
)
def test_a_calibration_counts_until_the_very_second_it_expires(expires):
    judged = _judged(expires)
    assert caveats(judged, now=END - timedelta(seconds=1)) == ()
    assert not expired(judged.judging, now=END - timedelta(seconds=1))
    (said,) = caveats(judged, now=END)
    assert said.startswith("uncalibrated: the calibration of the judge j expired on 2026-03-31")


def test_a_judge_without_a_name_is_called_by_its_engine():
    assert judge_name(_judged(judge={"engine": "hf"}).judging) == "hf"
    assert judge_name(_judged(judge={}).judging) == "a language model"
