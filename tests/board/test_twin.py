import json

import pytest

from bakeoff.board.definition import load_board
from bakeoff.board.private.twin import Place, check_twin, places
from bakeoff.errors import BakeoffError
from tests.cli.command import bakeoff

SHOWN = {
    "n": 2,
    "rule": "first",
    "data": {"items": [{"id": f"s{n}", "input": f"shown {n}?", "target": "1"} for n in range(3)]},
}


def _items(word, count=6):
    return [{"id": f"i{n}", "input": f"{word} {n}?", "target": str(n)} for n in range(count)]


def _board(folder, name, tasks, *, private=False, **more):
    """A board of one suite of these tasks, each given by what differs from a plain one."""
    folder.mkdir(exist_ok=True)
    parts = []
    for number, changes in enumerate(tasks):
        task = {"name": f"{name}-{number}", "scorer": "exact", "private": private} | changes
        (folder / f"{number}.yaml").write_text(json.dumps(task))
        parts.append({"name": f"c{number}", "parts": [{"tasks": f"{number}.yaml"}]})
    (folder / "suite.yaml").write_text(json.dumps({"name": f"{name}-suite", "columns": parts}))
    board = {"name": name, "version": 1, "since": "2026-01-01", "suites": [{"suite": "suite.yaml"}]}
    (folder / "board.yaml").write_text(json.dumps(board | {"policy": {"private": private}} | more))
    return load_board(folder / "board.yaml")


def _data(word, count=6, **more):
    return {"data": {"items": _items(word, count)}} | more


def _pair(folder, own, public):
    return (
        _board(folder / "own", "hidden", own, private=True, twin="open"),
        _board(folder / "public", "open", public),
    )


CHOICE = {
    "scorer": "choice",
    "prompt": {"template": "{{ input }} {{ choices }}"},
}


def _choices(word, choices):
    items = [{"id": f"c{n}", "input": f"{word} {n}", "choices": choices, "target": 0} for n in range(3)]
    return CHOICE | {"data": {"items": items}}


@pytest.mark.parametrize(
    ("own", "public"),
    [
        ([_data("what")], [_data("which")]),
        # More items, more tasks of a form, and in another order.
        (
            [_data("what"), _choices("pick", ["a", "b"])],
            [_choices("take", ["c", "d"]), _data("x", 9), _data("y")],
        ),
        # Chance differs with the number of choices; examples are drawn with the task's own name.
        ([_choices("pick", ["a", "b"])], [_choices("take", ["a", "b", "c"])]),
        ([_data("what", shots=SHOWN)], [_data("which", shots=SHOWN)]),
        ([_data("what", scorer="exact")], [_data("which", scorer={"name": "exact"})]),
    ],
)
def test_a_public_board_of_the_same_forms_and_other_items_is_a_twin(tmp_path, own, public):
    check_twin(*_pair(tmp_path, own, public))


@pytest.mark.parametrize(
    ("own", "public", "said"),
    [
        ([_data("what")], [_data("which", scorer="contains")], "scorer"),
        ([_data("what")], [_data("which", prompt={"system": "Be brief."})], "prompt.system"),
        ([_data("what")], [_data("which", generation={"max_tokens": 9})], "generation.max_tokens"),
        ([_data("what")], [_data("which", shots=SHOWN)], "shots"),
        ([_data("what")], [_data("which"), _choices("take", ["c", "d"])], "no task of hidden asks"),
        ([_data("what"), _choices("take", ["c", "d"])], [_data("which")], "no task of open asks"),
    ],
)
def test_another_form_on_either_board_is_no_twin(tmp_path, own, public, said):
    with pytest.raises(BakeoffError, match=said):
        check_twin(*_pair(tmp_path, own, public))


def _with(item, **changes):
    return [*_items("which"), {"id": "other", "input": item["input"], "target": item["target"]} | changes]


ITEM = _items("what")[3]


@pytest.mark.parametrize(
    "items",
    [
        _with(ITEM),
        _with(ITEM, target="another answer"),
        _with(ITEM, input="  WHAT\n3? "),
    ],
)
def test_a_shared_item_is_found_by_what_it_asks_whatever_it_is_called(tmp_path, items):
    with pytest.raises(BakeoffError, match="1 items of hidden are on open too: hidden-0 i3") as error:
        check_twin(*_pair(tmp_path, [_data("what")], [{"data": {"items": items}}]))
    assert "what" not in str(error.value)


