"""`bakeoff serve`."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.accounts import Role
    from bakeoff.arena.definition.definition import Arena
    from bakeoff.web.settings import Oidc, Settings

Several = Annotated[tuple[str, ...], Parameter(negative=())]
SECRET = "BAKEOFF_OIDC_SECRET"  # noqa: S105 (the name of a variable)


def serve(
    *,
    arena: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    host: str = "127.0.0.1",
    port: int = 8765,
    database: str | None = None,
    runs: Path = Path("runs"),
    title: str = "Bakeoff",
    address: str = "",
    trusted_proxy: Several = (),
    writes: str = "30/minute",
    newcomers: str = "60/hour",
    streams: int = 500,
    oidc_issuer: str = "",
    oidc_client: str = "",
    oidc_secret_file: Path | None = None,
    oidc_name: str = "single sign-on",
    oidc_domain: Several = (),
    oidc_role: Several = (),
) -> None:
    """Boards, runs and comparisons in the browser, on this machine alone unless told otherwise.

    Example: bakeoff serve

    Parameters
    ----------
    arena:
        The definition of a live arena, in which people vote here; repeat it for several.
    host:
        The address to listen on. Anything but this machine's own is reached by others.
    port:
        The port to listen on; 0 takes any that is free.
    database:
        The address of the database of boards.
    runs:
        The folder of runs.
    title:
        The name of the site.
    address:
        Where the public reaches it, for example https://boards.example.org; with https, cookies are secure.
    trusted_proxy:
        The address or network of a proxy before it, whose word on who visits is taken; repeat it for several.
    writes:
        How many forms one address may send; more where a whole office is behind one.
    newcomers:
        How many new voters may come from one address.
    streams:
        How many may watch live progress, or answers while they are written, at the same time.
    oidc_issuer:
        The address of an OpenID provider by which people may log in.
    oidc_client:
        The client's id at that provider.
    oidc_secret_file:
        The file with the client's secret; without it, the variable BAKEOFF_OIDC_SECRET has it.
    oidc_name:
        What the provider is called on the login page.
    oidc_domain:
        Only people whose verified address is of this domain may log in by it; repeat it for several.
    oidc_role:
        GROUP=ROLE: people of that group there are members, moderators or admins here, and those of no group
        that is named are members; repeat it for several. Without it, `bakeoff account role` gives roles.
    """
    needed()
    from bakeoff.web.settings import Settings

    oidc = None
    if oidc_issuer:
        roles = tuple(map(_group, oidc_role))
        oidc = _oidc(oidc_issuer, oidc_client, oidc_secret_file, oidc_name, oidc_domain, roles)
    settings = Settings(
        database=database,
        runs=runs,
        title=title,
        address=address,
        trusted_proxies=trusted_proxy,
        oidc=oidc,
        streams=streams,
        writes=writes,
        newcomers=newcomers,
        arenas=read_arenas(arena),
    )
    listen(settings, host, port)


def needed() -> None:
    """That the libraries of the web app are installed, without importing them.

    Raises:
        BakeoffError: one is not.
    """
    if not all(map(find_spec, ("fastapi", "uvicorn", "sqlalchemy", "nh3"))):
        raise BakeoffError(
            "the web app needs FastAPI and more, which are not all installed", "pip install 'bakeoff[web]'"
        )


def read_arenas(files: tuple[Path, ...]) -> "tuple[Arena, ...]":
    """The arenas of these files.

    Raises:
        BakeoffError: one cannot be read, has a mistake, or has the name of another.
    """
    if not files:
        return ()
    from bakeoff.arena.definition.definition import load_arena

    there: dict[str, Arena] = {}
    for file in files:
        found = load_arena(file)
        if found.name in there:
            raise BakeoffError(
                f"{file}: an arena {found.name} is in another file, too", "give each its own name"
            )
        there[found.name] = found
    return tuple(there.values())


def listen(settings: "Settings", host: str, port: int) -> None:
    """Serve until interrupted.

    Raises:
        BakeoffError: a limit is none, or as in `web.serving`.
    """
    from limits import parse

    for option, rate in (("--writes", settings.writes), ("--newcomers", settings.newcomers)):
        try:
            parse(rate)
        except ValueError:
            raise BakeoffError(f"{option} {rate} is no rate", "such as 30/minute or 5/second") from None
    if settings.streams < 1:
        raise BakeoffError(f"--streams {settings.streams} lets nobody watch", "at least 1")
    from bakeoff.web.serving import serve as served

    served(settings, host, port)


def _group(text: str) -> "tuple[str, Role]":
    from bakeoff.accounts import Role

    group, _, role = text.rpartition("=")
    if not group or role not in list(Role):
        raise BakeoffError(f"--oidc-role {text} is not GROUP=ROLE", f"the roles are {', '.join(Role)}")
    return group, Role(role)


def _oidc(
    issuer: str,
    client: str,
    file: Path | None,
    name: str,
    domains: tuple[str, ...],
    roles: "tuple[tuple[str, Role], ...]",
) -> "Oidc":
    from bakeoff.web.settings import Oidc

    if not client:
        raise BakeoffError("--oidc-issuer needs the client's id at that provider", "--oidc-client ID")
    try:
        secret = file.read_text("utf-8").strip() if file else os.environ.get(SECRET, "")
    except (OSError, UnicodeDecodeError) as error:
        raise BakeoffError(f"{file} cannot be read: {error}", "check the path") from None
    if not secret:
        raise BakeoffError("the client's secret is missing", f"--oidc-secret-file FILE, or {SECRET}")
    return Oidc(issuer, client, secret, name, domains, roles)
