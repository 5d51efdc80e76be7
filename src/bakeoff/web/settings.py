"""What one server serves, and whom it trusts."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bakeoff.accounts import Role
from bakeoff.web.middleware.limits import NEWCOMERS, WRITES

if TYPE_CHECKING:
    from bakeoff.arena.definition.definition import Arena

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Oidc:
    """An identity provider by which people may log in. `secret` is never written to a log.

    With `domains` only those whose verified address is of one of them may. With `roles`, pairs of a group
    there and the role that it gives, everyone's role is the highest of their groups', at each log-in anew;
    without, the operator gives roles.
    """

    issuer: str
    client_id: str
    secret: str
    name: str = "single sign-on"
    domains: tuple[str, ...] = ()
    roles: tuple[tuple[str, Role], ...] = ()

    def __repr__(self) -> str:
        return f"Oidc({self.issuer!r}, {self.client_id!r})"


@dataclass(frozen=True, slots=True)
class Settings:
    """`database` is its address, None for the usual one; `runs` the folder of run folders.

    `address` is where the public reaches the site; with https there cookies are secure. What a proxy says of
    its visitors is believed of `trusted_proxies` (addresses or networks) alone. `largest_upload` is in bytes;
    so many `streams` of live progress are open at once at most. One address may send `writes` forms, and
    `newcomers` may come from it to vote: rates as `limits` reads them, to be raised where a whole office is
    behind one address. `arenas` are live here.
    """

    database: str | None = None
    runs: Path = Path("runs")
    title: str = "Bakeoff"
    address: str = ""
    trusted_proxies: tuple[str, ...] = ()
    oidc: Oidc | None = None
    largest_upload: int = 64 * MEGABYTE
    streams: int = 500
    writes: str = WRITES
    newcomers: str = NEWCOMERS
    arenas: "tuple[Arena, ...]" = ()

    @property
    def secure(self) -> bool:
        """Whether the public reaches the site by https."""
        return urlsplit(self.address).scheme == "https"