def test_a_shared_item_among_the_choices_is_found_in_any_order(tmp_path):
    with pytest.raises(BakeoffError, match="3 items of hidden"):
        check_twin(*_pair(tmp_path, [_choices("pick", ["a", "b"])], [_choices("pick", ["b", "a"])]))


def test_a_private_item_that_the_twin_shows_as_an_example_is_shared(tmp_path):
    own = _items("shown", 1)
    shots = {"n": 1, "rule": "first", "data": {"items": _items("shown", 2)}}
    with pytest.raises(BakeoffError, match="1 items of hidden"):
        check_twin(
            *_pair(
                tmp_path,
                [{"data": {"items": [*own, *_items("what")[1:]]}, "shots": shots}],
                [_data("which", shots=shots)],
            )
        )


def test_what_is_no_twin_at_all_is_said(tmp_path):
    own, public = _pair(tmp_path, [_data("what")], [_data("which")])
    with pytest.raises(BakeoffError, match="keeps no private answers"):
        check_twin(public, public)
    with pytest.raises(BakeoffError, match="is private"):
        check_twin(own, own)
    hidden = _board(tmp_path / "other", "open", [_data("which", private=True)])
    with pytest.raises(BakeoffError, match=r"the task open-0 of open is private"):
        check_twin(own, hidden)
    reported = public.model_copy(update={"suites": (), "source": "https://example.org"})
    with pytest.raises(BakeoffError, match="others report"):
        check_twin(own, reported)


def test_where_public_items_are(tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "items.jsonl").write_text('{"id": "a", "input": "b", "target": "c"}\n')
    board = _board(tmp_path / "public", "open", [_data("which"), {"data": {"file": "items.jsonl"}}])
    assert places(board) == [
        Place("open-0", str(tmp_path / "public" / "0.yaml")),
        Place("open-1", str(tmp_path / "public" / "items.jsonl")),
    ]
    own, _ = _pair(tmp_path, [_data("what")], [_data("which")])
    with pytest.raises(BakeoffError, match="do not leave the server"):
        places(own)


def test_a_request_for_answers_has_one_reply(tmp_path):
    """Whoever asks, and however: that they stay, and what to use in their place."""
    _pair(tmp_path, [_data("canary")], [_data("which")])

    def asked(*arguments):
        return bakeoff(tmp_path, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")

    assert asked("add", "public/board.yaml").returncode == 0
    assert asked("add", "own/board.yaml").returncode == 0
    told = asked("answers", "hidden")
    assert (told.returncode, told.stdout) == (
        1,
        "hidden: the answers do not leave the server. open is its public twin, of other items: bakeoff board "
        "answers open\n",
    )
    found = asked("answers", "hidden", "--json")
    assert (found.returncode, json.loads(found.stdout)) == (
        1,
        {"board": "hidden", "private": True, "twin": "open", "tasks": []},
    )
    public = asked("answers", "open")
    assert (public.returncode, public.stdout.split()) == (0, ["open-0", str(tmp_path / "public" / "0.yaml")])
    assert json.loads(asked("answers", "open", "--json").stdout)["tasks"][0]["task"] == "open-0"
    assert asked("answers", "none").returncode == 2
    assert "canary" not in told.stdout + found.stdout + (tmp_path / "boards.db").read_bytes().decode(
        "latin-1"
    )


def test_a_board_is_added_with_a_twin_that_is_one_and_no_other(tmp_path):
    _pair(tmp_path, [_data("what")], [_data("what")])

    def added(file):
        return bakeoff(tmp_path, "board", "add", file, BAKEOFF_DATABASE_URL="sqlite:///boards.db")

    assert "there is no board open" in added("own/board.yaml").stderr
    assert added("public/board.yaml").returncode == 0
    refused = added("own/board.yaml")
    assert (refused.returncode, "6 items of hidden are on open too" in refused.stderr) == (2, True)
    _board(tmp_path / "own", "hidden", [_data("which")], private=True, twin="open")
    assert added("own/board.yaml").returncode == 0
