"""A run's report for people."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import duration, percent
from bakeoff.nouns import Outcome
from bakeoff.run import Estimate, Metrics, Perplexity, Repeated
from bakeoff.run.remarks import (
    computed_text,
    decision_text,
    determinism_text,
    judge_text,
    modes_text,
    preflight_text,
)
from bakeoff.stats import Interval
from bakeoff.store import Manifest, caveats
from bakeoff.visible import visible

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


def points_text(interval: Interval | None) -> str:
    """`[-15.1, +6.6]` in points, or why there is none."""
    if interval is None:
        return "[not estimable]"
    return f"[{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def p_text(p: float | None) -> str:
    """A p with as many digits as it can bear."""
    if p is None:
        return "–"
    if p < 0.0001:
        return "<0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


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
    if metrics.perplexity is not None:
        _add_perplexity(table, metrics.perplexity)
    else:
        _add_score(table, manifest, metrics)
    if metrics.repeated is not None:
        for name, text in _repeated_rows(metrics.repeated):
            table.add_row(name, text)
    table.add_row("samples", _samples_text(metrics, manifest))
    table.add_row("outcomes", _outcomes_text(metrics.counts))
    if metrics.modes is not None:
        table.add_row("other mode", visible(modes_text(metrics.modes)))
    table.add_row("tokens", _tokens_text(metrics))
    if computed := computed_text(manifest):
        table.add_row("computed", computed)
    table.add_row("latency", _latency_text(metrics))
    if manifest.judging is not None:
        table.add_row("judge", visible(judge_text(manifest.judging)))
    for caveat in caveats(manifest):
        table.add_row("note", Text(visible(caveat), style="yellow"))
    if manifest.decision is not None:
        table.add_row("decided", visible(decision_text(manifest.decision)))
    if manifest.preflight is not None:
        table.add_row("preflight", visible(preflight_text(manifest.preflight)))
    if manifest.determinism is not None:
        table.add_row("determinism", visible(determinism_text(manifest.determinism)))
    if metrics.cost is not None:
        table.add_row("cost", f"${metrics.cost:.4f}")
    table.add_row("run", str(folder))
    return table


def _add_score(table: Table, manifest: Manifest, metrics: Metrics) -> None:
    table.add_row("score", Text(_estimate_text(metrics.score), style="bold"))
    table.add_row("if answered", f"{_estimate_text(metrics.answered)}")
    if metrics.bounds and metrics.bounds[0] != metrics.bounds[1]:
        low, high = metrics.bounds
        table.add_row("bounds", f"{percent(low)} – {percent(high)} %  every unscored sample wrong … right")
    if manifest.task.chance:
        table.add_row("by chance", f"{percent(manifest.task.chance)} %")


def _add_perplexity(table: Table, found: Perplexity) -> None:
    table.add_row("bits per byte", Text(_number_text(found.bits_per_byte), style="bold"))
    table.add_row("perplexity", f"per byte  {_number_text(found.byte_perplexity)}")
    table.add_row("", f"per word  {_number_text(found.word_perplexity)}")
    table.add_row(
        "documents", f"{found.bits_per_byte.n:,} with {found.words:,} words and {found.bytes:,} bytes"
    )


def _number_text(estimate: Estimate) -> str:
    interval = estimate.interval
    if interval is None:
        return f"{estimate.value:.4g}  ({estimate.note})"
    limits = f"[{interval.low:.4g}, {interval.high:.4g}]  {100 * interval.level:g} % {interval.method}"
    return f"{estimate.value:.4g}  {limits}"


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


def _repeated_rows(found: Repeated) -> Iterator[tuple[str, str]]:
    kinds = (("pass@", found.pass_at), ("pass^", found.pass_hat), ("majority@", found.majority))
    for kind, by_k in kinds:
        if by_k:  # the score is pass@1; what lies between is in --json
            yield f"{kind}{max(by_k)}", _estimate_text(by_k[max(by_k)])
    if found.sampling_share is not None:
        share = percent(found.sampling_share)
        yield (
            "sampling",
            f"{share} % of the score's variance is from drawing answers: more repeats shrink that",
        )


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
