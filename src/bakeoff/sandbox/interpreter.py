"""The Pythons of this machine that a sandbox can run, and which files they need."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from bakeoff.sandbox.errors import SandboxError

_FACTS = """
import json, os, platform, site, sys, sysconfig
lib, path = sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_path
print(json.dumps({
    "executable": os.path.realpath(sys.executable),
    "version": platform.python_version(),
    "folders": sorted({path("stdlib"), path("platstdlib"), lib} - {""}),
    "packages": sorted({*site.getsitepackages(), path("purelib"), path("platlib")}),
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python: its real `executable`, the `folders` with its standard library and shared libraries, and the
    `packages` folders in them, which are to be hidden: this package's own data may lie there."""

    executable: str
    version: str
    folders: tuple[str, ...]
    packages: tuple[str, ...]


@cache
def interpreters() -> tuple[Interpreter, ...]:
    """The one we run on, then the system's, if it is another. Another user may not be able to read ours."""
    paths = [getattr(sys, "_base_executable", sys.executable)]
    paths += [path for path in (shutil.which("python3", path="/usr/local/bin:/usr/bin"),) if path]
    found = {each.executable: each for each in map(_facts, paths)}
    return tuple(found.values())


def _facts(path: str) -> Interpreter:
    try:
        said = subprocess.run([path, "-I", "-S", "-c", _FACTS], capture_output=True, check=True, timeout=60)  # noqa: S603 (a fixed command)
        facts = json.loads(said.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise SandboxError(f"cannot ask the Python at {path} where its files are: {error}") from None
    return Interpreter(
        facts["executable"], facts["version"], tuple(facts["folders"]), tuple(facts["packages"])
    )
