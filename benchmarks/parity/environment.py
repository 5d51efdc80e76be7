"""An environment of its own for the harness, made once."""

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = ("torch==2.13.0", "lm-eval[hf,ifeval,math]==0.4.13")


def peer_python(cache: Path) -> Path:
    """The Python that has the harness, made under `cache` if it is not there. Takes some minutes, once."""
    folder = cache / "venv"
    python, done = folder / "bin" / "python", folder / "done"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *REQUIREMENTS], check=True)
        done.touch()
    return python


def peer_tasks(python: Path) -> Path:
    """The folder of the harness's task files."""
    (package,) = python.parent.parent.glob("lib/python3*/site-packages/lm_eval")
    return package / "tasks"
