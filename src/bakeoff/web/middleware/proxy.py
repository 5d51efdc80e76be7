"""What a proxy says of the visitor behind it: believed of those that are trusted, and of nobody else."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class Proxy:
    """Puts the visitor's address, scheme and host in place of the proxy's.

    Of X-Forwarded-For the last address counts that is not a trusted proxy's: each proxy appends the one it
    saw, and all before it may be the visitor's own invention.

    Raises:
        BakeoffError: what is trusted is neither an address nor a network.
    """

    def __init__(self, app: "ASGIApp", trusted: Iterable[str] = ()) -> None:
        self._app = app
        self._trusted = tuple(map(_network, trusted))

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http" and scope.get("client") and self._believes(scope["client"][0]):
            scope = dict(scope)
            self._believe(scope)
        await self._app(scope, receive, send)

    def _believes(self, text: str) -> bool:
        address = _address(text)
        return address is not None and any(address in each for each in self._trusted)

    def _believe(self, scope: "Scope") -> None:
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        for hop in reversed([each.strip() for each in ",".join(said).split(",")]):
            address = _address(hop)
            if address is None:
                break
            scope["client"] = (str(address), 0)
            if not self._believes(hop):
                break
        headers = dict(scope["headers"])
        if (scheme := _last(headers.get(b"x-forwarded-proto", b""))) in (b"http", b"https"):
            scope["scheme"] = scheme.decode()
        if host := _last(headers.get(b"x-forwarded-host", b"")):
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*others, (b"host", host)]


def _last(value: bytes) -> bytes:
    return value.rpartition(b",")[2].strip().lower()


def _address(text: str) -> Address | None:
    """An address, with or without a port; None where it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise BakeoffError(
            f"{text!r} is neither an address nor a network of a proxy", "write 10.0.0.7 or 10.0.0.0/8"
        ) from None
