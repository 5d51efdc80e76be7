import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest

from bakeoff.arena.votes.importing.importing import FORMATS, import_votes, read_battles
from bakeoff.arena.votes.table import read_votes
from bakeoff.arena.votes.votes import battles_of
from bakeoff.errors import BakeoffError
from tests.arena.votes.importing import rows
from tests.arena.votes.importing.rows import written

EVERY = {
    "clean": (rows.CLEAN, "arena"),
    "33k": (rows.OF_33K, "arena"),
    "100k": (rows.OF_100K, "arena"),
    "140k": (rows.OF_140K, "arena"),
    "55k": (rows.OF_55K, "arena-55k"),
    "mt-bench": (rows.MT, "mt-bench"),
    "alpacaeval": (rows.ALPACA, "alpacaeval"),
    "llmbar": (rows.BAR, "llmbar"),
    "llmfao": (rows.CROWD, "llmfao"),
    "plain": (rows.PLAIN, "plain"),
}
each_layout = pytest.mark.parametrize(("row", "kind"), EVERY.values(), ids=EVERY)


def as_json(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "list.json"
    path.write_bytes(b"\xef\xbb\xbf \n" + orjson.dumps([row], option=orjson.OPT_INDENT_2))
    return path


def as_lines_called_json(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "lines.json"
    path.write_bytes(orjson.dumps(row))
    return path


def as_csv(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "votes.csv"
    nested = {name: orjson.dumps(value).decode() for name, value in row.items() if _is_nested(value)}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row | nested)
    return path


def as_parquet(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "votes.parquet"
    with duckdb.connect(":memory:") as db:
        db.execute(f"COPY (FROM read_json('{written(folder, row)}')) TO '{path}' (FORMAT parquet)")
    return path


@each_layout
@pytest.mark.parametrize("write", [as_json, as_lines_called_json, as_csv, as_parquet])
def test_a_layout_is_found_and_read_alike_in_every_kind_of_file(
    row: dict[str, Any], kind: str, write: Any, tmp_path: Path
) -> None:
    battles, expected = read_battles(written(tmp_path, row))
    found, imported = read_battles(write(tmp_path, row))
    assert imported == expected
    assert expected.format == kind
    assert [_without_made_id(each) for each in found] == [_without_made_id(each) for each in battles]


@each_layout
def test_a_table_holds_what_is_read(row: dict[str, Any], kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, row)
    imported = import_votes(path, tmp_path / "table.parquet", kind=kind)
    battles, expected = read_battles(path)
    assert imported == expected
    assert tuple(battles_of(read_votes(tmp_path / "table.parquet"))) == battles


def test_every_format_has_a_layout_here() -> None:
    assert {kind for _, kind in EVERY.values()} == FORMATS.keys()


NO_VERDICT = [
    (rows.CLEAN | {"winner": None}, 1),
    (rows.OF_55K | {"winner_model_b": 0}, 1),
    (rows.MT | {"winner": "error"}, 1),
    (rows.ALPACA | {"preference": None}, 1),
    (rows.BAR | {"winner_order1": None, "winner_order2": None}, 2),
    (rows.CROWD | {"winner": ""}, 1),
    (rows.PLAIN | {"outcome": ""}, 1),
]


@pytest.mark.parametrize(("row", "battles"), NO_VERDICT)
def test_battles_without_a_verdict_are_counted(row: dict[str, Any], battles: int, tmp_path: Path) -> None:
    taken, imported = read_battles(written(tmp_path, row))
    assert taken == ()
    assert imported.untaken == {"no verdict": battles}
    assert imported.total == battles


@pytest.mark.parametrize(
    "row",
    [
        rows.CLEAN | {"model_b": "m"},
        rows.OF_55K | {"model_b": "m"},
        rows.MT | {"model_b": "m"},
        rows.ALPACA | {"generator_1": "m"},
        rows.CROWD | {"right": "m"},
        rows.PLAIN | {"model_b": "m"},
    ],
)
def test_a_model_against_itself_is_counted(row: dict[str, Any], tmp_path: Path) -> None:
    taken, imported = read_battles(written(tmp_path, row))
    assert taken == ()
    assert imported.untaken == {"a model against itself": 1}


def test_an_id_that_comes_again_is_counted_and_rows_without_ids_may_be_equal(tmp_path: Path) -> None:
    named = [rows.OF_33K, rows.OF_33K | {"winner": "tie"}]
    taken, imported = read_battles(written(tmp_path, *named))
    assert len(taken) == 1
    assert imported.untaken == {"its id was there before": 1}
    assert (imported.total, imported.taken) == (2, 1)
    equal = import_votes(written(tmp_path, *[rows.CLEAN] * 3), tmp_path / "votes.parquet")
    assert (equal.taken, equal.untaken) == (3, {})


def test_made_ids_do_not_depend_on_where_a_row_stands(tmp_path: Path) -> None:
    first, second = rows.CLEAN, rows.CLEAN | {"winner": "tie"}
    one, _ = read_battles(written(tmp_path, first, second, first))
    other, _ = read_battles(written(tmp_path, second, first, first))
    assert {each.id for each in one} == {each.id for each in other}
    assert {each.id: each.outcome for each in one} == {each.id: each.outcome for each in other}


WRONG = [
    (rows.CLEAN, {"winner": "left"}, "winner: must be one of model_a, model_b, tie"),
    (rows.CLEAN, {"model_a": ""}, "model_a: is empty"),
    (rows.CLEAN, {"tstamp": "noon"}, "tstamp: must be seconds since 1970"),
    (rows.CLEAN, {"tstamp": 1e300}, "tstamp: must be seconds since 1970"),
    (rows.CLEAN, {"anony": "perhaps"}, "anony: must be true or false, got 'perhaps'"),
    (rows.CLEAN, {"language": ["en"]}, "language: must be a text, got list"),
    (rows.CLEAN, {"turn": "two"}, "turn: must be a number, got 'two'"),
    (rows.CLEAN, {"conv_metadata": "{"}, "conv_metadata: must be a list or an object"),
    (
        rows.CLEAN,
        {"conv_metadata": {"sum_assistant_a_tokens": "many", "sum_assistant_b_tokens": 1}},
        "conv_metadata: its counts must be numbers, none negative",
    ),
    (
        rows.CLEAN,
        {"conv_metadata": {"sum_assistant_a_tokens": -4, "sum_assistant_b_tokens": 1}},
        "conv_metadata: its counts must be numbers, none negative: length",
    ),
    (rows.CLEAN, {"category_tag": [1]}, "category_tag: must be an object, got a list"),
    (rows.OF_33K, {"conversation_a": {"role": "user"}}, "conversation_a: must be a list of turns"),
    (rows.OF_33K, {"conversation_b": [{"role": "user"}]}, "conversation_b: a turn has a role and a content"),
    (
        rows.OF_33K,
        {"conversation_b": [{"role": "user", "content": 7}]},
        "conversation_b: the content of a turn must be a text or parts, got int",
    ),
    (rows.OF_55K, {"winner_tie": 1}, "winner_model_a: the row names 2 outcomes: b, tie"),
    (rows.OF_55K, {"prompt": "Hi"}, "prompt: must be a list or an object, as JSON"),
    (rows.OF_55K, {"response_a": "[1]"}, "response_a: must be a list of texts"),
    (rows.MT, {"turn": None}, "turn: is empty"),
    (rows.ALPACA, {"preference": 2.5}, "preference: lies between 1 and 2"),
    (rows.ALPACA, {"preference": "b"}, "preference: must be a number, got 'b'"),
    (rows.BAR, {"gold": None}, "gold: is empty"),
    (rows.BAR, {"winner_order1": 3}, "winner_order1: must be one of 1, 2"),
    (rows.CROWD, {"winner": "both"}, "winner: must be one of left, right, tie, got 'both'"),
    (rows.PLAIN, {"share": 2}, "share: lies between 0 and 1, got 2"),
    (rows.PLAIN, {"gold": "c"}, "gold: must be one of a, b, tie, both_bad, got 'c'"),
    (rows.PLAIN, {"at": "5 o'clock"}, "at: must be seconds since 1970 or a date and time"),
]


@pytest.mark.parametrize(("good", "change", "message"), WRONG)
def test_a_value_that_cannot_be_names_file_line_and_field(
    good: dict[str, Any], change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, good, good | change)
    with pytest.raises(BakeoffError) as caught:
        import_votes(path, tmp_path / "out.parquet")
    assert str(caught.value).startswith(f"{path}:2: {message}")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("votes.csv", "model_a,winner\n", "holds no row"),
        ("votes.csv", "", "the first line must name the columns"),
        ("votes.jsonl", "{", ":1: this is not JSON"),
        ("votes.jsonl", "[1]\n", ":1: a row is a JSON object"),
        ("votes.json", '[{"model_a": "m"', "this is not JSON"),
        ("votes.json", "[1, 2]", "a row is a JSON object with named columns, got int"),
        ("votes.parquet", "PAR1", "cannot be read as Parquet"),
        ("votes.txt", "x", "votes come as .csv, .jsonl, .ndjson, .json, .parquet, not .txt"),
        ("votes.csv", "x,y\n1,2\n", "no known format has the columns x, y"),
        ("pairs.csv", "model_a,model_b,wins_a,wins_b\nm,n,1,2\n", "holds counts of pairs, not votes"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BakeoffError) as caught:
        read_battles(tmp_path / name)
    assert message in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_a_format_that_is_named_must_be_there_and_fit(tmp_path: Path) -> None:
    path = written(tmp_path, rows.CROWD)
    with pytest.raises(BakeoffError, match=r"no format is called 'lmsys'(?s:.*)there are .*mt-bench"):
        read_battles(path, kind="lmsys")
    with pytest.raises(BakeoffError, match=r"plain has the columns model_a, model_b, outcome"):
        read_battles(path, kind="plain")


def test_a_named_format_wins_over_the_one_that_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, rows.MT | {"anony": True})
    assert read_battles(path)[1].format == "arena"
    assert read_battles(path, kind="mt-bench")[1].format == "mt-bench"


def test_a_list_of_many_is_read_in_its_order(tmp_path: Path) -> None:
    many = [rows.OF_33K | {"question_id": f"q{n}"} for n in range(2_000)]
    (tmp_path / "many.json").write_bytes(orjson.dumps(many))
    battles, _ = read_battles(tmp_path / "many.json")
    assert [each.id for each in battles] == [f"q{n}" for n in range(2_000)]


def _without_made_id(battle: Any) -> Any:
    return replace(battle, id="made") if battle.id.startswith("row-") else battle


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)
