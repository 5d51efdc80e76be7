"""The `bakeoff` command line: called here, or started as a process where that is what a test is about."""

import io
import os
import subprocess
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from bakeoff.cli.app import main

Done = subprocess.CompletedProcess[str]


def bakeoff(folder: Path, *arguments: str, **environment: str) -> Done:
    """Exit code and output of the command in `folder`; it starts without the second that a process takes."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(sys, "argv", ["bakeoff", *arguments])
        for name, value in _environment(folder, environment).items():
            patch.setenv(name, value)
        for each in (chdir(folder), redirect_stdout(out), redirect_stderr(err)):
            stack.enter_context(each)
        ended = stack.enter_context(pytest.raises(SystemExit))
        main()
    code = ended.value.code
    assert isinstance(code, int)
    said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Done(arguments, code, said, complained)


def bakeoff_process(folder: Path, *arguments: str, **environment: str) -> Done:
    """The same from a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bakeoff", *arguments],
        cwd=folder,
        capture_output=True,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        timeout=120,
        env=os.environ | _environment(folder, environment),
    )


def _environment(folder: Path, changes: dict[str, str]) -> dict[str, str]:
    return {"BAKEOFF_CACHE": str(folder / "cache"), "COLUMNS": "120"} | changes
