"""`bakeoff suite`: list, show, score."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]

app = App(
    name="suite",
    help="Several tasks and the rule that makes one score of them.",
    help_format="plaintext",
    result_action="return_value",
)


@app.command(name="list")
def list_(*, json: Json = False) -> None:
    """The suites of the catalog.

    Example: bakeoff suite list
    """
    from bakeoff.cli.output import print_json, print_names
    from bakeoff.task.catalog import suite_index

    if json:
        print_json(suite_index())
        return
    print_names(suite_index())


@app.command
def show(suite: str, *, json: Json = False) -> None:
    """A suite's columns, its tasks, and how their scores become one.

    Example: bakeoff suite show open-llm-v2

    Parameters
    ----------
    suite:
        A suite of the catalog, or a YAML file.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.suite_view import print_suite
    from bakeoff.task.suite import load_suite

    loaded = load_suite(suite)
    if json:
        print_json(loaded)
        return
    print_suite(stdout(), loaded)


@app.command
def score(suite: str, *runs: str, level: float = 0.95, out: Path = Path("runs"), json: Json = False) -> None:
    """The table of a suite, one row for each model, from runs that are there already.

    Example: bakeoff suite score open-llm-v2

    Parameters
    ----------
    suite:
        A suite of the catalog, or a YAML file.
    runs:
        Run folders, ends of run ids, or `last`; by default every complete run of the suite's tasks. Of
        several runs of a model on a task the newest counts.
    level:
        Confidence level of the intervals.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.suite_view import print_scores
    from bakeoff.run.suite import suite_runs, suite_scores
    from bakeoff.store import find_run
    from bakeoff.task.suite import load_suite

    loaded = load_suite(suite)
    folders = [find_run(run, out) for run in runs] if runs else suite_runs(loaded, out)
    found = suite_scores(loaded, folders, level)
    if not found:
        raise BakeoffError(
            f"there is no complete run of a task of {loaded.name} "
            + ("among these" if runs else f"under {out}"),
            f"make them: bakeoff run {suite} --model …",
        )
    if json:
        print_json(found)
        return
    print_scores(stdout(), found)
