"""`bakeoff judge`: audit."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

app = App(
    name="judge",
    help="How far a language model can be believed as a judge.",
    help_format="plaintext",
    result_action="return_value",
)


@app.command
def audit(
    verdicts: Path,
    *,
    level: float = 0.95,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Agreement with people, position and verbosity bias, and self-consistency of a judge of pairs.

    Example: bakeoff judge audit verdicts.jsonl

    Parameters
    ----------
    verdicts:
        A file with one JSON object a line: `item`, `order` ([0, 1] or [1, 0], the answers as the judge read
        them), `winner` (0, 1 or null), and where they are known `better` (the answer people prefer) and
        `lengths` (of both answers).
    level:
        Confidence level of the intervals.
    seed:
        Draws the order in which each pair counts for agreement, and resamples.
    json:
        Print JSON.
    """
    from bakeoff.cli.judge_view import print_audit
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.judging.audit import audit, read_judgements

    found = audit(read_judgements(verdicts), level=level, seed=seed)
    if json:
        print_json(found)
        return
    print_audit(stdout(), found)
