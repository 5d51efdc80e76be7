"""The page of a battle in a real browser: what people do there, and what they see."""

from tests.web.browser import overflow, violations


def begin(page, address, prompt="Compare them.", arena="chat"):
    """Opens the page of an arena, writes a prompt and sends it by keys."""
    page.goto(f"{address}/arenas/{arena}/battle")
    page.fill("textarea", prompt)
    if page.locator("[name=agreed]").count():
        page.check("[name=agreed]")
    page.keyboard.press("Tab")
    page.focus("textarea")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#battle")


def grown(page, letters):
    """Waits until more than so many letters are in the left column while it is answered."""
    page.wait_for_function(
        f"() => document.querySelector('[data-side=left]')?.textContent.length > {letters}", timeout=60_000
    )


def shown(page):
    """The letters in both columns."""
    return [len(each) for each in page.locator(".answer .text").all_inner_texts()]


def written(page):
    """Waits until both answers are there."""
    page.wait_for_selector("#vote", timeout=60_000)


def sound(page):
    """Nothing serious for axe, nothing wider than the window."""
    assert not violations(page)
    assert overflow(page) <= 0
