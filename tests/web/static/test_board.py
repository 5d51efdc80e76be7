"""The script of a board, in a browser: by mouse, by keyboard alone, without it, and on a phone."""

import re

import pytest

from bakeoff.database import database_url, migrate, open_database, writing
from tests.web.browser import PHONE, chromium, overflow, tab, violations
from tests.web.live import server, settings
from tests.web.showcase import SIZES, publish_history

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    engine = open_database(database_url(settings(folder).database))
    migrate.migrate(engine)
    with writing(engine) as connection:
        publish_history(connection)
    engine.dispose()
    with server(folder) as address:
        yield f"{address}/boards/general"


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


def _names(page):
    """The models that are to be seen, in their order."""
    return page.locator("#rows tbody tr:visible th").evaluate_all(
        "cells => cells.map(cell => cell.querySelector('bdi').textContent)"
    )


def test_searching_filtering_and_sorting_are_in_the_address_and_survive_a_reload(site, browser):
    with tab(browser) as page:
        page.goto(site)
        assert len(_names(page)) == 60
        page.get_by_label("Search", exact=True).fill("dune")
        page.wait_for_url("**?search=dune")
        assert page.locator("#count").inner_text() == "8 of 60 rows"
        assert all(name.startswith("Dune") for name in _names(page))
        page.get_by_role("link", name="Latency").click()
        page.wait_for_url("**?search=dune&sort=latency")
        cheapest = _names(page)
        assert cheapest[0] == "Dune-nano"
        page.get_by_role("link", name="Latency").click()
        assert _names(page) == cheapest[::-1]
        before = _names(page)
        page.reload()
        assert _names(page) == before
        assert page.get_by_label("Search", exact=True).input_value() == "dune"
        page.get_by_role("link", name="Dune-nano").click()
        page.wait_for_url("**/models/**")
        page.go_back()
        assert _names(page) == before
        page.get_by_role("link", name="Reset").click()
        page.wait_for_url(site)
        assert len(_names(page)) == 60


def test_the_script_and_the_server_show_the_same(site, browser):
    queries = [
        "search=dune&sort=-cost",
        "licence=mit&sort=latency",
        "search=%2F(max%7Cultra)%24%2F&state=ranked",
        "parameters_max=8&pareto=cost",
        "pin=3&pin=7&sort=-model&search=a",
    ]
    with tab(browser) as live, tab(browser, script=False) as plain:
        for query in queries:
            live.goto(f"{site}?{query}")
            plain.goto(f"{site}?{query}")
            assert _names(live) == _names(plain), query
            assert live.locator("#count").inner_text() == plain.locator("#count").inner_text()


def test_by_keyboard_alone(site, browser):
    with tab(browser) as page:
        page.goto(site)
        page.keyboard.press("/")
        page.keyboard.type("/(max|plus)$/")
        page.wait_for_url(re.compile("search="))
        assert page.locator("#count").inner_text() == "16 of 60 rows"
        page.locator("#rows thead a[data-key=cost]").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("sort=cost"))
        first = page.locator("#rows tbody tr:visible").nth(2)
        first.locator("[data-pin]").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("pin="))
        assert "pinned" in page.locator("#rows tbody tr").first.get_attribute("class").split()
        assert page.evaluate("document.activeElement.matches('[data-pin]')")
        for number in (0, 1):
            page.locator("#rows tbody tr:visible input").nth(number).focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Compare them").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"/compare\?row=\d+&row=\d+$"))
        assert page.locator("h1").inner_text() == "2 rows side by side"
        assert not violations(page)


def test_no_more_than_four_rows_can_be_chosen(site, browser):
    with tab(browser) as page:
        page.goto(site)
        assert page.locator("#together").is_hidden()
        boxes = page.locator("#rows tbody input")
        for number in range(4):
            boxes.nth(number).check()
        assert boxes.nth(5).is_disabled()
        boxes.nth(0).uncheck()
        assert boxes.nth(5).is_enabled()
        assert page.url.count("compare=") == 3


def test_a_row_and_its_point_light_up_together(site, browser):
    with tab(browser) as page:
        page.goto(site)
        row = page.locator("#rows tbody tr").first
        row.hover()
        assert page.locator(".chart .hot").count() == 1
        key = page.locator(".chart .hot").get_attribute("data-key")
        assert page.locator("#rows tbody tr.hot input").get_attribute("value") == key
        page.get_by_label("Search", exact=True).fill("dune")
        page.wait_for_url("**?search=dune")
        assert page.locator(".chart .p.off").count() > 30


