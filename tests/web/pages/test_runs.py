"""The list of runs."""

import html
import re

import pytest

from tests.comparison.making import run
from tests.web.live import client
from tests.web.runs import CANARY, HOSTILE, hostile, private


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Three runs of two tasks."""
    folder = tmp_path_factory.mktemp("runs")
    run(folder, "apple", [1, 2, 3], 9)
    run(folder, "pear", [1, 2], 9, name="sums2")
    hostile(folder, "plum")
    with client(folder) as found:
        yield found


def listed(page):
    return re.findall(r'href="/runs/([^"?/]+)"', page.text)


def test_all_runs_are_listed_the_newest_first(site):
    page = site.get("/runs")
    index = site.app.state.library.index
    assert listed(page) == [each.id for each in index.runs()]
    assert "3 of 3 runs" in page.text
    mine = site.get("/runs", headers={"cookie": "a=b"})
    assert mine.headers["cache-control"].startswith("no-store")  # runs come and go


@pytest.mark.parametrize(
    ("query", "models"),
    [
        ({"q": "APPLE sums"}, ["apple"]),
        ({"q": "sums"}, ["apple", "pear"]),
        ({"q": "apple pear"}, []),
        ({"q": "<script>"}, ["plum"]),
        ({"status": "complete", "q": "sums2"}, ["pear"]),
        ({"status": "failed"}, []),
    ],
)
def test_words_and_status_choose(site, query, models):
    page = site.get("/runs", params=query)
    by_id = {each.id: each.model.split()[0] for each in site.app.state.library.index.runs()}
    assert sorted(by_id[each] for each in listed(page)) == models
    assert HOSTILE not in page.text


def test_a_run_can_be_found_by_its_id(site):
    known = site.app.state.library.index.runs()[1].id
    assert listed(site.get("/runs", params={"q": known})) == [known]


@pytest.mark.parametrize("query", ["status=zz", "page=0", "page=2", "page=x", "q=" + "x" * 300])
def test_what_there_is_not_is_refused(site, query):
    assert 400 <= site.get(f"/runs?{query}").status_code < 500


def test_without_runs_it_says_how_to_make_one(tmp_path):
    with client(tmp_path) as site:
        assert "bakeoff quickstart" in site.get("/runs").text


def test_a_folder_that_cannot_be_read_is_said(tmp_path):
    folder = run(tmp_path, "apple", [1], 3)
    (folder / "manifest.json").write_text("{")
    with client(tmp_path) as site:
        page = site.get("/runs")
        assert "1 folder could not be read" in page.text
        assert folder.name in page.text
        assert str(tmp_path) not in page.text


def test_every_link_leads_somewhere(tmp_path):
    """Runs, samples, comparisons, tasks and files, by following links with at most one choice in them."""
    runs = hostile(tmp_path, "a", "b", "c", number=4, repeats=1)
    secret = private(tmp_path, "a", "b")
    with client(tmp_path) as site:
        waiting = [
            "/runs",
            *("/compare?" + "&".join(f"run={each.name}" for each in some) for some in (runs, secret)),
        ]
        seen = set(waiting)
        while waiting:
            at = waiting.pop()
            answer = site.get(at)
            assert answer.status_code == 200, at
            if answer.headers["content-type"].startswith("text/html"):
                assert CANARY not in answer.text
                found = {html.unescape(each) for each in re.findall(r'href="(/[^"#]*)', answer.text)} - seen
                found = {each for each in found if re.match("/(runs|compare|tasks)", each)}
                found = {each for each in found if "&" not in each or "show=tied" in each}
                found = {each for each in found if "/samples/" not in each or "?" not in each}
                seen |= found
                waiting += found
        kinds = {re.sub(r"/(hostile|secret|\d{8}T\w+-\w+)|\?.*|(?<=samples/).*", "", each) for each in seen}
        assert {"/runs", "/runs/samples/", "/compare", "/tasks", "/runs/samples.csv"} <= kinds
