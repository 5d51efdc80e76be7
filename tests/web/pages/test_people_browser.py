"""The pages on which people do something, in a real browser."""

import pytest

from bakeoff.accounts import Role
from bakeoff.board.community.flags import raise_flag
from bakeoff.board.ranking.publishing import take
from bakeoff.board.submissions import publish
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.jobs import claim, heartbeat
from tests.board.making import model
from tests.board.recorded import answers, little, submitted, work_off
from tests.web.browser import DESKTOP, PHONE, chromium, overflow, tab, violations
from tests.web.live import server
from tests.web.people import account

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery"
PAGES = ("queue", "submit", "policy", "changes", "discussion", "discussion?on=submission 1", "submissions/1")


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A board with what these pages show: a published row with a flag, one in review, one that runs, one that
    waits."""
    folder = tmp_path_factory.mktemp("people")
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    board = little(folder)
    for number in range(2):
        ref = answers(folder, 9 - number, f"m{number}")
        submitted(engine, board, ref, given=model(number), organisation="Aurora")
    work_off(engine, folder)
    with writing(engine) as connection:
        publish(connection, 1, actor="mo")
        take(connection, board, actor="operator")
        raise_flag(connection, 1, "conduct", "it was gamed", actor="bea")
        publish(connection, 2, actor="mo")
        take(connection, board, actor="operator")
    for number in range(2, 4):
        submitted(engine, board, answers(folder, 5, f"m{number}"), given=model(number), organisation="Aurora")
    held = claim(engine, "w7", offers=["recorded"], lease_s=3600)
    heartbeat(engine, held, done=2)
    account(folder, "ann", organisations=("Aurora",), password=PASSWORD)
    account(folder, "mo", role=Role.MODERATOR, password=PASSWORD)
    with server(folder) as address:
        yield address, engine, held
    engine.dispose()


def _log_in(page, address, name):
    page.goto(f"{address}/login")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, True), (PHONE, False)], ids=["desktop", "phone"])
def test_each_page_fits(site, browser, size, dark):
    address, _, _ = site
    with tab(browser, size=size, dark=dark) as page:
        _log_in(page, address, "mo")
        for path in PAGES:
            page.goto(f"{address}/boards/little/{path}")
            for each in page.query_selector_all("details"):
                each.evaluate("each => each.open = true")
            assert overflow(page) <= 0, path


def test_without_scripts_a_vote_is_given_and_a_post_is_written(site, browser):
    address, _, _ = site
    with tab(browser, script=False) as page:
        _log_in(page, address, "ann")
        page.goto(f"{address}/boards/little/queue")
        page.click("#vote-4")
        assert page.inner_text(".said") == "Your vote counts."
        page.goto(f"{address}/boards/little/discussion")
        page.fill("textarea[name=body]", "Written **without** scripts")
        page.click("form.say button.main")
        assert page.inner_text(".post:last-of-type .body strong") == "without"


def test_by_keyboard_alone_a_submission_is_withdrawn(site, browser):
    address, _, _ = site
    with tab(browser) as page:
        _log_in(page, address, "ann")
        page.goto(f"{address}/boards/little/submissions/2")
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Withdraw":
                break
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("wrong weights")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(".said")
        assert "It is withdrawn" in page.inner_text(".said")
        assert "wrong weights" in page.inner_text("main")


def test_a_mistake_in_the_form_is_named_and_what_was_typed_is_there(site, browser):
    address, _, _ = site
    # Not `tab`: a browser notes an answer that is a refusal.
    with browser.new_context() as context:
        page = context.new_page()
        _log_in(page, address, "ann")
        page.goto(f"{address}/boards/little/submit")
        page.fill("input[name=model]", "hf:org/name")
        page.fill("input[name=licence]", "mit")
        with page.expect_navigation():
            page.click("form button.main")
        field = page.locator("input[name=model]")
        assert field.get_attribute("aria-invalid") == "true"
        described = field.get_attribute("aria-describedby").split()[0]
        assert "40 digits" in page.inner_text(f"#{described}")
        assert page.input_value("input[name=licence]") == "mit"
        assert violations(page) == []


def test_the_queue_moves_while_one_looks_and_keeps_the_focus(site, browser):
    address, engine, held = site
    with tab(browser) as page:
        _log_in(page, address, "mo")
        page.goto(f"{address}/boards/little/queue")
        page.focus("#vote-3")
        heartbeat(engine, held, done=4)
        page.wait_for_selector('#submission-3 progress[value="4"]')
        assert page.inner_text("#submission-3 .samples") == "4 of about 5 samples"
        with writing(engine) as connection:
            connection.exec_driver_sql(
                "UPDATE job SET attempts = 3 WHERE id = (SELECT job FROM submission WHERE id = 3)"
            )
        page.wait_for_selector('#submission-3:has-text("tried 3 times")')
        assert page.evaluate("document.activeElement.id") == "vote-3"
