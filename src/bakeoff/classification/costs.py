"""What a wrong decision costs, as the user says."""

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError

_HINT = "write fp=1,fn=20, or a YAML or JSON file with the keys fp and fn; any unit will do"


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of a false alarm and of a missed positive, in one unit; the right decision costs nothing."""

    false_positive: float
    false_negative: float


def read_costs(text: str) -> Costs:
    """Costs from `fp=1,fn=20`, or from a YAML or JSON file with the keys `fp` and `fn`.

    Raises:
        BakeoffError: neither, or a cost that is missing, negative, or not a number, or both are 0.
    """
    found = _pairs(text) if "=" in text else _file(Path(text))
    where = f"costs {text}"
    if set(found) != {"fp", "fn"}:
        raise BakeoffError(
            f"{where}: expected fp and fn, got {', '.join(map(str, found)) or 'nothing'}", _HINT
        )
    fp, fn = (_number(found[key], f"{where}: {key}") for key in ("fp", "fn"))
    if not fp + fn:
        raise BakeoffError(f"{where}: an error of one kind at least must cost something", _HINT)
    return Costs(fp, fn)


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
        raise BakeoffError(f"costs {path}: expected the keys fp and fn, got {value!r:.60}", _HINT)
    return value


def _number(value: Any, where: str) -> float:
    try:
        cost = float(value)
    except (TypeError, ValueError) as error:
        raise BakeoffError(f"{where} must be a number, got {value!r:.60}", _HINT) from error
    if isinstance(value, bool) or not 0 <= cost < inf:
        raise BakeoffError(f"{where} must be finite and at least 0, got {value!r:.60}", _HINT)
    return cost
