"""AlpacaEval's win rates of models against a baseline: plain, and at the baseline's length."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from bakeoff.arena.judges.constant import Constancy, constancy
from bakeoff.arena.judges.figure import share
from bakeoff.arena.judges.preferences import ModelPreferences, Preferences
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.groups import codes
from bakeoff.stats.interval import Interval
from bakeoff.stats.ratings.length_controlled import LengthControlled, length_controlled


@dataclass(frozen=True, slots=True)
class BaselineWinRate:
    """How often a judge prefers a model's answers to the baseline's, all rates in [0, 1].

    `win_rate` is the mean of `n` preferences on `instructions` instructions. `standard_error` is
    AlpacaEval's, their standard deviation over √n, None for one alone; `interval` is over instructions.
    `controlled` is the length-controlled rate, None for the reason in `not_controlled`. `longer` is the share
    of instructions on which the model's answer is the longer one, ties as half. `answers` says how constant
    the model's answers are, None where nobody kept them; where they are near `constant`, no judge should rank
    the model.
    """

    model: str
    n: int
    instructions: int
    win_rate: float
    standard_error: float | None
    interval: Interval | None
    controlled: LengthControlled | None
    not_controlled: str
    longer: float | None
    answers: Constancy | None
    constant: bool


def win_rates(
    found: Preferences,
    difficulty: Mapping[str, float] | None = None,
    *,
    level: float = 0.95,
    draws: int = 1_000,
    seed: int = 0,
) -> tuple[BaselineWinRate, ...]:
    """The win rates of all models, the best first and those with near constant answers last.

    The order is by the length-controlled rate where all models have one. `difficulty` has the difficulty of
    instructions by their pseudonyms; without it all count as equally hard.

    Raises:
        BakeoffError: an instruction without a difficulty.
        ValueError: level outside (0, 1), or fewer than 1 draw.
    """
    rates = [
        _win_rate(model, each, _difficulty(model, each, difficulty), level, draws, seed)
        for model, each in found.models.items()
    ]
    controlled = all(rate.controlled is not None for rate in rates)

    def place(rate: BaselineWinRate) -> tuple[bool, float, str]:
        value = rate.controlled.win_rate if controlled and rate.controlled else rate.win_rate
        return rate.constant, -value, rate.model

    return tuple(sorted(rates, key=place))


def _win_rate(
    model: str, rows: ModelPreferences, difficulty: FloatArray, level: float, draws: int, seed: int
) -> BaselineWinRate:
    y, n = rows.preference, len(rows.preference)
    item = codes(rows.instructions, n, "instructions")
    controlled, reason, longer = None, "", None
    answers = constancy(rows.answers) if rows.answers else None
    if rows.lengths is None:
        reason = "the lengths of its answers are not known"
    else:
        delta = rows.lengths[:, 0] - rows.lengths[:, 1]
        longer = float(np.mean((delta < 0) + 0.5 * (delta == 0)))
        if not np.ptp(delta):
            reason = "its answers all differ by the same number of characters from the baseline's"
        else:
            controlled = length_controlled(y, delta, difficulty, level=level, draws=draws, seed=seed)
    return BaselineWinRate(
        model=model,
        n=n,
        instructions=int(item.max()) + 1,
        win_rate=float(y.mean()),
        standard_error=float(y.std(ddof=1)) / sqrt(n) if n > 1 else None,
        interval=share(y, item, level).interval,
        controlled=controlled,
        not_controlled=reason,
        longer=longer,
        answers=answers,
        constant=answers is not None and answers.blocked(),
    )


def _difficulty(model: str, rows: ModelPreferences, told: Mapping[str, float] | None) -> FloatArray:
    if told is None:
        return np.zeros(len(rows.instructions))
    if missing := sum(each not in told for each in rows.instructions):
        raise BakeoffError(
            f"{missing:,} of the {len(rows.instructions):,} instructions of {model} have no difficulty",
            "the file of difficulties must have their texts, as they are in the annotations",
        )
    return np.array([told[each] for each in rows.instructions])
