"""Requests per second, time, CPU and memory of a whole run against a server, beside other clients.

A server on the loopback (`null_server.py`) answers every chat request after a fixed delay. Each client runs
in a fresh process and asks it the same items: `bakeoff run` from the task file to the report, journal and
cache on, once streamed (its default) and once not; a bare aiohttp loop for each, which sends, reads and
parses and writes nothing; and the harnesses named by --peers, each with what it logs by default.

    python benchmarks/remote_run.py                             2,000 items, 64 at once, at 0 and at 50 ms
    python benchmarks/remote_run.py --peers inspect,lm-eval     beside other harnesses
    python benchmarks/remote_run.py --memory                    peak memory of 1,000 and of 100,000 items

Columns: requests per second between the first request that the server sees and the last answer it sends
(probes aside), the same for the whole process with its start, reading and reporting, CPU milliseconds of the
client per request, its peak resident memory in MiB, and how many requests it had in flight at most. `x bare`
compares the first column with the bare loop that streams, or does not stream, as the client does.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from null_server import NullServer, null_server
from remote_clients import PEERS, Client, bakeoff, bare, write_task

MakeClient = Callable[[str, int, int], Client]


@dataclass(frozen=True, slots=True)
class Measured:
    """One client's run. Seconds and MiB."""

    phase_s: float
    wall_s: float
    cpu_s: float
    peak_mib: float
    at_once: int


def measure(make: MakeClient, server: NullServer, items: int, concurrency: int) -> Measured:
    """Run a client once.

    Raises:
        RuntimeError: it failed, or did not ask every item exactly once.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_task(folder, items)
        client = make(server.url, items, concurrency)
        server.tally()
        begun = time.perf_counter()
        log = folder / "log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                client.command,
                cwd=folder,
                env=os.environ | client.environ,
                stdout=file,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall_s = time.perf_counter() - begun
        tally = server.tally()
        asked, answered, distinct = tally.requests, tally.answers, len(tally.items)
        if process.returncode or not asked == answered == distinct == items:
            raise RuntimeError(
                f"{client.command[0]} ended with {process.returncode}; of {items} items {distinct} were "
                f"asked, in {asked} requests with {answered} answers:\n{log.read_text()[-3000:]}"
            )
    return Measured(
        tally.phase_s, wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, tally.most_at_once
    )


def median_of(runs: list[Measured]) -> Measured:
    return sorted(runs, key=lambda run: run.phase_s)[len(runs) // 2]


def compare(peers: list[str], items: int, concurrency: int, delays: list[float], repeats: int) -> None:
    clients: list[tuple[str, str, MakeClient]] = [
        ("bare aiohttp", "whole", partial(bare, stream=False)),
        ("bare aiohttp", "streamed", partial(bare, stream=True)),
        ("bakeoff run", "whole", partial(bakeoff, stream=False)),
        ("bakeoff run", "streamed", partial(bakeoff, stream=True)),
        *((name, "whole", PEERS[name]) for name in peers),
    ]
    print(f"{items} items, {concurrency} at once, median of {repeats}, {os.cpu_count()} cores")
    head = f"{'client':<13} {'answers':<9} {'delay ms':>8} {'req/s':>7} {'x bare':>7} {'wall req/s':>10}"
    print(f"{head} {'CPU ms':>7} {'peak MiB':>9} {'at once':>8}")
    for delay in delays:
        runs: list[list[Measured]] = [[] for _ in clients]
        with null_server(delay / 1000) as server:
            # Round after round, so that whatever else the machine does falls on all alike.
            for _ in range(repeats):
                for (_, _, make), measured in zip(clients, runs, strict=True):
                    measured.append(measure(make, server, items, concurrency))
        rates: dict[str, float] = {}
        for (name, form, _), measured in zip(clients, runs, strict=True):
            run = median_of(measured)
            rate = items / run.phase_s
            rates.setdefault(form, rate)
            print(
                f"{name:<13} {form:<9} {delay:>8g} {rate:>7.0f} {rate / rates[form]:>7.2f} "
                f"{items / run.wall_s:>10.0f} {1000 * run.cpu_s / items:>7.2f} {run.peak_mib:>9.1f} "
                f"{run.at_once:>8}",
                flush=True,
            )


def compare_memory(concurrency: int, sizes: tuple[int, int]) -> None:
    peaks = []
    with null_server(0.0) as server:
        for items in sizes:
            run = measure(bakeoff, server, items, concurrency)
            peaks.append(run.peak_mib)
            print(
                f"{items:>7,} items: peak {run.peak_mib:.1f} MiB, {items / run.phase_s:,.0f} requests/s, "
                f"{run.wall_s:.1f} s in all",
                flush=True,
            )
    print(f"growth: {peaks[1] - peaks[0]:.1f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=2000, help="items for each client")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--delay", type=float, nargs="+", default=[0.0, 50.0], help="milliseconds")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peers", default="", help=f"of {', '.join(PEERS)}, separated by commas")
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    if options.memory:
        compare_memory(options.concurrency, (1_000, 100_000))
        return
    peers = [name for name in options.peers.split(",") if name]
    compare(peers, options.n, options.concurrency, options.delay, options.repeats)


if __name__ == "__main__":
    main()
