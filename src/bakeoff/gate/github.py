"""Annotations for GitHub Actions: workflow commands, one line each.

What a command's text may not hold is escaped as the runner's own toolkit does it: `%`, line ends, and in
properties also `:` and `,`.
"""

from bakeoff.gate.report import Report
from bakeoff.gate.sentences import headline
from bakeoff.visible import visible

_COMMANDS = {"fail": "error", "inconclusive": "warning"}


def annotations(report: Report) -> list[str]:
    """A line for each finding that is not a pass, then one for the verdict."""
    lines = [
        _command(
            _COMMANDS[finding.verdict],
            f"{finding.task}: {finding.rule} {finding.verdict}",
            ". ".join(filter(None, (finding.reason, finding.help))),
        )
        for finding in report.findings
        if finding.verdict != "pass"
    ]
    verdict = {"pass": "notice", "fail": "error", "inconclusive": "error"}[report.verdict]
    said = "; ".join((headline(report), *(note for entry in report.entries for note in entry.notes)))
    return [*lines, _command(verdict, "bakeoff gate", "; ".join((said, *report.notes)))]


def _command(name: str, title: str, message: str) -> str:
    return f"::{name} title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
