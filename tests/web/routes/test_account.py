"""The page of one's account: tokens, sessions, the password; and that it is open to nobody else."""

import html
import re

import pytest
from sqlalchemy import update

from bakeoff.accounts import Role, add, by_name, grant, open_session, sessions_of, tokens_of
from bakeoff.database.tables import session
from tests.accounts.fixtures import GOOD
from tests.web import live, people

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> {{ 7*7 }}"


@pytest.fixture
def tokens(tmp_path):
    """The text of a token of each account."""
    return {
        "ann": people.account(tmp_path, "ann", password=GOOD, organisations=("acme", "org0")),
        "bob": people.account(tmp_path, "bob", password=GOOD),
        "root": people.account(tmp_path, "root", role=Role.ADMIN),
    }


@pytest.fixture
def client(tmp_path, tokens):
    """Ann's browser."""
    with live.client(tmp_path) as found:
        found.follow_redirects = False
        people.log_in(found, tmp_path, "ann")
        yield found


def library(client):
    return client.app.state.library


def made(client, label="nightly", days="30"):
    answer = client.post("/account/tokens", data={"label": label, "days": days})
    return answer, re.findall(r"bkf_[\w-]{43}", answer.text)


def test_the_page_says_who_one_is(client):
    text = client.get("/account").text
    for each in ("ann", "member", "acme", "org0", "this one"):
        assert each in text
    assert "All accounts" not in text


def test_a_token_is_shown_once_and_acts_for_its_account(client, tmp_path):
    answer, (text,) = made(client)
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert "not shown again" in answer.text
    later = client.get("/account").text
    assert "nightly" in later
    assert text not in later
    assert text[4:] not in later
    client.cookies.clear()
    assert 'class="who" href="/account"><bdi>ann</bdi>' in client.get("/", headers=people.by_token(text)).text


@pytest.mark.parametrize(
    ("label", "days", "status"),
    [
        ("", "30", 422),
        ("  ", "30", 400),
        ("x" * 81, "30", 400),
        ("x" * 400, "30", 422),
        ("a\u202eb", "30", 400),
        ("a\0b", "30", 400),
        ("ci", "0", 400),
        ("ci", "-1", 400),
        ("ci", "367", 400),
        ("ci", "9" * 400, 400),
        ("ci", "ten", 422),
        ("ci", "1.5", 422),
        ("ci", "", 422),
    ],
)
def test_a_token_that_is_none_is_a_mistake_that_is_said(client, label, days, status):
    answer, found = made(client, label, days)
    assert (answer.status_code, found) == (status, [])
    with library(client).read() as connection:
        assert len(tokens_of(connection, by_name(connection, "ann"))) == 1


def test_a_label_is_text_whatever_it_holds(client):
    answer, found = made(client, HOSTILE)
    assert (answer.status_code, len(found)) == (201, 1)
    for text in (answer.text, client.get("/account").text):
        assert "<script>alert" not in text
        assert "<img" not in text
        assert html.escape(HOSTILE, quote=False).split(" ")[0] in text.replace("&#34;", '"').replace(
            "&#39;", "'"
        )


def test_names_that_others_gave_are_text_whatever_they_hold(client, tmp_path):
    with library(client).write() as connection:
        grant(connection, "root", HOSTILE, actor="root")
        add(connection, "eve", display="<script>alert(2)</script>", actor="root")
    client.cookies.clear()
    people.log_in(client, tmp_path, "root")
    for path in ("/account", "/accounts"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "{{ 7*7 }}" in text


def test_a_revoked_token_is_refused(client, tokens):
    with library(client).read() as connection:
        (token,) = tokens_of(connection, by_name(connection, "ann"))
    answer = client.post(f"/account/tokens/{token.id}/revoke")
    assert answer.headers["location"] == "/account?done=revoked#tokens"
    assert "The token is revoked." in client.get("/account?done=revoked").text
    refused = client.get("/", headers=people.by_token(tokens["ann"]))
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, 'Bearer error="invalid_token"')


def test_what_was_done_is_said_in_our_words_alone(client):
    assert "evil" not in client.get("/account?done=evil").text


def test_nobody_touches_what_is_another_accounts(client, tokens):
    """Numbers and digests of others are of no use (IDOR)."""
    with library(client).write() as connection:
        bob = by_name(connection, "bob")
        open_session(connection, bob)
        (session,), (token,) = sessions_of(connection, bob), tokens_of(connection, bob)
    assert client.post(f"/account/tokens/{token.id}/revoke").status_code == 400
    assert client.post("/account/sessions/close", data={"session": session.digest}).status_code == 303
    client.post("/account/sessions/close")
    with library(client).read() as connection:
        assert sessions_of(connection, bob) == (session,)
        assert tokens_of(connection, bob) == (token,)


@pytest.mark.parametrize("number", ["0", "-1", str(2**63), "9" * 50])
def test_a_number_that_is_no_token_is_a_mistake(client, number):
    assert client.post(f"/account/tokens/{number}/revoke").status_code == 400


