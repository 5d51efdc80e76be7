"""Hold runs against a policy: coverage first, then every rule, then one verdict."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from math import fsum
from pathlib import Path

from bakeoff.errors import BakeoffError
from bakeoff.gate.difference import resolves
from bakeoff.gate.evidence import Candidate, Evidence, fact
from bakeoff.gate.pairing import clusters_of, pair
from bakeoff.gate.policy import AnyRule, Policy, read_policy
from bakeoff.gate.report import Entry, Finding, Report, Verdict
from bakeoff.gate.rules import evidence
from bakeoff.gate.rules.coverage import coverage
from bakeoff.gate.side import Side, read_side
from bakeoff.gate.sources import baseline_of, run_folder
from bakeoff.gate.words import p_value
from bakeoff.stats.many.multiplicity import holm

_LOST = 10


def decide(
    runs: Sequence[Path | str],
    *,
    baseline: Sequence[Path | str] = (),
    policy: Policy | Path | str | None = None,
    baselines: Path | None = None,
    out: Path = Path("runs"),
    across: bool = False,
) -> Report:
    """Pass, fail or inconclusive for `runs`, one per task and variant.

    `baseline` are runs or promoted baselines, matched to the runs by task and variant; without any, the
    promoted baseline that the policy names. `policy` is an object, a YAML file, or the default: enough items,
    all of them scored, and no regression. `baselines` is the folder of promoted baselines, the policy's own
    by default. `across` gates runs whose task differs from the baseline's all the same.

    Raises:
        BakeoffError: no run, two of one task, a baseline that is missing or of another task, or no rule that
            applies.
        TaskError: the policy is wrong, with file, line and field.
        StoreError: a run or a baseline cannot be read, or was changed.
    """
    if not runs:
        raise BakeoffError("no run given", "bakeoff gate last, or a run's folder")
    rules = (
        policy if isinstance(policy, Policy) else Policy() if policy is None else read_policy(Path(policy))
    )
    candidates = _candidates(
        runs, list(map(str, baseline)), rules, baselines or rules.baselines_folder, out, across=across
    )
    return judge(rules, candidates)


def judge(policy: Policy, candidates: Sequence[Candidate]) -> Report:
    """The verdict on candidates that are read and paired already, one for each task and variant.

    The p-values of all rules that could fail the gate by chance are one family (Holm), so that they fail runs
    that break nothing with probability alpha at most. A rule that must be shown tests at alpha by itself: the
    gate passes only if all of them do, which is no more likely than the least of them.
    """
    found = []
    for candidate in candidates:
        covered = coverage(policy.coverage, candidate)
        found.append((candidate, covered))
        found += [(candidate, each) for each in _evidence(policy, candidate, whole=covered.settled == "pass")]
    alarms = [each.alarm for _, each in found if each.alarm is not None]
    adjusted = iter(holm(alarms) if alarms else ())
    findings = [
        _finding(
            candidate.title, each, None if each.alarm is None else next(adjusted), len(alarms), policy.alpha
        )
        for candidate, each in found
    ]
    findings += _without_run(policy, candidates)
    return Report(
        verdict=_overall(findings),
        policy=policy,
        entries=tuple(_entry(candidate, policy.alpha, max(1, len(alarms))) for candidate in candidates),
        findings=tuple(findings),
        tests=len(alarms),
        notes=tuple(_notes(policy, candidates)),
    )


def _candidates(
    runs: Sequence[Path | str],
    references: Sequence[str],
    policy: Policy,
    baselines: Path,
    out: Path,
    *,
    across: bool,
) -> list[Candidate]:
    """The runs in the order of their tasks, each with its baseline."""
    sides: dict[str, Side] = {}
    for reference in runs:
        side = read_side(run_folder(str(reference), out))
        if side.title in sides:
            raise BakeoffError(
                f"two runs of the task {side.title}: {sides[side.title].label} and {side.label}",
                "a gate judges one run of each task; gate the other one by itself",
            )
        sides[side.title] = side
    if not any(_rules(policy, side) for side in sides.values()):
        raise BakeoffError(
            f"no rule of the policy applies to {', '.join(sides)}", "see `tasks` in the policy's rules"
        )
    alone = across and len(sides) == len(references) == 1
    candidates = []
    for _, side in sorted(sides.items()):
        base = baseline_of(side, references, name=policy.baseline, folder=baselines, out=out, alone=alone)
        if base is None and any(rule.paired for rule in _rules(policy, side)):
            raise BakeoffError(
                f"the task {side.title} has no baseline {policy.baseline!r} under {baselines}",
                "set one with `bakeoff gate promote RUN`, or name a run with --baseline RUN",
            )
        if base is not None and not base.promoted and base.run_id == side.run_id:
            raise BakeoffError(f"the run {side.label} is its own baseline", "name another run")
        candidates.append(Candidate(side, base, None if base is None else pair(side, base, across=across)))
    return candidates


def _rules(policy: Policy, side: Side) -> list[AnyRule]:
    """The rules that are about this run's task."""
    return [rule for rule in policy.rules if rule.applies_to(side.task, side.variant)]


