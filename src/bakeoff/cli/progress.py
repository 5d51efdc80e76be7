"""A run's progress on a terminal; nothing in a pipe."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import duration, stderr
from bakeoff.nouns import Outcome
from bakeoff.run import Progress, Watch


@contextmanager
def shown_progress(*, quiet: bool = False) -> Iterator[Watch]:
    """A watcher that draws each run it is given: a bar, the rate, the time left and the outcomes so far."""
    console = stderr()
    runs: list[Progress] = []
    if quiet or not console.is_terminal:
        yield runs.append
        return
    with Live(
        console=console,
        get_renderable=lambda: _drawn(runs),
        refresh_per_second=5,
        transient=True,
    ):
        yield runs.append


def _drawn(runs: list[Progress]) -> RenderableType:
    if not runs:
        return Text("loading the model …", style="dim")
    lines: list[RenderableType] = [Text(_summary(run), style="dim") for run in runs[:-1]]
    return Group(*lines, _current(runs[-1]))


def _current(run: Progress) -> RenderableType:
    bar = Table.grid(padding=(0, 1))
    bar.add_row(
        Text(run.title, style="bold"),
        ProgressBar(total=max(run.total, 1), completed=run.done, width=30),
        Text(f"{run.done:,}/{run.total:,}"),
        Text(f"{run.rate:.1f}/s" if run.rate else "starting"),
        Text(f"{duration(run.seconds_left)} left" if run.rate else ""),
    )
    return Group(bar, Text("  " + _state(run), style="dim"))


def _summary(run: Progress) -> str:
    return f"{run.title}  {run.done:,}/{run.total:,}  {_state(run)}"


def _state(run: Progress) -> str:
    parts = [f"{outcome} {run.outcomes[outcome]:,}" for outcome in Outcome if run.outcomes[outcome]]
    if run.valued:
        parts.insert(0, f"score so far {100 * run.value / run.valued:.1f} %")
    if run.prompt_tokens or run.completion_tokens:
        parts.append(f"tokens {run.prompt_tokens:,} in, {run.completion_tokens:,} out")
    if run.cached:
        parts.append(f"from cache {run.cached:,}")
    if run.cost is not None:
        parts.append(f"${run.cost:.4f}")
    return " · ".join(parts)
