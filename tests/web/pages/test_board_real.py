"""Pages of leaderboards that others published: every row can be reached, and no page is large."""

import gzip
import html
import re

import pytest

from bakeoff.board.reported.importing import import_reported
from bakeoff.database import writing
from tests.conformance.test_boards_reported import ARENA, V1, V2
from tests.web.live import client

pytestmark = pytest.mark.data

BOARDS = {
    "open-llm-v1": ("open_llm_leaderboard_v1/data.parquet", V1),
    "open-llm-v2": ("open_llm_leaderboard_v2/data.parquet", V2),
    "arena": ("arena_history/lmarena_text_history.parquet", ARENA),
}
PAGE = 500_000
"""Bytes over the wire of the largest page that is fine, without what is kept by the browser."""


@pytest.fixture(scope="module")
def site(data_dir, tmp_path_factory):
    with client(tmp_path_factory.mktemp("real")) as found:
        for name, (file, layout) in BOARDS.items():
            with writing(found.app.state.library.engine) as connection:
                import_reported(connection, name, data_dir / file, layout, actor="test")
        yield found


def _models(page):
    return re.findall(r'<th scope="row"[^>]*><a href="([^"]+)"', page)


@pytest.mark.parametrize(("board", "rows"), [("open-llm-v1", 7169), ("open-llm-v2", 4576), ("arena", 266)])
def test_every_row_is_on_some_page_and_no_page_is_large(site, board, rows):
    found, page = [], 1
    while True:
        answer = site.get(f"/boards/{board}?page={page}")
        if answer.status_code == 400:
            break
        assert len(gzip.compress(answer.content)) < PAGE
        found += _models(answer.text)
        page += 1
    assert len(found) == rows


@pytest.mark.parametrize("board", BOARDS)
def test_the_pages_of_models_and_columns_are_there(site, board):
    page = site.get(f"/boards/{board}").text
    for link in _models(page)[:: max(1, len(_models(page)) // 7)]:
        answer = site.get(html.unescape(link))
        assert answer.status_code == 200, link
        assert len(gzip.compress(answer.content)) < PAGE / 10
    columns = dict.fromkeys(re.findall(rf'href="(/boards/{board}/tasks/[^"]+)"', page))
    assert len(columns) >= 3
    for link in columns:
        assert site.get(link).status_code == 200
    assert site.get(f"/boards/{board}/history").status_code == 200


def test_all_that_was_reported_of_a_day_is_there(site):
    page = site.get("/boards/arena?at=2024-09-30").text
    assert "This is the state of" in page
    assert len(_models(page)) > 100


@pytest.mark.parametrize(
    "query",
    [
        "search=/llama.*8b/&precision=bfloat16&sort=-score.mmlu",
        "preset=edge&sort=score.gsm8k",
        "organisation=mistralai",
        "licence=-&parameters_min=60",
        "pareto=parameters",
    ],
)
def test_what_is_seen_is_what_is_taken_away(site, query):
    page = site.get(f"/boards/open-llm-v1?{query}").text
    matching = int(re.search(r'id="count"[^>]*>([\d,]+) of', page)[1].replace(",", ""))
    assert 0 < matching < 7169
    assert len(site.get(f"/boards/open-llm-v1/rows.csv?{query}").text.splitlines()) == matching + 1