def test_a_pattern_that_is_none_is_said_and_leaves_the_rows(site, browser):
    with tab(browser) as page:
        page.goto(site)
        search, count = page.get_by_label("Search", exact=True), page.locator("#count")
        search.fill("/(dune/")
        page.get_by_text("No pattern yet").wait_for()
        assert len(_names(page)) == 60
        search.fill("/dune/")
        count.get_by_text("8 of 60 rows").wait_for()
        assert page.get_by_text("No pattern yet").is_hidden()
        search.fill("/(?P<who>dune|ember)/")
        page.get_by_text("No pattern yet").wait_for()
        search.press("Enter")
        page.wait_for_url(re.compile("who"))
        assert len(_names(page)) == 16


def test_a_filter_is_taken_off_by_its_chip(site, browser):
    with tab(browser) as page:
        page.goto(f"{site}?search=a&licence=mit&preset=edge&organisation=Dune&organisation=Ember")
        page.get_by_role("link", name="licence mit").click()
        page.wait_for_url(re.compile("^((?!licence).)*$"))
        page.get_by_role("link", name="of Ember").click()
        page.wait_for_url(re.compile("^((?!Ember).)*$"))
        page.get_by_role("link", name="Edge: up to 3").click()
        page.wait_for_url(re.compile("^((?!preset).)*$"))
        assert page.url == f"{site}?search=a&organisation=Dune"
        assert set(_names(page)) == {f"Dune-{size}" for size in SIZES}


def test_a_link_to_another_view_keeps_what_was_asked_for_since(site, browser):
    with tab(browser) as page:
        page.goto(f"{site}?sort=cost&licence=mit")
        page.get_by_label("Search", exact=True).fill("a")
        page.wait_for_url("**?search=a*")
        page.get_by_role("link", name="Latency").click()
        page.wait_for_url("**sort=latency")
        page.locator("select[name=licence]").select_option("")
        page.wait_for_url(f"{site}?search=a&sort=latency")
        page.get_by_role("link", name="Medium").click()
        page.wait_for_url(f"{site}?search=a&preset=medium&sort=latency")
        page.locator("#rows .rk a").first.click()
        page.wait_for_url(re.compile(r"search=a&tied=\d+&preset=medium&sort=latency$"))


def test_without_the_script_everything_is_reached_by_forms_and_links(site, browser):
    with tab(browser, script=False) as page:
        page.goto(site)
        page.get_by_label("Search", exact=True).fill("dune")
        page.get_by_role("button", name="Apply").click()
        assert page.url == f"{site}?search=dune"
        assert len(_names(page)) == 8
        page.get_by_role("link", name="Cost", exact=True).click()
        assert page.url == f"{site}?search=dune&sort=cost"
        page.get_by_role("button", name="Pin Dune-nano").click()
        assert "pin=" in page.url
        page.get_by_role("link", name="Unpin Dune-nano").click()
        assert "pin=" not in page.url
        page.locator("#rows tbody input").nth(0).check()
        page.locator("#rows tbody input").nth(1).check()
        page.get_by_role("button", name="Compare them").click()
        assert "/compare?row=" in page.url
        page.goto(site)
        page.get_by_text("Columns (").click()
        page.get_by_label("Licence", exact=True).first.uncheck()
        page.get_by_role("button", name="Show these").click()
        assert "columns=ranks,model" in page.url.replace("%2C", ",")
        assert page.locator("#rows thead").get_by_text("Licence").count() == 0


def test_another_state_is_chosen(site, browser):
    with tab(browser) as page:
        page.goto(site)
        page.get_by_label("As of").select_option(label="2025-10-01")
        page.wait_for_url(re.compile("at="))
        assert len(_names(page)) == 35
        page.get_by_role("link", name="The newest is of").click()
        page.wait_for_url(site)


PAGES = (
    "?search=dune&pin=3&compare=4&licence=mit",
    "/models/Ember%2FEmber-ultra",
    "/tasks/score.core-code",
    "/compare?row=3&row=9&row=17&row=60",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_fits(site, browser, path):
    for how in ({"dark": True}, {"size": PHONE}):
        with tab(browser, **how) as page:
            assert page.goto(site + path).status == 200
            assert overflow(page) == 0, how
