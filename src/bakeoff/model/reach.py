"""How far endpoints reach: which keys they are asked with, and which addresses may be asked.

Whoever runs a model of their own reaches what their process does. Who runs one for others, as the worker of
a board, sets a `Reach` around opening it.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from bakeoff.model.errors import MachineError, NotThereError

if TYPE_CHECKING:
    from bakeoff.model.remote.endpoint import Secret


class NotAllowedError(NotThereError):
    """Whoever named the model may not have it asked there, or with that: a key, a file or a network that is
    not theirs."""


class Keys(Protocol):
    """Finds the key for an address."""

    def __call__(self, url: str, variable: str, *, required: bool) -> "Secret":
        """The key for `url`, whose model names the environment variable `variable`; empty where none is.

        Raises:
            ModelError: there is none, and one is `required`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reach:
    """What the models that are opened in a block of `reaching` are asked with, and where.

    `keys` stands in the place of the environment. Without `private` no address is asked that is not public.
    Keys go unencrypted to no public address.
    """

    keys: Keys
    private: bool = False


_REACH: ContextVar[Reach | None] = ContextVar("reach", default=None)


@contextmanager
def reaching(reach: Reach) -> Iterator[None]:
    """Hold all endpoints that are read in this block to `reach`, for as long as they are used."""
    token = _REACH.set(reach)
    try:
        yield
    finally:
        _REACH.reset(token)


def current_reach() -> Reach | None:
    """The one that holds here; None where a model may reach what the process does."""
    return _REACH.get()


def check_reach(url: str, *, key: bool, private: bool) -> None:
    """Whether `url` may be asked, with a `key` or without; its name is looked up.

    Raises:
        NotAllowedError: it may not.
        NotThereError, MachineError: its name is not known, or cannot be looked up now.
    """
    unencrypted = key and urlsplit(url).scheme == "http"
    if private and not unencrypted:
        return
    public = [is_public(address) for address in _addresses(url)]
    # Which address it is would tell an outsider about the network in here.
    if not private and not all(public):
        raise NotAllowedError(
            f"{url} is, or leads to, an address that is not public", "Give one that the internet can reach."
        )
    if unencrypted and any(public):
        raise NotAllowedError(f"a key would go unencrypted to {url}", "Give an address with https://.")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet's: not this machine's, a local network's, a link's, a
    group's (multicast) or reserved. IPv6 addresses that carry one of IPv4 are what that is.
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address) and any(found in carrier for carrier in _CARRIERS):
        found = IPv4Address(int(found) & 0xFFFF_FFFF)
    if isinstance(found, IPv6Address):
        return found in _UNICAST and found.is_global and found.sixtofour is None
    return found.is_global and not found.is_multicast


_CARRIERS = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
_UNICAST = IPv6Network("2000::/3")


def _addresses(url: str) -> list[str]:
    """The IP addresses that the host's name stands for here and now."""
    parts = urlsplit(url)
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or parts.scheme, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        said = f"cannot reach {url}: the name {parts.hostname} is not known"
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
            raise MachineError(said, "Names cannot be looked up now.") from None
        raise NotThereError(said, "Is the address right?") from None
    return [str(address[0]) for *_, address in found]
