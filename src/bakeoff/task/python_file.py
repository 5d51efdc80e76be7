"""Python files that hold a task or a generator. They are the user's own code, and are run."""

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.task.spec import nearest


def module_from_file(path: Path) -> ModuleType:
    """The module a file defines.

    Raises:
        TaskError: there is no such file, or running it failed.
    """
    if not path.is_file():
        raise TaskError(f"there is no file {path}")
    key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(f"bakeoff_file_{path.stem}_{key}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickles look their module up by name.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except TaskError:
        raise
    except Exception as error:
        lines = [
            each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == str(path)
        ]
        line = getattr(error, "lineno", None) or (lines[-1] if lines else None)
        where = f"{path}:{line}" if line else str(path)
        raise TaskError(f"{where}: importing the file failed: {type(error).__name__}: {error}") from error
    return module


def attribute_of(module: ModuleType, name: str, shown: str) -> Any:
    """An attribute by name.

    Raises:
        TaskError: there is none; names the nearest.
    """
    if not hasattr(module, name):
        public = [each for each in vars(module) if not each.startswith("_")]
        raise TaskError(f"{shown}: there is no {name!r} in it", nearest(name, public, "it defines"))
    return getattr(module, name)
