"""What tokens cost: prices that a user gives beside runs, or gave when they were made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.store import Manifest
from bakeoff.task.yaml_file import read_yaml

_HINT = "a line for each model, US dollars per million tokens: `my-model: {in: 0.25, out: 2}`"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, read and written."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars for so many tokens; cached prompt tokens count in full."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


def read_prices(path: Path) -> dict[str, Price]:
    """Prices by model, from a YAML file that maps a model's name, or how it was named to `bakeoff run`, to
    `in` and `out`.

    Raises:
        BakeoffError: the file cannot be read, names no model, or a price is missing, negative or no number.
    """
    found, _ = read_yaml(path, what="a file of prices holds `model: {in: …, out: …}` lines", hint=_HINT)
    if not found:
        raise BakeoffError(f"{path} names no model", _HINT)
    return {name: _price(f"{path}, {name}", value) for name, value in found.items()}


def check_prices(prices: Mapping[str, Price], manifests: Sequence[Manifest]) -> None:
    """Refuse prices of which none is for a model here.

    Raises:
        BakeoffError: there are prices, and no run is of a model they name.
    """
    if prices and not any(price_of(manifest, prices) for manifest in manifests):
        names = sorted({name for manifest in manifests for name in _names(manifest)})
        raise BakeoffError(
            f"the prices are for {', '.join(prices)}, and no run is of such a model",
            f"the models here are named: {', '.join(names)}",
        )


def price_of(manifest: Manifest, prices: Mapping[str, Price]) -> Price | None:
    """The price of a run's tokens in `prices`; None where its model is not there."""
    return next((prices[name] for name in _names(manifest) if name in prices), None)


def own_price(manifest: Manifest) -> Price | None:
    """The price that the run itself was made with (`price_in`, `price_out`); None without both."""
    settings = manifest.model.settings
    if "price_in" not in settings or "price_out" not in settings:
        return None
    return Price(float(settings["price_in"]), float(settings["price_out"]))


def _names(manifest: Manifest) -> list[str]:
    return [str(manifest.model.identity.get("name") or manifest.model.ref), manifest.model.ref]


def _price(where: str, value: Any) -> Price:
    if not isinstance(value, Mapping) or set(value) != {"in", "out"}:
        raise BakeoffError(f"{where}: expected the keys in and out, got {value!r:.60}", _HINT)
    for key, number in value.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < float("inf"):
            raise BakeoffError(f"{where}: {key} must be a number at or above 0, got {number!r:.60}", _HINT)
    return Price(float(value["in"]), float(value["out"]))
