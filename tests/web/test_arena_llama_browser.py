"""A battle between two real models: SmolLM2 at two temperatures by llama.cpp, in a real browser."""

import pytest

from bakeoff.arena.definition.default import default_arena
from tests.web.battle_page import begin, grown, shown, sound, written
from tests.web.browser import DESKTOP, PHONE, chromium, tab
from tests.web.live import server

pytestmark = [pytest.mark.browser, pytest.mark.model]

COUNT = "Count from one to forty, in words."
WAYS = {"desktop, light": {"size": DESKTOP, "dark": False}, "phone, dark": {"size": PHONE, "dark": True}}


@pytest.fixture(scope="module")
def site(smollm2_path, tmp_path_factory):
    """The address of the arena that is there without a file, with shorter answers."""
    arena = default_arena("chat").model_copy(update={"max_tokens": 100})
    with server(tmp_path_factory.mktemp("arena"), arenas=(arena,), writes="100000/minute") as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.mark.parametrize("way", WAYS)
def test_both_answers_grow_and_a_vote_tells_the_names(site, browser, way):
    with tab(browser, **WAYS[way]) as page:
        begin(page, site, COUNT)
        grown(page, 5)
        assert "Answering" in page.title()
        first = shown(page)
        grown(page, max(first))
        sound(page)
        written(page)
        assert min(shown(page)) >= min(first)
        sound(page)
        page.get_by_role("button", name="Equally good").click()
        page.wait_for_selector(".said")
        said = page.inner_text(".said")
        assert "smollm2, temperature 0" in said
        assert "smollm2, temperature 1" in said
        sound(page)


def test_by_keyboard_alone(site, browser):
    with tab(browser) as page:
        page.goto(f"{site}/arenas/chat/battle")
        page.keyboard.type(COUNT)
        for key in ("Tab", "Space", "Tab", "Enter"):  # the consent, the button
            page.keyboard.press(key)
        written(page)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(".said")
        assert "You said: A is better" in page.inner_text(".said")


def test_loaded_again_in_its_midst_no_letter_is_lost(site, browser):
    with tab(browser) as page:
        begin(page, site, COUNT)
        grown(page, 20)
        before = page.locator(".answer .text").all_inner_texts()
        page.reload()
        grown(page, 20)
        written(page)
        after = page.locator(".answer .text").all_text_contents()
        for begun, whole in zip(before, after, strict=True):
            # What was plain while it came is set once it is whole.
            assert letters(whole).startswith(letters(begun))


def test_over_a_slow_line(site, browser):
    with tab(browser) as page:
        page.context.new_cdp_session(page).send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 300, "downloadThroughput": 20_000, "uploadThroughput": 20_000},
        )
        begin(page, site, COUNT)
        written(page)
        assert min(shown(page)) > 0
        page.get_by_role("button", name="Both are bad").click()
        page.wait_for_selector(".said")


def letters(text):
    return "".join(filter(str.isalpha, text))
