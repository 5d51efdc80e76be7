"""What a reader of a run's score must be told beside it, wherever the score is shown."""

from datetime import UTC, datetime

from bakeoff.store.manifest import JudgingRecord, Manifest


def caveats(manifest: Manifest, *, now: datetime | None = None) -> tuple[str, ...]:
    """A sentence for each thing that a run's score does not bear by itself; none for most runs.

    A score that a language model gave is *uncalibrated* until people's labels say how far the judge agrees
    with them, and again once that calibration has expired.
    """
    judging = manifest.judging
    if judging is None:
        return ()
    judge = judge_name(judging)
    if judging.calibration is None:
        return (
            f"uncalibrated: the scores are what {judge} says, and no people's labels tell how far to believe "
            "it (bakeoff judge calibrate)",
        )
    if expired(judging, now=now):
        return (
            f"uncalibrated: the calibration of the judge {judge} expired on "
            f"{judging.calibration.expires[:10]}, so label anew (bakeoff judge calibrate)",
        )
    return ()


def expired(judging: JudgingRecord, *, now: datetime | None = None) -> bool:
    """Whether the judge's calibration counts no more, or there is none."""
    if judging.calibration is None:
        return True
    end = datetime.fromisoformat(judging.calibration.expires)
    # A time written by hand without a zone is UTC, as the record says.
    return (end if end.tzinfo else end.replace(tzinfo=UTC)) <= (now or datetime.now(UTC))


def judge_name(judging: JudgingRecord) -> str:
    """The judge's own name, else how its engine is called."""
    return str(judging.judge.get("name") or judging.judge.get("engine") or "a language model")
