"""Start-up stays light: nothing heavy is imported before a command needs it."""

import subprocess
import sys

import pytest

from bakeoff.cli.app import app
from tests.cli.command import bakeoff

HEAVY = {
    "aiohttp",
    "duckdb",
    "fastapi",
    "huggingface_hub",
    "jinja2",
    "numpy",
    "polars",
    "pydantic",
    "scipy",
    "torch",
    "transformers",
    "xllamacpp",
}

COMMANDS = [name for name in app if not name.startswith("-")]


STARTED = [
    ["--help"],
    ["--version"],
    ["task", "list"],
    ["suite", "list"],
    *([command, "--help"] for command in COMMANDS),
]


@pytest.fixture(scope="module")
def imported():
    """What each command is the first to import, all started one after another in one fresh process."""
    script = f"""
import sys
from bakeoff.cli.app import main
before = set()
for arguments in {STARTED!r}:
    sys.argv = ["bakeoff", *arguments]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code
    print(*(set(sys.modules) - before), file=sys.stderr)
    before = set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    return {" ".join(command): line.split() for command, line in zip(STARTED, lines, strict=True)}


@pytest.mark.parametrize("arguments", [" ".join(command) for command in STARTED])
def test_no_heavy_library_is_imported_for(arguments, imported):
    assert "bakeoff" in imported["--help"]
    assert not {name.partition(".")[0] for name in imported[arguments]} & HEAVY


def _leaves(path):
    """The commands at the ends of what lies below one."""
    here = app
    for name in path:
        here = here[name]
    below = [name for name in here if not name.startswith("-")]
    return [leaf for name in below for leaf in _leaves([*path, name])] or [path]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example_of_itself(command, tmp_path):
    """Of commands with commands below them, each of those does."""
    for arguments in _leaves([command]):
        text = bakeoff(tmp_path, *arguments, "--help").stdout
        assert "Example" in text
        assert f"bakeoff {' '.join(arguments)}" in text.partition("Example")[2]


def test_importing_the_package_imports_no_room():
    script = "import sys, bakeoff; print(*(n for n in sys.modules if n.startswith('bakeoff')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["bakeoff"]


def test_every_public_name_is_there():
    import bakeoff

    assert all(getattr(bakeoff, name) for name in bakeoff.__all__)
