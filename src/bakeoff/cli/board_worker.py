"""`bakeoff board worker`."""

import math
import os
import socket
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.cli.board_key import board_key
from bakeoff.errors import BakeoffError

Flag = Annotated[bool, Parameter(negative=())]


def worker(
    *,
    offers: str | None = None,
    memory: float | None = None,
    name: str | None = None,
    until_empty: Flag = False,
    lease: float = 60.0,
    key_file: Path | None = None,
    allow_env: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    private_endpoints: Flag = False,
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
        What this machine can run, separated by commas; by default the engines that are installed, and the
        devices that are found.
    memory:
        The memory for models in GB; by default that of the graphics card, or else of the machine.
    name:
        The worker's name in the log; by default the machine's and the process's.
    until_empty:
        End when there is nothing to do.
    lease:
        Seconds after which another worker takes over from one that died.
    key_file:
        The board's private key, which opens the keys that submitters lend; by default BAKEOFF_BOARD_KEY_FILE.
    allow_env:
        An environment variable whose key submissions may use, and the host that it goes to: NAME@HOST; repeat
        it for several. Else a submission has the key that was lent with it, and no other.
    private_endpoints:
        Let submissions ask addresses that are not public: this machine's, or its network's.
    out:
        Where runs go. All workers need the same.
    database:
        The address of the database.
    """
    import signal
    import threading

    from bakeoff.board.entry.door import Permits, permitted
    from bakeoff.board.entry.keys import need
    from bakeoff.board.work.evaluating import handler
    from bakeoff.board.work.settling import settle
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.jobs import work
    from bakeoff.jobs.machine import devices, memory_gb

    if lease <= 0:
        raise BakeoffError(f"--lease is a number of seconds above 0, got {lease:g}")
    if memory is not None and not 0 <= memory < math.inf:
        raise BakeoffError(f"--memory is a number of GB from 0 up, got {memory:g}")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    able = tuple(offers.split(",")) if offers else (*_engines(), *devices())
    variables = permitted(allow_env)
    called = name or f"{socket.gethostname()}-{os.getpid()}"
    with opened(database) as engine:
        key = board_key(engine, key_file)
        if key is not None:
            able = (*able, need(key.public))
        done = work(
            engine,
            called,
            handler(engine, out, Permits(variables, private=private_endpoints, key=key)),
            stop=stop,
            offers=able,
            memory=memory_gb() if memory is None else memory,
            lease_s=lease,
            until_empty=until_empty,
        )
        with writing(engine) as connection:
            settle(connection)
    stdout().print(f"{called}: {done} jobs done")


def _engines() -> tuple[str, ...]:
    """The engines whose libraries are installed here."""
    from importlib.util import find_spec

    needed = {"hf": "transformers", "gguf": "xllamacpp", "vllm": "vllm"}
    installed = [name for name, module in needed.items() if find_spec(module) is not None]
    # Not call: it runs what a submission names, and only who says so offers that.
    return (*installed, "recorded", "openai", "anthropic", "http", "https", "endpoint")
