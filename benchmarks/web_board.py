"""A board in the browser beside a Gradio table of the same rows: bytes on the wire, and how long it takes.

Both are served here and opened in Chromium with an empty cache, one after the other. Milliseconds
are those until the best row is on the screen; "in the page" are the rows that Ctrl-F and screen readers find.
Then what the server alone takes for views that nobody asked for before: sorted, filtered, searched.

Gradio gets an environment of its own at the first use. It has no intervals, ranks or patterns here.

Usage: python benchmarks/web_board.py [--rows 60 5000] [--database URL BOARD] [--no-gradio]
"""

import argparse
import csv
import gzip
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import numpy as np

from web_rows import board_of, table_of

_GRADIO = Path.home() / ".cache/bakeoff-bench/gradio"
_GRADIO_PAGE = """
import sys
import gradio, pandas

frame = pandas.read_csv(sys.argv[1]).sort_values("score", ascending=False)
with gradio.Blocks() as page:
    gradio.Dataframe(frame, interactive=False, show_search="filter")
page.launch(server_name="127.0.0.1", server_port=int(sys.argv[2]), quiet=True)
"""


@dataclass(frozen=True)
class Opened:
    """How a page opened: kilobytes on the wire, requests, milliseconds, and rows in the page."""

    kilobytes: float
    requests: int
    milliseconds: float
    rows: int


def main() -> None:
    """Print a table for each number of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[60, 5000])
    parser.add_argument("--database", nargs=2, metavar=("URL", "BOARD"))
    parser.add_argument("--no-gradio", action="store_true")
    asked = parser.parse_args()
    for rows in asked.rows:
        with tempfile.TemporaryDirectory() as folder:
            _compare(Path(folder), rows, gradio=not asked.no_gradio)
    if asked.database:
        with tempfile.TemporaryDirectory() as folder, _bakeoff(Path(folder), asked.database[0]) as address:
            _print_ours(f"{address}/boards/{asked.database[1]}", asked.database[1])


def _compare(folder: Path, rows: int, *, gradio: bool) -> None:
    table = table_of(rows, folder)
    best = max(_read(table), key=lambda row: float(row["score"]))["model"].rpartition("/")[2]
    names = [row["model"].rpartition("/")[2] for row in _read(table)]
    print(f"\n{rows:,} rows, opened in Chromium (the median of five)")
    with _bakeoff(folder, board_of(table, folder)) as address:
        ours = _opened(f"{address}/boards/large", best, names)
        _print_opened("bakeoff", ours)
        if gradio and which("chromium"):
            with _gradio(folder, table) as other:
                theirs = _opened(other, best, names)
            _print_opened("gradio", theirs)
            print(
                f"ratio: {theirs.kilobytes / ours.kilobytes:.0f} times the bytes, "
                f"{theirs.milliseconds / ours.milliseconds:.1f} times as long"
            )
        _print_ours(f"{address}/boards/large", f"{rows:,} rows")


def _print_opened(name: str, found: Opened) -> None:
    print(
        f"  {name:8} {found.kilobytes:8.1f} kB {found.requests:4} requests {found.milliseconds:7.0f} ms "
        f"{found.rows:6,} rows in the page"
    )


def _print_ours(url: str, name: str) -> None:
    """What the server takes, without a browser."""
    views = {
        "first page": ["", *(f"?since=2000-01-0{day}" for day in range(1, 8))],
        "sorted": [
            f"?sort={way}{key}" for key in ("model", "score", "organisation", "licence") for way in ("", "-")
        ],
        "filtered": [
            f"?parameters_max={size}&licence={name}" for size in (3, 7, 13) for name in ("mit", "other")
        ],
        "searched": [f"?search={word}" for word in ("model-1", "org7", "/model-[0-9]5$/", "/^org1/", "99")],
    }
    urllib.request.urlopen(url).read()
    print(f"{name}: what the server takes for views that nobody asked for before")
    for kind, queries in views.items():
        timings, sizes = [], []
        for query in queries:
            request = urllib.request.Request(url + query, headers={"Accept-Encoding": "gzip"})
            began = time.perf_counter()
            with urllib.request.urlopen(request) as answer:
                body = answer.read()
            timings.append(1000 * (time.perf_counter() - began))
            sizes.append(len(body) / 1000)
            assert b"<table" in gzip.decompress(body)
        print(
            f"  {kind:11} median {np.median(timings):6.0f} ms, most {max(timings):6.0f} ms, "
            f"at most {max(sizes):6.1f} kB"
        )


def _opened(url: str, best: str, names: list[str]) -> Opened:
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as runner:
        chromium = runner.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for _ in range(5):
            page = chromium.new_page()
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            received: list[float] = []
            session.on(
                "Network.loadingFinished", lambda said, to=received: to.append(said["encodedDataLength"])
            )
            began = time.perf_counter()
            page.goto(url, wait_until="commit")
            page.locator("td, th, [role=gridcell]").filter(has_text=best).first.wait_for(timeout=60_000)
            took = 1000 * (time.perf_counter() - began)
            page.wait_for_load_state("networkidle")
            text = page.evaluate("document.body.textContent")
            there = (
                sum(name in text for name in set(names))
                if len(names) < 500
                else text.count("/model-") or _cells(page)
            )
            found.append(Opened(sum(received) / 1000, len(received), took, there))
            page.close()
        chromium.close()
    return sorted(found, key=lambda each: each.milliseconds)[2]


def _cells(page: object) -> int:
    return page.locator("tbody tr").count()  # type: ignore[attr-defined]


@contextmanager
def _bakeoff(folder: Path, database: str) -> Iterator[str]:
    command = [sys.executable, "-m", "bakeoff", "serve", "--port", "0", "--database", database]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as server:
        assert server.stderr is not None
        try:
            yield server.stderr.readline().split()[0].rstrip("/")
        finally:
            server.terminate()


@contextmanager
def _gradio(folder: Path, table: Path) -> Iterator[str]:
    python = _GRADIO / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(_GRADIO)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "gradio", "pandas"], check=True)
    script = folder / "page.py"
    script.write_text(_GRADIO_PAGE)
    port = 7893
    environment = {"GRADIO_ANALYTICS_ENABLED": "False", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    with subprocess.Popen(
        [str(python), str(script), str(table), str(port)], env=environment, stdout=subprocess.DEVNULL
    ) as server:
        try:
            _wait(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _wait(url: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url).read()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{url} does not answer")


def _read(table: Path) -> list[dict[str, str]]:
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
