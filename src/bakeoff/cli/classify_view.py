"""A classification for people."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from bakeoff.classification.calibration import Calibration
from bakeoff.classification.confusion import Cell
from bakeoff.classification.ranking import Ranking
from bakeoff.classification.report import CostRow, Rates, Report, SweepRow
from bakeoff.classification.threshold import in_words
from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.stats import Interval
from bakeoff.stats.classes.cost import Cost
from bakeoff.stats.classes.rare import FBeta
from bakeoff.stats.classes.share import Rate
from bakeoff.visible import visible

_DECISIONS = {
    "labels": "the model's labels",
    "flag nothing": "flag nothing",
    "flag everything": "flag everything",
    "break-even": "break-even, as given",
    "calibrated": "break-even, calibrated",
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
    for share in dict.fromkeys(row.prevalence for row in report.cost):
        tables.append(_cost([row for row in report.cost if row.prevalence == share]))
    if report.actions:
        tables.append(_actions(report))
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
        yield "the probabilities as given are not calibrated: do not use their break-even threshold"


def _table(title: str, *columns: str, left: int = 1) -> Table:
    table = Table(title=title, title_justify="left", title_style="dim", box=None)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place < left else "right", overflow="fold")
    return table


def _confusion(cells: Iterable[Cell]) -> Table:
    table = _table("confusion", "label", "answer", "items", "for example", left=2)
    for cell in cells:
        said = Text(f"({cell.ending})", style="yellow") if cell.said is None else Text(visible(cell.said))
        shown = [f"{name}: {text}" for name, text in zip(cell.examples, cell.texts, strict=False)]
        examples = Text(visible("\n".join(shown) or ", ".join(cell.examples)), style="dim")
        table.add_row(visible(cell.gold), said, f"{cell.count:,}", examples)
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
            in_words(point.threshold),
            percent(point.precision),
            percent(point.false_positive_rate),
        )
    return Group(title, facts, table)


_FITS = {"as given": "as given", "temperature": "temperature", "platt": "slope, shift"}


def _calibration(found: Calibration) -> Table:
    title = f"probabilities at their word, %; {100 * found.share:.3g} % of {found.items:,} are positive"
    table = _table(title, "", "mean", "error", "by chance", "Brier score")
    for fit in found.fits:
        brier = f"{fit.brier:.3f} [{fit.brier_interval.low:.3f}, {fit.brier_interval.high:.3f}]"
        table.add_row(
            _FITS[fit.kind],
            percent(fit.mean),
            _estimate(fit.ece, fit.ece_interval),
            f"≤ {percent(fit.chance.upper)}",
            brier,
        )
    return table


def _cost(rows: Sequence[CostRow]) -> Table:
    title = f"expected cost of 1,000 cases, {_share(rows[0].prevalence)} positive"
    table = _table(title, "decision", "cost", "interval", "threshold", "recall %", "own items")
    for row in rows:
        known = row.cost.interval.method == "known"
        table.add_row(
            _DECISIONS[row.decision],
            _amount(row.cost.value),
            "" if known else _money(row.cost.interval),
            _threshold(row),
            "" if row.recall is None else percent(row.recall.value),
            "" if row.apparent is None else _amount(row.apparent),
        )
    return table


_CHOICES = {
    "labels": "as the model says",
    "probabilities": "least expected cost, by its probabilities",
    "calibrated": "the same, by a temperature of other folds",
}


def _actions(report: Report) -> Table:
    table = _table("expected cost of 1,000 cases", "decision", "positive", "cost", "interval", "done")
    for row in report.actions:
        decision = f"always {visible(row.action)}" if row.action is not None else _CHOICES[row.decision]
        table.add_row(
            decision,
            _share(row.shares[report.positive]),
            _amount(row.cost.value),
            "" if row.action is not None else _money(row.cost.interval),
            "" if row.action is not None else visible(", ".join(f"{k} {n:,}" for k, n in row.taken.items())),
        )
    table.columns[4].justify = "left"
    return table


def _threshold(row: CostRow) -> str:
    if row.decision in ("labels", "flag nothing", "flag everything"):
        return ""
    return in_words(row.threshold)


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
    return f"[{_amount(interval.low)}, {_amount(interval.high)}]"


def _amount(cost: float) -> str:
    return f"{cost:,.0f}" if cost >= 100 else f"{cost:,.1f}"


def _priced(cost: Cost | None) -> str:
    return "–" if cost is None else f"{_amount(cost.value)} {_money(cost.interval)}"


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"


def _p(value: float | None, alpha: float) -> Text:
    if value is None:
        return Text("–")
    return Text("<.0001" if value < 0.0001 else f"{value:.4f}", style="bold" if value < alpha else "")
