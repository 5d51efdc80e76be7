"""The page in a real browser. Skipped, with the reason, where there is none."""

import shutil
from pathlib import Path

import pytest

from bakeoff.classification import Costs, classify
from bakeoff.classification.page import page
from tests.classification.runs import likely
from tests.classification.test_of_run import spread

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")

pytestmark = pytest.mark.browser


@pytest.fixture
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


def test_it_fits_a_phone_follows_the_dark_mode_and_asks_nobody(browser, tmp_path):
    report = classify(likely(tmp_path, spread(200)), costs=Costs(1, 20), prevalence=0.01, sweep=True)
    file = tmp_path / "page.html"
    file.write_text(page(report), "utf-8")
    colours, asked, errors = set(), [], []
    for scheme in ("light", "dark"):
        tab = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: errors.append(message.text))
        tab.goto(file.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == 360
        colours.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert tab.get_by_role("img", name="Precision and recall").count() == 1
        tab.locator("summary").first.click()
        assert tab.get_by_role("region", name="Precision and recall").is_visible()
    assert len(colours) == 2
    assert set(asked) == {file.as_uri()}
    assert errors == []
