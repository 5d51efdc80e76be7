"""Sentences about a gate that every output for people says in the same words."""

from bakeoff.gate.harmless import harmless
from bakeoff.gate.policy import Policy
from bakeoff.gate.report import Entry, Report
from bakeoff.gate.words import exactly

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}


def headline(report: Report) -> str:
    """`fail: 1 of 4 checks failed, 1 inconclusive`."""
    total, failed, unclear = len(report.findings), len(report.of("fail")), len(report.of("inconclusive"))
    if report.verdict == "pass":
        return f"pass: all {total} checks passed" if total > 1 else "pass"
    parts = [f"{failed} of {total} checks failed"] if failed else []
    parts += (
        [f"{unclear} inconclusive" if failed else f"{unclear} of {total} checks inconclusive"]
        if unclear
        else []
    )
    return f"{report.verdict}: {', '.join(parts)}"


def power(entry: Entry) -> str:
    """What the gate can see on these items; empty without a baseline."""
    if entry.resolves is None:
        return ""
    these = f"with these {entry.n:,} items and this disagreement"
    if entry.resolves >= 1:
        return f"{these} no drop is caught with probability 80 %"
    return f"{these} a drop of {100 * entry.resolves:.1f} points is caught with probability 80 %"


def against(entry: Entry) -> str:
    """The run and its baseline."""
    run = f"{entry.model}, run {entry.run_id}"
    if entry.baseline is None:
        return f"{run}, without a baseline"
    return f"{run}, against {entry.baseline}: {entry.baseline_model}, run {entry.baseline_run_id}"


def left_out(entry: Entry) -> str:
    """Items that do not count, by reason; empty if all do."""
    return "; ".join(f"{reason}: {number:,}" for reason, number in entry.left_out.items())


def promise(report: Report) -> str:
    """What the error rates are."""
    alpha = report.policy.alpha
    if not report.tests:
        return "no rule made a test: what was found are facts of these runs"
    tests = f"over its {report.tests} tests together" if report.tests > 1 else "in its one test"
    return (
        f"a run that is no worse than the policy allows fails {tests} with probability {exactly(alpha)} % at "
        f"most; limits in brackets are one-sided {exactly(1 - alpha)} % bounds"
    )


def policy(found: Policy) -> str:
    """The policy in one line."""
    name = found.source or "the default policy"
    rules = ", ".join(each.rule for each in found.rules)
    return f"{name}: coverage of {found.coverage.items:,} items, {rules}"


def told(report: Report) -> str:
    """The whole report as lines of text."""
    lines = [headline(report)]
    for finding in report.findings:
        if finding.verdict != "pass":
            lines.append(f"{finding.task}: {finding.rule} {finding.verdict}: {finding.reason}")
            lines += [f"  {finding.help}"] if finding.help else []
    for entry in report.entries:
        lines += [f"{entry.task}: {text}" for text in (against(entry), power(entry), *entry.notes) if text]
    return "\n".join(harmless(line) for line in [*lines, *report.notes])
