"""Logging in at a provider, end to end, and all that must not count as that."""

import hashlib
import hmac
import re
import time
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from bakeoff.accounts import Role, accounts, disable, sessions_of
from bakeoff.database import reading
from bakeoff.web.settings import Oidc
from tests.servers.oidc_provider import CLIENT, SECRET, b64, jwt, key, provider
from tests.web import live, people


@contextmanager
def site(folder, there, **changes):
    """A client of an app that knows the provider; it follows nothing by itself."""
    oidc = Oidc(there.issuer, CLIENT, SECRET, "Example", **changes)
    with live.client(folder, oidc=oidc) as client:
        client.follow_redirects = False
        yield client


def sent_away(client, then="/account"):
    """To the provider: the address there."""
    answer = client.get("/login/oidc", params={"then": then})
    assert answer.status_code == 303
    return answer.headers["location"]


def sent_back(address):
    """What the provider sends back to us: path and query."""
    answer = httpx2.get(address)
    assert answer.status_code == 302
    back = urlsplit(answer.headers["location"])
    assert back.path == "/login/oidc/callback"
    return back


def log_in(client, then="/account"):
    back = sent_back(sent_away(client, then))
    return client.get(f"{back.path}?{back.query}")


def people_of(client):
    with reading(client.app.state.library.engine) as connection:
        return accounts(connection)


def nobody_is_logged_in(client):
    return client.get("/account").status_code == 303


def refused(client, answer, why, *, made=0):
    """It is a page that says why, nobody is logged in, and no account was made of it."""
    assert answer.status_code == 403
    assert re.search(f'class="problem"[^>]*>[^<]*{why}', answer.text), answer.text
    assert client.cookies.get("bakeoff") is None
    assert nobody_is_logged_in(client)
    assert len(people_of(client)) == made
    return True


