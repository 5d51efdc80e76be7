"""`bakeoff board worker`."""

import os
import socket
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.errors import BakeoffError

Flag = Annotated[bool, Parameter(negative=())]


def worker(
    *,
    offers: str | None = None,
    name: str | None = None,
    until_empty: Flag = False,
    lease: float = 60.0,
    out: Path = Path("runs"),
    database: str | None = None,
) -> None:
    """Do the jobs of the queue, one after another; as many workers as you like, on as many machines.

    Stop it with Ctrl-C: its job goes back to the queue and is gone on with later, by any worker that reaches
    the same --out.

    Example: bakeoff board worker --until-empty

    Parameters
    ----------
    offers:
        What this machine can run, separated by commas; by default the engines that are installed.
    name:
        The worker's name in the log; by default the machine's and the process's.
    until_empty:
        End when there is nothing to do.
    lease:
        Seconds after which another worker takes over from one that died.
    out:
        Where runs go. All workers need the same.
    database:
        The address of the database.
    """
    import signal
    import threading

    from bakeoff.board.evaluating import handler
    from bakeoff.cli.output import stdout
    from bakeoff.jobs import work

    if lease <= 0:
        raise BakeoffError(f"--lease is a number of seconds above 0, got {lease:g}")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    able = tuple(offers.split(",")) if offers else _engines()
    called = name or f"{socket.gethostname()}-{os.getpid()}"
    with opened(database) as engine:
        done = work(
            engine,
            called,
            handler(engine, out),
            stop=stop,
            offers=able,
            lease_s=lease,
            until_empty=until_empty,
        )
    stdout().print(f"{called}: {done} jobs done")


def _engines() -> tuple[str, ...]:
    """The engines whose libraries are installed here."""
    from importlib.util import find_spec

    needed = {"hf": "transformers", "gguf": "xllamacpp", "vllm": "vllm"}
    installed = [name for name, module in needed.items() if find_spec(module) is not None]
    return (*installed, "recorded", "openai", "anthropic", "http", "https", "call", "endpoint")
