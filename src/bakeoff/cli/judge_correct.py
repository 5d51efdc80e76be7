"""`bakeoff judge correct`, `sample` and `labels`: people's labels of a part, for all of the items."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]


def correct(
    *runs: str,
    labels: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Json = False,
) -> None:
    """A judge's scores, corrected by people's labels on a random part of the items (PPI++).

    Examples:
      bakeoff judge correct last --labels people.jsonl
      bakeoff judge correct RUN OTHER --labels people.jsonl

    Parameters
    ----------
    runs:
        A judged run, or a judge's own run on pairs. Of two judged runs the difference is corrected, the first
        minus the second on the same items.
    labels:
        A file of people's labels of items drawn at random, as `bakeoff judge sample` makes one to fill in.
    level:
        Confidence level of the intervals.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.judge_correct_view import print_corrected
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.store import find_run
    from bakeoff.verdicts.correct import correct as corrected

    if not labels:
        raise BakeoffError("a correction needs --labels FILE", "bakeoff judge sample draws items to label")
    found = corrected([find_run(each, out) for each in runs], labels, level=level)
    if json:
        print_json(found)
    else:
        print_corrected(stdout(), found)


def sample(
    *runs: str,
    n: int = 100,
    file: Path = Path("people.jsonl"),
    seed: int = 0,
    out: Path = Path("runs"),
    json: Json = False,
) -> None:
    """Draw answers at random for people to label: a file with question and answer, and nothing of the judge.

    Fill in `people` from the top: a grade from 1 (worst), of pairs the place of the better answer (0 or 1),
    or a list with what each of several people says. More can be drawn later: the first lines stay the same.

    Examples:
      bakeoff judge sample last --n 100
      bakeoff judge sample RUN OTHER --n 60 --file people.jsonl

    Parameters
    ----------
    runs:
        A judged run, or a judge's own run on pairs. Of two judged runs, the answers to the same items.
    n:
        How many items to draw.
    file:
        The file to write; never one that is there.
    seed:
        Draws the order.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.store import find_run
    from bakeoff.verdicts.sample import sample as drawn

    lines = drawn([find_run(each, out) for each in runs], n, file, seed=seed, out=out)
    if json:
        print_json({"file": file, "answers": lines})
        return
    stdout().print(
        f"{lines:,} answers to label are in {file}: fill in `people` from the top, and leave none out",
        soft_wrap=True,
    )


def labels(
    *,
    half_width: float,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    labels: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    correlation: float = 0.0,
    variance: float = 0.25,
    items: int | None = None,
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Json = False,
) -> None:
    """How many labels are needed for an interval of a wanted width, before they are collected.

    Examples:
      bakeoff judge labels --half-width 0.05 --correlation 0.7
      bakeoff judge labels --half-width 0.03 --from last --labels pilot.jsonl

    Parameters
    ----------
    half_width:
        Half the width of the interval: 0.03 is ± 3 points.
    from_:
        A judged run with the labels of a pilot, from which variance and correlation are taken.
    labels:
        The labels of the pilot.
    correlation:
        That of people's labels and the judge's verdicts; 0 for a judge that knows nothing.
    variance:
        That of people's labels: p (1 - p) for a share, 0.25 at most.
    items:
        How many items the judge judges; without, many more than are labelled.
    level:
        Confidence level of the interval.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.judge_correct_view import print_need
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.judging.correction import need
    from bakeoff.store import find_run
    from bakeoff.verdicts.correct import need_of

    if (from_ is None) != (not labels):
        raise BakeoffError("a pilot needs both --from RUN and --labels FILE")
    if from_ is None:
        found = need(half_width, variance=variance, correlation=correlation, items=items, level=level)
        pilot = None
    else:
        found, pilot = need_of(find_run(from_, out), labels, half_width, level=level)
    if json:
        print_json({"need": found, "pilot": pilot})
    else:
        print_need(stdout(), found, pilot)
