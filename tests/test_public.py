"""The public names mean the same whatever was imported before."""

import subprocess
import sys

SCRIPT = """
import importlib, pkgutil, sys, types
import bakeoff

rooms = [bakeoff] + [
    importlib.import_module(f"bakeoff.{room.name}")
    for room in pkgutil.iter_modules(bakeoff.__path__)
    if room.ispkg and room.name not in ("cli", "catalog")
]
names = [(room, name) for room in rooms for name in getattr(room, "__all__", ())]
before = {(room.__name__, name): getattr(room, name) for room, name in names} if "first" in sys.argv else None
for module in pkgutil.walk_packages(bakeoff.__path__, "bakeoff."):
    if not any(part in module.name for part in (".vllm", ".gguf", ".hf", "__main__", "pytest_plugin")):
        importlib.import_module(module.name)
for room, name in names:
    value = getattr(room, name)
    assert not isinstance(value, types.ModuleType), f"{room.__name__}.{name} is a module"
    if before is not None:
        assert value is before[room.__name__, name], f"{room.__name__}.{name} changed"
print(len(names))
"""


def run(*arguments: str) -> int:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_no_public_name_turns_into_the_module_that_holds_it():
    assert run() > 50
    assert run("first") > 50