def test_other_sessions_are_closed_one_by_one_and_all_at_once(client):
    with library(client).write() as connection:
        ann = by_name(connection, "ann")
        for _ in range(3):
            open_session(connection, ann)
        here = sessions_of(connection, ann)
    text = client.get("/account").text
    assert text.count(">this one</td>") == 1
    shown = re.findall(r'name="session" value="(sha256:[0-9a-f]{64})"', text)
    assert len(shown) == 3
    client.post("/account/sessions/close", data={"session": shown[0]})
    with library(client).read() as connection:
        assert {each.digest for each in here} - {each.digest for each in sessions_of(connection, ann)} == {
            shown[0]
        }
    assert client.post("/account/sessions/close").headers["location"] == "/account?done=closed#sessions"
    assert client.get("/account").status_code == 200
    with library(client).read() as connection:
        assert len(sessions_of(connection, ann)) == 1


def test_the_password_is_changed_by_who_knows_it(client):
    def changed(now, then):
        return client.post("/account/password", data={"now": now, "then": then})

    with library(client).write() as connection:
        open_session(connection, by_name(connection, "ann"))
    for now, then, said in (
        ("wrong wrong wrong", GOOD + " new", "the password now is another"),
        (GOOD, "hunter2", "15 is the least"),
    ):
        refused = changed(now, then)
        assert refused.status_code == 400
        assert said in refused.text
        assert then not in refused.text
    before = client.cookies.get("bakeoff")
    done = changed(GOOD, GOOD + " new")
    assert (done.status_code, done.headers["location"]) == (303, "/account?done=password")
    with library(client).read() as connection:
        assert len(sessions_of(connection, by_name(connection, "ann"))) == 1
    client.cookies.clear()
    client.cookies.set("bakeoff", before)
    assert client.get("/account").status_code == 303


def test_a_browser_left_open_does_not_serve_to_guess_the_password(client):
    answers = [
        client.post("/account/password", data={"now": f"wrong {each}", "then": GOOD}).status_code
        for each in range(12)
    ]
    assert answers == [400] * 10 + [429] * 2


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/account"),
        ("POST", "/account/tokens"),
        ("POST", "/account/tokens/1/revoke"),
        ("POST", "/account/sessions/close"),
        ("POST", "/account/password"),
        ("GET", "/accounts"),
    ],
)
def test_a_token_does_not_open_the_account_itself(client, tokens, method, path):
    """One that leaked makes no others, and hides no trace of itself."""
    client.cookies.clear()
    sent = {"label": "x", "days": "9", "now": GOOD, "then": GOOD + "x"} if method == "POST" else None
    for name in ("ann", "root"):
        answer = client.request(method, path, data=sent, headers=people.by_token(tokens[name]))
        assert answer.status_code == 403
        assert "token cannot change" in answer.text
    # Without anything one is led to the log-in, or told.
    assert client.request(method, path, data=sent).status_code == (303 if method == "GET" else 401)


def test_a_token_beside_a_cookie_decides(client, tokens):
    shown = client.get("/", headers=people.by_token(tokens["bob"])).text
    assert "<bdi>bob</bdi>" in shown
    assert client.get("/", headers=people.by_token("bkf_wrong")).status_code == 401


def test_admins_alone_see_the_accounts(client, tmp_path):
    assert client.get("/accounts").status_code == 403
    client.cookies.clear()
    people.log_in(client, tmp_path, "root")
    answer = client.get("/accounts")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    for each in ("ann", "bob", "root", "acme, org0", "by password", "by token alone"):
        assert each in answer.text
    assert "argon2" not in answer.text
    assert "All accounts" in client.get("/account").text


def test_no_secret_is_anywhere_in_the_database(client, tmp_path, tokens):
    """Not in a table, not in the log, not in what was deleted: the whole file is searched."""
    _, (token,) = made(client, "a label")
    client.post("/login", data={"name": "bob", "password": GOOD})
    secrets = [token, *tokens.values(), *(each.value for each in client.cookies.jar), GOOD]
    client.post("/logout")
    assert len({len(each) for each in secrets}) > 1
    files = list(tmp_path.glob("bakeoff.db*"))
    assert files
    for file in files:
        content = file.read_bytes()
        for secret in secrets:
            assert secret.encode() not in content
            assert secret.removeprefix("bkf_").encode() not in content


def test_use_of_a_token_and_of_a_session_is_noted(client, tokens):
    client.get("/", headers=people.by_token(tokens["bob"]))
    with library(client).read() as connection:
        (token,) = tokens_of(connection, by_name(connection, "bob"))
        assert token.last_used is not None
    with library(client).write() as connection:
        connection.execute(update(session).values(seen=session.c.seen - 7200))
        (before,) = sessions_of(connection, by_name(connection, "ann"))
    client.get("/account")
    with library(client).read() as connection:
        (after,) = sessions_of(connection, by_name(connection, "ann"))
    assert after.seen > before.seen + 7000
    assert after.expires == before.expires
