"""The script's view of a board and the server's: the same cases, answered alike."""

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from bakeoff.board.scores import Scores
from bakeoff.board.table import View, prepared, seen
from bakeoff.errors import BakeoffError
from bakeoff.web.links import static_file
from bakeoff.web.pages.board_script import script_data
from tests.board.making import entrant, snapshot
from tests.web.browser import chromium

CASES = json.loads(Path(__file__).with_name("views.json").read_text())


def _table():
    return prepared(snapshot(*map(_entrant, CASES["rows"])))


def _entrant(row):
    return entrant(
        int(row["key"]),
        row["score"],
        model=row["model"],
        organisation=row["organisation"],
        licence=row["licence"],
        precision=row["precision"],
        parameters=row["parameters"],
        provenance=row["how"],
        first_seen=f"{row['seen']}T00:00:00+00:00",
        state=row.get("state", "published"),
        scores=Scores(
            entrant(0, row["score"]).scores.score, {}, cost=row["cost"], latency_p50=row["latency"]
        ),
    )


def _server(table, query):
    return [line.key for line in seen(table, View.parse(parse_qsl(query, keep_blank_values=True))).every]


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["query"])
def test_the_server_answers(case):
    assert _server(_table(), case["query"]) == case["keys"]


@pytest.mark.parametrize("query", CASES["refused"])
def test_the_server_refuses_what_is_no_pattern(query):
    with pytest.raises(BakeoffError, match="search"):
        _server(_table(), query)


@pytest.mark.parametrize("case", CASES["canonical"], ids=lambda case: case["query"])
def test_the_server_writes_an_address_in_one_way(case):
    assert View.parse(parse_qsl(case["query"], keep_blank_values=True)).query() == case["is"]


@pytest.mark.browser
def test_the_script_answers_as_the_server_does():
    table = _table()
    shown = View(columns=("ranks", "model", "score", "cost", "latency", "licence"))
    data = json.loads(script_data(seen(table, shown)))
    with chromium() as browser:
        page = browser.new_page()
        page.add_script_tag(content=static_file("view.js").read_text())
        answer = """([data, query]) => {
            const asked = new URLSearchParams(query), met = BoardView.matching(data, asked);
            const there = (row) => met[row] || asked.getAll("pin").includes(data.keys[row]);
            return met && BoardView.order(data, asked).filter(there).map((row) => data.keys[row]);
        }"""
        for case in CASES["cases"]:
            assert page.evaluate(answer, [data, case["query"]]) == case["keys"], case
        for query in CASES["refused"]:
            assert page.evaluate(answer, [data, query]) is None, query
        for case in CASES["canonical"]:
            written = page.evaluate(
                "query => `${BoardView.canonical(new URLSearchParams(query))}`", case["query"]
            )
            assert written == case["is"]


def test_what_the_script_is_given_ends_no_script():
    hostile = entrant(1, model="</script><script>alert(1)</script><!--")
    text = str(script_data(seen(prepared(snapshot(hostile, entrant(2))), View())))
    assert "<" not in text
    assert "</script>" in json.loads(text)["models"][0]
