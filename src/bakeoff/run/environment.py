"""Facts about where a run was made, for its manifest."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from typing import Any

_PACKAGES = (
    "aiohttp",
    "duckdb",
    "gguf",
    "jinja2",
    "numpy",
    "scipy",
    "tokenizers",
    "torch",
    "transformers",
    "xllamacpp",
)
_SECRET = re.compile(r"(?i)(key|token|secret|password)(=|$)")
_PASSWORD = re.compile(r"(?<=://)([^/@\s:]*):[^/@\s]*@")
"""In an address: of a database, or of a proxy."""


def environment() -> dict[str, Any]:
    """Python, operating system, processors, versions of what can move a number, git state, command line."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "packages": dict(_versions()),
        "git": _git(),
        "command": redacted(sys.argv),
    }


def redacted(arguments: Sequence[str]) -> list[str]:
    """The command line without passwords in addresses, and the values of anything named like a secret."""
    clean = []
    hide = False
    for argument in (_PASSWORD.sub(r"\1:***@", each) for each in arguments):
        name, equals, _ = argument.partition("=")
        if hide:
            clean.append("***")
            hide = False
        elif equals and _SECRET.search(name + "="):
            clean.append(f"{name}=***")
        else:
            clean.append(argument)
            hide = argument.startswith("-") and _SECRET.search(argument) is not None
    return clean


@cache
def _versions() -> Mapping[str, str]:
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def _git() -> dict[str, Any] | None:
    """The commit of the folder we stand in and whether it was changed; None outside a checkout."""
    try:
        commit = _output("git", "rev-parse", "HEAD")
        changed = _output("git", "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return {"commit": commit, "changed": bool(changed)}


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)  # noqa: S603
    return done.stdout.strip()
