"""Judges' biases, their agreement with people, and their rankings in the terminal."""

import re
from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

    from bakeoff.arena.judges.agreement import WithPeople
    from bakeoff.arena.judges.bias import Bias
    from bakeoff.arena.judges.board import JudgeBoard, JudgedModel
    from bakeoff.arena.judges.corrected import CorrectedRate
    from bakeoff.arena.judges.figure import Figure
    from bakeoff.stats.interval import Interval


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


def print_corrected(
    out: "Console", found: "Mapping[str, Sequence[CorrectedRate]]", not_judged: "Mapping[str, int]"
) -> None:
    """By each judge what people would let each model win, beside what the judge lets it."""
    for judge, rates in found.items():
        title = f"Win rates by {visible(judge)}, corrected by people's"
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for name in ("model", "the judge", "people alone", "corrected", "gain", "labels"):
            table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
        notes: dict[str, list[str]] = {}
        for each in sorted(rates, key=lambda rate: (rate.rate is None, -(rate.rate or 0.0), rate.model)):
            for note in each.notes:
                # One line for all models that have few, however many each has: the table says that.
                notes.setdefault(re.sub(r"^\d+ (?=labels|pairs)", "few ", note), []).append(each.model)
            table.add_row(
                visible(each.model),
                f"{each.judge:.3f}",
                "–" if each.people is None else f"{each.people:.3f}",
                _within(each.rate, each.interval),
                f"{each.gain:.2f}",
                f"{each.labels:,} of {each.labels + each.unlabelled:,}",
            )
        out.print()
        out.print(table)
        for note, models in notes.items():
            out.print(f"  {_some(models)}: {note}", soft_wrap=True)
        if left := not_judged[judge]:
            out.print(f"  left out: {left:,} pairs that people judged and the judge did not", soft_wrap=True)
    out.print(
        "\nCorrected rates hold if the pairs that people were asked about were drawn at random among all "
        "that the judge judged. Gain is how many labels alone would do as well for one that there is.",
        soft_wrap=True,
    )


def print_boards(out: "Console", boards: "Sequence[JudgeBoard]") -> None:
    """Each judge's ranking under its label, and what became of its pairs."""
    for board in boards:
        out.print(f"\n{visible(board.label[:1].upper() + board.label[1:])}", soft_wrap=True)
        table = Table(box=None, padding=(0, 2, 0, 0))
        for name in ("ranks", "model", "score", f"{100 * board.level:g} % interval", "wins"):
            table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
        for row in board.rows:
            table.add_row(*_cells(row, row.model in board.blocked))
        out.print(table)
        for line in _counted(board):
            out.print(f"  {line}", soft_wrap=True)
    out.print(
        "\nScores are points on the Elo scale, with mean 1000. Ranges of ranks hold for all models at once; "
        "votes on one item count as one observation.",
        soft_wrap=True,
    )


def _counted(board: "JudgeBoard") -> "Iterator[str]":
    counts = board.counts
    yield (
        f"{counts.pairs:,} pairs: consistent {counts.decided + counts.tied:,}, ties by disagreement "
        f"{counts.contradicted + counts.half_tied:,}; no votes: in one order alone {counts.one_order:,}, "
        f"unread {counts.unread:,}"
    )
    left_out = ((board.own_family, "the judge's own family"), (board.of_blocked, "blocked models"))
    yield f"{board.votes:,} votes rated" + "".join(
        f", {number:,} left out on {whose}" for number, whose in left_out if number
    )
    for model, found in board.blocked.items():
        yield (
            f"{visible(model)} is blocked: {100 * found.opening:.0f} % of its {found.n:,} answers begin with "
            f"“{visible(found.answer)}”"
        )
    if board.judge.family is None:
        yield "the judge's family is not named, so it may rank its own: --families"
    if board.unchecked:
        yield f"nobody looked whether the answers of {_some(board.unchecked)} are one answer: --answers"


def _cells(row: "JudgedModel", blocked: bool) -> tuple[str, ...]:
    if row.score is None or row.interval is None:
        status = "blocked" if blocked else "no vote left" if row.status == "unseen" else row.status
        return ("–", visible(row.model), status, "", "")
    return (
        f"{row.low}" if row.low == row.high else f"{row.low}–{row.high}",
        visible(row.model),
        f"{row.score:.1f}",
        f"[{row.interval.low:.1f}, {row.interval.high:.1f}]",
        f"{100 * (row.expected or 0):.1f} %",
    )


def _some(models: "Sequence[str]") -> str:
    """The first five names, and how many more there are."""
    names = ", ".join(visible(each) for each in models[:5])
    return names + (f" and {len(models) - 5:,} more" if len(models) > 5 else "")


def _value(figure: "Figure") -> str:
    return _within(figure.value, figure.interval)


def _within(value: float | None, ends: "Interval | None") -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" + (f" [{ends.low:.3f}, {ends.high:.3f}]" if ends else "")


def _found(figure: "Figure", null: float | None) -> str:
    if null is None or figure.interval is None:
        return ""
    return "more than chance" if figure.found(null) else "may be chance"
