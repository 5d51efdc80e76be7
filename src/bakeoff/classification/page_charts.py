"""The curves of a classification: precision and recall, ROC, cost, reliability, and other prevalences."""

from collections.abc import Iterator

from bakeoff.classification.chart import (
    Axis,
    Chart,
    Series,
    Style,
    amount_axis,
    band,
    line,
    log_axis,
    share_axis,
    whiskers,
)
from bakeoff.classification.costs import Costs
from bakeoff.classification.ranking import Point, Ranking
from bakeoff.classification.report import Report
from bakeoff.classification.threshold import in_words
from bakeoff.stats.classes.cost import CASES

_STYLES: tuple[Style, ...] = ("main", "second", "third")
_FITS = {"as given": "as given", "temperature": "temperature", "platt": "slope and intercept"}


def charts(report: Report) -> Iterator[Chart]:
    """Those that the report has numbers for."""
    if report.rankings:
        yield _precision_recall(report)
        yield _roc(report)
        if isinstance(report.costs, Costs):
            yield _cost(report, report.costs)
    if report.calibration is not None:
        yield _reliability(report)
    if report.sweep:
        yield _prevalence(report)
        if any(row.cost for row in report.sweep):
            yield _prices(report)


def _precision_recall(report: Report) -> Chart:
    x, y = share_axis("recall, %"), share_axis("precision, %")
    series = []
    for ranking, style in zip(report.rankings, _STYLES, strict=False):
        points = [(0.0, ranking.curve[0].precision), *((p.recall, p.precision) for p in ranking.curve)]
        # Steps: between two thresholds nothing is reached.
        series.append(
            Series(f"{_share(ranking.prevalence)} positive", style, line(x, y, points[::-1], steps=True))
        )
        series.append(_level(x, y, ranking.prevalence, "knowing nothing"))
    rows = [
        (
            _percent(point.recall),
            in_words(point.threshold),
            *(_percent(each.precision) for each in _same(report.rankings, point)),
        )
        for point in report.rankings[0].at_recall
    ]
    names = (f"precision % at {_share(each.prevalence)}" for each in report.rankings)
    return Chart(
        "precision-recall",
        "Precision and recall",
        "What of the flagged is right, for each share of the positives that is found.",
        x,
        y,
        tuple(series),
        ("recall %", "threshold", *names),
        tuple(rows),
    )


def _same(rankings: tuple[Ranking, ...], point: Point) -> list[Point]:
    return [
        next(each for each in (*ranking.at_recall, *ranking.curve) if each.threshold == point.threshold)
        for ranking in rankings
    ]


def _roc(report: Report) -> Chart:
    x, y = share_axis("false alarms, % of negatives"), share_axis("recall, %")
    ranking = report.rankings[0]
    points = [(0.0, 0.0), *((p.false_positive_rate, p.recall) for p in ranking.curve)]
    interval = ranking.auroc.interval
    return Chart(
        "roc",
        "ROC",
        f"The area is {_percent(ranking.auroc.value)} % "
        f"[{_percent(interval.low)}, {_percent(interval.high)}]; half is no knowledge.",
        x,
        y,
        (
            Series("the probabilities", "main", line(x, y, points)),
            Series("knowing nothing", "guide", line(x, y, [(0, 0), (1, 1)])),
        ),
        ("recall %", "threshold", "false alarms %"),
        tuple(
            (_percent(p.recall), in_words(p.threshold), _percent(p.false_positive_rate))
            for p in ranking.at_recall
        ),
    )


def _cost(report: Report, costs: Costs) -> Chart:
    x = share_axis("threshold on the probability, %")
    curves = []
    for ranking in report.rankings:
        share = ranking.prevalence
        curves.append(
            [
                (
                    point.threshold,
                    CASES
                    * (
                        share * costs.false_negative * (1 - point.recall)
                        + (1 - share) * costs.false_positive * point.false_positive_rate
                    ),
                )
                for point in ranking.curve
            ]
        )
    y = amount_axis("cost of 1,000 cases", [cost for curve in curves for _, cost in curve])
    series = [
        Series(f"{_share(ranking.prevalence)} positive", style, line(x, y, curve, steps=True))
        for ranking, curve, style in zip(report.rankings, curves, _STYLES, strict=False)
    ]
    series += [
        _level(x, y, row.cost.value, f"{row.decision}, {_share(row.prevalence)}")
        for row in report.cost
        if row.decision.startswith("flag ") and row.cost.value <= y.high
    ]
    return Chart(
        "cost",
        "Cost by threshold",
        "On these very items: a threshold picked here would look cheaper than it is. The table above judges "
        "it on others.",
        x,
        y,
        tuple(series),
        ("threshold", *(f"cost at {_share(each.prevalence)}" for each in report.rankings)),
        tuple(
            (in_words(rows[0][0]), *(f"{cost:,.1f}" for _, cost in rows))
            for rows in _thinned(list(zip(*curves, strict=True)))
        ),
    )


