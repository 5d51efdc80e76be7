"""The page in a real browser. Skipped, with the reason, where there is none."""

import shutil
from pathlib import Path

import pytest

from bakeoff.comparison.page import page
from tests.comparison.comparisons import (
    against_baseline,
    alone,
    hostile,
    many,
    priced,
    three,
    two,
    without_intervals,
    without_items,
)

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")

pytestmark = pytest.mark.browser

PAGES = {
    "baseline": [against_baseline()],
    "many": [many()],
    "hostile": [hostile()],
    "priced": [priced()],
    "several": [three(), two(), without_intervals(), without_items(), alone()],
}


@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with playwright.sync_playwright() as runner:
        path = path or runner.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("needs Chromium: apt-get install chromium, or playwright install chromium")
        # Root in a container has no sandbox to give; the page is our own.
        found = runner.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield found
        found.close()


@pytest.fixture(params=PAGES)
def file(request, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(page(PAGES[request.param]), "utf-8")
    return path.as_uri()


@pytest.fixture
def tab(browser):
    found = browser.new_page()
    yield found
    found.close()


def test_it_opens_from_a_file_without_a_request_a_complaint_or_a_dialog(tab, file):
    said, asked = [], []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(file, wait_until="networkidle")
    assert said == []
    assert asked == [file]


def test_it_never_scrolls_sideways_and_its_rows_stay_rows(tab, file):
    tab.goto(file)
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    rows = []
    for width in (320, 767, 768, 1280):  # cards, up to and from the table
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        roles = ("table", "row", "rowheader", "columnheader", "cell")
        rows.append([tab.get_by_role(role).count() for role in roles])
    assert rows[1:] == rows[:-1]
    assert min(rows[0]) > 0


def test_colours_follow_the_scheme_of_the_reader_and_paper_is_light(tab, file):
    tab.goto(file)
    light = (
        "(() => { const body = getComputedStyle(document.body); return body.color === 'rgb(26, 29, 35)' })()"
    )
    for scheme, media, expected in (
        ("light", "screen", True),
        ("dark", "screen", False),
        ("dark", "print", True),
    ):
        tab.emulate_media(color_scheme=scheme, media=media)
        tab.wait_for_function(f"{light} === {str(expected).lower()}", timeout=5_000)


def test_every_stop_of_the_keyboard_is_seen(tab, file):
    tab.goto(file)
    stops = tab.evaluate("document.querySelectorAll('a, summary').length")
    look = """() => {
        const here = document.activeElement, box = here.getBoundingClientRect();
        return [here.tagName, getComputedStyle(here).outlineStyle, box.x >= 0 && box.width > 0];
    }"""
    for _ in range(stops):
        tab.keyboard.press("Tab")
        tag, outline, inside = tab.evaluate(look)
        assert tag in ("A", "SUMMARY")
        assert (outline, inside) == ("solid", True)
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.parentElement.open") is True


def test_the_method_is_folded_on_screen_and_unfolded_on_paper(tab, file):
    tab.goto(file)
    inside = "document.querySelector('details.method li').checkVisibility()"
    assert tab.evaluate(inside) is False
    tab.emulate_media(media="print")
    tab.wait_for_function(inside, timeout=5_000)
