"""`bakeoff compare`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def compare(
    *runs: str,
    baseline: str | None = None,
    margin: float | None = None,
    not_worse_by: float | None = None,
    prices: Path | None = None,
    level: float = 0.95,
    across: Annotated[bool, Parameter(negative=())] = False,
    incomplete: Annotated[bool, Parameter(negative=())] = False,
    items: int = 5,
    html: Path | None = None,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Which model is better, and is the difference more than noise? Paired item by item.

    Examples:
      bakeoff compare 1a2b3c 4d5e6f
      bakeoff compare runs/arithmetic/*/* --baseline 1a2b3c --margin 0.02 --html report.html
      bakeoff compare 1a2b3c 4d5e6f --prices prices.yaml --not-worse-by 0.02

    Parameters
    ----------
    runs:
        Two or more run folders, ends of run ids, or `last`; of several tasks, one comparison each. Runs of a
        model on several prompt variants count as one model, averaged over the variants that all models have.
    baseline:
        Compare every model with this one: a run, or a model's name. Without it, with the leader.
    margin:
        The largest difference that does not matter: 0.02 for two points. Then models can be equivalent.
    not_worse_by:
        Name the cheapest model that is not worse than the best by more than this: 0.02 for two points.
    prices:
        A YAML file with a line for each model, `NAME: {in: 0.25, out: 2}`, US dollars per million tokens, for
        runs made without prices.
    level:
        Confidence level of intervals, ranks and verdicts.
    across:
        Compare although the tasks differ; items are matched by what they ask.
    incomplete:
        Compare although samples are missing.
    items:
        How many of the items on which models differ to list.
    html:
        Also write the comparison to this file, as one page.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.compare_view import print_comparison
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.comparison.prices import read_prices
    from bakeoff.comparison.runs import comparisons
    from bakeoff.store import find_run

    folders = [find_run(run, out) for run in runs]
    found = comparisons(
        folders,
        baseline=_baseline(baseline, folders, out),
        level=level,
        margin=margin,
        across=across,
        incomplete=incomplete,
        items=items if html is None else max(items, _ITEMS_ON_A_PAGE),
        prices=None if prices is None else read_prices(prices),
        not_worse_by=not_worse_by,
    )
    if html is not None:
        from bakeoff.comparison.page import page
        from bakeoff.store import write_atomically

        write_atomically(html, page(found).encode())
    if json:
        print_json(found)
        return
    console = stdout()
    for number, each in enumerate(found):
        if number:
            console.print()
        print_comparison(console, each, items=items, out=out)
    if html is not None:
        console.print(f"\nas a page: {html}", soft_wrap=True)


_ITEMS_ON_A_PAGE = 20


def _baseline(named: str | None, folders: list[Path], out: Path) -> Path | str | None:
    """The run that is meant, unless it names a candidate, which may well look like the end of an id."""
    from bakeoff.errors import StoreError
    from bakeoff.store import find_run, read_manifest

    tasks_and_models = [(each.task, each.model) for each in map(read_manifest, folders)]
    names = {name for task, model in tasks_and_models for name in (task.variant, model.identity.get("name"))}
    if named is None or named in names:
        return named
    try:
        return find_run(named, out)
    except StoreError:
        return named
