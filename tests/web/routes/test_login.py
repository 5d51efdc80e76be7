"""Logging in and out by a password, and what must not come of it."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.accounts import Role, disable, set_password, set_role
from bakeoff.accounts.passwords import check_password
from bakeoff.web.pages.login import local_path
from bakeoff.web.routes import login as module
from tests.accounts.fixtures import GOOD
from tests.web import live, people

ELSEWHERE = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}


@pytest.fixture
def client(tmp_path):
    people.account(tmp_path, "ann", password=GOOD)
    people.account(tmp_path, "bob", password=GOOD + " two")
    with live.client(tmp_path) as found:
        found.follow_redirects = False
        yield found


def log_in(client, name="ann", password=GOOD, **more):
    return client.post("/login", data={"name": name, "password": password, **more})


def write(client):
    return client.app.state.library.write()


def test_who_knows_the_password_is_known_until_they_log_out(client):
    assert client.get("/account").headers["location"] == "/login?then=%2Faccount"
    answer = log_in(client, then="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    shown = client.get("/account")
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
    assert "<h1><bdi>ann</bdi></h1>" in shown.text
    assert client.get("/login").headers["location"] == "/account"
    cookie = client.cookies.get("bakeoff")
    out = client.post("/logout")
    assert (out.status_code, out.headers["location"]) == (303, "/")
    assert client.cookies.get("bakeoff") is None
    # The session is over, and not only forgotten by this browser.
    client.cookies.set("bakeoff", cookie)
    assert client.get("/account").status_code == 303


def test_a_wrong_password_and_an_unknown_name_are_told_alike(client):
    answers = [log_in(client, name, "wrong password wrong") for name in ("ann", "nobody")]
    assert [each.status_code for each in answers] == [401, 401]
    told = {each.text.replace("nobody", "ann") for each in answers}
    assert len(told) == 1
    assert "the name or the password is wrong" in told.pop()
    assert client.cookies.get("bakeoff") is None


def test_what_was_typed_is_kept_but_for_the_password(client):
    answer = log_in(client, '"><script>x</script>', "hunter2hunter2hunter2", then="/account")
    assert answer.status_code == 401
    assert "hunter2" not in answer.text
    assert "<script>x" not in answer.text
    assert 'name="then" value="/account"' in answer.text


@pytest.mark.parametrize(
    "sent", [{}, {"name": "ann"}, {"password": GOOD}, {"name": "a" * 201, "password": "x"}]
)
def test_a_form_with_less_or_more_is_a_mistake_and_not_a_fault(client, sent):
    assert client.post("/login", data=sent).status_code == 422


@pytest.mark.parametrize("name", ["ann\0", "\x7f", "' OR 1=1 --", "ann;--", "a%00", "ÄNN", "\u212a"])
def test_odd_names_are_nobody(client, name):
    assert log_in(client, name).status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_of_forms_of_others(client):
    cookie = log_in(client).headers["set-cookie"]
    assert re.fullmatch(r"bakeoff=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax", cookie)


def test_with_https_it_is_bound_to_the_host_and_to_https(tmp_path):
    people.account(tmp_path, "ann", password=GOOD)
    with live.client(tmp_path, address="https://boards.example.org") as client:
        client.follow_redirects = False
        cookie = log_in(client).headers["set-cookie"]
        assert re.fullmatch(
            r"__Host-bakeoff=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax; Secure", cookie
        )
        # A cookie of the plain name, which another host could have set, says nothing there.
        secret = re.search(r"=([\w-]{43})", cookie)[1]
        client.cookies.clear()
        assert client.get("/account", headers={"cookie": f"bakeoff={secret}"}).status_code == 303
        assert client.get("/account", headers={"cookie": f"__Host-bakeoff={secret}"}).status_code == 200


def test_a_session_that_was_planted_before_the_log_in_is_not_the_one_after_it(client, tmp_path):
    """Session fixation: whoever knows the cookie from before knows nothing of the session."""
    client.cookies.set("bakeoff", "planted-by-somebody-else-0123456789abcdefgh")
    secret = re.search(r"bakeoff=([\w-]{43})", log_in(client).headers["set-cookie"])[1]
    client.cookies.clear()
    client.cookies.set("bakeoff", "planted-by-somebody-else-0123456789abcdefgh")
    assert client.get("/account").status_code == 303
    client.cookies.clear()
    # Nor if the one before was a session: of another account, or of the same.
    for name in ("bob", "ann"):
        people.log_in(client, tmp_path, name)
        before = client.cookies.get("bakeoff")
        after = re.search(r"bakeoff=([\w-]{43})", log_in(client).headers["set-cookie"])[1]
        assert after not in (before, secret)
        client.cookies.clear()
        client.cookies.set("bakeoff", before)
        assert client.get("/account").status_code == 303
        client.cookies.clear()


def test_a_disabled_account_is_logged_out_at_once_and_cannot_log_in(client):
    log_in(client)
    assert client.get("/account").status_code == 200
    with write(client) as connection:
        disable(connection, "ann", actor="root", reason="left")
    assert client.get("/account").status_code == 303
    client.cookies.clear()
    assert log_in(client).status_code == 401


def test_a_new_password_logs_others_out(client):
    log_in(client)
    with write(client) as connection:
        set_password(connection, "ann", GOOD + " three", actor="root")
    assert client.get("/account").status_code == 303


@pytest.mark.parametrize(
    "path",
    ["/login", "/logout", "/account/tokens", "/account/tokens/1/revoke", "/account/sessions/close",
     "/account/password"],
)  # fmt: skip
def test_a_form_of_another_site_does_nothing(client, path):
    log_in(client)
    sent = {"name": "bob", "password": GOOD + " two", "label": "x", "days": "9", "now": GOOD, "then": GOOD}
    for headers in (ELSEWHERE, {"sec-fetch-site": "same-site"}, {"origin": "null"}):
        assert client.post(path, data=sent, headers=headers).status_code == 403
    shown = client.get("/account").text
    assert "<h1><bdi>ann</bdi></h1>" in shown
    assert "no longer taken" not in shown


@pytest.mark.parametrize(
    "then", ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "/\n/x"]
)
def test_nobody_is_sent_elsewhere_after_the_log_in(client, then):
    assert log_in(client, then=then).headers["location"] == "/"
    assert client.get("/login", params={"then": then}).headers["location"] == "/account"


@given(st.text())
def test_where_one_goes_on_to_is_a_path_of_this_site_or_nowhere(text):
    for each in (text, "/" + text, "//" + text, "/\\" + text):
        path = local_path(each)
        if path:
            assert path == each
            assert urlsplit(urljoin("https://boards.example.org/login", path)).netloc == "boards.example.org"


def test_five_hundred_wrong_passwords_are_ten_tries_and_lock_nobody_else_out(client, monkeypatch):
    made = []
    monkeypatch.setattr(
        module, "check_password", lambda *given: made.append(given[1:]) or check_password(*given)
    )
    answers = [log_in(client, "ann", f"wrong {number} wrong wrong") for number in range(500)]
    assert [each.status_code for each in answers] == [401] * 10 + [429] * 490
    assert len(made) == 10
    assert all(0 < int(each.headers["retry-after"]) <= 15 * 60 for each in answers[10:])
    # Not even the right one now, from there; somebody else from there, and the same from elsewhere, may.
    assert log_in(client).status_code == 429
    assert log_in(client, "bob", GOOD + " two").status_code == 303
    client.cookies.clear()
    with live.TestClient(client.app, base_url="http://127.0.0.1", client=("198.51.100.9", 1)) as other:
        other.follow_redirects = False
        assert log_in(other).status_code == 303


def test_wrong_passwords_at_once_are_no_way_round(client):
    """Two are looked at at a time, and of those that come together ten count."""

    async def storm():
        transport = httpx2.ASGITransport(client.app, client=("203.0.113.7", 1))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as many:
            sent = {"name": "ann", "password": "wrong wrong wrong"}
            return await asyncio.gather(*(many.post("/login", data=sent) for _ in range(40)))

    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(asyncio.run, storm()).result()
    assert sorted(each.status_code for each in answers) == [401] * 10 + [429] * 30


def test_writes_of_one_visitor_have_a_limit(client):
    log_in(client)
    answers = [client.post("/account/sessions/close").status_code for _ in range(33)]
    assert answers == [303] * 30 + [429] * 3
    assert client.get("/account").status_code == 200


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.binary(max_size=200), st.sampled_from(["cookie", "authorization"]))
def test_whatever_a_header_holds_it_is_nobody(client, data, header):
    data = data.replace(b"\0", b"").replace(b"\r", b"").replace(b"\n", b"").strip()
    prefix = b"bakeoff=" if header == "cookie" else b"Bearer bkf_"
    answer = client.get("/account", headers=[(header.encode(), prefix + data)])
    assert answer.status_code in (303, 401)


def test_a_page_for_somebody_is_kept_by_nobody_else(client):
    log_in(client)
    for path in ("/", "/account", "/no-such-page"):
        answer = client.get(path)
        assert "private" in answer.headers["cache-control"] or "no-store" in answer.headers["cache-control"]
        assert "Cookie" in answer.headers["vary"]
    assert 'class="who" href="/account"' in client.get("/").text
    client.cookies.clear()
    assert "ann" not in client.get("/").text


def test_roles_are_as_they_are_now_and_not_as_they_were_at_the_log_in(client):
    log_in(client)
    assert client.get("/accounts").status_code == 403
    with write(client) as connection:
        set_role(connection, "ann", Role.ADMIN, actor="root")
    assert client.get("/accounts").status_code == 200
    with write(client) as connection:
        set_role(connection, "ann", Role.MODERATOR, actor="root")
    assert client.get("/accounts").status_code == 403