def test_who_is_known_there_has_an_account_here_and_comes_back_to_where_they_were(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        answer = log_in(client, "/boards/x?sort=-score")
        assert (answer.status_code, answer.headers["location"]) == (303, "/boards/x?sort=-score")
        shown = client.get("/account")
        assert shown.status_code == 200
        assert "ann@127.0.0.1" in shown.text
        (ann,) = people_of(client)
        assert (ann.name, ann.role, ann.issuer) == ("ann@127.0.0.1", Role.MEMBER, there.issuer)
        # The second time it is the same account, and one discovery serves both.
        log_in(client)
        assert people_of(client) == (ann,)
        assert there.asked.count("/.well-known/openid-configuration") == 1


def test_what_is_sent_to_the_provider(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        address = urlsplit(sent_away(client))
        asked = {name: value for name, (value,) in parse_qs(address.query).items()}
        assert f"{address.scheme}://{address.netloc}{address.path}" == f"{there.issuer}/authorize"
        assert asked["redirect_uri"] == "http://127.0.0.1/login/oidc/callback"
        assert all(len(asked[name]) == 43 for name in ("state", "nonce", "code_challenge"))
        assert SECRET not in str(asked)
        again = {name: value for name, (value,) in parse_qs(urlsplit(sent_away(client)).query).items()}
        assert not {asked[name] for name in ("state", "nonce", "code_challenge")} & set(again.values())


def test_the_public_address_is_where_one_comes_back_to(tmp_path):
    with provider() as there:
        oidc = Oidc(there.issuer, CLIENT, SECRET)
        with live.client(tmp_path, oidc=oidc, address="https://boards.example.org/x/") as client:
            answer = client.get("/login/oidc", headers={"host": "10.0.0.1"}, follow_redirects=False)
            asked = parse_qs(urlsplit(answer.headers["location"]).query)
            assert asked["redirect_uri"] == ["https://boards.example.org/x/login/oidc/callback"]
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-bakeoff-login=")
            assert all(each in cookie for each in ("; HttpOnly", "; Secure", "; SameSite=lax", "; Path=/"))


def test_nothing_of_a_provider_is_there_without_one(tmp_path):
    with live.client(tmp_path) as client:
        assert client.get("/login/oidc").status_code == 404
        assert client.get("/login/oidc/callback").status_code == 404
        assert "/login/oidc" not in client.get("/login").text


@pytest.mark.parametrize(
    "then", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"]
)
def test_nobody_is_sent_elsewhere_afterwards(tmp_path, then):
    with provider() as there, site(tmp_path, there) as client:
        assert log_in(client, then).headers["location"] == "/"


@pytest.mark.parametrize("state", ["", "wrong", None])
def test_a_wrong_state_is_no_log_in(tmp_path, state):
    with provider() as there, site(tmp_path, there) as client:
        asked = {name: value for name, (value,) in parse_qs(sent_back(sent_away(client)).query).items()}
        asked = {**asked, "state": state} if state is not None else {"code": asked["code"]}
        assert refused(client, client.get("/login/oidc/callback", params=asked), "was not begun here")
        assert "/token" not in there.asked


def test_a_state_counts_once(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        away = client.get("/login/oidc")
        kept = client.cookies.get("bakeoff-login")
        back = sent_back(away.headers["location"])
        assert client.get(f"{back.path}?{back.query}").status_code == 303
        client.cookies.clear()
        client.cookies.set("bakeoff-login", kept)
        assert refused(client, client.get(f"{back.path}?{back.query}"), "was not begun here", made=1)
        # A failed try uses it up, too.
        client.cookies.clear()
        away = client.get("/login/oidc")
        back = sent_back(away.headers["location"])
        kept = client.cookies.get("bakeoff-login")
        client.get(f"{back.path}?state=wrong&code=x")
        client.cookies.clear()
        client.cookies.set("bakeoff-login", kept)
        assert refused(client, client.get(f"{back.path}?{back.query}"), "was not begun here", made=1)


def test_a_log_in_that_another_browser_began_is_none(tmp_path):
    """Somebody who sends a victim the end of their own log-in does not have them act in their name."""
    with provider() as there, site(tmp_path, there) as attacker:
        back = sent_back(sent_away(attacker))
        attacker.cookies.clear()
        assert refused(attacker, attacker.get(f"{back.path}?{back.query}"), "was not begun here")


def test_a_code_counts_once_and_for_its_own_verifier(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        first = parse_qs(sent_back(sent_away(client)).query)
        second = parse_qs(urlsplit(sent_away(client)).query)
        # The code of one log-in brought to the end of another: its verifier is another.
        stolen = {"code": first["code"][0], "state": second["state"][0]}
        assert refused(client, client.get("/login/oidc/callback", params=stolen), "invalid_grant")
        log_in(client)
        client.cookies.clear()
        third = parse_qs(urlsplit(sent_away(client)).query)
        used = {"code": first["code"][0], "state": third["state"][0]}
        assert refused(client, client.get("/login/oidc/callback", params=used), "invalid_grant", made=1)


def test_the_answer_of_another_provider_is_none(tmp_path):
    """RFC 9207: who answers says who they are."""
    with provider() as there, site(tmp_path, there) as client:
        asked = {name: value for name, (value,) in parse_qs(sent_back(sent_away(client)).query).items()}
        answer = client.get("/login/oidc/callback", params=asked | {"iss": "https://evil.example"})
        assert refused(client, answer, "another provider")
        assert "/token" not in there.asked


def test_what_the_provider_refuses_is_said_without_its_markup(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        state = parse_qs(urlsplit(sent_away(client)).query)["state"][0]
        hostile = {"state": state, "error": "access_denied<script>\u202e\x1b", "error_description": "<b>x"}
        answer = client.get("/login/oidc/callback", params=hostile)
        assert refused(client, answer, "Example says: access_denied&lt;script&gt;")
        assert "<script>\u202e" not in answer.text


FAR = 10_000
SPOILT = {
    "nonce": lambda claims: claims | {"nonce": "another"},
    "no nonce": lambda claims: {name: each for name, each in claims.items() if name != "nonce"},
    "issuer": lambda claims: claims | {"iss": "https://evil.example"},
    "issuer with a slash": lambda claims: claims | {"iss": claims["iss"] + "/"},
    "no issuer": lambda claims: {name: each for name, each in claims.items() if name != "iss"},
    "audience": lambda claims: claims | {"aud": "another-client"},
    "no audience": lambda claims: {name: each for name, each in claims.items() if name != "aud"},
    "two audiences, none acting": lambda claims: claims | {"aud": [CLIENT, "another"]},
    "two audiences, another acting": lambda claims: claims | {"aud": [CLIENT, "another"], "azp": "another"},
    "expired": lambda claims: claims | {"exp": int(time.time()) - FAR},
    "no expiry": lambda claims: {name: each for name, each in claims.items() if name != "exp"},
    "expiry that is no number": lambda claims: claims | {"exp": "tomorrow"},
    "not yet": lambda claims: claims | {"nbf": int(time.time()) + FAR},
    "from the future": lambda claims: claims | {"iat": int(time.time()) + FAR},
    "no subject": lambda claims: {name: each for name, each in claims.items() if name != "sub"},
    "subject that is no text": lambda claims: claims | {"sub": 7},
    "subject of nothing": lambda claims: claims | {"sub": ""},
    "subject without end": lambda claims: claims | {"sub": "x" * 256},
    "subject of two lines": lambda claims: claims | {"sub": ["a", "b"]},
    "another access token": lambda claims: claims | {"at_hash": b64(b"x" * 16)},
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_statement_that_is_not_for_this_log_in_is_not_believed(tmp_path, spoilt):
    with provider(spoil=SPOILT[spoilt]) as there, site(tmp_path, there) as client:
        why = (
            "cannot be believed" if "subject" not in spoilt else "who it is|a subject has|cannot be believed"
        )
        assert refused(client, log_in(client), why)


def _none(there, claims):
    return jwt({"alg": "none"}, claims, lambda _: b"")


def _none_with_its_key(there, claims):
    return jwt({"alg": "none", "kid": there.key.kid}, claims, there.key.sign)


def _shared(secret):
    def stated(there, claims):
        shared = secret(there)
        return jwt(
            {"alg": "HS256", "kid": there.key.kid},
            claims,
            lambda data: hmac.digest(shared, data, hashlib.sha256),
        )

    return stated


def _other_key(there, claims):
    return jwt({"alg": "RS256", "kid": there.key.kid}, claims, key("other").sign)


def _brought_along(there, claims):
    """A key that the statement itself says where to find."""
    return jwt({"alg": "RS256", "kid": "own", "jku": f"{there.issuer}/own"}, claims, key("own").sign)


def _changed(there, claims):
    head, _, rest = jwt({"alg": "RS256", "kid": there.key.kid}, claims, there.key.sign).partition(".")
    body, _, signature = rest.partition(".")
    return f"{head}.{b64(b'{}')}.{signature}" if body else ""


FORGED = {
    "alg none": _none,
    "alg none, signed": _none_with_its_key,
    "HS256 by the client's secret": _shared(lambda there: SECRET.encode()),
    "HS256 by the public key": _shared(lambda there: there.key.public["n"].encode()),
    "another key": _other_key,
    "a key of its own": _brought_along,
    "changed": _changed,
    "no statement": lambda there, claims: "",
    "nonsense": lambda there, claims: "a.b.c",
    "no text": lambda there, claims: {"sub": "s-1"},
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_statement_that_the_provider_did_not_sign_is_not_believed(tmp_path, forged):
    with provider(stated=FORGED[forged]) as there, site(tmp_path, there) as client:
        assert refused(client, log_in(client), "cannot be believed|who it is")


def test_a_new_key_of_the_provider_is_looked_for_and_an_unknown_one_not_time_and_again(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        assert log_in(client).status_code == 303
        client.app.state.provider._keys_asked -= 120
        there.key = key("two")
        assert log_in(client).status_code == 303
        assert there.asked.count("/jwks") == 2
        client.cookies.clear()
        there.published, there.key = [there.key.public], key("three")
        for _ in range(3):
            refused(client, log_in(client), "cannot be believed", made=1)
        assert there.asked.count("/jwks") == 2


@pytest.mark.parametrize(
    "about",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": "http://evil.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": ""},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "http://127.0.0.1.evil.example/"},
        {"token_endpoint": "http://[::1"},
    ],
)
def test_a_provider_that_is_not_what_it_should_be_is_not_gone_to(tmp_path, about):
    with provider(about=about) as there, site(tmp_path, there) as client:
        answer = client.get("/login/oidc")
        assert answer.status_code == 502
        assert nobody_is_logged_in(client)


def test_a_provider_that_does_not_answer_is_said_to(tmp_path):
    with provider() as there:
        gone = there.issuer
    with live.client(tmp_path, oidc=Oidc(gone, CLIENT, SECRET, "Example")) as client:
        answer = client.get("/login/oidc")
        assert (answer.status_code, "Example does not answer" in answer.text) == (502, True)
        assert SECRET not in answer.text


@pytest.mark.parametrize(
    ("claims", "let_in"),
    [
        ({"email": "ann@example.org", "email_verified": True}, True),
        ({"email": "ann@EXAMPLE.org", "email_verified": True}, True),
        ({"email": "ann@example.org", "email_verified": False}, False),
        ({"email": "ann@example.org", "email_verified": "true"}, False),
        ({"email": "ann@example.org"}, False),
        ({"email": "ann@sub.example.org", "email_verified": True}, False),
        ({"email": "ann@example.org.evil.com", "email_verified": True}, False),
        ({"email": "ann@evil.com@example.org ", "email_verified": True}, False),
        ({"email": ["ann@example.org"], "email_verified": True}, False),
        ({}, False),
    ],
)
def test_only_people_of_the_domains_are_let_in(tmp_path, claims, let_in):
    person = {"sub": "s-1", "preferred_username": "ann", **claims}
    with provider(person=person) as there, site(tmp_path, there, domains=("Example.org",)) as client:
        answer = log_in(client)
        if let_in:
            assert answer.status_code == 303
            assert len(people_of(client)) == 1
        else:
            assert refused(client, answer, "some domains alone")


def test_what_is_told_only_when_asked_once_more_counts_for_the_same_person_alone(tmp_path):
    more = {"sub": "s-1", "email": "ann@example.org", "email_verified": True, "preferred_username": "ann"}
    known = {"domains": ("example.org",)}
    with provider(person={"sub": "s-1"}, userinfo=more) as there, site(tmp_path, there, **known) as client:
        assert log_in(client).status_code == 303
        assert [each.name for each in people_of(client)] == ["ann@127.0.0.1"]
        client.cookies.clear()
        there.userinfo = more | {"sub": "s-2"}
        assert refused(client, log_in(client), "some domains alone", made=1)


@pytest.mark.parametrize(
    ("groups", "role"),
    [
        (["staff", "boards-mod"], Role.MODERATOR),
        (["boards-admin", "boards-mod"], Role.ADMIN),
        (["staff"], Role.MEMBER),
        ([], Role.MEMBER),
        (None, Role.MEMBER),
        ("boards-admin", Role.MEMBER),
        ({"boards-admin": True}, Role.MEMBER),
        ([["boards-admin"], {"a": 1}], Role.MEMBER),
    ],
)
def test_groups_give_roles_at_each_log_in(tmp_path, groups, role):
    roles = (("boards-mod", Role.MODERATOR), ("boards-admin", Role.ADMIN))
    person = {"sub": "s-1", "preferred_username": "ann", "email": "a@b.c"}
    with provider(person=person | {"groups": groups}) as there, site(tmp_path, there, roles=roles) as client:
        log_in(client)
        assert people_of(client)[0].role is role
        there.person = person | {"groups": ["boards-mod"]}
        log_in(client)
        assert people_of(client)[0].role is Role.MODERATOR


def test_who_is_disabled_here_is_not_let_in_from_there(tmp_path):
    with provider() as there, site(tmp_path, there) as client:
        log_in(client)
        assert client.get("/account").status_code == 200
        with client.app.state.library.write() as connection:
            disable(connection, "ann@127.0.0.1", actor="root", reason="gamed the board")
        assert nobody_is_logged_in(client)
        client.cookies.clear()
        assert refused(client, log_in(client), "is disabled", made=1)


def test_a_log_in_there_ends_the_session_that_was_here(tmp_path):
    people.account(tmp_path, "bob")
    with provider() as there, site(tmp_path, there) as client:
        people.log_in(client, tmp_path, "bob")
        planted = client.cookies.get("bakeoff")
        log_in(client)
        fresh = client.cookies.get("bakeoff", domain="127.0.0.1") or client.cookies.get("bakeoff")
        assert fresh != planted
        bob = next(each for each in people_of(client) if each.name == "bob")
        with reading(client.app.state.library.engine) as connection:
            assert sessions_of(connection, bob) == ()
