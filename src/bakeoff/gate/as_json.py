"""The report as JSON."""

from dataclasses import asdict

import orjson

from bakeoff.gate.report import Report
from bakeoff.gate.sentences import EXIT_CODES
from bakeoff.store.record import without_surrogates


def as_json(report: Report) -> bytes:
    """Everything in the report, and the exit code it stands for. A bound that there is none of is null."""
    value = {"verdict": report.verdict, "exit_code": EXIT_CODES[report.verdict]} | asdict(report)
    value["policy"] = report.policy.model_dump()
    # A path need not be UTF-8, and JSON has to be.
    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    text = orjson.dumps(without_surrogates(value), option=option)
    # Only a text can hold these signs, and a build's runner would obey them anywhere in a line.
    return text.replace(b"##[", b"#\\u0023[")
