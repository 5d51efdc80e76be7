"""A provider of identities: OpenID Connect Core 1.0, the code flow, with PKCE (RFC 7636).

What is believed is what the provider signed, for us, for this log-in, and lately.
"""

import time
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bakeoff.accounts import Identity, Role
from bakeoff.errors import BakeoffError
from bakeoff.web.errands import Errand
from bakeoff.web.settings import Oidc

if TYPE_CHECKING:
    from collections.abc import Mapping
    from ssl import SSLContext

    from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]

SIGNED_BY = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
    "EdDSA",
)
"""Signatures with a key that only the provider has: not `none`, and none with a secret that is shared."""
LEEWAY_S = 60
"""By which clocks may differ."""
_TIMEOUT_S = 10.0
_KEPT_S = 3600.0
_KEYS_S = 60.0
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_AGAIN = "try again; if it stays so, tell who runs this site"


class LoginError(BakeoffError):
    """A log-in at the provider that does not count, and why."""


class Provider:
    """One provider; what it says of itself and its keys are kept for an hour."""

    def __init__(self, oidc: Oidc) -> None:
        _check_address(oidc.issuer)
        self._oidc = oidc
        self._about: dict[str, Any] = {}
        self._asked = float("-inf")
        self._keys: dict[str, Any] = {}
        self._keys_asked = float("-inf")

    async def start(self, errand: Errand, back: str) -> str:
        """The address at the provider where somebody logs in; they come back to `back`.

        Raises:
            LoginError: the provider cannot be reached, or does not say what it must.
        """
        async with self._client(back) as client:
            about = await self._metadata(client)
            address, _ = client.create_authorization_url(
                about["authorization_endpoint"],
                state=errand.state,
                nonce=errand.nonce,
                code_verifier=errand.verifier,
            )
        return str(address)

    async def identity(self, errand: Errand, back: str, said: "Mapping[str, str]") -> Identity:
        """Who came back, where the provider says so; `said` is what it gave them to bring.

        Raises:
            LoginError: it does not say so, not in a way that can be believed, or they are not let in.
        """
        if said.get("iss", self._oidc.issuer) != self._oidc.issuer:  # RFC 9207
            raise LoginError("the answer is another provider's", _AGAIN)
        if "code" not in said:
            raise LoginError(f"{self._oidc.name} says: {_code(said.get('error', ''))}", _AGAIN)
        async with self._client(back) as client:
            about = await self._metadata(client)
            token = await self._token(client, about, said["code"], errand)
            claims = await self._claims(client, about, token, errand.nonce)
            claims = await self._more(client, about, token, claims)
        self._check_domain(claims)
        return _identity(self._oidc, claims)

    def _client(self, back: str) -> "AsyncOAuth2Client":
        from authlib.integrations.httpx_client import AsyncOAuth2Client

        return AsyncOAuth2Client(
            self._oidc.client_id,
            self._oidc.secret,
            scope="openid profile email",
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=_TIMEOUT_S,
            follow_redirects=False,
            verify=_tls(),
        )

    async def _metadata(self, client: "AsyncOAuth2Client") -> dict[str, Any]:
        if time.monotonic() - self._asked > _KEPT_S:
            address = f"{self._oidc.issuer.rstrip('/')}/.well-known/openid-configuration"
            about = await self._asked_for(client, address)
            if about.get("issuer") != self._oidc.issuer:
                raise LoginError(
                    f"{self._oidc.issuer} calls itself {str(about.get('issuer'))[:200]!r}",
                    "give its own name, to the letter, as --oidc-issuer",
                )
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                _check_address(str(about.get(name, "")))
            self._about, self._asked = about, time.monotonic()
        return self._about

    async def _token(
        self, client: "AsyncOAuth2Client", about: "Mapping[str, Any]", code: str, errand: Errand
    ) -> dict[str, Any]:
        from authlib.integrations.httpx_client import OAuthError
        from httpx2 import HTTPError

        ways = about.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if "client_secret_basic" not in ways and "client_secret_post" in ways:
            client.token_endpoint_auth_method = "client_secret_post"  # noqa: S105 (the name of a way)
        try:
            token = await client.fetch_token(
                about["token_endpoint"],
                grant_type="authorization_code",
                code=code,
                code_verifier=errand.verifier,
            )
        except OAuthError as error:
            raise LoginError(f"{self._oidc.name} says: {_code(str(error.error))}", _AGAIN) from None
        except (HTTPError, ValueError) as error:
            raise LoginError(f"{self._oidc.name} does not answer: {type(error).__name__}", _AGAIN) from None
        if not isinstance(token.get("id_token"), str):
            raise LoginError(f"{self._oidc.name} does not say who it is", "it must be told of scope openid")
        return dict(token)

    async def _claims(
        self,
        client: "AsyncOAuth2Client",
        about: "Mapping[str, Any]",
        token: "Mapping[str, Any]",
        nonce: str,
    ) -> dict[str, Any]:
        """What the provider states, with everything about it checked (OpenID Connect Core 1.0, 3.1.3.7)."""
        from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError, JoseError
        from joserfc.jwk import KeySet
        from joserfc.jws import JWSRegistry

        registry = JWSRegistry(algorithms=list(SIGNED_BY), strict_check_header=False)
        wanted = {
            "iss": {"essential": True, "value": self._oidc.issuer},
            "aud": {"essential": True, "value": self._oidc.client_id},
        }
        expected = {
            "nonce": nonce,
            "client_id": self._oidc.client_id,
            "access_token": token.get("access_token"),
        }
        try:
            keys = KeySet.import_key_set(await self._key_set(client, about))
            try:
                stated = jwt.decode(token["id_token"], keys, registry=registry)
            except InvalidKeyIdError:
                keys = KeySet.import_key_set(await self._key_set(client, about, anew=True))
                stated = jwt.decode(token["id_token"], keys, registry=registry)
            claims = CodeIDToken(stated.claims, stated.header, wanted, expected)
            claims.validate(leeway=LEEWAY_S)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise LoginError(
                f"what {self._oidc.name} states cannot be believed: {_code(str(error) or 'malformed')}",
                _AGAIN,
            ) from None
        return dict(stated.claims)

    async def _more(
        self,
        client: "AsyncOAuth2Client",
        about: "Mapping[str, Any]",
        token: "Mapping[str, Any]",
        claims: dict[str, Any],
    ) -> dict[str, Any]:
        """Claims with those that some providers tell only when asked once more."""
        address = about.get("userinfo_endpoint")
        wanted = {"email", "preferred_username"} | ({"groups"} if self._oidc.roles else set())
        if not address or wanted <= claims.keys():
            return claims
        _check_address(str(address))
        client.token = token
        more = await self._asked_for(client, str(address), as_somebody=True)
        return more | claims if more.get("sub") == claims["sub"] else claims

    async def _key_set(
        self, client: "AsyncOAuth2Client", about: "Mapping[str, Any]", *, anew: bool = False
    ) -> Any:
        age = time.monotonic() - self._keys_asked
        if age > (_KEYS_S if anew else _KEPT_S):
            self._keys = await self._asked_for(client, about["jwks_uri"])
            self._keys_asked = time.monotonic()
        return self._keys

    async def _asked_for(
        self, client: "AsyncOAuth2Client", address: str, *, as_somebody: bool = False
    ) -> dict[str, Any]:
        from httpx2 import HTTPError

        try:
            answer = await client.request("GET", address, withhold_token=not as_somebody)
            answer.raise_for_status()
            found = answer.json()
        except (HTTPError, ValueError) as error:
            raise LoginError(f"{self._oidc.name} does not answer: {type(error).__name__}", _AGAIN) from None
        if not isinstance(found, dict):
            raise LoginError(f"{self._oidc.name} answers with something else than was asked for", _AGAIN)
        return found

    def _check_domain(self, claims: "Mapping[str, Any]") -> None:
        if not self._oidc.domains:
            return
        email = claims.get("email")
        domain = email.rpartition("@")[2].lower() if isinstance(email, str) else ""
        if claims.get("email_verified") is not True or domain not in {
            each.lower() for each in self._oidc.domains
        }:
            raise LoginError(
                "this site lets in people of some domains alone",
                f"have a verified address of {' or '.join(self._oidc.domains)}",
            )


