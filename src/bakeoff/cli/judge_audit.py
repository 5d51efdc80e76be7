"""`bakeoff judge audit`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def audit(
    verdicts: str,
    *,
    labels: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    families: str | None = None,
    judge_family: str | None = None,
    levels: int | None = None,
    level: float = 0.95,
    seed: int = 0,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Agreement of a judge with people, its biases, and whether it repeats itself.

    Examples:
      bakeoff judge audit last --labels people.jsonl
      bakeoff judge audit verdicts.jsonl

    Parameters
    ----------
    verdicts:
        A run that a judge judged, or the judge's own; or a file of verdicts, one JSON object a line.
        On pairs: `item`, `order` ([0, 1] or [1, 0], the answers as the judge read them), `winner` (0, 1 or
        null), and where they are known `better` (the answer people prefer, or a list with one for each
        person), `lengths`, `formatted` and `families` (of both answers). On single answers: `item`, `grade`
        (or a list, where it was asked again), and `people` (a grade, or one for each person), `length`,
        `formatted`, `family`. On both: `criterion`, `judge_family`.
    labels:
        For a run, a file of people's labels; `bakeoff judge sample` makes one to fill in.
    families:
        For a run, the family of models that each judged run is of, `gpt,llama`.
    judge_family:
        For a run, the judge's own family, as `families` spells it.
    levels:
        For a file of grades, how many the scale has; by default the highest one given.
    level:
        Confidence level of the intervals.
    seed:
        Draws the order in which each pair counts for agreement, one of several people, and resamples.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.judge_view import print_audit
    from bakeoff.cli.output import print_json, stdout

    if Path(verdicts).suffix == ".jsonl" or (
        Path(verdicts).is_file() and not verdicts.endswith("manifest.json")
    ):
        from bakeoff.judging.audit_file import audits, read_verdicts

        found = audits(read_verdicts(Path(verdicts)), levels=levels, level=level, seed=seed)
    else:
        from bakeoff.store import find_run
        from bakeoff.verdicts.audit_run import audit_run

        found = audit_run(
            find_run(verdicts, out),
            labels,
            families=families.split(",") if families else (),
            judge_family=judge_family,
            out=out,
            level=level,
            seed=seed,
        )
    if json:
        print_json(found)
        return
    for place, each in enumerate(found):
        if place:
            stdout().print()
        print_audit(stdout(), each)
