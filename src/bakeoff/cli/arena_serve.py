"""`bakeoff arena serve`."""

from pathlib import Path

from bakeoff.cli.serve import Several, listen, needed, read_arenas


def serve(
    *files: Path,
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
) -> None:
    """A live arena: people write a prompt, two models answer without their names, and a vote reveals them.

    Without a file a small model plays against itself, greedy and at temperature 1, and who can see the page
    votes. `bakeoff arena new` writes a file to start from; `bakeoff serve --arena FILE` serves both boards
    with log-in by a provider, and arenas.

    Example: bakeoff arena serve

    Parameters
    ----------
    files:
        The definitions of arenas.
    host:
        The address to listen on. Anything but this machine's own is reached by others.
    port:
        The port to listen on; 0 takes any that is free.
    database:
        The address of the database, which keeps battles and votes; by default BAKEOFF_DATABASE_URL, or
        bakeoff.db in this folder.
    runs:
        The folder of runs.
    title:
        The name of the site.
    address:
        Where the public reaches it, for example https://arena.example.org; with https, cookies are secure.
    trusted_proxy:
        The address or network of a proxy before it, whose word on who visits is taken; repeat it for several.
    writes:
        How many forms one address may send; more where a whole office is behind one.
    newcomers:
        How many new voters may come from one address.
    streams:
        How many may watch answers while they are written at the same time.
    """
    needed()
    from bakeoff.arena.definition.default import default_arena
    from bakeoff.web.settings import Settings

    settings = Settings(
        database=database,
        runs=runs,
        title=title,
        address=address,
        trusted_proxies=trusted_proxy,
        streams=streams,
        writes=writes,
        newcomers=newcomers,
        arenas=read_arenas(files) or (default_arena(),),
    )
    listen(settings, host, port)
