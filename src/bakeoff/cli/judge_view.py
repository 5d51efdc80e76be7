"""A judge's audit, for people."""

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.judging.agreement import WithPeople
from bakeoff.judging.audit import Audit
from bakeoff.judging.consistency import Consistency
from bakeoff.judging.grade_audit import GradeAudit
from bakeoff.judging.position import PositionBias
from bakeoff.judging.shift import GradeShift, Leniency
from bakeoff.stats.agreement.agreement import Agreement
from bakeoff.stats.agreement.krippendorff import Alpha
from bakeoff.stats.interval import Interval
from bakeoff.visible import visible

Row = tuple[str, str, str, str, str]


def print_audit(console: Console, found: Audit | GradeAudit) -> None:
    """A line for each measure, with the items it is from; what the verdicts do not tell is said too."""
    if found.criterion:
        console.print(visible(found.criterion), style="bold")
    pairs = isinstance(found, Audit)
    console.print(f"{_counts(found)}\n", soft_wrap=True)
    table = Table(box=None)
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("interval")
    table.add_column("pairs" if pairs else "answers", justify="right")
    table.add_column("", overflow="fold")
    for row in _pair_rows(found) if isinstance(found, Audit) else _grade_rows(found):
        table.add_row(*row)
    console.print(table)


def _counts(found: Audit | GradeAudit) -> str:
    if isinstance(found, Audit):
        counts = f"{found.pairs:,} pairs, {found.verdicts:,} verdicts"
        return f"{counts}, {found.without_winner:,} without a winner"
    counts = f"{found.answers:,} answers, {found.verdicts:,} verdicts on {found.levels} levels"
    return f"{counts}, {found.without_grade:,} without a grade"


def _pair_rows(found: Audit) -> list[Row]:
    return [
        *_people(found.people, "as people prefer, %", "no pair has both `better` and a winner", "winner"),
        _ceiling(found.ceiling),
        _floor(found.floor, "always the longer, %", "the floor; needs `better` and `lengths`"),
        *_position(found.position),
        _trait("leans to the longer", found, "length", "the longer", "`lengths`"),
        _trait("leans to format", found, "format", "the formatted", "`formatted`"),
        _trait("leans to its family", found, "family", "its own family's", "`families` and `judge_family`"),
        *_repeats(found.repeats, "no pair was judged twice in one order"),
    ]


def _grade_rows(found: GradeAudit) -> list[Row]:
    floor = "" if found.commonest is None else f"always {found.commonest}, %"
    return [
        *_people(
            found.people, "the grade people give, %", "no answer has both `people` and a grade", "grade"
        ),
        _ceiling(found.ceiling),
        _floor(found.floor, floor or "the commonest", "the floor; needs `people`"),
        _lenient(found.lenient),
        _shift("kinder to the longer", found.length, "the longer half", "`length`"),
        _shift("kinder to format", found.format, "formatted answers", "`formatted`"),
        _shift("kinder to its family", found.family, "its own", "`family` and `judge_family`"),
        *_repeats(found.repeats, "no answer was judged twice"),
    ]


def _people(found: WithPeople | None, name: str, why: str, without: str) -> list[Row]:
    if found is None:
        return [_missing(name.removesuffix(", %"), why)]
    left = f"{found.unreadable:,} more without a {without}" if found.unreadable else ""
    return [
        (name, percent(found.share), interval_text(found.interval), f"{found.items:,}", left),
        _coefficient("Cohen's κ", found.kappa),
        _coefficient("Gwet's AC1", found.ac1),
        _coefficient("Krippendorff's α", found.alpha),
    ]


def _ceiling(found: WithPeople | None) -> Row:
    if found is None:
        return _missing("two people agree", "the ceiling: no item was labelled by two people")
    return (
        "two people agree, %",
        percent(found.share),
        interval_text(found.interval),
        f"{found.items:,}",
        f"the ceiling; {_in_words(found)}",
    )


def _floor(found: WithPeople | None, name: str, why: str) -> Row:
    if found is None:
        return _missing(name.removesuffix(", %"), why)
    share, interval = percent(found.share), interval_text(found.interval)
    return name, share, interval, f"{found.items:,}", f"the floor; {_in_words(found)}"


def _in_words(found: WithPeople) -> str:
    values = (("κ", found.kappa), ("AC1", found.ac1), ("α", found.alpha))
    return ", ".join(
        f"{name} {_plain(each.value)}" for name, each in values if each is not None and each.value is not None
    )


def _plain(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00")


def _position(found: PositionBias | None) -> list[Row]:
    if found is None:
        return [_missing("flips with the order", "no pair has a winner in both orders")]
    flips, n = interval_text(found.flips_interval), f"{found.items:,}"
    lean, p = _in_points(found.lean_interval), f"p = {found.p:.2g}"
    return [
        ("flips with the order, %", percent(found.flips), flips, n, ""),
        ("leans to the first, points", _points(found.lean), lean, n, p),
    ]


def _trait(name: str, audit: Audit, trait: str, which: str, needs: str) -> Row:
    found = {"length": audit.length, "format": audit.format, "family": audit.family}[trait]
    person = audit.second_person.get(trait)
    if found is None:
        return _missing(name, f"not told: needs `better` and {needs}, and people who prefer either kind")
    text = (
        f"right on {percent(found.right_with)} % where people prefer {which}, on "
        f"{percent(found.right_without)} % where the other; "
        f"takes it in {percent(found.judge_takes)} %, people in {percent(found.people_take)} %"
    )
    if person is not None:
        text += f"; a second person {_points(person.bias)} {_in_points(person.interval)}"
    n = f"{found.pairs_with + found.pairs_without:,}"
    return f"{name}, points", _points(found.bias), _in_points(found.interval), n, text


def _lenient(found: Leniency | None) -> Row:
    if found is None or found.interval is None:
        return _missing("above people's grades", "needs two answers with `people` and a grade")
    value, interval = _points(found.value), _in_points(found.interval)
    return "above people's grades, points", value, interval, f"{found.items:,}", "of the whole scale"


def _shift(name: str, found: GradeShift | None, which: str, needs: str) -> Row:
    if found is None:
        return _missing(name, f"not told: needs `people` and {needs}, and two answers of either kind")
    text = f"{_points(found.with_trait)} above people's on {which}, {_points(found.without)} on the others"
    n = f"{found.items_with + found.items_without:,}"
    return f"{name}, points", _points(found.bias), _in_points(found.interval), n, text


def _repeats(found: Consistency | None, why: str) -> list[Row]:
    if found is None:
        return [_missing("repeats itself", why)]
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
