"""A real llama.cpp server with a real model, in a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

_SCRIPT = """
import sys, threading, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.model_alias = sys.argv[1], {"smollm2"}
p.n_ctx, p.n_parallel = 8192, 4
p.hostnames, p.port = ["127.0.0.1"], 0
p.cpuparams.n_threads = 1
s = xllamacpp.Server(p)
print("LISTENING", s.listening_address, flush=True)
sys.stdin.read()  # Until the parent closes the pipe, or dies.
"""


@contextmanager
def llama_server(model: Path) -> Iterator[str]:
    """Run the server; its base address, `/v1` included. It ends with the block, or with this process."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    try:
        assert process.stdout is not None
        address = next(line.split()[1] for line in process.stdout if line.startswith("LISTENING"))
        _wait(address)
        yield f"{address}/v1"
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(address: str, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urlopen(f"{address}/health") as reply:
                if reply.status == 200:
                    return
        except URLError:
            time.sleep(0.1)
    raise RuntimeError(f"the server at {address} did not come up within {seconds:g} s")
