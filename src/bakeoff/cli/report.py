"""A run's report for people."""

from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import duration, percent, visible
from bakeoff.nouns import Outcome
from bakeoff.run import Estimate, Metrics
from bakeoff.stats import Interval
from bakeoff.store import Manifest

_STATUS_STYLE = {"complete": "green", "incomplete": "yellow", "running": "cyan", "failed": "red"}


def print_report(console: Console, folder: Path, manifest: Manifest, metrics: Metrics) -> None:
    """Score, outcomes, bounds, tokens, latency, cost and where it all lies."""
    console.print(Group(*_heading(manifest), _facts(folder, manifest, metrics)))
    if metrics.options:
        console.print(_normalisations(metrics))


def interval_text(interval: Interval | None) -> str:
    """`[20.1, 48.0]` in per cent, or why there is none."""
    if interval is None:
        return "[not estimable]"
    return f"[{percent(interval.low)}, {percent(interval.high)}]"


def title(manifest: Manifest) -> str:
    """Task and variant, as the command line names them."""
    task = manifest.task
    return task.name if task.variant == "default" else f"{task.name}:{task.variant}"


def _heading(manifest: Manifest) -> list[RenderableType]:
    identity = manifest.model.identity
    line = Text.assemble(
        (visible(title(manifest)), "bold"),
        (f" v{manifest.task.version}", "dim"),
        " on ",
        (visible(str(identity.get("name", manifest.model.ref))), "bold"),
    )
    made = " · ".join(
        str(part)
        for part in (
            identity.get("engine"),
            identity.get("engine_version"),
            identity.get("precision"),
            manifest.task.scorer,
        )
        if part
    )
    status = Text.assemble(
        (manifest.status, _STATUS_STYLE[manifest.status]), (f" · {visible(made)} · {manifest.created}", "dim")
    )
    return [line, status, Text()]


def _facts(folder: Path, manifest: Manifest, metrics: Metrics) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    score = metrics.score
    table.add_row("score", Text(_estimate_text(score), style="bold"))
    table.add_row("if answered", f"{_estimate_text(metrics.answered)}")
    if metrics.bounds and metrics.bounds[0] != metrics.bounds[1]:
        low, high = metrics.bounds
        table.add_row("bounds", f"{percent(low)} – {percent(high)} %  every unscored sample wrong … right")
    if manifest.task.chance:
        table.add_row("by chance", f"{percent(manifest.task.chance)} %")
    table.add_row("samples", _samples_text(metrics, manifest))
    table.add_row("outcomes", _outcomes_text(metrics.counts))
    table.add_row("tokens", _tokens_text(metrics))
    table.add_row("latency", _latency_text(metrics))
    if metrics.cost is not None:
        table.add_row("cost", f"${metrics.cost:.4f}")
    table.add_row("run", str(folder))
    return table


def _estimate_text(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"–  {estimate.note}"
    text = f"{percent(estimate.value)} %  {interval_text(estimate.interval)}"
    if estimate.interval is not None:
        text += f"  {100 * estimate.interval.level:g} % {estimate.interval.method}"
    text += f", n = {estimate.n:,}"
    if estimate.clusters is not None:
        text += f" in {estimate.clusters:,} groups"
    return f"{text} ({estimate.note})" if estimate.note else text


def _samples_text(metrics: Metrics, manifest: Manifest) -> str:
    text = f"{metrics.counts['total']:,} of {metrics.items:,} items"
    if metrics.repeats > 1:
        text += f", {metrics.repeats} repeats"
    if metrics.items < manifest.task.n_items:
        text += f" (the task has {manifest.task.n_items:,})"
    return text


def _outcomes_text(counts: dict[str, int]) -> Text:
    parts = []
    for outcome in Outcome:
        number = counts.get(outcome.value, 0)
        style = "dim" if not number else "" if outcome is Outcome.SCORED else "yellow"
        parts.append(Text(f"{outcome.value} {number:,}", style=style))
    return Text(" · ").join(parts)


def _tokens_text(metrics: Metrics) -> str:
    if metrics.prompt_tokens is None and metrics.completion_tokens is None:
        return "not reported by the engine"
    return f"{metrics.prompt_tokens or 0:,} in, {metrics.completion_tokens or 0:,} out"


def _latency_text(metrics: Metrics) -> str:
    latency, first = metrics.latency, metrics.first_token
    text = f"p50 {duration(latency.p50)}, p95 {duration(latency.p95)}" if latency.n else "not measured"
    if first.n:
        text += f"; first token p50 {duration(first.p50)}, p95 {duration(first.p95)}"
    if latency.n:
        text += f"  (n = {latency.n:,})"
    if metrics.cached:
        text += f"; {metrics.cached:,} answers came from the cache"
    if metrics.retried:
        text += f"; {metrics.retried:,} needed more than one attempt"
    return text


def _normalisations(metrics: Metrics) -> Table:
    table = Table(title="the same log-likelihoods under every normalisation", title_style="dim", box=None)
    table.add_column("norm")
    table.add_column("accuracy %", justify="right")
    table.add_column("interval %")
    for norm, estimate in metrics.options.items():
        table.add_row(norm, percent(estimate.value), interval_text(estimate.interval))
    return table
