"""A classification for people."""

from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from bakeoff.classification.calibration import Calibration
from bakeoff.classification.confusion import Cell
from bakeoff.classification.ranking import Ranking
from bakeoff.classification.report import CostRow, Rates, Report, SweepRow
from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.stats import Interval
from bakeoff.stats.classes.cost import Cost
from bakeoff.stats.classes.rare import FBeta, Rate
from bakeoff.visible import visible

_DECISIONS = {
    "labels": "the model's labels",
    "flag nothing": "flag nothing",
    "flag everything": "flag everything",
    "break-even": "break-even, if calibrated",
    "nested": "chosen on other folds",
    "other run": "chosen on another run",
}
_POLICY = {"wrong": "as wrong", "negative": "as not flagged", "positive": "as flagged"}


def print_classification(console: Console, report: Report) -> None:
    """Counts, confusion, rates, ranking, costs, other prevalences, slices and notes."""
    console.print(_heading(report))
    console.print(_counts(report))
    tables: list[RenderableType] = [_confusion(report.confusion), _rates(report.rates)]
    tables += [_ranking(each) for each in report.rankings]
    if report.calibration is not None:
        tables.append(_calibration(report.calibration))
    if report.cost:
        tables.append(_cost(report.cost))
    if report.sweep:
        tables.append(_sweep(report.sweep))
    if report.slices:
        tables.append(_slices(report))
    for table in tables:
        console.print()
        console.print(table)
    console.print()
    for note in _notes(report):
        console.print(Text(f"note: {visible(note)}", style="dim"))


def _heading(report: Report) -> Text:
    return Text.assemble(
        (visible(report.task), "bold"),
        " on ",
        (visible(report.model), "bold"),
        "  positive: ",
        (visible(report.positive), "bold"),
        (f"  {visible(report.run)}", "dim"),
    )


def _counts(report: Report) -> str:
    text = (
        f"{report.counted:,} of {report.items:,} items count: "
        f"{report.positives:,} positive, {report.negatives:,} negative"
    )
    if report.unlabelled:
        parts = (f"{ending} {count:,}" for ending, count in report.unlabelled.items())
        text += f"; without a label: {', '.join(parts)}, counted {_POLICY[report.no_answer]}"
    return text


def _notes(report: Report) -> Iterable[str]:
    yield from report.notes
    if len(report.rates) > 1 or report.sweep:
        yield (
            "other shares of positives assume that positives look alike there, and negatives too; "
            "where they do not, measure anew"
        )
    if report.cost and report.calibration is not None and not report.calibration.believable:
        yield "the probabilities are not calibrated: do not use the break-even threshold"


def _table(title: str, *columns: str, left: int = 1) -> Table:
    table = Table(title=title, title_justify="left", title_style="dim", box=None)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place < left else "right", overflow="fold")
    return table


def _confusion(cells: Iterable[Cell]) -> Table:
    table = _table("confusion", "label", "answer", "items", "for example", left=2)
    for cell in cells:
        said = Text(f"({cell.ending})", style="yellow") if cell.said is None else Text(visible(cell.said))
        table.add_row(
            visible(cell.gold), said, f"{cell.count:,}", Text(visible(", ".join(cell.examples)), style="dim")
        )
    table.columns[3].justify = "left"
    return table


def _rates(found: Iterable[Rates]) -> Table:
    found = list(found)
    table = _table("rates, %", "", *(f"at {_share(each.prevalence)} positive" for each in found))
    f_beta = next((each.detection.f_beta for each in found if each.detection.f_beta), None)
    table.add_row("recall", *(_rate(each.detection.recall) for each in found))
    table.add_row("specificity", *(_rate(each.detection.specificity) for each in found))
    table.add_row("precision", *(_rate(each.detection.precision) for each in found))
    table.add_row(f"F{f_beta.beta:g}" if f_beta else "F", *(_value(each.detection.f_beta) for each in found))
    balanced = (each.balanced_accuracy for each in found)
    table.add_row(
        "balanced accuracy", *(_estimate(each.value, each.interval) if each else "–" for each in balanced)
    )
    table.add_row("flagged", *(percent(each.flagged) for each in found))
    return table


