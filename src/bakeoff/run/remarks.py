"""What a run's report says in sentences: its judge, its decision, what was checked before and after."""

from collections.abc import Iterator
from typing import NamedTuple

from bakeoff.run.metrics import Metrics
from bakeoff.run.modes import ModeDifference
from bakeoff.store import (
    DecisionRecord,
    DeterminismRecord,
    JudgingRecord,
    Manifest,
    PassRecord,
    PreflightRecord,
    caveats,
    expired,
    judge_name,
)

_NAMED = 10


class Remark(NamedTuple):
    """What it is about, in a word or two, and the sentences, a line each. Names in it are of any origin."""

    about: str
    text: str


def remarks(manifest: Manifest, metrics: Metrics) -> Iterator[Remark]:
    """All that is to be said of a run beside its numbers, caveats first."""
    for caveat in caveats(manifest):
        yield Remark("note", caveat)
    if metrics.modes is not None:
        yield Remark("other mode", modes_text(metrics.modes))
    if computed := computed_text(manifest):
        yield Remark("computed", computed)
    if manifest.judging is not None:
        yield Remark("judge", judge_text(manifest.judging))
    if manifest.decision is not None:
        yield Remark("decided", decision_text(manifest.decision))
    if manifest.preflight is not None:
        yield Remark("preflight", preflight_text(manifest.preflight))
    if manifest.determinism is not None:
        yield Remark("determinism", determinism_text(manifest.determinism))


def computed_text(manifest: Manifest) -> str:
    """What sharing beginnings saved, where log-likelihoods were computed here."""
    details = manifest.model.identity.get("details", {})
    asked, computed = (str(details.get(f"tokens_{name}", "")) for name in ("asked", "computed"))
    if not (asked.isdecimal() and computed.isdecimal()) or manifest.status == "running":
        return ""
    return f"{int(computed):,} tokens; option by option it would be {int(asked):,}"


def modes_text(found: ModeDifference) -> str:
    """What building requests in another way would move."""
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in found.kinds.items())
    lines = [f"{found.differing:,} of {found.items:,} items are built differently by the other mode: {kinds}"]
    if found.accuracy is not None:
        known = f" (n = {found.items - found.unknown:,})" if found.unknown else ""
        lines.append(
            f"accuracy here {_percent(found.accuracy)} %, in the other mode "
            f"{_percent(found.other_accuracy)} %{known}; the pick changes in {found.changed:,}"
        )
    return "\n".join([*lines, f"items {', '.join(found.examples)}"])


def judge_text(found: JudgingRecord) -> str:
    """Who judged, and how far people agree with it."""
    text, known = judge_name(found), found.calibration
    if known is None or expired(found):
        return text
    share = f"{_percent(known.agreement)} % [{_percent(known.low)}, {_percent(known.high)}]"
    return (
        f"{text}, which agrees with people on {share} of {known.labels:,} labels "
        f"(calibration {known.id}, until {known.expires[:10]})"
    )


def decision_text(found: DecisionRecord) -> str:
    """How a run that stopped when decided stands against its baseline."""
    against = f"the baseline {found.baseline.rsplit('-', 1)[-1]}"
    verdict = {
        "better": f"better than {against}",
        "worse": f"worse than {against}",
        "equivalent": f"within {100 * (found.margin or 0):g} points of {against}",
        "cannot tell": f"cannot tell from {against}",
    }[found.verdict]
    text = f"{verdict}, from {found.items:,} of {found.of:,} items"
    if found.units < found.items:
        text += f" in {found.units:,} groups"
    if found.difference is not None and found.low is not None and found.high is not None:
        text += (
            f"\n{100 * found.difference:+.1f} points [{100 * found.low:+.1f}, {100 * found.high:+.1f}]  "
            f"{100 * found.level:g} % at any time; e = {found.e_value:.3g}"
        )
    if found.verdict != "cannot tell":
        text += "\nthe score is of the items asked until then; quote the verdict rather than the score"
    if found.passed_over:
        text += f"\n{found.passed_over:,} items without a score could not be compared"
    return text


def preflight_text(found: PreflightRecord) -> str:
    """What items showed where answers are run."""
    right = found.references - len(found.reference_fails)
    wrong = found.items - len(found.idle_passes)
    text = f"{right:,} of {found.references:,} references pass, a program that does nothing fails on "
    text += f"{wrong:,} of {found.items:,} items  ({found.place})"
    for ids, why in ((found.reference_fails, "the reference fails"), (found.idle_passes, "nothing passes")):
        if ids:
            more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
            text += f"\nnot scored, {why}: {', '.join(ids[:_NAMED])}{more}"
    return text


_PASSES = {"again": "asked again", "alone": "one at a time", "reversed": "in reverse order"}


def determinism_text(found: DeterminismRecord) -> str:
    """Whether the first items are answered the same again."""
    return "\n".join(f"{_PASSES.get(name, name)}: {_pass_text(each)}" for name, each in found.passes.items())


def _pass_text(found: PassRecord) -> str:
    parts = [f"{found.disagreements:,} of {found.compared:,} differ ({_percent(found.rate)} %)"]
    if found.examples:
        parts.append(f"items {', '.join(found.examples)}")
    if found.largest_change is not None:
        parts.append(f"largest change {found.largest_change:.2g} nat")
    if found.near_ties is not None:
        parts.append(f"near ties {found.near_ties:,}")
    if found.failed:
        parts.append(f"{found.failed:,} not compared: no answer")
    if found.error:
        parts.append(f"ended early: {found.error}")
    return "; ".join(parts)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
