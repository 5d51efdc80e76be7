"""Many voters in a live arena, whose server is killed again and again: is a vote lost, or counted twice?

The server is a process of its own, and so is the one that plays the models. Voters do what browsers do
(`arena_voters`), on the same processors. In the end what they were told is held against the database.

    python -m benchmarks.arena_load [--voters 200] [--seconds 120] [--think 5] [--kill]
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import numpy as np
from benchmarks.arena_server import NAME, NAMES, ArenaServer, arena, arena_server
from benchmarks.arena_voters import Told, Voter
from benchmarks.null_server import null_server
from sqlalchemy import Connection, Engine, func, select

from bakeoff.arena.policy.checking import check
from bakeoff.database import database_url, open_database, reading
from bakeoff.database.tables import ballot, battle, served

DELAY_S, STEP_S = 0.3, 0.03


@dataclass(slots=True)
class Kills:
    """How often the server was killed, and the battles that were being answered then."""

    number: int = 0
    answering: set[str] = field(default_factory=set)


async def crowd(
    server: ArenaServer,
    engine: Engine,
    *,
    voters: int,
    seconds: float,
    least: int = 0,
    think_s: float,
    kills: list[float],
) -> tuple[Told, Kills]:
    """Let them vote for so many seconds, and each `least` times in any case.

    The server is killed at each time in `kills`, seconds from the start, or once battles are being answered.
    """
    told, killed, began = Told(), Kills(), time.monotonic()
    timeout = aiohttp.ClientTimeout(total=None, sock_read=60)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout
    ) as session:
        people = [
            Voter(
                session,
                server.url,
                NAME,
                NAMES,
                told,
                number=number,
                ends=began + seconds,
                least=least,
                think_s=think_s,
            ).live()
            for number in range(voters)
        ]
        async with asyncio.TaskGroup() as group:
            killing = group.create_task(_kill(server, engine, began, kills, killed))
            await asyncio.gather(*people)
            killing.cancel()
    return told, killed


async def _kill(server: ArenaServer, engine: Engine, began: float, times: list[float], killed: Kills) -> None:
    for at in times:
        await asyncio.sleep(began + at - time.monotonic())
        while len(_answering(engine)) < 3:  # noqa: ASYNC110 (it is the database that tells)
            await asyncio.sleep(0.05)
        await asyncio.to_thread(server.kill)
        killed.answering |= _answering(engine)
        killed.number += 1
        server.start()
    while True:
        await asyncio.sleep(0.5)
        server.check()


def _answering(engine: Engine) -> set[str]:
    with reading(engine) as connection:
        return set(connection.execute(select(battle.c.id).where(battle.c.state == "answering")).scalars())


def problems(connection: Connection, told: Told, killed: Kills) -> Iterator[str]:
    """What the database has otherwise than voters were told, or than it should be."""
    yield from told.wrong
    rows = {row.id: row for row in connection.execute(select(battle))}
    votes = Counter(connection.execute(select(ballot.c.battle)).scalars())
    for each, outcome in told.votes.items():
        if each not in rows or rows[each].outcome != outcome or votes[each] != 1:
            yield f"the vote on {each} was lost"
    if several := [each for each, number in votes.items() if number > 1]:
        yield f"{several} have two votes"
    if votes.keys() != {each for each, row in rows.items() if row.state == "voted"}:
        yield "ballots are not those of the battles with a vote"
    for each, names in told.names.items():
        if names != (rows[each].left, rows[each].right):
            yield f"the names of {each} were not those of its models"
    for each in told.begun - rows.keys():
        yield f"battle {each} is not there"
    for each in killed.answering:
        if (rows[each].state, rows[each].void) != ("void", "stopped"):
            yield f"{each} was being answered when the server was killed, and is {rows[each].state}"
    for each in told.left:
        if rows[each].state != "abandoned":
            yield f"{each} was left, and is {rows[each].state}"
    if unfinished := [each for each, row in rows.items() if row.state == "answering"]:
        yield f"{unfinished} are still being answered"
    yield from _counts(connection)
    with_policy = arena("http://127.0.0.1/v1").policy
    yield from (str(finding) for finding in check(connection, with_policy))


def _counts(connection: Connection) -> Iterator[str]:
    """Whether what was counted when battles were shown and voted on is what there is."""
    names, numbers = ("first", "second"), ("shown", "votes", "propensity")
    ours = select(battle.c.left, battle.c.right, battle.c.outcome, battle.c.propensity)
    found: dict[tuple[str, ...], np.ndarray] = defaultdict(lambda: np.zeros(3))
    for left, right, outcome, propensity in connection.execute(ours):
        found[tuple(sorted((left, right)))] += (1, outcome is not None, propensity)
    told: dict[tuple[str, ...], np.ndarray] = defaultdict(lambda: np.zeros(3))
    for row in connection.execute(select(*(served.c[name] for name in (*names, *numbers)))):
        told[tuple(row[:2])] += row[2:]
    for pair in found.keys() | told.keys():
        if not np.allclose(found[pair], told[pair], rtol=1e-9, atol=0):
            yield f"{pair}: {told[pair]} were counted, and there are {found[pair]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--voters", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=5, help="seconds, the mean before a vote and after it")
    parser.add_argument("--kill", action="store_true", help="kill the server every 15 seconds or so")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--database", default="", help="of PostgreSQL, empty; a file of its own without it")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    kills = []
    while asked.kill and (at := (kills[-1] if kills else 0) + draw.uniform(8, 22)) < asked.seconds:
        kills.append(at)
    with tempfile.TemporaryDirectory() as name, null_server(DELAY_S, STEP_S) as models:
        folder = Path(name)
        with arena_server(folder, arena(models.url), asked.database) as server:
            server.wait()
            engine = open_database(database_url(server.database))
            began = time.monotonic()
            told, killed = asyncio.run(
                crowd(
                    server,
                    engine,
                    voters=asked.voters,
                    seconds=asked.seconds,
                    think_s=asked.think,
                    kills=kills,
                )
            )
            seconds = time.monotonic() - began
        with reading(engine) as connection:
            found = list(problems(connection, told, killed))
            states = dict(
                connection.execute(select(battle.c.state, func.count()).group_by(battle.c.state)).all()
            )
        log = server.log.read_text()
        engine.dispose()
    _print(told, killed, states, found, seconds, asked.voters)
    print(f"server's log: {log.count('Traceback')} tracebacks")
    if "Traceback" in log:
        print(log[-3000:])


def _print(
    told: Told, killed: Kills, states: dict[str, int], found: list[str], seconds: float, voters: int
) -> None:
    requests = sum(map(len, told.took.values()))
    print(
        f"{voters} voters for {seconds:.0f} s, {killed.number} kills; {requests / seconds:.0f} requests/s; "
        f"load {os.getloadavg()[0]:.1f}"
    )
    print(f"battles {sum(states.values()):,}: {', '.join(f'{n:,} {s}' for s, n in sorted(states.items()))}")
    print(f"in flight at the kills {len(killed.answering):,}; answers that did not come {told.lost:,}")
    print(", ".join(f"{kind} {number:,}" for kind, number in sorted(told.did.items())))
    print(f"{'':8}{'n':>8}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
    for kind, took in sorted(told.took.items()):
        p50, p95, most = np.quantile(np.array(took) * 1e3, (0.5, 0.95, 1))
        print(f"{kind:8}{len(took):8,}{p50:9.0f}{p95:9.0f}{most:9.0f}")
    lost = sum("was lost" in each for each in found)
    print(f"votes told as taken {len(told.votes):,}: lost {lost}; problems {len(found)}")
    for each in found[:20]:
        print(f"  {each}")


if __name__ == "__main__":
    main()