def _ranking(found: Ranking) -> Group:
    average, area = found.average_precision, found.auroc
    said = interval_text(average.interval) if average.interval else f"({average.status})"
    facts = Table.grid(padding=(0, 2))
    facts.add_row("average precision", f"{percent(average.value)} {said}")
    facts.add_row("  of no knowledge", percent(found.prevalence))
    facts.add_row("area under ROC", _estimate(area.value, area.interval))
    title = Text(f"ranking at {_share(found.prevalence)} positive, %", style="dim")
    table = _table("", "to find %", "threshold", "precision %", "false alarms %")
    table.title = None
    for point in found.at_recall:
        table.add_row(
            percent(point.recall),
            f"{point.threshold:.4g}",
            percent(point.precision),
            percent(point.false_positive_rate),
        )
    return Group(title, facts, table)


def _calibration(found: Calibration) -> Group:
    facts = Table.grid(padding=(0, 2))
    facts.add_row("mean probability", f"{percent(found.mean)} where {percent(found.share)} are positive")
    chance = f"by chance {percent(found.chance.mean)}, at most {percent(found.chance.upper)}"
    facts.add_row("calibration error", f"{percent(found.ece)} ({chance})")
    facts.add_row("Brier score", f"{found.brier:.4f}")
    return Group(Text("the probabilities at their word, %", style="dim"), facts)


def _cost(rows: Iterable[CostRow]) -> Table:
    table = _table(
        "expected cost of 1,000 cases",
        "decision",
        "positive",
        "cost",
        "interval",
        "threshold",
        "recall %",
        "on its own items",
    )
    for row in rows:
        own = "" if row.apparent is None else f"{row.apparent:,.1f}"
        known = row.cost.interval.method == "known"
        table.add_row(
            _DECISIONS[row.decision],
            _share(row.prevalence),
            f"{row.cost.value:,.1f}",
            "" if known else _money(row.cost.interval),
            _threshold(row),
            "" if row.recall is None else percent(row.recall.value),
            own,
        )
    return table


def _threshold(row: CostRow) -> str:
    if row.decision in ("labels", "flag nothing", "flag everything"):
        return ""
    return "flag nothing" if row.threshold is None else f"{row.threshold:.4g}"


def _sweep(rows: Iterable[SweepRow]) -> Table:
    rows = list(rows)
    beta = next((f"{row.f_beta.beta:g}" for row in rows if row.f_beta), "")
    columns = ["positive", "flagged %", "precision %", f"F{beta} %"]
    costs, chosen = any(row.cost for row in rows), any(row.nested for row in rows)
    columns += ["cost of 1,000"] * costs + ["with a threshold"] * chosen
    table = _table("the same answers where positives are rarer, or not", *columns)
    for row in rows:
        cells = [_share(row.prevalence), percent(row.flagged), _rate(row.precision), _value(row.f_beta)]
        cells += [_priced(row.cost)] * costs + [_priced(row.nested)] * chosen
        table.add_row(*cells)
    return table


def _slices(report: Report) -> Table:
    name, alpha = visible(report.column or ""), 1 - report.level
    table = _table(
        f"by {name}; p against the rest, corrected over all tests (Holm)",
        name.removeprefix("meta."),
        "items",
        "positive",
        "recall %",
        "p",
        "specificity %",
        "p",
    )
    for each in report.slices:
        table.add_row(
            visible(each.value),
            f"{each.items:,}",
            f"{each.positives:,}",
            _rate(each.recall),
            _p(each.recall_p, alpha),
            _rate(each.specificity),
            _p(each.specificity_p, alpha),
        )
    return table


def _estimate(value: float, interval: Interval) -> str:
    return f"{percent(value)} {interval_text(interval)}"


def _rate(rate: Rate | None) -> str:
    return "–" if rate is None else _estimate(rate.value, rate.interval)


def _value(found: FBeta | None) -> str:
    return "–" if found is None else _estimate(found.value, found.interval)


def _money(interval: Interval) -> str:
    return f"[{interval.low:,.1f}, {interval.high:,.1f}]"


def _priced(cost: Cost | None) -> str:
    return "–" if cost is None else f"{cost.value:,.1f} {_money(cost.interval)}"


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"


def _p(value: float | None, alpha: float) -> Text:
    if value is None:
        return Text("–")
    return Text("<.0001" if value < 0.0001 else f"{value:.4f}", style="bold" if value < alpha else "")
