"""Votes in a Parquet file: one row a battle, names as texts, pseudonyms as 64-bit numbers.

Models, outcomes and everything else that is rated come as arrays in a quarter of a second for two million
battles; texts stay in the file until somebody iterates over them.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bakeoff.arena.votes.battle import OUTCOMES, Battle
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import Style
from bakeoff.arena.votes.votes import STYLES, Texts, Votes
from bakeoff.errors import BakeoffError, StoreError

if TYPE_CHECKING:
    import duckdb

_STYLED = {f"{name}_{side}": "BIGINT" for side in "ab" for name in STYLES}
COLUMNS: dict[str, str] = {
    "id": "VARCHAR",
    "key": "UBIGINT",
    "model_a": "VARCHAR",
    "model_b": "VARCHAR",
    "outcome": "VARCHAR",
    "voter": "UBIGINT",
    "prompt": "UBIGINT",
    "at": "TIMESTAMP",
    "language": "VARCHAR",
    "tags": "VARCHAR",
    "blind": "BOOLEAN",
    "gold": "VARCHAR",
    "share": "DOUBLE",
    "prompt_text": "VARCHAR",
    "answer_a": "VARCHAR",
    "answer_b": "VARCHAR",
    **_STYLED,
}
"""The columns that every file has, and their types."""
LATER = {"seconds": "DOUBLE"}
"""Columns that files of before do not have; nothing of it was recorded there."""
# A conversation of a megabyte is rare; DuckDB refuses a JSON line longer than this.
_LONGEST = 256 * 1024 * 1024
_ROW_GROUP = 61_440
_BATCH = 512


def write_votes(path: Path, battles: Iterable[Battle]) -> int:
    """Write battles to a Parquet file, whole or not at all, and say how many. They are never all in memory.

    Raises:
        BakeoffError: two battles have one id.
        StoreError: the file cannot be written.
    """
    import duckdb

    from bakeoff.store.files import sync_folder, unwritable

    stem = f".{path.name}.{os.getpid()}"
    lines, aside = path.with_name(f"{stem}.jsonl"), path.with_name(f"{stem}.part")
    try:
        count = _write_lines(lines, battles)
        with _database(path.parent) as db:
            rows = db.read_json(
                str(lines),
                columns=COLUMNS | LATER,
                format="newline_delimited",
                maximum_object_size=_LONGEST,
            )
            rows.write_parquet(str(aside), compression="zstd", row_group_size=_ROW_GROUP)
            _refuse_twins(db, aside, path)
        aside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error
    except duckdb.Error as error:
        raise StoreError(f"could not write {path}: {error}", "a full disk looks like this too") from error
    finally:
        lines.unlink(missing_ok=True)
        aside.unlink(missing_ok=True)
    return count


def read_votes(path: Path) -> Votes:
    """The votes of a file that `write_votes` wrote.

    Raises:
        BakeoffError: no such file, no Parquet, a column is missing, or a row holds what cannot be, with its
            number and column.
    """
    with _database(path.parent) as db:
        table = _table(db, path)
        models = _names(db, table, ("model_a", "model_b"))
        languages, tags = _names(db, table, ("language",)), _names(db, table, ("tags",))
        styles = _styles(table)
        wanted = (
            _code("model_a", models),
            _code("model_b", models),
            _outcome("outcome"),
            _outcome("gold"),
            "coalesce(key, 0) AS key",
            "coalesce(voter, 0) AS voter",
            "coalesce(prompt, 0) AS prompt",
            '"at"',
            _code("language", languages),
            _code("tags", tags),
            "coalesce(blind::TINYINT, -1)::TINYINT AS blind",
            "coalesce(share, 'nan'::DOUBLE) AS share",
            *(f"coalesce({name}::FLOAT, 'nan'::FLOAT) AS {name}" for name in styles),
            *(f"coalesce({name}, 'nan'::DOUBLE) AS {name}" for name in LATER if name in table.columns),
        )
        found = table.project(", ".join(wanted)).fetchnumpy()
    columns: dict[str, NDArray[Any]] = {name: _filled(name, values) for name, values in found.items()}
    _check_rows(path, columns)
    return Votes(
        models=models,
        model_a=columns["model_a"],
        model_b=columns["model_b"],
        outcome=columns["outcome"],
        key=columns["key"],
        voter=columns["voter"],
        prompt=columns["prompt"],
        at=columns["at"].astype("datetime64[us]"),
        language=Coded(languages, columns["language"]),
        tags=Coded(tags, columns["tags"]),
        blind=columns["blind"],
        gold=columns["gold"],
        share=columns["share"],
        style=_style_array([columns[name] for name in styles], len(columns["key"])),
        texts=_TextsOf(path),
        seconds=columns.get("seconds", np.zeros(0)),
    )


class _TextsOf:
    """The texts of a file, read anew each time and a few hundred at once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Texts]:
        with _database(self._path.parent) as db:
            found = db.execute(
                "SELECT id, prompt_text, answer_a, answer_b FROM read_parquet(?)", [str(self._path)]
            )
            while rows := found.fetchmany(_BATCH):
                for row in rows:
                    yield Texts(*row)


def _write_lines(path: Path, battles: Iterable[Battle]) -> int:
    count = 0
    with path.open("wb") as file:
        for battle in battles:
            file.write(orjson.dumps(_record(battle)) + b"\n")
            count += 1
    return count


