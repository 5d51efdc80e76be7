"""One page of each kind in a real browser: wide and narrow, light and dark, by keyboard, without scripts."""

import re

import pytest

from tests.web.browser import DESKTOP, PHONE, chromium, overflow, tab, violations
from tests.web.live import client, server
from tests.web.people import log_in
from tests.web.whole import MODERATOR, Page, build, crawl, kind

pytestmark = pytest.mark.browser

WAYS = {
    "desktop, light": {"size": DESKTOP, "dark": False},
    "phone, dark": {"size": PHONE, "dark": True},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a whole site, a page of each kind, and the cookie of a moderator."""
    folder = tmp_path_factory.mktemp("whole")
    build(folder)
    with client(folder) as inside:
        log_in(inside, folder, MODERATOR)
        pages = {}
        for path, answer in crawl(inside).items():
            if answer.headers["content-type"].startswith("text/html"):
                pages.setdefault(kind(path), path)
        cookie = inside.cookies["bakeoff"]
    with server(folder) as address:
        yield address, pages, cookie


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.mark.parametrize("way", WAYS)
def test_every_kind_of_page_can_be_read(site, browser, way):
    address, pages, cookie = site
    assert len(pages) >= 15, sorted(pages)
    problems = []
    with tab(browser, **WAYS[way]) as page:
        page.context.add_cookies([{"name": "bakeoff", "value": cookie, "url": address}])
        for name, path in sorted(pages.items()):
            page.goto(address + path)
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            problems += [(name, each) for each in violations(page)]
            assert page.evaluate("window.hacked") is None, name
            if (wider := overflow(page)) > 0:
                problems.append((name, f"{wider} pixels wider than its window"))
    assert not problems, problems


def test_every_control_of_a_page_can_be_reached_by_keyboard_and_is_seen_there(site, browser):
    address, pages, cookie = site
    with tab(browser) as page:
        page.context.add_cookies([{"name": "bakeoff", "value": cookie, "url": address}])
        for name, path in sorted(pages.items()):
            page.goto(address + path)
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.className") == "skip", name
            page.keyboard.press("Enter")
            reached = set()
            for _ in range(25):
                page.keyboard.press("Tab")
                found = page.evaluate(
                    "(() => { const at = document.activeElement, style = getComputedStyle(at);"
                    "return [at.tagName + at.textContent.slice(0, 20), at === document.body || "
                    "style.outlineStyle !== 'none' || style.boxShadow !== 'none'] })()"
                )
                assert found[1], (name, found)
                if found[0] in reached and found[0].startswith("BODY"):
                    break
                reached.add(found[0])
            assert reached, name


def test_without_scripts_the_same_is_said(site, browser):
    """The words of a page are the same, but for what only a script can do."""
    address, pages, _ = site
    for name in ("", "boards/…"):
        path = pages[name]
        with tab(browser) as page:
            page.goto(address + path)
            with_scripts = _words(page.locator("main h1, main tbody").all_inner_texts())
        with tab(browser, script=False) as page:
            page.goto(address + path)
            assert _words(page.locator("main h1, main tbody").all_inner_texts()) == with_scripts, name


def _words(texts):
    return re.findall(r"\w+", " ".join(texts))


def test_forms_go_where_there_is_something(site):
    """Every form of every page leads to a page of ours."""
    address, pages, _ = site
    import urllib.request

    for path in pages.values():
        text = urllib.request.urlopen(address + path).read().decode() if "account" not in path else ""
        assert all(action.startswith("/") for _, action in Page(text).actions), path