def _evidence(policy: Policy, candidate: Candidate, *, whole: bool) -> Iterator[Evidence]:
    for rule in _rules(policy, candidate.side):
        if whole:
            yield from evidence(rule, candidate, policy.alpha)
        else:
            yield fact(rule.rule, "inconclusive", "not judged, because the coverage is broken")


def _finding(task: str, found: Evidence, adjusted: float | None, tests: int, alpha: float) -> Finding:
    verdict = _verdict(found, adjusted, alpha)
    reason = found.says[verdict]
    if found.alarm is not None and adjusted is not None and found.alarm <= alpha:
        reason += f", {p_value(found.alarm)}"
        if tests > 1:
            reason += f" ({p_value(adjusted)} corrected for {tests} tests)"
    return Finding(
        task=task,
        rule=found.rule,
        verdict=verdict,
        reason=reason,
        help=(found.help or {}).get(verdict, ""),
        n=found.n,
        value=found.value,
        low=found.low,
        high=found.high,
        limit=found.limit,
        p=found.alarm,
        adjusted_p=adjusted,
    )


def _verdict(found: Evidence, adjusted: float | None, alpha: float) -> Verdict:
    if found.settled is not None:
        return found.settled
    if adjusted is not None and adjusted <= alpha:
        return "fail"
    return "pass" if found.shown else "inconclusive"


def _without_run(policy: Policy, candidates: Sequence[Candidate]) -> list[Finding]:
    """A finding for each task that a rule names and no run is of: a policy is not met by leaving runs out."""
    given = {each.side.task for each in candidates} | {
        f"{each.side.task}:{each.side.variant}" for each in candidates
    }
    return [
        Finding(
            task,
            rule.rule,
            "inconclusive",
            "the policy names this task, and no run of it was given",
            "add a run of it, or gate by a policy that does not name it",
        )
        for rule in policy.rules
        for task in rule.tasks
        if task not in given
    ]


def _overall(findings: Sequence[Finding]) -> Verdict:
    verdicts = {finding.verdict for finding in findings}
    if "fail" in verdicts:
        return "fail"
    return "inconclusive" if "inconclusive" in verdicts else "pass"


def _entry(candidate: Candidate, alpha: float, tests: int) -> Entry:
    side, base, paired = candidate.side, candidate.baseline, candidate.paired
    entry = Entry(task=candidate.title, run=side.label, run_id=side.run_id, model=side.model)
    if base is None or paired is None:
        items = list(side.scored())
        scores = [item.value for item in items if item.value is not None]
        return replace(entry, score=_mean(scores), n=len(items), clusters=_groups(clusters_of(items)))
    differences = paired.differences
    lost = sorted(
        (change, item) for change, item in zip(differences, paired.items, strict=True) if change < 0
    )
    return replace(
        entry,
        score=_mean(paired.run),
        n=len(differences),
        clusters=_groups(paired.clusters),
        baseline=base.label,
        baseline_run_id=base.run_id,
        baseline_model=base.model,
        baseline_score=_mean(paired.baseline),
        won=sum(change > 0 for change in differences),
        lost=len(lost),
        tied=differences.count(0.0),
        resolves=resolves(paired, alpha, tests) if differences else None,
        lost_items=tuple(item for _, item in lost[:_LOST]),
        left_out=paired.left_out,
        notes=paired.notes,
    )


def _mean(scores: Sequence[float]) -> float | None:
    return fsum(scores) / len(scores) if scores else None


def _groups(clusters: Sequence[Hashable] | None) -> int | None:
    return None if clusters is None else len(set(clusters))


def _notes(policy: Policy, candidates: Sequence[Candidate]) -> Iterator[str]:
    models = sorted({each.side.model for each in candidates})
    if len(models) > 1:
        yield f"the runs are of more than one model: {', '.join(models)}"
    for each in candidates:
        yield from (f"{each.title}: {caveat}" for caveat in each.side.caveats)
        if each.baseline is not None and each.baseline.run_id == each.side.run_id:
            yield f"{each.title}: the run is the one that was promoted, so that no difference can be found"
        if not _rules(policy, each.side):
            yield f"{each.title}: no rule of the policy applies, only its coverage was looked at"
