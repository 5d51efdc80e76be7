"""Many readers of one server at once: seconds until each page is whole, and how many failed.

A server of its own is started on this machine, over a board of made-up rows or over a database that is given.
Readers ask for one page after another, without a pause: the board sorted and filtered in many ways, models,
histories, the search. They run in a process of their own, on the same processors.

Usage: python benchmarks/web_load.py [--readers 200] [--seconds 60] [--rows 5000] [--pause 0] [--database URL]
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import aiohttp
import numpy as np

from bakeoff.board.table.seen import ONE_PAGE
from web_rows import board_of, table_of

Timing = tuple[str, float, int, int]
"""The kind of a page, seconds, its status (0: no answer), and its bytes on the wire."""


def main() -> None:
    """Print a line for each kind of page, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = asked.database or board_of(table_of(asked.rows, Path(folder)), Path(folder))
        command = [sys.executable, "-m", "bakeoff", "serve", "--port", "0", "--database", database]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as server:
            assert server.stderr is not None
            address = server.stderr.readline().split()[0].rstrip("/")
            try:
                timings = asyncio.run(_read(address, asked.readers, asked.seconds, asked.pause))
            finally:
                server.terminate()
    _print(timings, asked.readers, asked.seconds)


async def _read(address: str, readers: int, seconds: float, pause: float) -> list[Timing]:
    timings: list[Timing] = []
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, auto_decompress=False) as session:
        pages = await _pages(session, address)
        end = time.monotonic() + seconds
        await asyncio.gather(
            *(_reader(session, pages, end, pause, number, timings) for number in range(readers))
        )
    return timings


async def _pages(session: aiohttp.ClientSession, address: str) -> list[tuple[str, str]]:
    """What there is to read, by kind: of each board several views, and its first models."""
    found = [("boards", f"{address}/"), ("search", f"{address}/search?q=model"), ("runs", f"{address}/runs")]
    async with session.get(f"{address}/api/v1/boards") as answer:
        boards = [each["name"] for each in json.loads(await _whole(answer))["boards"]]
    for board in boards:
        base = f"{address}/boards/{board}"
        views = (
            "",
            "?sort=model",
            "?sort=-score",
            "?search=7",
            "?search=/7$/",
            "?organisation=org7",
            "?licence=mit",
        )
        found += [("board", base + view) for view in views]
        found += [("history", f"{base}/history"), ("policy", f"{base}/policy"), ("queue", f"{base}/queue")]
        found += [("discussion", f"{base}/discussion"), ("feed", f"{base}/changes.rss")]
        async with session.get(f"{base}/rows.json?per_page=20") as answer:
            told = json.loads(await _whole(answer))
        if told["n"] > ONE_PAGE:
            found.append(("board", f"{base}?page=2"))
        found += [
            ("model", f"{base}/models/{each['model'].replace('/', '%2F')}") for each in told["rows"][:20]
        ]
    return found


async def _whole(answer: aiohttp.ClientResponse) -> bytes:
    import gzip

    body = await answer.read()
    return gzip.decompress(body) if answer.headers.get("Content-Encoding") == "gzip" else body


async def _reader(
    session: aiohttp.ClientSession,
    pages: list[tuple[str, str]],
    end: float,
    pause: float,
    number: int,
    timings: list[Timing],
) -> None:
    draw = random.Random(number)
    headers = {"Accept-Encoding": "gzip"}
    while time.monotonic() < end:
        kind, url = draw.choice(pages)
        began = time.monotonic()
        try:
            async with session.get(url, headers=headers) as answer:
                body = await answer.read()
            timings.append((kind, time.monotonic() - began, answer.status, len(body)))
        except aiohttp.ClientError:
            timings.append((kind, time.monotonic() - began, 0, 0))
        if pause:
            await asyncio.sleep(draw.uniform(0, 2 * pause))


def _print(timings: list[Timing], readers: int, seconds: float) -> None:
    print(
        f"{readers} readers for {seconds:g} s: {len(timings):,} pages, {len(timings) / seconds:,.0f} a second"
    )
    print(f"{'page':12}{'n':>8}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}{'kB':>8}  not 200")
    for kind in [*sorted({each[0] for each in timings}), ""]:
        of_kind = [each for each in timings if kind in ("", each[0])]
        took = np.array([each[1] for each in of_kind]) * 1000
        failed = dict(Counter(each[2] for each in of_kind if each[2] != 200))
        size = np.mean([each[3] for each in of_kind]) / 1000
        p50, p95 = np.quantile(took, [0.5, 0.95])
        line = f"{kind or 'all':12}{len(of_kind):8,}{p50:9.0f}{p95:9.0f}{took.max():9.0f}{size:8.1f}"
        print(f"{line}  {failed or 'none'}")


if __name__ == "__main__":
    main()
