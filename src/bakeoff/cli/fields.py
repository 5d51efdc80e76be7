"""`bakeoff fields`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def fields(
    *runs: str,
    across: Annotated[bool, Parameter(negative=())] = False,
    incomplete: Annotated[bool, Parameter(negative=())] = False,
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Strict extraction, field by field: of one run, or of a second against a first, paired by item.

    Examples:
      bakeoff fields last
      bakeoff fields 1a2b3c 4d5e6f

    Parameters
    ----------
    runs:
        One run scored by `fields`, or two: a run folder, the end of a run's id, or `last`.
    across:
        Compare although the tasks differ.
    incomplete:
        Compare although samples are missing.
    level:
        Confidence level of intervals and verdicts.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    if len(runs) not in (1, 2):
        raise BakeoffError(
            f"bakeoff fields takes one run, or two to compare, got {len(runs) or 'none'}",
            "`bakeoff show` lists the runs there are",
        )
    if not 0 < level < 1:
        raise BakeoffError(f"--level must lie between 0 and 1, got {level}", "95 % is --level 0.95")
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.store import find_run

    folders = [find_run(run, out) for run in runs]
    if len(folders) == 1:
        from bakeoff.cli.fields_view import print_fields
        from bakeoff.run.fieldwise import fieldwise

        found = fieldwise(folders[0], level=level)
        if json:
            print_json(found)
        else:
            print_fields(stdout(), found)
        return
    from bakeoff.cli.fields_pair_view import print_field_comparison
    from bakeoff.comparison.fieldwise import compare_fields

    compared = compare_fields(*folders, level=level, across=across, incomplete=incomplete)
    if json:
        print_json(compared)
    else:
        print_field_comparison(stdout(), compared)
