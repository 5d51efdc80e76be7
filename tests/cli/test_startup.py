"""Start-up stays light: nothing heavy is imported before a command needs it."""

import subprocess
import sys

import pytest

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


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["task", "list"],
        *([command, "--help"] for command in ("run", "show", "compare", "gate", "rescore", "quickstart")),
        *([command, "--help"] for command in ("task", "doctor")),
    ],
    ids=" ".join,
)
def test_no_heavy_library_is_imported_for(arguments):
    script = (
        "import sys\n"
        "from bakeoff.cli.app import main\n"
        f"sys.argv = ['bakeoff', *{arguments!r}]\n"
        "try:\n    main()\n"
        "finally:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "bakeoff" in loaded
    assert not loaded & HEAVY


def test_importing_the_package_imports_no_room():
    script = "import sys, bakeoff; print(*(n for n in sys.modules if n.startswith('bakeoff')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["bakeoff"]


def test_every_public_name_is_there():
    import bakeoff

    assert all(getattr(bakeoff, name) for name in bakeoff.__all__)
