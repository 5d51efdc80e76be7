"""Secrets by which somebody is known again: 256 random bits, of which the database keeps a digest."""

import secrets

from bakeoff.digest import digest_bytes

_BYTES = 32
LONGEST = 128
"""Characters of what is looked up at all."""


def new_secret(prefix: str = "") -> str:
    """A new secret, as text that is safe in a header, a cookie and a URL."""
    return prefix + secrets.token_urlsafe(_BYTES)


def kept(secret: str) -> str:
    """What the database keeps of a secret. With 256 random bits nobody finds the secret from it; salt and
    slowness, which passwords need, would add nothing.
    """
    return digest_bytes(secret.encode("utf-8", "surrogatepass"))
