"""A comparison for people at a terminal."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from math import floor, log10
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.compare_spending import print_spending
from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text, p_text, points_text
from bakeoff.cli.whiskers import ASCII, UNICODE, axis, scale, whisker
from bakeoff.comparison.comparison import Comparison, Disagreement, Pair, Standing
from bakeoff.visible import visible

_STYLE = {"better": "green", "worse": "red", "equivalent": "cyan", "cannot tell": "yellow"}
_TESTS = {
    "mcnemar-midp": "McNemar's test (mid-p)",
    "sign-flip": "a permutation test that flips signs of items",
    "sign-flip of groups": "a permutation test that flips signs of groups",
}
_WIDE = 116  # characters that scores and differences side by side take
_SENTENCES = 5  # of one kind
_NAMES = 4  # in one enumeration
_IN_ASCII = str.maketrans({"–": "-", "·": "|", "…": "...", "±": "+-", "→": "->", "×": "x"})

Say = Callable[[str], str]


def print_comparison(
    console: Console, found: Comparison, *, items: int = 5, out: Path = Path("runs")
) -> None:
    """Who stands where, what the differences can bear, what would settle the rest, and what to read.

    Names are shown with their control characters spelt out. Where the console's character set lacks lines and
    dashes, ASCII stands for them.
    """
    ascii_only = not _encodes(console, "├─┤●┊–·…±→×")

    def say(text: str) -> str:
        shown = visible(text).replace("\n", "\\n").replace("\t", "\\t")
        shown = shown.translate(_IN_ASCII) if ascii_only else shown
        return shown.encode(console.encoding, "backslashreplace").decode(console.encoding)

    console.print(_heading(found, say))
    for table in _tables(found, say, console.width):
        console.print()
        console.print(table)
    console.print()
    console.print(_plot(found, say, console.width, ascii_only))
    console.print()
    for line in _sentences(found):
        console.print(say(line))
    print_spending(console, found, say)
    if found.splits:
        console.print()
        taken = " and items as independent" if found.clusters is not None else ""
        console.print(f"Where each score's uncertainty comes from, with prompts as a sample too{taken}:")
        console.print(_splits(found, say))
    if found.items and items:
        console.print()
        _print_items(console, found, found.items[:items], out, say)


def _encodes(console: Console, text: str) -> bool:
    try:
        text.encode(console.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _heading(found: Comparison, say: Say) -> Text:
    facts = [f"{found.n:,} shared items"]
    if found.clusters is not None:
        facts[0] += f" in {found.clusters:,} groups"
    facts.append(f"{len(found.standings)} candidates")
    if found.variants and found.variants != ("default",):
        averaged = "averaged over the prompts" if len(found.variants) > 1 else "prompt"
        facts.append(f"{averaged} {', '.join(found.variants)}")
    if found.baseline is not None:
        facts.append(f"baseline {found.baseline}")
    if found.margin is not None:
        facts.append(f"margin {100 * found.margin:g} points")
    heading = Text.assemble((say(found.task), "bold"), say(f"  {' · '.join(facts)}"))
    for note in found.notes:
        heading.append(f"\n{say(note)}", style="yellow")
    if found.left_out:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in found.left_out.items())
        heading.append(
            f"\n{say(f'{sum(found.left_out.values()):,} items left out: {reasons}')}", style="yellow"
        )
    return heading


def _tables(found: Comparison, say: Say, width: int) -> Iterator[Table]:
    """Scores and differences: one table where there is room, else one below the other."""
    names: _Column = ("candidate", "left", [Text(say(each.label)) for each in found.standings])
    scores, differences = _scores(found, say), _differences(found, say)
    if width >= _WIDE:
        yield _table([scores[0], names, *scores[1:], *differences])
    else:
        yield _table([scores[0], names, *scores[1:]])
        yield _table([names, *differences])


_Column = tuple[str, Literal["left", "right"], list[Text]]


def _table(columns: Sequence[_Column]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for header, justify, _ in columns:
        name = header == "candidate"
        table.add_column(
            header, justify=justify, no_wrap=not name, overflow="fold", min_width=12 if name else None
        )
    for row in zip(*(cells for _, _, cells in columns), strict=True):
        table.add_row(*row)
    return table


def _scores(found: Comparison, say: Say) -> list[_Column]:
    standings = found.standings
    return [
        ("rank", "left", [Text(say(_ranks(each))) for each in standings]),
        ("score %", "right", [Text(say(percent(each.score.value)), "bold") for each in standings]),
        (_interval_of(found), "left", [Text(interval_text(each.score.interval)) for each in standings]),
    ]


def _differences(found: Comparison, say: Say) -> list[_Column]:
    by_label = {pair.second: pair for pair in found.pairs}
    pairs = [by_label.get(each.label) for each in found.standings]
    reference = "leader" if found.baseline is None else "baseline"
    return [
        ("points", "right", [Text(f"{100 * pair.difference:+.1f}" if pair else "") for pair in pairs]),
        (_interval_of(found), "left", [Text(points_text(pair.interval) if pair else "") for pair in pairs]),
        ("p", "right", [Text(say(p_text(pair.adjusted_p)) if pair else "") for pair in pairs]),
        (
            "verdict",
            "left",
            [Text(pair.verdict, _STYLE[pair.verdict]) if pair else Text(reference, "dim") for pair in pairs],
        ),
    ]


def _interval_of(found: Comparison) -> str:
    return f"{100 * found.level:g} % interval"


def _ranks(standing: Standing) -> str:
    if standing.ranks is None:
        return "–"
    low, high = standing.ranks
    return f"{low}" if low == high else f"{low}–{high}"


def _plot(found: Comparison, say: Say, width: int, ascii_only: bool) -> Table:
    glyphs = ASCII if ascii_only else UNICODE
    labels = [Text(say(each.label)) for each in found.standings]
    legend = say(f"{glyphs.chance} chance {percent(found.chance)} %") if found.chance else ""
    column = min(max(len(legend), *(label.cell_len for label in labels)), max(16, width // 3))
    limits = [
        (each.score.interval.low, each.score.interval.high) if each.score.interval else None
        for each in found.standings
    ]
    scores = [each.score.value or 0.0 for each in found.standings]
    ends = [end for each in limits if each for end in each]
    on = scale([*scores, *ends], found.chance or None, max(20, min(72, width - column - 4)))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=column, overflow="crop" if ascii_only else "ellipsis", no_wrap=True)
    table.add_column(no_wrap=True)
    for label, score, each in zip(labels, scores, limits, strict=True):
        table.add_row(label, whisker(score, each, on, glyphs, found.chance or None))
    marked = legend if found.chance is not None and found.chance in on else ""
    table.add_row(Text(marked, "dim"), Text(axis(on), "dim"))
    return table


def _sentences(found: Comparison) -> Iterator[str]:
    reference = found.baseline or found.standings[0].label
    who = f"the leader, {reference}" if found.baseline is None else reference
    names = ", ".join(dict.fromkeys(_TESTS.get(pair.test, pair.test) for pair in found.pairs))
    many = f"adjusted for {found.family:,} pairs (Holm)" if found.family > 1 else "one pair"
    yield f"points: against {who}, item by item. p: {names}, {many}."
    if found.groups:
        yield _apart(found)
    if found.first is not None:
        yield (
            f"Corrected for having been picked as the leader, its score is {percent(found.first.value)} % "
            f"{interval_text(found.first.interval)}."
        )
    notes = dict.fromkeys(pair.note for pair in found.pairs if pair.note)
    for note in notes:
        about = [pair.second for pair in found.pairs if pair.note == note]
        yield f"{_enumerated(about)}: {note}."
    open_ = [pair for pair in found.pairs if pair.verdict == "cannot tell"]
    for pair in open_[:_SENTENCES]:
        yield _power(pair)
    if len(open_) > _SENTENCES:
        yield f"and {len(open_) - _SENTENCES} more that cannot be told from {reference}"


def _apart(found: Comparison) -> str:
    groups = [group for group in found.groups if len(group) > 1]
    if not groups:
        return "All candidates can be told apart."
    shown = " · ".join(_enumerated(group) for group in groups[:_SENTENCES])
    more = f" · and {len(groups) - _SENTENCES} more groups" if len(groups) > _SENTENCES else ""
    return f"Cannot tell apart: {shown}{more}."


def _enumerated(labels: Sequence[str]) -> str:
    if len(labels) <= _NAMES + 1:
        return ", ".join(labels)
    return f"{', '.join(labels[:_NAMES])} and {len(labels) - _NAMES} more"


def _power(pair: Pair) -> str:
    who = f"{pair.first} and {pair.second}"
    if pair.resolves is None:
        return (
            f"{who}: the same score on every item."
            if not pair.won + pair.lost
            else f"{who}: {_unknown(pair)}"
        )
    resolved = f"these {pair.n:,} items resolve {100 * pair.resolves:.1f} points"
    if pair.needed is None:
        return f"{who}: the same score; {resolved}."
    needed = f"about {_rounded(pair.needed)} more items would settle a difference like this one"
    return f"{who}: {needed}; {resolved}."


def _unknown(pair: Pair) -> str:
    return f"what {pair.n:,} items can resolve cannot be estimated."


def _rounded(number: int) -> str:
    """Two figures are all that an estimate of an estimate can bear."""
    unit = 10 ** max(0, floor(log10(number)) - 1)
    return f"{round(number / unit) * unit:,}"


def _splits(found: Comparison, say: Say) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("candidate", overflow="fold", min_width=12)
    table.add_column("std. error", justify="right")
    parts = ("items", "variants", "interaction", "repeats")
    shown = [part for part in parts if any(getattr(split, part) is not None for split in found.splits)]
    for part in shown:
        name = "items × prompts" if part == "interaction" else "prompts" if part == "variants" else part
        table.add_column(say(f"{name} %"), justify="right")
    for split in found.splits:
        shares = [getattr(split, part) for part in shown]
        table.add_row(
            say(split.label),
            f"{100 * split.standard_error:.2f}",
            *(say(percent(share)) for share in shares),
        )
    return table


def _print_items(
    console: Console, found: Comparison, items: Sequence[Disagreement], out: Path, say: Say
) -> None:
    console.print(f"Candidates differ on {found.differing:,} of {found.n:,} items. The most divided:")
    table = Table.grid(padding=(0, 2, 0, 2))
    table.add_column(overflow="fold", max_width=24)
    table.add_column(overflow="fold")
    for item in items:
        by_score: dict[str, list[str]] = {}
        for label, value in sorted(item.values.items(), key=lambda pair: -pair[1]):
            by_score.setdefault(f"{value:.3g}", []).append(label)
        scores = " · ".join(f"{score}: {_enumerated(labels)}" for score, labels in by_score.items())
        table.add_row(say(item.item_id), say(scores))
    console.print(table)
    first = found.standings[0]
    run = first.runs[0].name.rsplit("-", 1)[-1] if out == Path("runs") else str(first.runs[0])
    command = f"bakeoff show {shlex.quote(run)} --item {shlex.quote(items[0].item_id)}"
    console.print(say(command), soft_wrap=True)
