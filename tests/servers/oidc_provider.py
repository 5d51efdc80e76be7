"""An OpenID provider on the loopback, strict as the standards are, which can be told to misbehave.

It signs with `cryptography` by hand, so that what checks its statements is another implementation.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

CLIENT, SECRET = "bakeoff-client", "s3cret /+&="
Claims = dict[str, Any]


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int) -> str:
    return b64(value.to_bytes((value.bit_length() + 7) // 8))


def jwt(header: Claims, claims: Claims, sign: Callable[[bytes], bytes]) -> str:
    signed = ".".join(b64(json.dumps(each).encode()) for each in (header, claims)).encode()
    return f"{signed.decode()}.{b64(sign(signed))}"


class Key:
    """A pair of keys of RSA, and its name."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self._private = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    @property
    def public(self) -> dict[str, str]:
        numbers = self._private.public_key().public_numbers()
        return {
            "kty": "RSA",
            "use": "sig",
            "kid": self.kid,
            "n": _number(numbers.n),
            "e": _number(numbers.e),
        }

    def sign(self, data: bytes) -> bytes:
        return self._private.sign(data, padding.PKCS1v15(), hashes.SHA256())


@cache
def key(name: str) -> Key:
    """A key that is made once: that takes a while."""
    return Key(name)


@dataclass
class Provider:
    """`person` is who is logged in there. `spoil` changes the claims before they are signed, `stated` makes
    the whole statement instead, and `about` changes what the provider says of itself. `asked` are the paths
    that were asked for.
    """

    issuer: str = ""
    person: Claims = field(default_factory=lambda: {"sub": "s-1", "preferred_username": "Ann"})
    userinfo: Claims = field(default_factory=dict)
    spoil: Callable[[Claims], Claims] = lambda claims: claims
    stated: Callable[["Provider", Claims], str] | None = None
    about: Claims = field(default_factory=dict)
    key: Key = field(default_factory=lambda: key("one"))
    published: list[dict[str, str]] | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def metadata(self) -> Claims:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        } | self.about

    def authorize(self, query: dict[str, str]) -> str:
        assert query["response_type"] == "code"
        assert "openid" in query["scope"].split()
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        back = {"code": code, "state": query["state"], "iss": self.issuer}
        return f"{query['redirect_uri']}?{urlencode(back)}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, Claims]:
        given = f"{quote(CLIENT, safe='')}:{quote(SECRET, safe='')}"
        plain = f"{CLIENT}:{SECRET}"
        accepted = {f"Basic {base64.b64encode(each.encode()).decode()}" for each in (given, plain)}
        if authorization not in accepted:
            return 401, {"error": "invalid_client"}
        query = self.codes.pop(form.get("code", ""), None)
        challenge = b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            query is None
            or form.get("grant_type") != "authorization_code"
            or query["redirect_uri"] != form.get("redirect_uri")
            or query["code_challenge"] != challenge
        ):
            return 400, {"error": "invalid_grant"}
        access, now = secrets.token_urlsafe(16), int(time.time())
        claims = self.spoil(
            {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": query["nonce"]}
            | {"at_hash": b64(hashlib.sha256(access.encode()).digest()[:16])}
            | self.person
        )
        header = {"alg": "RS256", "kid": self.key.kid}
        stated = self.stated(self, claims) if self.stated else jwt(header, claims, self.key.sign)
        return 200, {"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": stated}


@contextmanager
def provider(**changes: Any) -> Iterator[Provider]:
    """A provider that runs."""
    made = Provider(**changes)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            made.asked.append(parts.path)
            match parts.path:
                case "/.well-known/openid-configuration":
                    self._say(200, made.metadata())
                case "/authorize":
                    self.send_response(302)
                    self.send_header("location", made.authorize(_flat(parts.query)))
                    self.end_headers()
                case "/jwks":
                    keys = made.published if made.published is not None else [made.key.public]
                    self._say(200, {"keys": keys})
                case "/userinfo":
                    self._say(200, made.userinfo or {"sub": made.person["sub"]})
                case _:
                    self._say(404, {})

        def do_POST(self) -> None:
            made.asked.append(self.path)
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._say(*made.token(_flat(body), self.headers.get("authorization", "")))

        def _say(self, status: int, value: Claims) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}
