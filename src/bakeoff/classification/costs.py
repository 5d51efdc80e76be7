"""What a wrong decision costs, as the user says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray

NO_ANSWER = "no_answer"
"""The action where there is no label."""
_HINT = "write fp=1,fn=20, or a YAML or JSON file with the keys fp and fn, or matrix; any unit will do"


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of a false alarm and of a missed positive, in one unit; the right decision costs nothing."""

    false_positive: float
    false_negative: float


@dataclass(frozen=True, slots=True)
class Matrix:
    """What each action costs for each label, in one unit: `prices[label][action]`.

    Actions are labels, what is no label ("review"), and `no_answer`. Without a price, the action that is the
    label itself costs nothing, and `no_answer` as much as the dearest action for the label.
    """

    prices: Mapping[str, Mapping[str, float]]

    @property
    def actions(self) -> tuple[str, ...]:
        """All actions but `no_answer`, in the order of the file."""
        named = (action for row in self.prices.values() for action in row if action != NO_ANSWER)
        return tuple(dict.fromkeys((*self.prices, *named)))

    def table(self, labels: Sequence[str]) -> FloatArray:
        """Prices (labels, actions and `no_answer`).

        Raises:
            BakeoffError: a label of the run is not in the matrix, one of the matrix not in the run, or an
                action has no price for a label.
        """
        if set(labels) != set(self.prices):
            odd = sorted(set(labels) ^ set(self.prices))
            raise BakeoffError(
                f"costs: the matrix has the labels {', '.join(self.prices)} and the run {', '.join(labels)}",
                f"one of them lacks {odd[0]!r}",
            )
        rows = []
        for label in labels:
            row = {label: 0.0, **self.prices[label]}
            if missing := [action for action in self.actions if action not in row]:
                raise BakeoffError(f"costs: {missing[0]!r} has no price for the label {label!r}", _HINT)
            row.setdefault(NO_ANSWER, max(row.values()))
            rows.append([row[action] for action in (*self.actions, NO_ANSWER)])
        return np.array(rows)


def read_costs(text: str) -> Costs | Matrix:
    """Costs from `fp=1,fn=20`, or from a YAML or JSON file with the keys `fp` and `fn`, or `matrix`: label →
    action → price.

    Raises:
        BakeoffError: none of these, or a cost that is missing, negative, or not a number, or all are 0.
    """
    found = _pairs(text) if "=" in text else _file(Path(text))
    where = f"costs {text}"
    if set(found) == {"matrix"}:
        return _matrix(found["matrix"], where)
    if set(found) != {"fp", "fn"}:
        raise BakeoffError(
            f"{where}: expected fp and fn, got {', '.join(map(str, found)) or 'nothing'}", _HINT
        )
    fp, fn = (_number(found[key], f"{where}: {key}") for key in ("fp", "fn"))
    if not fp + fn:
        raise BakeoffError(f"{where}: an error of one kind at least must cost something", _HINT)
    return Costs(fp, fn)


def _matrix(rows: Any, where: str) -> Matrix:
    if not isinstance(rows, dict) or len(rows) < 2 or not all(isinstance(row, dict) for row in rows.values()):
        raise BakeoffError(
            f"{where}: matrix needs a mapping of action to price for each of two labels", _HINT
        )
    prices = {
        str(label): {
            str(action): _number(price, f"{where}: matrix.{label}.{action}") for action, price in row.items()
        }
        for label, row in rows.items()
    }
    if not any(price for row in prices.values() for price in row.values()):
        raise BakeoffError(f"{where}: an error of one kind at least must cost something", _HINT)
    return Matrix(prices)


def _pairs(text: str) -> dict[str, Any]:
    parts = [part.partition("=") for part in text.split(",")]
    names = [name.strip() for name, _, _ in parts]
    if len(set(names)) < len(names):
        raise BakeoffError(f"costs {text}: a cost is given twice", _HINT)
    return {name: value for name, (_, _, value) in zip(names, parts, strict=True)}


def _file(path: Path) -> dict[str, Any]:
    import yaml

    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BakeoffError(f"costs {path}: cannot be read: {error}", _HINT) from error
    except yaml.YAMLError as error:
        raise BakeoffError(f"costs {path}: neither YAML nor JSON: {error}", _HINT) from error
    if not isinstance(value, dict):
        raise BakeoffError(f"costs {path}: expected the keys fp and fn, or matrix, got {value!r:.60}", _HINT)
    return value


def _number(value: Any, where: str) -> float:
    try:
        cost = float(value)
    except (TypeError, ValueError) as error:
        raise BakeoffError(f"{where} must be a number, got {value!r:.60}", _HINT) from error
    if isinstance(value, bool) or not 0 <= cost < inf:
        raise BakeoffError(f"{where} must be finite and at least 0, got {value!r:.60}", _HINT)
    return cost
