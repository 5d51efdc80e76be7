"""A real browser for the tests of pages: what is watched on every page, whatever it is."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@contextmanager
def chromium():
    """The system's Chromium, or a skip with its reason."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with playwright.sync_playwright() as runner:
        path = path or runner.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("needs Chromium: apt-get install chromium, or playwright install chromium")
        # Root in a container has no sandbox to give; the pages are our own.
        found = runner.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield found
        found.close()


@contextmanager
def tab(browser, *, size=DESKTOP, dark=False, script=True):
    """A tab that fails the test where the page logs an error, or asks for anything elsewhere."""
    context = browser.new_context(
        viewport=size, color_scheme="dark" if dark else "light", java_script_enabled=script
    )
    found, problems = context.new_page(), []
    found.on(
        "console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None
    )
    found.on("pageerror", lambda error: problems.append(str(error)))
    found.on(
        "request", lambda asked: problems.append(f"asked for {asked.url}") if _elsewhere(asked.url) else None
    )
    yield found
    context.close()
    assert not problems, problems


def violations(page):
    """What axe finds on the open page that is serious or critical."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [
        (each["id"], each["help"], [node["html"] for node in each["nodes"]][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def overflow(page):
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def _elsewhere(url):
    return not url.startswith(("http://127.0.0.1:", "file:", "data:", "blob:"))
