"""Where a model is asked, and the key that is never shown."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from bakeoff.errors import ModelError

_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
_SECRET_PARAMETER = re.compile(r"key|token|secret|sig|pass|code", re.IGNORECASE)
_KEY_LIKE = re.compile(r"\bsk-[\w*-]{6,}")


class Secret:
    """A text that shows itself only to who asks for it by name."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def reveal(self) -> str:
        """The text itself."""
        return self._text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A base address and its key. `url` holds no credentials; `query` follows every path."""

    url: str
    query: str = ""
    key: Secret = field(default_factory=lambda: Secret(""))
    key_env: str = ""

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
        """`text` without the key, in full or as servers abbreviate it."""
        if self.key:
            text = text.replace(self.key.reveal(), "***")
        return _KEY_LIKE.sub("***", text)

    def denied(self, status: int, message: str) -> ModelError:
        """The error for a key that the server does not accept."""
        said = f"{self.url} answered {status}: {message}"
        if not self.key:
            return ModelError(
                f"{said} (no key was sent)",
                f"Put the key into the environment variable {self.key_env}, or name another by api_key_env.",
            )
        return ModelError(said, f"The key came from the environment variable {self.key_env}: check it.")


def read_endpoint(
    base_url: str, key_env: str, *, required: bool, environ: Mapping[str, str] = os.environ
) -> Endpoint:
    """The endpoint at `base_url` with the key in the environment variable `key_env`.

    Raises:
        ModelError: not an http(s) address, credentials inside it (addresses are recorded with every run),
            or no key where one is `required`.
    """
    parts = urlsplit(base_url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
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
    return Endpoint(shown, parts.query, _read_key(key_env, environ, shown, required=required), key_env)


def _read_key(key_env: str, environ: Mapping[str, str], url: str, *, required: bool) -> Secret:
    key = environ.get(key_env, "").strip()
    if not key and required:
        raise ModelError(
            f"no API key for {url}: the environment variable {key_env} is not set",
            f"Set it: export {key_env}=…",
        )
    if not key.isascii() or not key.isprintable():
        raise ModelError(f"the key in the environment variable {key_env} holds characters no key has")
    return Secret(key)
