"""Every chart in a real browser. Skipped, with the reason, where there is none."""

from itertools import combinations

import pytest
from markupsafe import Markup

from bakeoff.charts import heat_map, scatter
from tests.charts.gallery import board, empty, everyone, gallery, hostile, page
from tests.web.browser import chromium

pytestmark = pytest.mark.browser

PAGES = {
    "gallery": gallery(),
    "hostile": hostile(),
    "empty": empty(),
    "many": [scatter(board(900), "many"), heat_map(everyone(16), "big")],
    # A page may show charts side by side: they fit their place, not the window.
    "narrow": [Markup('<div class="narrow">'), *gallery(), Markup("</div>")],
}
WIDTHS = (320, 600, 1280)
TEXTS = ".chart svg text"
VISIBLE_BOXES = """selector => [...document.querySelectorAll(selector)]
    .filter(each => each.checkVisibility() && each.textContent.trim())
    .map(each => each.getBoundingClientRect())
    .map(box => [box.left, box.top, box.right, box.bottom])"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(params=PAGES)
def tab(browser, request, tmp_path):
    path = tmp_path / "gallery.html"
    path.write_text(page(*PAGES[request.param]), "utf-8")
    found = browser.new_page()
    found.complaints = []
    found.on("console", lambda message: found.complaints.append(message.text))
    found.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.on("dialog", lambda dialog: found.complaints.append(dialog.message))
    found.goto(path.as_uri())
    yield found
    assert found.complaints == []
    found.close()


def each_width(tab):
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 800})
        yield width


def test_no_page_scrolls_sideways(tab):
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for width in each_width(tab):
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_no_text_leaves_its_chart(tab):
    for _ in each_width(tab):
        outside = tab.evaluate(
            """selector => [...document.querySelectorAll(selector)].filter(each => {
                if (!each.checkVisibility()) return false;
                const text = each.getBoundingClientRect();
                const chart = each.closest('.chart').getBoundingClientRect();
                return text.left < chart.left || text.right > chart.right
                    || text.top < chart.top || text.bottom > chart.bottom;
            }).map(each => each.textContent)""",
            TEXTS,
        )
        assert outside == []


def test_names_and_ticks_never_lie_over_one_another(tab):
    for width in each_width(tab):
        charts = tab.evaluate("[...document.querySelectorAll('.chart')].map(each => each.id).filter(Boolean)")
        for chart in charts:
            boxes = tab.evaluate(VISIBLE_BOXES, f"#{chart} svg :is(.label, .tick, .word)")
            for one, other in combinations(boxes, 2):
                over = (
                    min(one[2], other[2]) - max(one[0], other[0]),
                    min(one[3], other[3]) - max(one[1], other[1]),
                )
                # The boxes of fonts hold more than their letters: a pixel or two above and below.
                assert over[0] <= 0 or over[1] <= 4, (width, chart, one, other)


def test_every_mark_lies_in_its_plot(tab):
    marks = ".plane :is(circle, .p path), .drawing :is(circle, .rank), .bars .part"
    for _ in each_width(tab):
        outside = tab.evaluate(
            """selector => [...document.querySelectorAll(selector)].filter(each => {
                const mark = each.getBoundingClientRect();
                const plot = each.closest('svg:not(svg svg)').getBoundingClientRect();
                const x = (mark.left + mark.right) / 2, y = (mark.top + mark.bottom) / 2;
                return x < plot.left - 1 || x > plot.right + 1 || y < plot.top - 1 || y > plot.bottom + 1;
            }).length""",
            marks,
        )
        assert outside == 0


def test_the_scale_of_rows_stands_over_their_drawings(tab):
    for _ in each_width(tab):
        offsets = tab.evaluate("""[...document.querySelectorAll('.chart.rows')].flatMap(chart => {
            const drawings = [...chart.querySelectorAll('.drawing > svg')];
            const [scale, ...rows] = drawings.map(each => each.getBoundingClientRect());
            return rows.map(row => Math.abs(row.left - scale.left) + Math.abs(row.right - scale.right));
        })""")
        assert max(offsets, default=0) < 0.5


def test_text_keeps_its_size_at_every_width(tab):
    look = "selector => [...document.querySelectorAll(selector)].map(each => getComputedStyle(each).fontSize)"
    sizes = set()
    for _ in each_width(tab):
        sizes |= set(tab.evaluate(look, TEXTS))
    assert sizes <= {"12px"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_of_charts_can_be_read_in_both_schemes(browser, tmp_path, scheme):
    path = tmp_path / "gallery.html"
    path.write_text(page(*gallery()), "utf-8")
    tab = browser.new_page(color_scheme=scheme)
    tab.goto(path.as_uri())
    # Painted on the ground of the chart, or on the deepest shade of a cell: WCAG's ratio of 4.5.
    ratios = tab.evaluate("""() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
        const light = colour => {
            canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
                .map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const ground = light(getComputedStyle(document.querySelector('.chart')).backgroundColor);
        const drawn = [...document.querySelectorAll('.chart svg text')]
            .map(each => ratio(light(getComputedStyle(each).fill), ground));
        const cells = [...document.querySelectorAll('.chart td.cell, .chart td.cell a')].map(each => ratio(
            light(getComputedStyle(each).color),
            light(getComputedStyle(each.closest('td')).backgroundColor),
        ));
        return [drawn.length, cells.length, Math.min(...drawn), Math.min(...cells)];
    }""")
    tab.close()
    assert min(ratios[:2]) > 20
    assert min(ratios[2:]) >= 4.5


def test_without_colour_open_and_closed_ahead_and_behind_and_lines_still_differ(browser, tmp_path):
    path = tmp_path / "gallery.html"
    path.write_text(page(*gallery()), "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    look = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    assert tab.evaluate(look, ["#cost .plane .filled", "fill"]) != tab.evaluate(
        look, ["#cost .plane .hollow", "fill"]
    )
    assert tab.evaluate(look, ["#pairs td.ahead", "backgroundImage"]) == "none"
    assert "gradient" in tab.evaluate(look, ["#pairs td.behind", "backgroundImage"])
    lines = tab.evaluate("""[...document.querySelectorAll('#history .key li')].map(each => [
        getComputedStyle(each.querySelector('.line')).strokeDasharray,
        each.querySelector('.spot').getAttribute('d'),
    ])""")
    assert len({tuple(line) for line in lines}) == 5
    assert len({dash for dash, _ in lines}) == 5
    tab.close()


def test_points_lead_to_their_pages_and_the_keyboard_goes_to_the_table(browser, tmp_path):
    path = tmp_path / "gallery.html"
    path.write_text(page(gallery()[0]), "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    stops = tab.evaluate("[...document.querySelectorAll('svg a')].filter(each => each.tabIndex >= 0).length")
    assert stops == 0
    tab.locator("summary").click()
    links = tab.evaluate("[...document.querySelectorAll('svg a')].map(each => each.getAttribute('href'))")
    listed = tab.evaluate(
        "[...document.querySelectorAll('details a')].map(each => each.getAttribute('href'))"
    )
    assert set(links) <= set(listed)
    assert len(links) == len(listed) - 1  # the one without a price is not drawn
    tab.close()


def test_accessibility_checks_find_nothing(tab):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    tab.set_viewport_size({"width": 360, "height": 800})
    found = axe.Axe().run(tab).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found] == []


def test_the_numbers_are_unfolded_on_paper(browser, tmp_path):
    path = tmp_path / "gallery.html"
    path.write_text(page(gallery()[0]), "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    inside = "document.querySelector('.chart details td').checkVisibility()"
    assert tab.evaluate(inside) is False
    tab.emulate_media(media="print")
    tab.wait_for_function(inside, timeout=5_000)
    tab.close()
