"""The report as Markdown, for a job's summary or a comment."""

import re

from bakeoff.gate.report import Report
from bakeoff.gate.sentences import against, headline, left_out, policy, power, promise
from bakeoff.visible import visible

# What HTML, emphasis, links, tables, code, mentions, emoji and mathematics are written with.
_MEANT = re.compile(r"[&<>\\`*_~\[\]!|#@:$]|(?<=www)\.")
_MARKS = {"pass": "✅ pass", "fail": "❌ fail", "inconclusive": "⚠️ inconclusive"}


def summary(report: Report) -> str:
    """A heading, a table of the checks, and what they can bear."""
    lines = [f"## {_MARKS[report.verdict].split()[0]} bakeoff gate: {plain(headline(report))}", ""]
    lines += ["| task | check | verdict | reason |", "|---|---|---|---|"]
    for finding in report.findings:
        said = plain(finding.reason)
        if finding.help:
            said += f"<br>{plain(finding.help)}"
        lines.append(
            f"| {plain(finding.task)} | {plain(finding.rule)} | {_MARKS[finding.verdict]} | {said} |"
        )
    lines.append("")
    for entry in report.entries:
        said = "; ".join(plain(text) for text in (against(entry), power(entry)) if text)
        lines.append(f"- **{plain(entry.task)}**: {said}")
        if entry.lost_items:
            lines.append(f"  - items lost: {plain(', '.join(entry.lost_items))}")
        if entry.left_out:
            lines.append(f"  - left out: {plain(left_out(entry))}")
        lines += [f"  - {plain(note)}" for note in entry.notes]
    lines += [f"- {plain(note)}" for note in report.notes]
    lines += [f"- {plain(policy(report.policy))}", f"- {plain(promise(report))}", ""]
    return "\n".join(lines)


def plain(text: str) -> str:
    """`text` on one line, with the signs that Markdown or HTML would take for their own as entities."""
    line = visible(text).replace("\n", " ").replace("\t", " ")
    return _MEANT.sub(lambda found: f"&#{ord(found[0])};", line)