def _record(battle: Battle) -> Mapping[str, Any]:
    return {
        "id": battle.id,
        "key": int(pseudonym(battle.id), 16),
        "model_a": battle.model_a,
        "model_b": battle.model_b,
        "outcome": battle.outcome,
        "voter": None if battle.voter is None else int(battle.voter, 16),
        "prompt": None if battle.prompt is None else int(battle.prompt, 16),
        "at": None if battle.at is None else battle.at.astimezone(UTC).replace(tzinfo=None).isoformat(),
        "language": battle.language,
        "tags": ",".join(battle.tags) or None,
        "blind": battle.blind,
        "gold": battle.gold,
        "share": battle.share,
        "prompt_text": battle.prompt_text,
        "answer_a": battle.answer_a,
        "answer_b": battle.answer_b,
        "seconds": battle.seconds,
        **_styled("a", battle.style_a),
        **_styled("b", battle.style_b),
    }


def _styled(side: str, style: Style | None) -> dict[str, int]:
    return {} if style is None else {f"{name}_{side}": getattr(style, name) for name in STYLES}


def _refuse_twins(db: "duckdb.DuckDBPyConnection", aside: Path, path: Path) -> None:
    counted = db.read_parquet(str(aside)).aggregate("min(id) AS id, count(*) AS n", "key")
    twins = counted.filter("n > 1").order("id").limit(1).fetchall()
    if twins:
        raise BakeoffError(
            f"{path}: two battles have the id {twins[0][0]!r}", "each needs its own; nothing was written"
        )


def _table(db: "duckdb.DuckDBPyConnection", path: Path) -> "duckdb.DuckDBPyRelation":
    import duckdb

    if not path.is_file():
        raise BakeoffError(f"there is no file {path}", "import votes first, or check the path")
    try:
        table = db.read_parquet(str(path))
    except duckdb.Error as error:
        raise BakeoffError(f"{path} cannot be read as Parquet: {error}", "import the votes anew") from None
    having = {name: str(kind) for name, kind in zip(table.columns, table.types, strict=True)}
    wanted = COLUMNS | {name: kind for name, kind in LATER.items() if name in having}
    for name, kind in wanted.items():
        if having.get(name) != kind:
            what = "is missing" if name not in having else f"is {having[name]}, not {kind}"
            raise BakeoffError(
                f"{path}: the column {name!r} {what}", "this is no table of votes; import it to make one"
            )
    return table


def _check_rows(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    def refuse(wrong: NDArray[np.bool_], column: str, what: str) -> None:
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0]) + 1
            raise BakeoffError(f"{path}: row {row}: {column} {what}", "import the votes anew")

    refuse(columns["key"] == 0, "key", "is empty")
    refuse(columns["model_a"] < 0, "model_a", "is empty")
    refuse(columns["model_b"] < 0, "model_b", "is empty")
    refuse(columns["model_a"] == columns["model_b"], "model_b", "is the same model as model_a")
    refuse(columns["outcome"] < 0, "outcome", f"is none of {', '.join(OUTCOMES)}")
    refuse(columns["gold"] < -1, "gold", f"is none of {', '.join(OUTCOMES)}")
    if "seconds" in columns:
        refuse(columns["seconds"] < 0, "seconds", "is below 0")
    refuse((columns["share"] < 0) | (columns["share"] > 1), "share", "lies outside 0 and 1")


def _names(
    db: "duckdb.DuckDBPyConnection", table: "duckdb.DuckDBPyRelation", columns: Sequence[str]
) -> tuple[str, ...]:
    """The distinct texts of the columns, in the order of letters; a type for each column is made of them."""
    found = {row[0] for name in columns for row in table.project(name).distinct().fetchall()} - {None, ""}
    names = tuple(sorted(found))
    if names:
        listed = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
        for column in columns:
            db.execute(f"CREATE TYPE {column}_names AS ENUM ({listed})")
    return names


def _code(column: str, names: tuple[str, ...]) -> str:
    place = f"enum_code(nullif({column}, '')::{column}_names)" if names else "NULL"
    return f"coalesce({place}, -1)::INTEGER AS {column}"


def _outcome(column: str) -> str:
    """Its place in OUTCOMES; -1 for none, -2 for a word that is no outcome."""
    words = ", ".join(f"'{name}'" for name in OUTCOMES)
    place = f"coalesce(list_position([{words}], {column}) - 1, -2)"
    return f"(CASE WHEN {column} IS NULL THEN -1 ELSE {place} END)::TINYINT AS {column}"


def _styles(table: "duckdb.DuckDBPyRelation") -> tuple[str, ...]:
    """The columns of style, or none where no battle has any: eight columns of nothing are 64 MB in memory."""
    ((found,),) = table.aggregate("count(length_a) + count(length_b)").fetchall()
    return tuple(_STYLED) if found else ()


def _style_array(columns: Sequence[NDArray[Any]], n: int) -> NDArray[np.float32]:
    if not columns:
        return np.broadcast_to(np.float32("nan"), (n, 2, len(STYLES)))
    return np.stack(columns, axis=1).reshape(n, 2, len(STYLES))


def _filled(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """A column without DuckDB's mask; only times have one, and it covers those that were not recorded."""
    if not np.ma.isMaskedArray(values):
        return values
    if name == "at":
        return np.ma.filled(values, np.datetime64("NaT"))
    return np.ma.getdata(values)


@contextmanager
def _database(folder: Path) -> Iterator["duckdb.DuckDBPyConnection"]:
    import duckdb

    with duckdb.connect(":memory:", config={"threads": 2, "temp_directory": str(folder / ".spill")}) as db:
        db.execute("SET enable_progress_bar = false")
        yield db
