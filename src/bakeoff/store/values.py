"""What each item of a run scored, as arrays: only the columns that comparisons need."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bakeoff.errors import StoreError
from bakeoff.nouns import Outcome
from bakeoff.store.record import COLUMNS
from bakeoff.store.samples import query

if TYPE_CHECKING:
    import duckdb

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RunValues:
    """The samples of one run by item, in the order of the ids.

    `scores` has shape (items, repeats), NaN where a repeat has no score. `groups` and `digests` are those of
    the items, None for a run without any (samples were written before items had digests). `unscored` are the
    items without any score, with the outcome of the first repeat. `counts` are samples in all (`total`) and
    by outcome. `cost` is in US dollars, None without prices; `latencies` are seconds, without the answers
    that came from a cache.
    """

    items: tuple[str, ...]
    scores: FloatArray
    groups: tuple[str | None, ...] | None
    digests: tuple[str | None, ...] | None
    unscored: Mapping[str, str]
    counts: Mapping[str, int]
    cost: float | None
    latencies: FloatArray


def run_values(folders: Sequence[Path]) -> list[RunValues]:
    """Read the scores of several runs, finished or not.

    Raises:
        StoreError: a folder holds no samples, or its table cannot be read.
    """
    import duckdb

    with duckdb.connect(":memory:", config={"threads": 2}) as db:
        db.execute("SET enable_progress_bar = false")  # it would draw over our output
        return [_values(_columns(db, folder)) for folder in folders]


_TEXTS = ("item_id", "outcome", "group", "item_digest")
_NUMBERS = ("repeat", "value", "cost", "latency_s")
_NAMES = ", ".join(f'"{name}"' for name in (*_TEXTS, *_NUMBERS))
# A run written before a column existed has it empty.
_EMPTY = ", ".join(f'NULL::{COLUMNS[name]} AS "{name}"' for name in (*_TEXTS, *_NUMBERS))
_ORDERED = "ORDER BY item_id, repeat"
_FROM_SAMPLES = f"SELECT {_NAMES} FROM samples {_ORDERED}"  # noqa: S608
_FROM_FILE = (
    f"SELECT {_NAMES} FROM (SELECT {_EMPTY} WHERE false "  # noqa: S608
    f"UNION ALL BY NAME SELECT * FROM read_parquet(?)) {_ORDERED}"
)
_Columns = dict[str, NDArray[Any]]


def _columns(db: "duckdb.DuckDBPyConnection", folder: Path) -> _Columns:
    """Texts as objects, None where there is none; numbers as floats, NaN where there is none."""
    import duckdb

    parquet = folder / "samples.parquet"
    if any(folder.glob("journal-*.jsonl")) or not parquet.exists():
        rows = query(folder, _FROM_SAMPLES)
        columns = dict(zip((*_TEXTS, *_NUMBERS), zip(*rows, strict=True), strict=True)) if rows else {}
        return {name: np.array(columns.get(name, ()), dtype=object) for name in _TEXTS} | {
            name: np.array(columns.get(name, ()), dtype=np.float64) for name in _NUMBERS
        }
    try:
        found = db.execute(_FROM_FILE, [str(parquet)]).fetchnumpy()
    except duckdb.Error as error:
        raise StoreError(
            f"{parquet} cannot be read: {str(error).splitlines()[0]}", "restore it from a copy"
        ) from error
    return {name: _filled(found[name], object, None) for name in _TEXTS} | {
        name: _filled(found[name], np.float64, np.nan) for name in _NUMBERS
    }


def _filled(column: NDArray[Any], kind: type, missing: object) -> NDArray[Any]:
    values: NDArray[Any] = np.ma.getdata(column).astype(kind)
    values[np.ma.getmaskarray(column)] = missing
    return values


def _values(columns: _Columns) -> RunValues:
    ids, outcomes, values = columns["item_id"], columns["outcome"], columns["value"]
    # Rows are sorted by item, so an item begins where the id changes.
    first = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1]))) if len(ids) else np.zeros(0, int)
    of_item = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(ids))))
    repeat = columns["repeat"].astype(int)
    scores = np.full((len(first), int(repeat.max(initial=0)) + 1), np.nan)
    scores[of_item, repeat] = values
    unscored = first[np.isnan(scores).all(axis=1)]
    costs, latencies = columns["cost"], columns["latency_s"]
    counted = Counter(outcomes.tolist())
    return RunValues(
        items=tuple(ids[first].tolist()),
        scores=scores,
        groups=_texts(columns["group"][first]),
        digests=_texts(columns["item_digest"][first]),
        unscored=dict(zip(ids[unscored].tolist(), outcomes[unscored].tolist(), strict=True)),
        counts={"total": len(ids)} | {each.value: counted.get(each.value, 0) for each in Outcome},
        cost=None if np.isnan(costs).all() else fsum(costs[~np.isnan(costs)]),
        latencies=latencies[~np.isnan(latencies)],
    )


def _texts(column: NDArray[Any]) -> tuple[str | None, ...] | None:
    texts = column.tolist()
    return None if all(text is None for text in texts) else tuple(texts)
