"""A board with private answers: the people's pages tell how it stands, and nothing of what was asked."""

import json

import pytest

from bakeoff.accounts import Role
from bakeoff.board.definition import load_board
from bakeoff.board.ranking.publishing import take
from bakeoff.board.submissions import publish
from bakeoff.database import writing
from tests.board.making import model
from tests.board.recorded import ITEMS, TASKS, little, submitted, work_off
from tests.web.live import client
from tests.web.people import account, log_in

SECRET = "zephyrcanary"
PAGES = (
    "queue",
    "submit",
    "policy",
    "changes",
    "discussion",
    "discussion?on=submission 1",
    "discussion?on=task little/one",
    "submissions/1",
    "submissions/2",
)


def _private(folder):
    little(folder)
    for name in TASKS:
        path = folder / f"{name}.yaml"
        task = json.loads(path.read_text()) | {"private": True}
        for item in task["data"]["items"]:
            item |= {"input": f"{SECRET} {item['input']}", "target": f"{SECRET}{item['target']}"}
        path.write_text(json.dumps(task))
    path = folder / "board.yaml"
    path.write_text(path.read_text() + "policy: {private: true}\n")
    return load_board(path)


@pytest.mark.parametrize("viewer", [None, "ann", "mo"])
def test_no_page_shows_a_text_an_answer_or_a_score_by_task(tmp_path, viewer):
    with client(tmp_path) as site:
        engine, board = site.app.state.library.engine, _private(tmp_path)
        for number, right in enumerate((8, 2)):
            rows = [
                {"id": f"{task}{each}", "output": f"{SECRET}{each}" if each < right else "?"}
                for task in TASKS
                for each in range(ITEMS)
            ]
            path = tmp_path / f"m{number}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
            submitted(engine, board, f"recorded:{path}", given=model(number))
        work_off(engine, tmp_path)
        with writing(engine) as connection:
            publish(connection, 1, actor="mo")
            take(connection, board, actor="operator")
        account(tmp_path, "ann", organisations=("org",))
        account(tmp_path, "mo", role=Role.MODERATOR)
        if viewer:
            log_in(site, tmp_path, viewer)
        pages = {path: site.get(f"/boards/little/{path}") for path in PAGES}
    assert {path: each.status_code for path, each in pages.items()} == dict.fromkeys(PAGES, 200)
    assert [path for path, each in pages.items() if SECRET in each.text] == []
    first, second = pages["submissions/1"].text, pages["submissions/2"].text
    # Steps of 1/5 for 24 items; the second is no better, and is told the score of the first.
    assert "60.0" in first
    assert "60.0" in second
    assert "did not improve" in second
    for text in (first, second):
        assert "small/One" not in text
        assert "/runs/" not in text.partition("<main")[2]
