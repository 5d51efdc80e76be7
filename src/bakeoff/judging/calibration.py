"""A calibration: how far one judge with one rubric agrees with people on one task, and until when."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from bakeoff.digest import digest
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.judging.agreement import Choice, with_people
from bakeoff.judging.people import two_people
from bakeoff.stats.mean.proportion import wilson
from bakeoff.store import CalibrationRecord, write_atomically

LEAST = 30
"""Labelled items a calibration needs: with 30, 80 % of agreement is known to ± 14 points. Fewer are for an
audit."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Share(_Record):
    """A share of `of` items, with its interval."""

    value: float
    low: float
    high: float
    of: int


class Coefficient(_Record):
    """Agreement beyond chance; the limits are None where they cannot be estimated."""

    value: float
    low: float | None
    high: float | None


class Measured(_Record):
    """A judge against people by one criterion.

    The judge's choice on each item is held against one person, drawn by item. `sensitivity` is the share of
    items that pass by people which the judge passes too, `specificity` of those that fail by people which it
    fails; None where there are none of them, and for pairs. `ceiling` is the agreement of two people drawn by
    item, None where nobody labelled twice; `floor` that of a judge who always says what people say most.
    `unreadable` counts labelled items without a verdict that could be read: not part of the agreement.
    """

    criterion: str
    labels: int
    unreadable: int
    agreement: Share
    ac1: Coefficient | None
    kappa: Coefficient | None
    alpha: Coefficient | None
    sensitivity: Share | None
    specificity: Share | None
    ceiling: Share | None
    floor: float


class Calibration(_Record):
    """People's labels on a judge's verdicts, measured. It holds for the same judge, rubric and task alone.

    `id` is made of what it is about: the judge's identity without its details, the digests of the rubric, of
    the task judged and of the labels.
    """

    schema_version: int = 1
    id: str
    judge: dict[str, Any]
    rubric: str
    task: str
    labels: str
    made: str
    """UTC, ISO 8601."""
    expires: str
    level: float
    criteria: tuple[Measured, ...]

    @property
    def record(self) -> CalibrationRecord:
        """For the manifest of a judged run. Of several criteria it tells of the one that agrees least."""
        least = min(self.criteria, key=lambda each: each.agreement.value)
        return CalibrationRecord(
            id=self.id,
            made=self.made,
            expires=self.expires,
            labels=least.labels,
            agreement=least.agreement.value,
            low=least.agreement.low,
            high=least.agreement.high,
            level=self.level,
        )


def calibration_of(
    criteria: Sequence[Measured],
    *,
    judge: Mapping[str, Any],
    rubric: str,
    task: str,
    labels: str,
    made: str,
    expires: str,
    level: float,
) -> Calibration:
    """A calibration with its id; `rubric`, `task` and `labels` are digests.

    Raises:
        BakeoffError: a criterion with fewer than 30 labelled items.
    """
    for each in criteria:
        if each.labels < LEAST:
            name = f" by {each.criterion}" if len(criteria) > 1 else ""
            raise BakeoffError(
                f"a calibration needs {LEAST} items that people labelled and the judge judged, "
                f"got {each.labels}{name}",
                "label more (bakeoff judge sample), or look at what there is with bakeoff judge audit",
            )
    about = {"judge": dict(judge), "rubric": rubric, "task": task, "labels": labels}
    return Calibration(
        id=digest(about)[7:19], **about, made=made, expires=expires, level=level, criteria=tuple(criteria)
    )


def measured(
    criterion: str,
    judge: Sequence[Choice],
    people: Sequence[Sequence[Choice]],
    items: Sequence[str],
    categories: Sequence[Any],
    *,
    passing: Any = None,
    ordered: bool = False,
    level: float = 0.95,
    seed: int = 0,
) -> Measured:
    """Hold a judge's choices against what people say of the same items.

    `categories` are all choices there are, in order, and `passing` the one that passes; None for pairs.

    Raises:
        BakeoffError: no item has both a label and a verdict.
        ValueError: as `with_people`.
    """
    drawn = [two_people(said, item, seed) for said, item in zip(people, items, strict=True)]
    first = [one for one, _ in drawn]

    def against(said: Sequence[Choice]) -> Any:
        return with_people(said, first, categories, ordered=ordered, level=level, seed=seed)

    found = against(judge)
    if found is None:
        raise BakeoffError(
            f"no item has both a label and a verdict by {criterion}",
            "are these the labels of this run? Each line's `item` must be one that the judge judged",
        )
    ceiling = against([other for _, other in drawn])
    both = [
        (said, person)
        for said, person in zip(judge, first, strict=True)
        if said is not None and person is not None
    ]
    labels = [person for _, person in both]
    return Measured(
        criterion=criterion,
        labels=found.items,
        unreadable=found.unreadable,
        agreement=Share(value=found.share, low=found.interval.low, high=found.interval.high, of=found.items),
        ac1=_coefficient(found.ac1),
        kappa=_coefficient(found.kappa),
        alpha=_coefficient(found.alpha),
        sensitivity=_share([said == passing for said, person in both if person == passing], passing, level),
        specificity=_share([said != passing for said, person in both if person != passing], passing, level),
        ceiling=None
        if ceiling is None
        else Share(
            value=ceiling.share, low=ceiling.interval.low, high=ceiling.interval.high, of=ceiling.items
        ),
        floor=max(map(labels.count, set(labels))) / len(labels),
    )


def fitting(
    calibration: Calibration,
    *,
    rubric: str | None = None,
    task: str | None = None,
    judge: Mapping[str, Any] | None = None,
) -> CalibrationRecord:
    """The record of a calibration for a run with this judge, rubric and task; what is None is not looked at.

    An expired one is given too: its run says that it has expired, and counts as uncalibrated.

    Raises:
        BakeoffError: it is of another judge, rubric or task.
    """
    wanted = {"rubric": rubric, "task": task, "judge": None if judge is None else dict(judge)}
    for name, value in wanted.items():
        of = getattr(calibration, name)
        if value is None or value == of:
            continue
        differs = "" if not isinstance(value, dict) else _differing(of, value)
        raise BakeoffError(
            f"the calibration {calibration.id} is of another {name}{differs}",
            "what people's labels say of one judge, rubric and task holds for no other: calibrate anew",
        )
    return calibration.record


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file that `bakeoff judge calibrate` wrote.

    Raises:
        StoreError: it cannot be read, or holds none.
    """
    try:
        return Calibration.model_validate(orjson.loads(path.read_bytes()))
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    except (orjson.JSONDecodeError, ValidationError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.msg
        raise StoreError(f"{path} is no calibration: {said}", "bakeoff judge calibrate makes one") from None


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration whole.

    Raises:
        StoreError: the file cannot be written.
    """
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    write_atomically(path, orjson.dumps(calibration.model_dump(mode="json"), option=options))


def _share(hits: Sequence[bool], passing: Any, level: float) -> Share | None:
    if passing is None or not hits:
        return None
    interval = wilson(sum(hits), len(hits), level)
    return Share(value=sum(hits) / len(hits), low=interval.low, high=interval.high, of=len(hits))


def _coefficient(found: Any) -> Coefficient | None:
    if found is None or found.value is None:
        return None
    within = found.interval
    return Coefficient(
        value=found.value,
        low=None if within is None else within.low,
        high=None if within is None else within.high,
    )


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    names = [name for name in (*one, *other) if one.get(name) != other.get(name)]
    said = [f"{name} {one.get(name)!r:.40} → {other.get(name)!r:.40}" for name in dict.fromkeys(names)]
    return f": {'; '.join(said)}" if said else ""
