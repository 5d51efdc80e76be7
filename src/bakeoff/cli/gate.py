"""`bakeoff gate`: judge runs, promote a baseline."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

Json = Annotated[bool, Parameter(negative=())]

app = App(
    name="gate",
    help="Pass, fail or inconclusive: is a run good enough to release?",
    help_format="plaintext",
    result_action="return_value",
)


@app.default
def gate(
    *runs: str,
    baseline: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    policy: Path | None = None,
    baselines: Path | None = None,
    across: Annotated[bool, Parameter(negative=())] = False,
    junit: Path | None = None,
    github: Annotated[bool, Parameter(negative=())] = False,
    summary: Path | None = None,
    out: Path = Path("runs"),
    json: Json = False,
) -> int:
    """Hold runs against a policy and their baselines.

    Exits with 0 for pass, 1 for fail, 3 for inconclusive, 2 for wrong input, 4 for a file that cannot be read
    or written or was changed. Nothing is ever promoted by this.

    Examples:
      bakeoff gate last --policy gate.yaml
      bakeoff gate last --baseline 1a2b3c
      bakeoff gate promote last --reason "release 1.2"

    Parameters
    ----------
    runs:
        One run for each task: a folder, the end of a run's id, or `last`.
    baseline:
        A run, or the name or the file of a promoted baseline; repeat it for several tasks. By default the
        promoted baseline that the policy names (`main`).
    policy:
        A YAML file. By default: 30 items or more, all of them scored, and no regression at 5 %.
    baselines:
        The folder of promoted baselines. By default the policy's, else `baselines`.
    across:
        Gate a run even if its task differs from the baseline's, item by item; every output says so.
    junit:
        Write JUnit XML to this file.
    github:
        Print annotations for GitHub Actions, and add to the job's summary.
    summary:
        Write the report as Markdown to this file.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.gate import decide
    from bakeoff.gate.sentences import EXIT_CODES

    report = decide(runs, baseline=baseline, policy=policy, baselines=baselines, out=out, across=across)
    if junit is not None:
        from bakeoff.gate.junit import junit as as_junit

        _write(junit, as_junit(report))
    if summary is not None:
        from bakeoff.gate.summary import summary as as_markdown

        _write(summary, as_markdown(report).encode())
    from bakeoff.cli.gate_view import print_github, print_json, print_report

    if json:
        print_json(report)
    else:
        print_report(report)
    if github:
        print_github(report, stderr=json)
    return EXIT_CODES[report.verdict]


@app.command
def promote(
    run: str,
    *,
    as_: Annotated[str, Parameter(name="--as")] = "main",
    reason: str = "",
    by: str = "",
    baselines: Path = Path("baselines"),
    out: Path = Path("runs"),
    json: Json = False,
) -> None:
    """Make a run the baseline of its task: the only way one is set.

    Writes BASELINES/TASK/NAME.json, to be committed: what the run scored on each item, without any text of
    items, prompts or answers. Adds a line to promotions.jsonl beside it.

    Example: bakeoff gate promote last --reason "release 1.2"

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`.
    as_:
        The baseline's name.
    reason:
        Why, for the log.
    by:
        Who, for the log; by default the user's name on this machine.
    baselines:
        The folder of promoted baselines.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.gate_view import print_promotion
    from bakeoff.gate import promote as promoted
    from bakeoff.gate.sources import run_folder

    folder = run_folder(run, out)
    promotion = promoted(folder, name=as_, reason=reason, by=by, baselines=baselines)
    print_promotion(promotion, json=json)


def _write(path: Path, data: bytes) -> None:
    from bakeoff.store import write_atomically
    from bakeoff.store.files import unwritable

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    write_atomically(path, data)
