"""CPython compiled to WebAssembly, run by Wasmtime: no system calls but those we give it."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from bakeoff.digest import digest_bytes
from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.launch import Launch
from bakeoff.sandbox.limits import Limits

SETTING = "BAKEOFF_WASI_PYTHON"
"""The environment variable with the path of a `python.wasm` that holds its standard library."""

# Runs in a process of its own, which can be killed; its pipes are the guest's standard streams.
_HOST = """
import resource, sys
from wasmtime import Config, Engine, ExitTrap, Linker, Module, Store, Trap, WasiConfig

path, memory, cpu_s, source = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
config = Config()
config.cache = True
engine = Engine(config)
linker = Linker(engine)
linker.define_wasi()
module = Module.from_file(engine, path)
wasi = WasiConfig()
wasi.argv = ("python", "-s", "-S", "-B", "-X", "utf8", "-c", source)
wasi.env = (("PYTHONHASHSEED", "0"),)
wasi.inherit_stdin()
wasi.inherit_stdout()
wasi.inherit_stderr()
store = Store(engine)
store.set_wasi(wasi)
store.set_limits(memory_size=int(memory))
used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
limit = int(used + float(cpu_s)) + 1
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
try:
    linker.instantiate(store, module).exports(store)["_start"](store)
except ExitTrap as ended:
    sys.exit(ended.code)
except Trap as trap:
    print("ended by a trap:", str(trap).splitlines()[0], file=sys.stderr)
    sys.exit(1)
"""


@dataclass(frozen=True, slots=True)
class Wasi:
    """No processes, threads, sockets or files: the module sees its own memory and three streams.

    Needs no rights and no namespaces, on any system that Wasmtime runs on. The first run compiles the module,
    which takes most of a minute and is kept; later ones start in some 0.2 s and compute several times slower.
    """

    module: Path
    runtime: str
    digest: str

    @property
    def name(self) -> str:
        """`wasmtime 50.0.1, python.wasm (sha256:0123456789ab)`."""
        return f"wasmtime {self.runtime}, {self.module.name} ({self.digest[:19]})"

    def launch(self, source: str, limits: Limits) -> Launch:
        """See `Tier`."""
        memory = str(limits.memory_mb << 20)
        argv = (sys.executable, "-I", "-c", _HOST, str(self.module), memory, str(limits.cpu_s), source)
        # Where Wasmtime keeps what it compiled is found by these.
        return Launch(
            argv, {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME") if name in os.environ}
        )


def wasis() -> Iterator[Wasi]:
    """The module that the environment names, if Wasmtime is installed.

    Raises:
        SandboxError: it is not, or there is no module.
    """
    if find_spec("wasmtime") is None:
        raise SandboxError("wasmtime is not installed", "pip install wasmtime")
    named = os.environ.get(SETTING)
    if not named:
        raise SandboxError(f"{SETTING} does not name a python.wasm")
    module = Path(named)
    if not module.is_file():
        raise SandboxError(f"{SETTING}={named}: there is no such file")
    yield Wasi(module, version("wasmtime"), digest_bytes(module.read_bytes()))
