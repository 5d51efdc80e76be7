"""A battle in a real browser: wide and narrow, by keyboard, over a slow line, loaded again in its midst."""

import pytest

from tests.arena.moderation.bare_image.pictures import EVERY
from tests.servers import fault_server as fault
from tests.web import battle_page
from tests.web.arena import MODELS, arena, models, slowly
from tests.web.battle_page import grown, shown, sound, written
from tests.web.browser import DESKTOP, PHONE, chromium, overflow, tab
from tests.web.live import server

pytestmark = pytest.mark.browser

ONE = "A **list**:\n\n- one\n- two\n\n```python\nprint('" + "wide " * 20 + "')\n```\n\nThat is all of it."
OTHER = "Another answer, which is plain text. " * 3
LONG = "This one takes a while to come. " * 15
WAYS = {"desktop, light": {"size": DESKTOP, "dark": False}, "phone, dark": {"size": PHONE, "dark": True}}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a site with arenas whose models write so slowly that one can watch, and their server."""
    with models() as wire:
        places = {
            "arenas": (
                arena(wire),
                arena(wire, "seeing", images=True, title="A long title of an arena, " * 3),
            ),
            "writes": "100000/minute",
        }
        with server(tmp_path_factory.mktemp("arena"), **places) as address:
            yield address, wire


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def begin(site):
    """Begins a battle by keys; the answers take about a second."""
    address, wire = site
    for model, text in zip(MODELS, (ONE, OTHER), strict=True):
        wire.script(model, slowly(text, 0.005))
    return lambda page, **asked: battle_page.begin(page, address, **asked)


@pytest.mark.parametrize("way", WAYS)
def test_a_battle_from_its_prompt_to_its_names(site, browser, begin, way):
    with tab(browser, **WAYS[way]) as page:
        page.goto(f"{site[0]}/arenas/seeing/battle")
        sound(page)
        begin(page, arena="seeing")
        grown(page, 5)
        assert len(shown(page)) == 2
        assert overflow(page) <= 0
        assert "Answering" in page.title()
        written(page)
        assert page.evaluate("document.activeElement.textContent") == "Which answer is better?"
        assert page.locator(".answer li").count() == 2  # what was plain while it came is set now
        page.locator("#vote summary").click()
        sound(page)
        small = [
            (each.inner_text(), each.bounding_box()["height"])
            for each in page.locator("#battle button, #battle summary, #battle .choice").all()
            if each.bounding_box()["height"] < 44
        ]
        assert way == "desktop, light" or not small
        page.select_option("select[name=left]", index=1)
        page.get_by_role("button", name="A is better").click()
        page.wait_for_selector(".said")
        assert "Your guess for A was" in page.inner_text(".said")
        sound(page)


def test_by_keyboard_alone(site, browser, begin):
    with tab(browser) as page:
        page.goto(f"{site[0]}/arenas/chat/battle")
        assert page.evaluate("document.activeElement.name") == "prompt"
        page.keyboard.type("First line")
        page.keyboard.press("Enter")  # a line, and nothing is sent
        page.keyboard.type("second line")
        page.keyboard.press("Control+Enter")  # nor is it without consent
        assert page.locator("#battle").count() == 0
        page.focus("textarea")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        written(page)
        assert page.inner_text(".prompt p") == "First line\nsecond line"
        reached = []
        for _ in range(6):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.textContent.trim().slice(0, 13)"))
        assert reached == ["A is better", "B is better", "Equally good", "Both are bad", "Say why, or g", ""]
        for _ in range(3):
            page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(".said")
        assert "Equally good" in page.inner_text(".said")


def test_loaded_again_in_its_midst_and_asked_once_more(site, browser, begin):
    site[1].script(MODELS[0], slowly(LONG, 0.005))
    with tab(browser) as page:
        begin(page)
        grown(page, 20)
        before = shown(page)
        page.reload()
        grown(page, 20)
        assert min(shown(page)) >= min(before)
        written(page)
        whole = page.locator(".answer .text").all_inner_texts()
        assert sorted(whole) == sorted([LONG.strip(), OTHER.strip()])
        site[1].script(MODELS[0], slowly(ONE, 0.005))
        page.fill(".ask textarea", "And now?")
        page.get_by_role("button", name="Ask both").click()
        page.wait_for_selector("[data-side=left]", state="attached")
        written(page)
        assert page.locator(".turn").count() == 2
        assert page.locator(".answer .text").count() == 4
        page.reload()
        assert page.locator(".answer .text").count() == 4


def test_one_vote_however_often_and_wherever_one_clicks(site, browser, begin):
    with tab(browser) as page:
        begin(page)
        written(page)
        other = page.context.new_page()
        other.goto(page.url)
        page.get_by_role("button", name="B is better").dblclick()
        page.wait_for_selector(".said")
        assert "You said: B is better" in page.inner_text(".said")
        page.go_back()
        page.wait_for_selector(".said")  # the names stay, and there is nothing to vote on
        assert page.locator("#vote").count() == 0
        other.get_by_role("button", name="A is better").click()
        other.wait_for_selector(".said")
        assert "this battle has its vote already" in other.inner_text("#battle")
        assert "You said: B is better" in other.inner_text(".said")


def test_over_a_slow_line(browser, begin):
    with tab(browser) as page:
        page.context.new_cdp_session(page).send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 300, "downloadThroughput": 20_000, "uploadThroughput": 20_000},
        )
        begin(page)
        written(page)
        assert min(shown(page)) > 0
        page.get_by_role("button", name="Equally good").click()
        page.wait_for_selector(".said")


def test_without_scripts_the_page_loads_itself_again(browser, begin, site):
    with tab(browser, script=False) as page:
        page.goto(f"{site[0]}/arenas/chat/battle")
        page.fill("textarea", "Compare them.")
        page.check("[name=agreed]")
        page.get_by_role("button", name="Ask both").click()
        assert page.locator("text=Both are answering").count() == 1
        page.wait_for_selector("#vote")
        page.get_by_role("button", name="Both are bad").click()
        page.wait_for_selector(".said")


def test_a_fault_is_told_on_the_open_page_and_leads_on(site, browser, begin):
    site[1].script(MODELS[0], fault.half_stream(closed=True))
    with tab(browser) as page:
        begin(page)
        page.wait_for_selector("text=This battle does not count.")
        assert "does not count" in page.evaluate("document.activeElement.textContent")
        sound(page)
        page.get_by_role("link", name="Begin another battle").click()
        assert page.locator("textarea").count() == 1


def test_where_there_is_no_room_for_a_stream_the_page_looks_by_itself(tmp_path, browser):
    with (
        models() as wire,
        server(tmp_path, arenas=(arena(wire),), streams=0) as address,
        browser.new_context() as context,
    ):
        for model in MODELS:
            wire.script(model, slowly(OTHER, 0.005))
        page = context.new_page()
        page.goto(f"{address}/arenas/chat/battle")
        page.fill("textarea", "Compare them.")
        page.check("[name=agreed]")
        page.get_by_role("button", name="Ask both").click()
        written(page)
        assert page.locator(".answer .text").count() == 2


def test_personal_details_are_sent_by_one_more_click(site, browser):
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{site[0]}/arenas/chat/battle")
        page.fill("textarea", "Write to jane.doe@example.org.")
        page.check("[name=agreed]")
        page.get_by_role("button", name="Ask both").click()
        page.wait_for_selector("text=It seems to hold a mail address.")
        sound(page)
        page.fill("textarea", "Write to jane.doe@example.org, please.")
        page.get_by_role("button", name="Send it all the same").click()
        written(page)
        page.fill(".ask textarea", "And to john.roe@example.org.")
        page.get_by_role("button", name="Ask both").click()
        page.get_by_role("button", name="Send it all the same").wait_for()
        assert page.evaluate("document.activeElement.value") == "And to john.roe@example.org."
        page.get_by_role("button", name="Send it all the same").click()
        page.wait_for_selector("[data-side=left]", state="attached")


def test_a_photo_that_a_phone_took_upright_stays_upright(site, browser):
    """It lies on its side in the file, 37 by 23 pixels, and says so."""
    address, _ = site
    with tab(browser) as page:
        page.goto(f"{address}/arenas/seeing/battle")
        page.fill("textarea", "What is this?")
        page.check("[name=agreed]")
        photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": EVERY["JPEG"]}
        page.set_input_files("[name=image]", photo)
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Ask both").click()
        written(page)
        image = page.locator(".prompt img")
        assert image.evaluate("img => img.decode().then(() => [img.naturalWidth, img.naturalHeight])") == [
            23,
            37,
        ]
        assert image.get_attribute("src").endswith("/images/0")
