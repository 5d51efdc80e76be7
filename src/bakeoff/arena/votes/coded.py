"""Texts that repeat, as integers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """`codes` (n,) int32 are places in `names`; -1 is none."""

    names: tuple[str, ...]
    codes: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str | None:
        code = int(self.codes[row])
        return None if code < 0 else self.names[code]

    def where(self, mask: NDArray[np.bool_]) -> "Coded":
        """The rows of `mask`. Names stay, also those that no row has any more."""
        return Coded(self.names, self.codes[mask])

    def counts(self) -> dict[str, int]:
        """Rows of each name that has any, the most first, then by name."""
        found = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names)).tolist()
        rows = [(name, count) for name, count in zip(self.names, found, strict=True) if count]
        return dict(sorted(rows, key=lambda row: (-row[1], row[0])))


def coded(values: Iterable[str | None]) -> Coded:
    """`values` as codes; names are in the order of their letters, so that no order of rows changes them."""
    listed = list(values)
    names = tuple(sorted({value for value in listed if value is not None}))
    place: dict[str | None, int] = {name: code for code, name in enumerate(names)}
    codes = np.fromiter((place.get(value, -1) for value in listed), dtype=np.int32, count=len(listed))
    return Coded(names, codes)
