"""`bakeoff serve`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    database: str | None = None,
    runs: Path = Path("runs"),
    title: str = "Bakeoff",
    address: str = "",
    trusted_proxy: Annotated[tuple[str, ...], Parameter(negative=())] = (),
) -> None:
    """Boards, runs and comparisons in the browser, on this machine alone unless told otherwise.

    Example: bakeoff serve

    Parameters
    ----------
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
    """
    from importlib.util import find_spec

    if not all(map(find_spec, ("fastapi", "uvicorn", "sqlalchemy", "nh3"))):
        raise BakeoffError(
            "the web app needs FastAPI and more, which are not all installed", "pip install 'bakeoff[web]'"
        )
    from bakeoff.web.serving import serve as served
    from bakeoff.web.settings import Settings

    served(
        Settings(database=database, runs=runs, title=title, address=address, trusted_proxies=trusted_proxy),
        host,
        port,
    )
