"""What a model's own files say of it, so that what people say can be held against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

WeightType = Literal["original", "adapter", "merge", "quantised"]


@dataclass(frozen=True, slots=True)
class Found:
    """Facts from files, never guessed: empty or None is what they do not say.

    `parameters` counts stored weights, packed ones unpacked. `licence` is in lower case, an SPDX name where
    its author keeps to them. `card` is the length of the model card's text in characters; None for a kind of
    file that comes without one. `base` are the models it was made from. `weight_type` is what shows: nothing
    shows that weights are original. `own_code` are classes that its configuration asks for and the library
    does not have.
    """

    parameters: int | None = None
    licence: str = ""
    card: int | None = None
    base: tuple[str, ...] = ()
    weight_type: WeightType | Literal[""] = ""
    architecture: str = ""
    own_code: tuple[str, ...] = ()

    def details(self) -> dict[str, str]:
        """As they stand among the details of an `Identity`: without what is not said."""
        said = {
            "parameters": "" if self.parameters is None else str(self.parameters),
            "licence": self.licence,
            "card": "" if self.card is None else str(self.card),
            "base": ", ".join(self.base),
            "weight_type": self.weight_type,
            "architecture": self.architecture,
            "own_code": ", ".join(self.own_code),
        }
        return {name: text for name, text in said.items() if text}


def found_from(details: Mapping[str, str]) -> Found:
    """What `Found.details` wrote, from among an identity's details. Those of old manifests say nothing."""
    return Found(
        parameters=_number(details.get("parameters", "")),
        licence=details.get("licence", ""),
        card=_number(details.get("card", "")),
        base=_names(details.get("base", "")),
        weight_type=_WEIGHT_TYPES.get(details.get("weight_type", ""), ""),
        architecture=details.get("architecture", ""),
        own_code=_names(details.get("own_code", "")),
    )


_WEIGHT_TYPES: Mapping[str, WeightType] = {
    "original": "original",
    "adapter": "adapter",
    "merge": "merge",
    "quantised": "quantised",
}


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(", ") if name)
