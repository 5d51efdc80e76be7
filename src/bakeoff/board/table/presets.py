"""Named choices of rows that many ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from bakeoff.board.ranking.snapshot import Row
from bakeoff.board.table.columns import parameters

Test = Callable[[Row], bool | None]
"""Whether a row is chosen; None where it does not say what decides."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A choice of rows: `name` is its word in addresses, `title` and `tip` what people read."""

    name: str
    title: str
    tip: str
    chooses: Test


def _sized(low: float, high: float) -> Test:
    def chooses(row: Row) -> bool | None:
        size = parameters(row)
        return None if size is None else low < size <= high

    return chooses


def _open(row: Row) -> bool | None:
    licence = "-".join(row.entrant.licence.casefold().replace("_", "-").split())
    return licence.removesuffix("-license").removesuffix("-licence") in OPEN if licence else None


def _known_well(row: Row) -> bool:
    return row.entrant.provenance in ("measured", "reproduced")


def _full(row: Row) -> bool | None:
    precision = row.entrant.precision.casefold().removeprefix("torch.")
    return precision in FULL if precision else None


_OPEN = """
    0bsd afl-3.0 agpl-3.0 apache apache-2.0 artistic-2.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear
    bsl-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-2.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0
    cdla-permissive-1.0 cdla-permissive-2.0 ecl-2.0 epl-1.0 epl-2.0 eupl-1.1 eupl-1.2 gpl gpl-2.0 gpl-3.0 isc
    lgpl lgpl-2.1 lgpl-3.0 mit mpl-2.0 ms-pl mulanpsl-2.0 ncsa odc-by osl-3.0 pddl postgresql unlicense wtfpl
    zlib
"""
OPEN = frozenset(_OPEN.split())
"""Licences, in lower case, that let anybody use, change and pass on the weights for any purpose. Not among
them are those with rules of use, such as OpenRAIL, or of a maker, such as llama3."""
FULL = frozenset({"bfloat16", "bf16", "float16", "fp16", "half", "float32", "fp32", "float", "float64"})
"""Precisions of weights that were not quantised."""

PRESETS = (
    Preset("edge", "Edge", "up to 3 billion parameters", _sized(0, 3)),
    Preset("small", "Small", "over 3 and up to 9 billion parameters", _sized(3, 9)),
    Preset("medium", "Medium", "over 9 and up to 35 billion parameters", _sized(9, 35)),
    Preset("large", "Large", "over 35 and up to 80 billion parameters", _sized(35, 80)),
    Preset("larger", "Larger", "over 80 billion parameters", _sized(80, inf)),
    Preset("open", "Open licence", "a licence that lets anybody use them for any purpose", _open),
    Preset("measured", "Measured here", "scores that were measured or reproduced here", _known_well),
    Preset("full", "Not quantised", "weights of 16 bits or more", _full),
)
