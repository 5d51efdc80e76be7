"""Win rates against a baseline in the terminal."""

from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from bakeoff.arena.judges.preferences import Preferences
    from bakeoff.arena.judges.win_rates import BaselineWinRate


def print_win_rates(
    out: "Console", found: "Preferences", rates: "Sequence[BaselineWinRate]", *, by_difficulty: bool
) -> None:
    """The table, and below it what the numbers can bear."""
    judge = visible(found.judge) or "a judge whose name is not told"
    out.print(
        f"Preferred by a model, not by people: {judge}, against {visible(found.baseline)} (50 %)",
        soft_wrap=True,
    )
    table = Table(box=None, padding=(0, 2, 0, 0))
    # Of instructions that are all equally hard the formula knows no spread at all.
    formula = ("formula SE",) if by_difficulty else ()
    for name in ("model", "n", "win rate ± SE", "at equal length", *formula, "longer"):
        table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
    for rate in rates:
        table.add_row(*_cells(rate, by_difficulty))
    out.print(table)
    out.print()
    for line in _caveats(found, rates, by_difficulty):
        out.print(line, soft_wrap=True)


def _cells(rate: "BaselineWinRate", by_difficulty: bool) -> tuple[str, ...]:
    error, controlled = rate.standard_error, rate.controlled
    return (
        visible(rate.model),
        f"{rate.n:,}",
        f"{100 * rate.win_rate:.2f}" + ("" if error is None else f" ± {100 * error:.2f}"),
        "–"
        if controlled is None
        else f"{100 * controlled.win_rate:.2f} "
        f"[{100 * controlled.interval.low:.1f}, {100 * controlled.interval.high:.1f}]",
        *(["–" if controlled is None else f"{100 * controlled.formula_se:.2f}"] if by_difficulty else []),
        "–" if rate.longer is None else f"{100 * rate.longer:.0f} %",
    )


def _caveats(
    found: "Preferences", rates: "Sequence[BaselineWinRate]", by_difficulty: bool
) -> "Iterator[str]":
    for rate in rates:
        if rate.constant and rate.answers is not None:
            yield (
                f"{visible(rate.model)} is listed last: {100 * rate.answers.opening:.0f} % of its answers "
                f"begin with “{visible(rate.answers.answer)}”. Its rates say nothing of its quality."
            )
    for rate in rates:
        if rate.not_controlled:
            yield f"No rate at equal length for {visible(rate.model)}: {rate.not_controlled}."
        if rate.n > rate.instructions:
            yield f"{visible(rate.model)}: {rate.n:,} preferences are on {rate.instructions:,} instructions."
    for reason, number in found.untaken.items():
        yield f"Not taken, {reason}: {number:,} rows."
    controlled = [rate.controlled for rate in rates if rate.controlled is not None]
    if controlled:
        yield (
            f"{100 * controlled[0].interval.level:g} % intervals at equal length are from instructions drawn "
            "again and the weights fitted anew."
        )
        if by_difficulty:
            yield "The formula's SE, as published, leaves the error of the fit out and is too small."
        else:
            yield "All instructions count as equally hard; published rates have a difficulty for each."
        yield (
            "Where the model's answers are nearly always the longer ones, or the shorter ones, length and "
            "model can hardly be told apart."
        )
    yield (
        "Control for length is no defence against one answer to everything, or one that speaks to the judge"
        + ("." if all(rate.answers for rate in rates) else ", and not all answers are there to look at.")
    )
