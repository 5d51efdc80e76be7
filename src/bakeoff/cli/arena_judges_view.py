"""Judges' biases and their agreement with people in the terminal."""

from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from bakeoff.arena.judges.agreement import WithPeople
    from bakeoff.arena.judges.bias import Bias
    from bakeoff.arena.judges.figure import Figure


def print_biases(out: "Console", found: "Mapping[str, Bias]") -> None:
    """For each judge what became of its pairs, and each bias with its interval."""
    for judge, bias in found.items():
        counts = bias.counts
        out.print(f"{visible(judge)}: {bias.verdicts:,} verdicts, {counts.pairs:,} pairs", soft_wrap=True)
        out.print(
            f"  votes {counts.votes:,}: decided {counts.decided:,}, tied {counts.tied:,}, contradicted by "
            f"the other order {counts.contradicted:,}, half tied {counts.half_tied:,}; no votes: in one "
            f"order alone {counts.one_order:,}, unread {counts.unread:,}",
            soft_wrap=True,
        )
        table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
        table.add_column()
        table.add_column(justify="right")
        table.add_column()
        for name, figure, null in (
            ("the same in both orders", bias.consistency, None),
            ("the first answer wins", bias.first, 0.5),
            ("the longer answer wins", bias.length.longer, None),
            ("is right more often where the longer is better, by", bias.length.bias, 0.0),
            ("verdicts that could not be read", bias.unread, None),
            ("the same when asked again", bias.repeats, None),
        ):
            if figure.value is not None:
                table.add_row(name, _value(figure), _found(figure, null))
        if bias.family is not None and bias.family.bias.value is not None:
            name = f"prefers its own family, {visible(bias.family.family)}, by"
            table.add_row(name, _value(bias.family.bias), _found(bias.family.bias, 0.0))
        out.print(table)


def print_agreement(out: "Console", found: "Mapping[str, WithPeople]") -> None:
    """Each judge beside what people agree with one another."""
    table = Table(title="Agreement with people", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("judge", "pairs", "with one person", "people with one another", "difference", "kappa"):
        table.add_column(name, justify="left" if name == "judge" else "right", overflow="fold")
    for judge, each in found.items():
        table.add_row(
            visible(judge),
            f"{each.pairs:,}",
            _value(each.one_person.raw),
            _value(each.ceiling.raw),
            _value(each.gap),
            _value(each.majority.kappa),
        )
    out.print()
    out.print(table)
    out.print("Kappa is against the choice of most people. Intervals are over items.", soft_wrap=True)


def _value(figure: "Figure") -> str:
    if figure.value is None:
        return "–"
    ends = figure.interval
    return f"{figure.value:.3f}" + (f" [{ends.low:.3f}, {ends.high:.3f}]" if ends else "")


def _found(figure: "Figure", null: float | None) -> str:
    if null is None or figure.interval is None:
        return ""
    return "more than chance" if figure.found(null) else "may be chance"
