"""Pages of runs, samples, comparisons and tasks in a real browser."""

import re
import time
from urllib.parse import quote

import pytest

from bakeoff.run.execute import finish
from bakeoff.web.middleware.kept import LIVE_S
from tests.web.browser import DESKTOP, PHONE, chromium, overflow, tab
from tests.web.live import server
from tests.web.runs import HOSTILE, append, going_on, hostile, private


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def runs(folder):
    """Three runs of a task with something hostile in every text, and one of a private task."""
    return [*hostile(folder, "a", "b", "c"), *private(folder, "a", "b")]


@pytest.fixture(scope="module")
def site(folder, runs):
    with server(folder) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


def paths(runs):
    a, b, c, secret, other = (run.name for run in runs)
    awkward = quote(f"it {HOSTILE}", safe="")
    return [
        "/runs",
        f"/runs/{a}",
        f"/runs/{a}/samples/{awkward}?repeat=1",
        f"/runs/{a}/samples/a%2F..%2Fb%20c",
        f"/runs/{a}/samples/{quote('q?x=1&y=+ü#z', safe='')}",
        f"/runs/{secret}",
        f"/runs/{secret}/samples/p1",
        f"/compare?run={a}&run={b}&run={c}",
        f"/compare?run={secret}&run={other}",
        "/tasks/hostile",
        "/tasks/secret",
        "/tasks/shapes",
    ]


def test_every_page_is_sound(site, runs, browser):
    for place, path in enumerate(paths(runs)):
        size, dark = (DESKTOP, True) if place % 2 else (PHONE, False)  # the other two: in test_whole_browser
        with tab(browser, size=size, dark=dark) as page:
            assert page.goto(site + path).status == 200, path
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            assert overflow(page) <= 0, path
            assert page.evaluate("document.querySelectorAll('main [style]').length") == 0, path


def test_a_link_to_each_sample_leads_to_it(site, runs, browser):
    """Addresses survive the browser's own reading of them, whatever is in an id."""
    with tab(browser, script=False) as page:
        page.goto(f"{site}/runs/{runs[0].name}")
        links = page.eval_on_selector_all(
            "#samples ~ .scroll tbody th a", "all => all.map((each) => each.href)"
        )
        titles = page.eval_on_selector_all(
            "#samples ~ .scroll tbody th a", "all => all.map((each) => each.innerText)"
        )
        assert len(links) == 24
        for link, title in zip(links, titles, strict=True):
            assert page.goto(link).status == 200
            assert page.inner_text("h1").startswith(title)


def test_without_script_one_filters_sorts_reads_and_compares(site, runs, browser):
    with tab(browser, script=False) as page:
        page.goto(f"{site}/runs")
        page.fill("main input[type=search]", "hostile")
        page.click("main form button")
        for box in page.query_selector_all("tbody input[type=checkbox]")[:2]:
            box.check()
        page.click("text=Compare the chosen")
        assert "2 runs of" in page.inner_text("h1")
        page.select_option("select[name=show]", "all")
        page.click("#items ~ form button")
        assert page.locator("#items ~ .scroll tbody tr").count() == 12
        page.click("#items ~ .scroll tbody tr:first-child td a")
        assert page.inner_text("h1").startswith("a/../b c")
        page.click("nav[aria-label='Where this is'] a:last-child")
        page.select_option("select[name=show]", "wrong")
        page.click("#samples ~ form button")
        assert set(page.locator("#samples ~ .scroll tbody td:nth-child(2)").all_inner_texts()) == {"✗ wrong"}
        page.click("#samples ~ .scroll thead a:has-text('Tokens')")
        tokens = [
            int(each) for each in page.locator("#samples ~ .scroll tbody td:nth-child(5)").all_inner_texts()
        ]
        assert tokens == sorted(tokens, reverse=True)
        assert "show=wrong" in page.url


def test_the_keyboard_reaches_every_table_and_opens_what_is_folded(site, runs, browser):
    with tab(browser) as page:
        page.goto(f"{site}/runs/{runs[0].name}/samples/item-6")
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "document.activeElement.tagName + (document.activeElement.getAttribute('role') ?? '')"
                )
            )
        assert {"SUMMARY", "PRE", "DIVregion", "A"} <= reached
        page.focus("details summary")
        page.keyboard.press("Enter")
        assert page.locator("details").first.evaluate("each => each.open")


def test_rendered_markdown_harms_nobody(site, runs, browser):
    with tab(browser) as page:
        page.goto(f"{site}/runs/{runs[0].name}/samples/item-6")
        page.click("text=The answer as Markdown")
        shown = page.locator(".rendered")
        assert "The answer is" in shown.inner_text()
        assert page.eval_on_selector_all("main img, main script", "all => all.length") == 0
        hrefs = shown.locator("a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
        assert [each for each in hrefs if not re.match("https?:", each or "http:")] == []


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_run_that_goes_on_is_followed(tmp_path, browser, script):
    (like,) = hostile(tmp_path, "a")
    run, manifest, samples = going_on(tmp_path, like, 20)
    append(run, *samples[:4])
    with server(tmp_path) as site, tab(browser, script=script) as page:
        page.goto(f"{site}/runs/{run.name}")
        assert page.inner_text("[data-part=done]") == "4"
        append(run, *samples[4:11])
        if not script:
            time.sleep(LIVE_S + 0.5)
            page.reload()
        page.wait_for_selector("progress[value='11']")
        assert page.inner_text("[data-part=done]") == "11"
        append(run, *samples[11:])
        finish(run, manifest)
        if not script:
            time.sleep(LIVE_S + 0.5)
            page.reload()
        page.wait_for_selector(".lead .badge.good")
        assert page.locator("progress").count() == 0
