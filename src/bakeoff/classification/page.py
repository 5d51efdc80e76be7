"""A classification as one HTML file: it asks nothing of any server, runs no script, and prints."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from bakeoff.classification.chart import HEIGHT, WIDTH
from bakeoff.classification.page_charts import charts
from bakeoff.classification.report import CostRow, Report
from bakeoff.classification.threshold import in_words
from bakeoff.stats import Interval
from bakeoff.stats.classes.share import Rate
from bakeoff.visible import visible

if TYPE_CHECKING:
    from jinja2 import Template

DECISIONS = {
    "labels": "the model's labels",
    "flag nothing": "flag nothing",
    "flag everything": "flag everything",
    "break-even": "break-even, probabilities as given",
    "calibrated": "break-even, calibrated on other folds",
    "nested": "threshold chosen on other folds",
    "other run": "threshold chosen on another run",
    "probabilities": "least expected cost, probabilities as given",
}


def page(report: Report) -> str:
    """One self-contained HTML document. It holds ids, labels, counts and rates, and of the items' texts what
    the report holds: the ends of the confusion matrix's examples, where they were asked for.
    """
    return _template().render(
        report=report,
        charts=tuple(charts(report)),
        finding=_finding(report),
        width=WIDTH,
        height=HEIGHT,
    )


def percent(share: float | None) -> str:
    """61.2; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f}"


def rate(found: Rate | None) -> str:
    """A share and its interval in per cent."""
    return "–" if found is None else f"{percent(found.value)} {limits(found.interval)}"


def limits(interval: Interval | None) -> str:
    """[20.1, 48.0]"""
    return "" if interval is None else f"[{percent(interval.low)}, {percent(interval.high)}]"


def money(value: float) -> str:
    """A cost of 1,000 cases."""
    return f"{value:,.1f}"


def p_value(p: float | None) -> str:
    """Four decimals, never 0."""
    return "–" if p is None else "<.0001" if p < 0.0001 else f"{p:.4f}"


def threshold(row: CostRow) -> str:
    """What to flag on new cases."""
    if row.decision in ("labels", "flag nothing", "flag everything"):
        return ""
    return in_words(row.threshold)


def decided(decision: str, action: str | None = None) -> str:
    """A way to decide in words."""
    return f"always {action}" if action is not None else DECISIONS.get(decision, decision)


def _finding(report: Report) -> str:
    """The one sentence to read."""
    return " ".join(_sentences(report))


def _sentences(report: Report) -> Iterator[str]:
    found = report.rates[0].detection
    recall, specificity = found.recall, found.specificity
    if recall is not None and specificity is not None:
        yield (
            f"Of {recall.of:,} positives the model finds {recall.count:,}, "
            f"{percent(recall.value)} % {limits(recall.interval)}; "
            f"of {specificity.of:,} negatives it flags {specificity.of - specificity.count:,}."
        )
    last = report.rates[-1]
    if len(report.rates) > 1 and last.detection.precision is not None:
        yield (
            f"Where {100 * last.prevalence:.3g} % are positive, {rate(last.detection.precision)} % of what "
            "it flags would be right."
        )
    rows = [row for row in report.cost if row.prevalence == report.rates[-1].prevalence]
    trivial = [row for row in rows if row.decision.startswith("flag ")]
    used = [row for row in rows if row.decision in ("nested", "other run", "labels")]
    if trivial and used:
        best, floor = min(used, key=_cost), min(trivial, key=_cost)
        verdict = "costs less than" if best.cost.interval.high < floor.cost.value else "is not shown to beat"
        if best.cost.interval.low > floor.cost.value:
            verdict = "costs more than"
        yield (
            f"At its best it costs {money(best.cost.value)} for 1,000 cases, and {verdict} no model at all "
            f"({floor.decision}: {money(floor.cost.value)})."
        )


def _cost(row: CostRow) -> float:
    return row.cost.value


@cache
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_shown, trim_blocks=True, lstrip_blocks=True
    )
    named = (percent, rate, limits, money, p_value, threshold, decided)
    environment.filters |= {each.__name__: each for each in named}
    folder = files(__package__)
    environment.globals["css"] = Markup(folder.joinpath("page.css").read_text("utf-8"))  # noqa: S704 (our own file)
    return environment.from_string(folder.joinpath("page.html").read_text("utf-8"))


def _shown(value: object) -> object:
    """Text of unknown origin made safe wherever it turns up, and never a None."""
    if value is None:
        raise TypeError("the page would show None")
    return value if isinstance(value, Markup) else visible(str(value))
