"""The report as JUnit XML: a suite for each task, a test case for each rule.

JUnit has no word for inconclusive. It is an `error`, which readers of JUnit count as not passed: the exit
code stops the build too, and a `skipped` case would look like one that nobody minds.
"""

import re
from xml.etree import ElementTree as Tree

from bakeoff.gate.report import Entry, Finding, Report
from bakeoff.gate.sentences import against, headline, left_out, power
from bakeoff.visible import visible


def junit(report: Report) -> bytes:
    """The file's content, UTF-8."""
    root = Tree.Element("testsuites", {"name": "bakeoff gate"} | _totals(report.findings))
    entries = {entry.task: entry for entry in report.entries}
    for task in dict.fromkeys(finding.task for finding in report.findings):
        findings = tuple(finding for finding in report.findings if finding.task == task)
        suite = Tree.SubElement(root, "testsuite", {"name": legal(task)} | _totals(findings))
        entry = entries.get(task)
        if entry is not None:
            _add_properties(suite, entry, report)
        for finding in findings:
            _add_case(suite, finding)
        if entry is not None:
            Tree.SubElement(suite, "system-out").text = legal("\n".join(_lines(entry, report)))
    Tree.indent(root)
    return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def legal(text: str) -> str:
    """`text` with what XML 1.0 cannot hold spelt out, and so everything that is not seen."""
    return re.sub(r"[\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _totals(findings: tuple[Finding, ...]) -> dict[str, str]:
    verdicts = [finding.verdict for finding in findings]
    return {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("fail")),
        "errors": str(verdicts.count("inconclusive")),
        "skipped": "0",
        "time": "0",
    }


def _add_properties(suite: Tree.Element, entry: Entry, report: Report) -> None:
    properties = Tree.SubElement(suite, "properties")
    facts = {
        "model": entry.model,
        "run": entry.run_id,
        "baseline": entry.baseline_run_id,
        "items": str(entry.n),
        "alpha": f"{report.policy.alpha:g}",
        "tests": str(report.tests),
    }
    for name, value in facts.items():
        if value is not None:
            Tree.SubElement(properties, "property", name=name, value=legal(value))


def _add_case(suite: Tree.Element, finding: Finding) -> None:
    case = Tree.SubElement(suite, "testcase", classname=legal(finding.task), name=finding.rule, time="0")
    said = legal("\n".join(filter(None, (finding.reason, finding.help))))
    if finding.verdict == "fail":
        Tree.SubElement(case, "failure", type="fail", message=legal(finding.reason)).text = said
    elif finding.verdict == "inconclusive":
        Tree.SubElement(case, "error", type="inconclusive", message=legal(finding.reason)).text = said
    else:
        Tree.SubElement(case, "system-out").text = said


def _lines(entry: Entry, report: Report) -> list[str]:
    notes = [*entry.notes, *report.notes]
    return [
        line for line in (headline(report), against(entry), power(entry), left_out(entry), *notes) if line
    ]
