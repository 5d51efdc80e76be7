"""The quickstart's tables for people."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import duration, percent
from bakeoff.cli.report import interval_text
from bakeoff.comparison.quickstart import Row
from bakeoff.nouns import Outcome

_VERDICT_STYLE = {"better": "green", "worse": "red", "cannot tell": "yellow"}


def print_quickstart(console: Console, rows: list[Row], out: Path, seconds: float) -> None:
    """Scores, differences, what they say, where the runs lie and what to type next."""
    console.print(_scores(rows))
    console.print()
    console.print(_differences(rows))
    console.print()
    told = sum(row.pair.verdict != "cannot tell" for row in rows)
    console.print(
        f"The prompt moved {told} of {len(rows)} scores by more than noise. A score belongs to a prompt as\n"
        "much as to a model; where it says “cannot tell”, these items are too few to rank the two prompts."
    )
    console.print(f"\n{len(rows) * 2} runs in {duration(seconds)}, under {out}/. Next:")
    last = _reference(rows[0].folders[0], out)
    for command, what in (
        (f"bakeoff show {last}", "the full report of one run"),
        (f"bakeoff show {last} --outcome wrong", "the wrong answers, with the exact prompt"),
        ("bakeoff serve" + ("" if out == Path("runs") else f" --runs {out}"), "all of them in the browser"),
        ("bakeoff task show mystery", "a task and a rendered prompt"),
        ("bakeoff task new my-task", "begin a task of your own"),
        ("bakeoff run my-task.yaml --model gguf:smollm2", "and run it"),
    ):
        console.print(Text.assemble("  ", (f"{command:<48}", "bold"), what))


def _reference(folder: Path, out: Path) -> str:
    """What to type for a run: the end of its id where `show` finds it by that."""
    return folder.name.rsplit("-", 1)[-1] if out == Path("runs") else str(folder)


def _scores(rows: list[Row]) -> Table:
    table = Table(title="Scores, with 95 % intervals", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("task", "prompt"):
        table.add_column(name)
    table.add_column("score %", justify="right")
    table.add_column("interval %")
    table.add_column("n", justify="right")
    table.add_column("outcomes")
    for row in rows:
        for prompt, found in (("default", row.default), (row.variant, row.other)):
            table.add_row(
                row.task if prompt == "default" else "",
                prompt,
                percent(found.score.value),
                interval_text(found.score.interval),
                str(found.score.n),
                _outcomes(found.counts),
            )
    return table


def _differences(rows: list[Row]) -> Table:
    table = Table(
        title=f"Second prompt minus first, same items; the {len(rows)} intervals hold together at 95 %",
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
    )
    table.add_column("task")
    table.add_column("points", justify="right")
    table.add_column("interval")
    table.add_column("items won / lost")
    table.add_column("the second prompt is")
    for row in rows:
        found = row.pair
        table.add_row(
            f"{row.task}:{row.variant}",
            f"{100 * found.difference:+.1f}",
            _signed(row),
            f"{found.won} / {found.lost}",
            Text(found.verdict, style=_VERDICT_STYLE[found.verdict]),
        )
    return table


def _signed(row: Row) -> str:
    interval = row.pair.interval
    if interval is None:
        return "[not estimable]"
    return f"[{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def _outcomes(counts: dict[str, int]) -> str:
    shown = [outcome for outcome in Outcome if counts.get(outcome.value)]
    return " · ".join(f"{outcome} {counts[outcome.value]}" for outcome in shown)
