"""A board as files: whole, the same again, and as safe as the site with a server."""

from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from bakeoff.database import writing
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.web.export.site import exported, single_page, write_site
from tests.cli.command import bakeoff
from tests.web import showcase
from tests.web.browser import PHONE, chromium, overflow, tab, violations
from tests.web.live import client
from tests.web.whole import HOSTILE, RAW, Page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a database that holds a board with a history, and one with hostile names."""
    found = tmp_path_factory.mktemp("export")
    with client(found) as site, writing(site.app.state.library.engine) as connection:
        showcase.publish_history(connection)
        names = [f"{HOSTILE}{number}" for number in range(3)] + ["../../up", "a/../b", "con.", "é" * 200]
        board = showcase.BOARD.model_copy(update={"name": "hostile", "title": HOSTILE, "about": HOSTILE})
        showcase.publish(connection, board, showcase.entrants(20, names=names))
    return found


@pytest.fixture(scope="module", params=["general", "hostile"])
def site(folder, request):
    """The site of a board, as a folder."""
    out = folder / f"site-{request.param}"
    write_site(_exported(folder, request.param), out)
    return out


def _exported(folder, board, **how):
    with client(folder) as site:
        return exported(site.app.state.library.engine, board, **how)


def _files(out):
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_every_link_is_to_a_file_of_the_site(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        for link in Page(page.read_text()).links:
            target = urlsplit(urldefrag(urljoin(page.as_uri(), link)).url)
            assert target.scheme == "file", (page, link)
            assert (path := site.parent / unquote(target.path)).is_relative_to(site), link
            assert path.is_file(), (page, link)


def test_every_page_is_reached_from_the_first(site):
    waiting, seen = ["index.html"], set()
    while waiting:
        name = waiting.pop()
        if name in seen or not name.endswith(".html"):
            continue
        seen.add(name)
        for link in Page((site / name).read_text()).links:
            path = unquote(urlsplit(urljoin((site / name).as_uri(), link)).path)
            waiting.append(path.removeprefix(f"{site}/"))
    assert seen == {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


def test_nothing_hostile_is_in_a_file_as_it_was_written(site):
    for page in site.rglob("*.html"):
        assert not [each for each in RAW if each in page.read_text()], page


def test_the_same_board_gives_the_same_bytes_and_takes_the_place_of_what_was_there(folder, tmp_path):
    out = tmp_path / "site"
    write_site(_exported(folder, "general"), out)
    first = _files(out)
    (out / "left-over.html").write_text("old")
    told = []
    count = write_site(_exported(folder, "general"), out, progress=lambda *done: told.append(done))
    assert _files(out) == first
    assert told == [(each + 1, count) for each in range(count)]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_folder_with_something_else_in_it_stays_as_it_is(folder, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(StoreError, match="no such site"):
        write_site(_exported(folder, "general"), tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_board_as_of_a_date_is_that_state(folder):
    newest, first = _exported(folder, "general"), _exported(folder, "general", as_of="2025-10-15")
    assert first.state.made < newest.state.made
    assert len(first.table.keys) < len(newest.table.keys)
    with pytest.raises(BakeoffError, match="1999-01-01"):
        _exported(folder, "general", as_of="1999-01-01")


def test_the_command_writes_both_forms_and_says_what_is_wrong(folder, tmp_path):
    database = f"sqlite:///{folder / 'bakeoff.db'}"
    done = bakeoff(
        tmp_path, "board", "site", "general", "out", "--single", "one.html", "--database", database
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/index.html").exists()
    assert (tmp_path / "one.html").exists()
    assert bakeoff(tmp_path, "board", "site", "nowhere", "out", "--database", database).returncode == 2
    assert "name a folder" in bakeoff(tmp_path, "board", "site", "general", "--database", database).stderr


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.mark.browser
def test_the_site_works_from_the_disk(site, browser):
    with tab(browser, size=PHONE, dark=True) as page:
        for path in [site / "index.html", site / "history.html", *sorted((site / "models").iterdir())[:3]]:
            page.goto(path.as_uri())
            assert overflow(page) <= 0, path
        page.goto((site / "index.html").as_uri())
        assert violations(page) == []
        assert page.evaluate("window.hacked") is None
        _search_and_sort(page)
    with tab(browser, size=PHONE, script=False) as page:
        page.goto((site / "index.html").as_uri())
        assert page.locator("#rows tbody tr").count() >= 20


@pytest.mark.browser
@pytest.mark.parametrize("board", ["general", "hostile"])
def test_one_file_is_a_whole_board(folder, browser, board, tmp_path):
    path = tmp_path / "board.html"
    path.write_text(single_page(_exported(folder, board)), "utf-8")
    with tab(browser) as page:
        page.goto(path.as_uri())
        assert page.evaluate("window.hacked") is None
        _search_and_sort(page)
        links = page.evaluate("[...document.links].map(each => each.href)")
        assert all(link.startswith((path.as_uri(), "https://")) for link in links), links


def _search_and_sort(page):
    """The rows of a page can be searched, sorted and found again by its address."""
    from playwright.sync_api import expect

    rows = page.locator("#rows tbody tr:visible")
    every, first = rows.count(), rows.first.inner_text()
    page.get_by_role("searchbox").first.fill("/nano|mini/")
    expect(rows).not_to_have_count(every)
    found = rows.count()
    page.reload()
    expect(rows).to_have_count(found)
    page.get_by_role("searchbox").first.fill("")
    expect(rows).to_have_count(every)
    page.locator("#rows thead a[data-key=model]").click()
    expect(rows.first).not_to_have_text(first)
    assert rows.count() == every
