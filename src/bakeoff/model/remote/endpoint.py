"""Where a model is asked, and the key that is never shown."""

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit, urlunsplit

from bakeoff.errors import ModelError
from bakeoff.model.reach import check_reach, current_reach

_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
_SECRET_PARAMETER = re.compile(r"key|token|secret|sig|pass|code", re.IGNORECASE)
_KEY_LIKE = re.compile(r"\bsk-[\w*-]{6,}")
_SHORTEST_KEY = 16


class Secret:
    """A text that shows itself only to who asks for it by name.

    `hint` says what to do where a server does not take it, or wants one and the text is empty.
    """

    __slots__ = ("_text", "hint")

    def __init__(self, text: str, hint: str = "") -> None:
        self._text = text
        self.hint = hint

    def __repr__(self) -> str:
        return "Secret(***)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def reveal(self) -> str:
        """The text itself."""
        return self._text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A base address and its key. `url` holds no credentials; `query` follows every path.

    Where `public_only`, no connection may be made to an address that is not public (`is_public`).
    """

    url: str
    query: str = ""
    key: Secret = field(default_factory=lambda: Secret(""))
    public_only: bool = False

    @property
    def local(self) -> bool:
        """Whether the server is on this machine: environment proxies are then not used."""
        return urlsplit(self.url).hostname in _LOCAL_HOSTS

    def address(self, path: str) -> str:
        """The address of `path` below the base."""
        joint = "&" if "?" in path else "?"
        return f"{self.url}/{path}" + (f"{joint}{self.query}" if self.query else "")

    def beside(self, path: str) -> str:
        """The address of `path` at the root of the server, outside the API's version prefix."""
        return self.url.removesuffix("/v1") + "/" + path

    def scrub(self, text: str) -> str:
        """`text` without the key: as it is, encoded as in addresses, or as servers abbreviate it."""
        if self.key:
            for form in _forms(self.key.reveal()):
                text = text.replace(form, "***")
        return _KEY_LIKE.sub("***", text)

    def without_key(self, value: Any) -> Any:
        """A JSON value without the key in its texts, where a server repeats it in an answer.

        A key of fewer than 16 characters is none (servers without keys are sent words such as EMPTY), and
        what an answer says is left alone.
        """
        key = self.key.reveal()
        match value:
            case _ if not key:
                return value
            case str() if len(key) >= _SHORTEST_KEY:
                return value.replace(key, "***")
            case Mapping():
                return {name: self.without_key(each) for name, each in value.items()}
            case list() | tuple():
                return [self.without_key(each) for each in value]
            case _:
                return value

    def denied(self, status: int, message: str) -> ModelError:
        """The error for a key that the server does not accept."""
        said = f"{self.url} answered {status}: {message}"
        return ModelError(said if self.key else f"{said} (no key was sent)", self.key.hint)


def read_endpoint(
    base_url: str, key_env: str, *, required: bool, environ: Mapping[str, str] | None = None
) -> Endpoint:
    """The endpoint at `base_url` with the key in the environment variable `key_env`, or as `reaching` says.

    `environ` is for those who want another environment than the process's.

    Raises:
        ModelError: not an http(s) address, credentials inside it (addresses are recorded with every run),
            or no key where one is `required`.
        NotAllowedError: an address or a key beyond the `Reach`.
    """
    try:
        parts = urlsplit(base_url.strip())
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is none
        known = False
    if not known:
        raise ModelError(
            "base_url must be an address such as http://127.0.0.1:8000/v1", "It needs http:// or https://."
        )
    shown = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
    secret_parameters = [name for name, _ in parse_qsl(parts.query) if _SECRET_PARAMETER.search(name)]
    if "@" in parts.netloc or secret_parameters:
        raise ModelError(
            f"the address of {shown} carries credentials, and addresses are recorded with every run",
            "Put the key into an environment variable and name it by api_key_env.",
        )
    for ending in ("/chat/completions", "/completions", "/messages", "/models"):
        if shown.endswith(ending):
            raise ModelError(
                f"base_url {shown} is the address of one call", f"Give {shown.removesuffix(ending)}"
            )
    reach = current_reach() if environ is None else None
    if reach is None:
        key = environment_key(shown, key_env, required=required, environ=environ)
        return Endpoint(shown, parts.query, key)
    key = reach.keys(shown, key_env, required=required)
    check_reach(shown, key=bool(key), private=reach.private)
    return Endpoint(shown, parts.query, key, public_only=not reach.private)


def environment_key(
    url: str, variable: str, *, required: bool, environ: Mapping[str, str] | None = None
) -> Secret:
    """The key in an environment variable.

    Raises:
        ModelError: it is not set where a key is `required`, or holds what no key does.
    """
    key = (os.environ if environ is None else environ).get(variable, "").strip()
    if not key and required:
        raise ModelError(
            f"no API key for {url}: the environment variable {variable} is not set",
            f"Set it: export {variable}=…",
        )
    if not key.isascii() or not key.isprintable():
        raise ModelError(f"the key in the environment variable {variable} holds characters no key has")
    if not key and not variable:
        return Secret("", "Put the key into an environment variable and name it by api_key_env.")
    if not key:
        hint = f"Put the key into the environment variable {variable}, or name another by api_key_env."
        return Secret("", hint)
    return Secret(key, f"The key came from the environment variable {variable}: check it.")


def _forms(key: str) -> list[str]:
    """A key as it may come back, the longest first."""
    data = key.encode()
    encoded = {base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()}
    forms = encoded | {each.rstrip("=") for each in encoded} | {quote(key, safe=""), quote_plus(key), key}
    return sorted(forms, key=len, reverse=True)