def _thinned(rows: list[tuple[tuple[float, float], ...]]) -> list[tuple[tuple[float, float], ...]]:
    step = max(1, len(rows) // 12)
    return rows[::step]


def _reliability(report: Report) -> Chart:
    assert report.calibration is not None
    x, y = share_axis("mean probability, %"), share_axis("positive, %")
    series, rows = [], []
    for fit, style in zip(report.calibration.fits, _STYLES, strict=False):
        points = [
            (each.confidence, each.accuracy, each.interval.low, each.interval.high, each.n)
            for each in fit.bins
            if each.confidence is not None and each.accuracy is not None and each.interval is not None
        ]
        # Three sets of whiskers would hide one another.
        drawn = () if fit.kind == "temperature" else whiskers(x, y, [point[:4] for point in points])
        series.append(
            Series(_FITS[fit.kind], style, line(x, y, [point[:2] for point in points]), whiskers=drawn)
        )
        rows += [
            (
                _FITS[fit.kind],
                _percent(at),
                f"{_percent(share)} [{_percent(low)}, {_percent(high)}]",
                f"{n:,}",
            )
            for at, share, low, high, n in points
        ]
    series.append(Series("at its word", "guide", line(x, y, [(0, 0), (1, 1)])))
    return Chart(
        "reliability",
        "Reliability",
        "How many are positive of those given about the same probability, as given and as moved by a fit on "
        "other folds.",
        x,
        y,
        tuple(series),
        ("probabilities", "mean %", "positive %", "answers"),
        tuple(rows),
    )


def _prevalence(report: Report) -> Chart:
    shares = [row.prevalence for row in report.sweep]
    x, y = log_axis("share of positives, %", min(shares), max(shares)), share_axis("precision, %")
    points = [(row.prevalence, row.precision) for row in report.sweep if row.precision is not None]
    curve = line(x, y, [(share, rate.value) for share, rate in points])
    around = band(x, y, [(share, rate.interval.low, rate.interval.high) for share, rate in points])
    return Chart(
        "prevalence",
        "The same answers where positives are rarer, or not",
        "What of the flagged is right, if positives look alike there, and negatives too.",
        x,
        y,
        (Series("the model's labels", "main", curve, around),),
        ("positive", "precision %"),
        tuple(
            (_share(share), f"{_percent(r.value)} [{_percent(r.interval.low)}, {_percent(r.interval.high)}]")
            for share, r in points
        ),
    )


def _prices(report: Report) -> Chart:
    rows = [row for row in report.sweep if row.cost is not None]
    shares = [row.prevalence for row in rows]
    x = log_axis("share of positives, %", min(shares), max(shares))
    labels = [(row.prevalence, row.cost.value) for row in rows if row.cost is not None]
    chosen = [(row.prevalence, row.nested.value) for row in rows if row.nested is not None]
    assert isinstance(report.costs, Costs)
    prices = report.costs
    nothing = [(share, CASES * share * prices.false_negative) for share in shares]
    everything = [(share, CASES * (1 - share) * prices.false_positive) for share in shares]
    y = amount_axis("cost of 1,000 cases", [cost for _, cost in (*labels, *chosen)])
    series = [Series("the model's labels", "main", line(x, y, labels))]
    if chosen:
        series.append(Series("threshold chosen on other folds", "second", line(x, y, chosen)))
    series += [
        Series("flag nothing", "guide", line(x, y, [each for each in nothing if each[1] <= y.high])),
        Series("flag everything", "guide", line(x, y, [each for each in everything if each[1] <= y.high])),
    ]
    table = [
        (
            _share(row.prevalence),
            *(f"{each.value:,.1f} [{each.interval.low:,.1f}, {each.interval.high:,.1f}]" if each else "–"
              for each in (row.cost, row.nested)),
            f"{CASES * row.prevalence * prices.false_negative:,.1f}",
            f"{CASES * (1 - row.prevalence) * prices.false_positive:,.1f}",
        )
        for row in rows
    ]  # fmt: skip
    return Chart(
        "prices",
        "Cost where positives are rarer, or not",
        "Above both guides a model is of no use.",
        x,
        y,
        tuple(series),
        ("positive", "the model's labels", "a threshold for it", "flag nothing", "flag everything"),
        tuple(table),
    )


def _level(x: Axis, y: Axis, value: float, name: str) -> Series:
    return Series(name, "guide", line(x, y, [(x.low, value), (x.high, value)]))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _share(value: float) -> str:
    return f"{100 * value:.3g} %"
