"""`bakeoff show`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome


def show(
    run: str | None = None,
    *,
    outcome: str | None = None,
    item: str | None = None,
    samples: int | None = None,
    by: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    cut: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    fields: Annotated[bool, Parameter(negative=())] = False,
    interval: Literal["auto", "wilson", "clopper-pearson", "betting"] = "auto",
    level: float = 0.95,
    reveal: Annotated[bool, Parameter(negative=())] = False,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """A run's report, then the samples behind it. Without RUN: the runs there are.

    Example: bakeoff show last --outcome no_answer --samples 3

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`.
    outcome:
        Show samples with this outcome: scored, no_answer, truncated, refused, empty, too_long, model_error,
        scorer_error; also `right` and `wrong`.
    item:
        Show the samples of this item.
    samples:
        How many samples to show (5 when --outcome is given).
    by:
        Also the score by each value of a column: `meta.KEY` of the items' metadata, or `group`; repeat it for
        several columns.
    cut:
        With --by: split its values here instead, numbers or texts such as dates; repeat it, ascending.
    fields:
        Also precision, recall and exactness of every field; for runs scored by `fields`.
    interval:
        auto is the clustered interval where items have groups, else Wilson's (Student's t for many partial
        scores). clopper-pearson covers whatever the true rate is; betting whatever the distribution of
        partial scores, and however often one has looked.
    level:
        Confidence level of the intervals.
    reveal:
        Also show the texts of a private task, on a terminal only.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    if run is None:
        _list(out, json)
        return
    if not 0 < level < 1:
        raise BakeoffError(f"--level must lie between 0 and 1, got {level}", "95 % is --level 0.95")
    from bakeoff.cli.breakdown_view import print_breakdown
    from bakeoff.cli.fields_view import print_fields
    from bakeoff.cli.output import check_reveal, print_json, stdout
    from bakeoff.cli.report import print_report
    from bakeoff.cli.samples import print_samples
    from bakeoff.run import breakdown
    from bakeoff.run import metrics as measured
    from bakeoff.run.fieldwise import fieldwise
    from bakeoff.store import caveats, find_run, read_manifest, read_samples
    from bakeoff.store.privacy import leaving

    folder = find_run(run, out, reveal=reveal)
    wanted = outcome is not None or item is not None or samples is not None
    number = samples if samples is not None else 5
    found = (
        read_samples(folder, outcome=_checked(outcome), item_id=item, limit=number) if wanted else iter(())
    )
    if cut and len(by) != 1:
        raise BakeoffError(
            "--cut splits the values of one --by COLUMN", "for example --by meta.date --cut 2024-05"
        )
    manifest = read_manifest(folder)
    if reveal:
        check_reveal(json)
    else:
        found = leaving(manifest, found)
    parts = [breakdown(folder, column, cuts=cut, method=interval, level=level) for column in by]
    extracted = fieldwise(folder, level=level) if fields else None
    report = measured(folder, method=interval, level=level)
    if json:
        value = {"folder": folder, "manifest": manifest, "metrics": asdict(report)}
        value |= {"caveats": caveats(manifest)}
        value |= {"by": [asdict(part) for part in parts]} if by else {}
        value |= {"fields": asdict(extracted)} if extracted else {}
        print_json(value | ({"samples": [asdict(sample) for sample in found]} if wanted else {}))
        return
    console = stdout()
    print_report(console, folder, manifest, report)
    for part in parts:
        console.print()
        print_breakdown(console, part)
    if extracted is not None:
        console.print()
        print_fields(console, extracted)
    if wanted:
        console.print()
        if not print_samples(console, found):
            console.print("no such samples in this run")
        elif manifest.task.private and not reveal:
            console.print("the task is private: add --reveal to see its texts on this terminal", style="dim")


def _checked(outcome: str | None) -> str | None:
    known = [each.value for each in Outcome] + ["right", "wrong"]
    if outcome is not None and outcome not in known:
        raise BakeoffError(f"there is no outcome {outcome!r}", f"outcomes are: {', '.join(known)}")
    return outcome


def _list(out: Path, json: bool) -> None:
    from rich.table import Table

    from bakeoff.cli.output import percent, print_json, stdout
    from bakeoff.cli.report import interval_text, title
    from bakeoff.run import stored_score
    from bakeoff.store import caveats, find_runs, read_manifest
    from bakeoff.store.privacy import of_private_board
    from bakeoff.visible import visible

    runs = [(folder, read_manifest(folder)) for folder in find_runs(out) if not of_private_board(folder)]
    if json:
        print_json([{"folder": folder, "manifest": manifest} for folder, manifest in runs])
        return
    console = stdout()
    if not runs:
        console.print(f"there are no runs under {out}; make one: bakeoff quickstart")
        return
    table = Table(box=None)
    for name in ("id", "task", "model", "status", "score %", "interval %", "n"):
        table.add_column(name, justify="right" if name in ("score %", "n") else "left")
    for folder, manifest in runs:
        score = stored_score(folder)
        table.add_row(
            folder.name.rsplit("-", 1)[-1],
            visible(title(manifest)),
            visible(str(manifest.model.identity.get("name", manifest.model.ref))),
            f"{manifest.status}, uncalibrated" if caveats(manifest) else manifest.status,
            percent(score.value) if score else "–",
            interval_text(score.interval) if score else "",
            f"{score.n:,}" if score else "",
        )
    console.print(table)
    console.print("bakeoff show ID   for the report of one")
