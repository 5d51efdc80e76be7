"""A judge's audit, for people."""

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.judging.agreement import WithPeople
from bakeoff.judging.audit import Audit
from bakeoff.judging.consistency import Consistency
from bakeoff.judging.position import PositionBias
from bakeoff.judging.verbosity import VerbosityBias
from bakeoff.stats.agreement.agreement import Agreement
from bakeoff.stats.agreement.krippendorff import Alpha
from bakeoff.stats.interval import Interval

Row = tuple[str, str, str, str, str]


def print_audit(console: Console, found: Audit) -> None:
    """A line for each measure, with the pairs it is from; what the verdicts do not tell is said too."""
    counts = f"{found.pairs:,} pairs, {found.verdicts:,} verdicts, {found.without_winner:,} without a winner"
    console.print(f"{counts}\n", soft_wrap=True)
    table = Table(box=None)
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("interval")
    table.add_column("pairs", justify="right")
    table.add_column("", overflow="fold")
    parts = (
        _people(found.people),
        _position(found.position),
        _length(found.verbosity),
        _repeats(found.repeats),
    )
    for row in (row for part in parts for row in part):
        table.add_row(*row)
    console.print(table)


def _people(found: WithPeople | None) -> list[Row]:
    if found is None:
        return [_missing("as people prefer", "no pair has both `better` and a winner")]
    left = f"{found.unreadable:,} more without a winner" if found.unreadable else ""
    return [
        (
            "as people prefer, %",
            percent(found.share),
            interval_text(found.interval),
            f"{found.items:,}",
            left,
        ),
        _coefficient("Cohen's κ", found.kappa),
        _coefficient("Gwet's AC1", found.ac1),
        _coefficient("Krippendorff's α", found.alpha),
    ]


def _position(found: PositionBias | None) -> list[Row]:
    if found is None:
        return [_missing("flips with the order", "no pair has a winner in both orders")]
    flips, n = interval_text(found.flips_interval), f"{found.items:,}"
    lean, p = _in_points(found.lean_interval), f"p = {found.p:.2g}"
    return [
        ("flips with the order, %", percent(found.flips), flips, n, ""),
        ("leans to the first, points", _points(found.lean), lean, n, p),
    ]


def _length(found: VerbosityBias | None) -> list[Row]:
    if found is None:
        return [_missing("leans to the longer", "needs `better` and `lengths`, and both kinds of pairs")]
    rates = (
        f"right on {percent(found.right_if_longer)} % where people prefer the longer, "
        f"on {percent(found.right_if_shorter)} % where the shorter"
    )
    n = f"{found.longer + found.shorter:,}"
    return [("leans to the longer, points", _points(found.bias), _in_points(found.interval), n, rates)]


def _repeats(found: Consistency | None) -> list[Row]:
    if found is None:
        return [_missing("repeats itself", "no pair was judged twice in one order")]
    return [
        ("repeats itself, %", percent(found.share), "", f"{found.items:,}", ""),
        _coefficient("Gwet's AC1", found.ac1),
    ]


def _missing(name: str, why: str) -> Row:
    return name, "–", "", "0", why


def _coefficient(name: str, found: Agreement | Alpha | None) -> Row:
    if found is None or found.value is None:
        return f"  {name}", "–", "", "", "all choices are the same"
    within = found.interval
    interval = "[not estimable]" if within is None else f"[{within.low:.2f}, {within.high:.2f}]"
    return f"  {name}", f"{found.value:.2f}", interval, "", ""


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"


def _in_points(interval: Interval) -> str:
    return f"[{_points(interval.low)}, {_points(interval.high)}]"
