"""The page of a board."""

import csv
import html
import io
import re

import duckdb
import httpx2
import pytest

from bakeoff.board.registry import register
from bakeoff.database import writing
from tests.board.making import entrant
from tests.web.live import client, server
from tests.web.showcase import BOARD, entrants, publish, publish_history

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a/../../etc/passwd",
    "x\u202egnp.exe",
    "b\x1b[2J\u200b",
    "=1+1",
    "' OR 1=1 --",
    "</script><!--",
    "?search=a&b#c;d",
)


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        with writing(found.app.state.library.engine) as connection:
            publish(connection)
        yield found


def _rows(page):
    """The rows of the table that are not hidden, as text without markup."""
    body = re.search(r'<table id="rows".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    rows = re.findall(r"<tr data-i=\"\d+\"( hidden)?.*?>(.*?)</tr>", body, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>|\s+", " ", row)) for hidden, row in rows if not hidden]


def test_every_row_is_there_and_ranks_are_ranges(site):
    page = site.get("/boards/general").text
    rows = _rows(page)
    assert len(rows) == 60
    assert "1–3" in rows[0]
    assert "tier 1" in rows[0]
    assert "Any of 3 may be the best" in page


def test_rows_without_a_rank_stand_below_with_the_reason(site):
    rows = _rows(site.get("/boards/general").text)
    assert all("No rank:" in row for row in rows[-4:])
    assert not any("No rank:" in row for row in rows[:-4])
    reasons = " ".join(rows[-4:])
    for reason in ("contamination", "the same weights as submission 4", "withdrawn", "ifeval is missing"):
        assert reason in reasons


@pytest.mark.parametrize(("sort", "written"), [("cost", r"\$"), ("-cost", r"\$"), ("-latency", r"\d s ")])
def test_what_is_missing_is_last_either_way(site, sort, written):
    known = [bool(re.search(written, row)) for row in _rows(site.get(f"/boards/general?sort={sort}").text)]
    assert 0 < sum(known) < 60
    assert sorted(known, reverse=True) == known


def test_a_form_leads_to_an_address_that_one_can_pass_on(site):
    asked = "search=dune&organisation=&licence=&parameters_min=&since=&pareto=&state=&at="
    found = site.get(f"/boards/general?{asked}", follow_redirects=False)
    assert found.status_code == 303
    assert found.headers["location"] == "/boards/general?search=dune"


def test_the_usual_columns_are_no_part_of_the_address(site):
    usual = ["ranks", "model", "organisation", "score", "score.core-code", "score.core-knowledge"]
    usual += ["score.core-reasoning", "cost", "latency", "parameters", "licence", "provenance", "first_seen"]
    asked = "&".join(f"columns={key}" for key in (*usual, "attempt"))
    found = site.get(f"/boards/general?{asked}", follow_redirects=False)
    assert found.headers["location"] == "/boards/general"


@pytest.mark.parametrize(
    "query", ["", "search=dune&sort=-cost", "licence=mit&pin=3&columns=model,score,cost"]
)
def test_the_downloads_are_what_is_seen(site, query):
    seen = _rows(site.get(f"/boards/general?{query}").text)
    table = site.get(f"/boards/general/rows.csv?{query}")
    assert table.headers["content-disposition"] == 'attachment; filename="general-2026-03-01.csv"'
    rows = list(csv.DictReader(io.StringIO(table.text)))
    names = [row["model"].rpartition("/")[2] for row in rows]
    assert [name in row for name, row in zip(names, seen, strict=True)] == [True] * len(seen)
    told = site.get(f"/boards/general/rows.json?{query}").json()
    assert [row["model"] for row in told["rows"]] == [row["model"] for row in rows]


def test_parquet_can_be_read(site, tmp_path):
    path = tmp_path / "rows.parquet"
    path.write_bytes(site.get("/boards/general/rows.parquet?sort=-score").content)
    assert duckdb.execute("SELECT count(*) FROM read_parquet(?)", [str(path)]).fetchone() == (60,)


@pytest.mark.parametrize(
    "query",
    [
        "sort=nothing",
        "per_page=0",
        "page=9",
        "search=/(/",
        "pareto=size",
        "nonsense=1",
        "at=2020-01-01",
        "tied=99",
        "columns=score&columns=nothing",
        "compare=1&compare=2&compare=3&compare=4&compare=5",
        "since=yesterday",
        "search=" + "a" * 2000,
    ],
)
def test_what_cannot_be_asked_is_said(site, query):
    for path in ("/boards/general", "/boards/general/rows.csv"):
        found = site.get(f"{path}?{query}")
        if not (path.endswith("csv") and query == "page=9"):
            assert found.status_code in (400, 404), (path, query)


def test_a_board_that_is_not_there(site):
    assert site.get("/boards/nothing").status_code == 404
    assert site.get("/boards/general/rows.xml").status_code in (404, 422)


def test_a_board_without_a_state_says_so(site):
    with writing(site.app.state.library.engine) as connection:
        register(connection, BOARD.model_copy(update={"name": "empty"}), actor="ann")
    found = site.get("/boards/empty")
    assert found.status_code == 200
    assert "Nothing is published here yet" in found.text
    for page in ("rows.csv", "history", "compare?row=1&row=2", "models/a", "tasks/score"):
        assert site.get(f"/boards/empty/{page}").status_code in (400, 404)


def test_older_states_stay_where_they_were(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            made = publish_history(connection)
        for state in made:
            page = site.get(f"/boards/general?at={state.digest[7:23]}").text
            assert len(_rows(page)) == len(state.rows)
            assert ("This is the state of" in page) == (state is not made[-1])
        assert "2025-10-01" in site.get("/boards/general?at=2025-10-15").text


def test_a_pinned_row_floats_on_top_even_where_it_does_not_match(site):
    rows = _rows(site.get("/boards/general?search=dune&pin=7").text)
    assert "does not match" in rows[0]
    assert len(rows) == 9


def test_pinned_rows_that_are_gone_are_named(site):
    assert "1 row that you pinned or chose is not on the board" in site.get("/boards/general?pin=777").text


def test_a_name_can_do_no_harm_on_any_page(tmp_path):
    rows = [*entrants(20, names=HOSTILE), entrant(90, organisation="", model="plain")]
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection, rows=rows)
        pages = ["/boards/general", "/boards/general?search=script", "/boards/general/tasks/score", "/"]
        pages += [f"/boards/general/compare?row={number}&row=1" for number in range(2, 11)]
        found = [site.get(page) for page in pages]
        links = re.findall(r'href="(/boards/general/models/[^"]*)"', found[0].text)
        found += [site.get(html.unescape(link)) for link in dict.fromkeys(links)]
        for page in found:
            assert page.status_code == 200, page.url
            assert not re.search(r"<script(?! src=\"/static/| type=\"application/json\")", page.text)
            assert not re.search(
                r"<img|onerror=[^a]", page.text.replace("&lt;img", "").replace("onerror=alert", "")
            )
            assert not re.search(r"[\u202e\u200b\x1b]", page.text)
            assert " style=" not in page.text
        assert len(dict.fromkeys(links)) >= 20


def test_a_name_with_a_per_cent_sign_has_its_page(tmp_path):
    # Behind a real socket: the client in process decodes an address twice.
    name = "100%25 a%2Fb%00/é 模型"
    with client(tmp_path) as site, writing(site.app.state.library.engine) as connection:
        publish(connection, rows=entrants(20, names=[name]))
    with server(tmp_path) as address:
        board = httpx2.get(f"{address}/boards/general").text
        link = re.search(r'href="(/boards/general/models/100[^"]*)"', board)[1]
        assert html.escape(name) in httpx2.get(address + html.unescape(link)).text


def test_thousands_of_rows_come_on_pages(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            publish(connection, rows=entrants(1300))
        first = site.get("/boards/general").text
        assert len(_rows(first)) == 500
        assert 'id="data"' not in first
        names = [row for page in (1, 2, 3) for row in _rows(site.get(f"/boards/general?page={page}").text)]
        assert len(names) == 1300
        whole = site.get("/boards/general?per_page=1000").text
        assert len(_rows(whole)) == 1000