@cache
def _tls() -> "SSLContext":
    """Made once: it reads all the certificates that the machine trusts."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


def _identity(oidc: Oidc, claims: "Mapping[str, Any]") -> Identity:
    hints = (claims.get(name) for name in ("preferred_username", "nickname", "email"))
    hint = next((each for each in hints if isinstance(each, str) and each), "")
    name, subject = claims.get("name"), claims["sub"]
    if not isinstance(subject, str):
        raise LoginError(f"{oidc.name} does not say who it is", _AGAIN)
    shown = name if isinstance(name, str) else ""
    return Identity(oidc.issuer, subject, hint, shown, _role(oidc, claims.get("groups")))


def _role(oidc: Oidc, groups: object) -> Role | None:
    """The highest role of somebody's groups; None where the provider gives no roles."""
    if not oidc.roles:
        return None
    there = groups if isinstance(groups, list) else []
    given = {role for group, role in oidc.roles if group in there}
    return next((role for role in reversed(Role) if role in given), Role.MEMBER)


def _check_address(address: str) -> None:
    """Addresses of a provider are https; on this machine, for trials, http will do.

    Raises:
        LoginError: it is none.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)):
        raise LoginError(f"{address[:200]!r} is no address of a provider", "it begins with https://")


def _code(text: str) -> str:
    """A code or a short remark of a provider, as far as it is plain."""
    return "".join(each for each in text[:120] if each.isascii() and each.isprintable()) or "nothing"
