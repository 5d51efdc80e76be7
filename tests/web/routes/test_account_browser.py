"""The log-in and the account in a real browser: by mouse and by keyboard, and with forms of another site."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bakeoff.accounts import Role
from bakeoff.web.settings import Oidc
from tests.accounts.fixtures import GOOD
from tests.servers.oidc_provider import CLIENT, SECRET, provider
from tests.web import browser, live, people

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium():
    with browser.chromium() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    people.account(folder, "ann", password=GOOD, role=Role.ADMIN, organisations=("acme",))
    people.account(folder, "x" * 64, organisations=("an organisation with a very long name " * 2,))
    with live.server(folder) as address:
        yield address


def log_in(page, site, then=""):
    page.goto(f"{site}/login?then={then}")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize("size", [browser.DESKTOP, browser.PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_pages_fit_and_everyone_can_use_them(chromium, site, size, dark):
    with browser.tab(chromium, size=size, dark=dark) as page:
        page.goto(f"{site}/login")
        looked_at = [page.url]
        assert browser.violations(page) == []
        assert browser.overflow(page) <= 0
        log_in(page, site, "/account")
        page.get_by_label("What for").fill("a program with a name that goes on and on and on and on and on")
        page.get_by_role("button", name="Make a token").click()
        assert page.locator("pre.secret").inner_text().startswith("bkf_")
        for path in ("", "/account", "/accounts"):
            if path:
                page.goto(site + path)
            looked_at.append(page.url)
            assert browser.violations(page) == [], page.url
            assert browser.overflow(page) <= 0, page.url
        assert len(set(looked_at)) == 4


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_one_logs_in_makes_a_token_revokes_it_and_logs_out_by_keyboard_alone(chromium, site, script):
    def press_through(page, name):
        """To the button or field of that name, by the tabulator."""
        wanted = page.get_by_label(name, exact=True).or_(page.get_by_role("button", name=name, exact=True))
        for _ in range(60):
            page.keyboard.press("Tab")
            if wanted.first.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"the keyboard does not reach {name}")

    with browser.tab(chromium, script=script) as page:
        page.goto(f"{site}/account")
        assert "/login" in page.url
        press_through(page, "Name")
        page.keyboard.type("ann")
        page.keyboard.press("Tab")
        page.keyboard.type(GOOD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{site}/account")
        press_through(page, "What for")
        page.keyboard.type("by keyboard")
        page.keyboard.press("Enter")
        page.get_by_text("it is not shown again").wait_for()
        press_through(page, "Revoke by keyboard")
        page.keyboard.press("Enter")
        page.get_by_text("The token is revoked.").wait_for()
        press_through(page, "Log out")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{site}/")
        page.goto(f"{site}/account")
        assert "/login" in page.url


def test_a_wrong_password_is_said_and_what_was_typed_stays(chromium, site):
    # Chromium tells its console of each refusal, so the tab is one that does not listen to it.
    page = chromium.new_page()
    page.goto(f"{site}/login")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password", exact=True).fill("wrong")
    with page.expect_response("**/login") as answered:
        page.get_by_role("button", name="Log in").click()
    assert answered.value.status == 401
    assert page.get_by_role("alert").inner_text() == "the name or the password is wrong"
    assert page.get_by_label("Name").input_value() == "ann"
    assert page.get_by_label("Password", exact=True).input_value() == ""
    page.close()


@contextmanager
def another_site(target):
    """A site elsewhere with forms that lead to ours; `localhost` is another site than 127.0.0.1."""
    forms = "".join(
        f'<form method="post" action="{target}{path}"><button>{path}</button></form>'
        for path in ("/logout", "/account/sessions/close", "/account/tokens/1/revoke")
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = f"<!doctype html><title>x</title><link rel=icon href=data:,>{forms}".encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("path", ["/logout", "/account/sessions/close", "/account/tokens/1/revoke"])
def test_a_form_of_another_site_is_refused_in_a_real_browser(chromium, site, path):
    context = chromium.new_context()
    page = context.new_page()
    log_in(page, site, "/account")
    page.wait_for_url(f"{site}/account")
    with another_site(site) as elsewhere:
        page.goto(elsewhere)
        with page.expect_response(f"**{path}") as answered:
            page.get_by_role("button", name=path).click()
        sent = answered.value.request.all_headers()
        assert (answered.value.status, sent["sec-fetch-site"]) == (403, "cross-site")
        # The browser kept the cookie back besides, as it was told to.
        assert "bakeoff" not in sent.get("cookie", "")
    page.goto(f"{site}/account")
    assert page.url == f"{site}/account"
    context.close()


def test_no_script_reads_the_cookie(chromium, site):
    with browser.tab(chromium) as page:
        log_in(page, site, "/account")
        page.wait_for_url(f"{site}/account")
        assert any(each["name"] == "bakeoff" and each["httpOnly"] for each in page.context.cookies())
        assert page.evaluate("document.cookie") == ""


def test_one_logs_in_at_a_provider_and_comes_back(chromium, tmp_path):
    with (
        provider() as there,
        live.server(tmp_path, oidc=Oidc(there.issuer, CLIENT, SECRET, "Example")) as own,
        browser.tab(chromium) as page,
    ):
        page.goto(f"{own}/account")
        assert browser.violations(page) == []
        page.get_by_role("link", name="Log in with Example").click()
        page.wait_for_url(f"{own}/account")
        assert page.get_by_role("heading", level=1).inner_text() == "ann@127.0.0.1"
        assert page.get_by_label("Password now").count() == 0
