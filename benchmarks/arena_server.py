"""A live arena on a server of its own, which can be killed and started again."""

import multiprocessing
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from bakeoff.arena.definition.candidate import Candidate, Sampling
from bakeoff.arena.definition.definition import Arena, PerVoter
from bakeoff.arena.policy.rules import Policy
from bakeoff.web.settings import Settings

NAME = "load"
NAMES = ("Quokka", "Numbat", "Bettong")
"""Words that nothing but a candidate's name has."""

_fork = multiprocessing.get_context("forkserver")
_fork.set_forkserver_preload(
    ["bakeoff.web.serving", "bakeoff.web.routes.arena_battle", "bakeoff.model.remote.openai"]
)


def arena(model_url: str, *, concurrency: int = 400) -> Arena:
    """Three candidates on one model server, which are asked at different temperatures."""
    return Arena(
        name=NAME,
        policy=Policy(name=NAME),
        models=tuple(
            Candidate(
                name=f"{name} {number}",
                model=f"{model_url}#mock",
                settings={"concurrency": str(concurrency)},
                api_date="2026-01-01",
                provider=f"{name} Labs",
                family=f"{name} family",
                licence="proprietary",
                sampling=Sampling(temperature=number / 10),
            )
            for number, name in enumerate(NAMES)
        ),
        per_voter=PerVoter(open=3, votes=100_000, battles=100_000),
    )


class ArenaServer:
    """`url` is where it is reached, `database` its address, `log` the file of what it says."""

    def __init__(self, folder: Path, arena: Arena, database: str = "") -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self.database = database or f"sqlite:///{folder / 'bakeoff.db'}"
        self.log = folder / "server.log"
        self._settings = Settings(
            database=self.database,
            runs=folder / "runs",
            streams=1_000,
            writes="1000000/minute",
            newcomers="1000000/hour",
            arenas=(arena,),
        )

    def start(self) -> None:
        """Start it; who asks it before it is ready waits, or finds nobody and asks again."""
        self._process = _fork.Process(target=_serve, args=(self._settings, self._port, self.log), daemon=True)
        self._process.start()

    def wait(self) -> None:
        """Until it answers.

        Raises:
            RuntimeError: it ended.
        """
        while True:
            try:
                urlopen(f"{self.url}/arenas/{NAME}/battle").close()
                return
            except OSError:
                self.check()
                time.sleep(0.05)

    def check(self) -> None:
        """Whether it runs, or is about to.

        Raises:
            RuntimeError: it ended.
        """
        if not self._process.is_alive():
            raise RuntimeError(f"the server ended by itself: {self.log.read_text()}")

    def kill(self) -> None:
        """kill -9."""
        self.check()
        self._process.kill()
        self._process.join()

    def stop(self) -> None:
        """Let it end as it does when it is told to."""
        self._process.terminate()
        self._process.join()


@contextmanager
def arena_server(folder: Path, arena: Arena, database: str = "") -> Iterator[ArenaServer]:
    """A server until the block ends; its database is a file in the folder unless it is given."""
    server = ArenaServer(folder, arena, database)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _serve(settings: Settings, port: int, log: Path) -> None:
    from bakeoff.web.serving import serve

    with log.open("ab") as file:
        os.dup2(file.fileno(), 2)
    serve(settings, "127.0.0.1", port)
