"""What can be run here: engines, the packaged model, keys, and room for results."""

import os
import shutil
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from bakeoff.errors import ModelError
from bakeoff.model import packaged_path
from bakeoff.sandbox import SandboxError
from bakeoff.sandbox.tiers import TIERS, first_that_works
from bakeoff.store import cache_folder


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is ready or not, and what to do if it is not."""

    name: str
    ready: bool
    says: str


def readiness() -> list[Check]:
    """Look at everything without loading or contacting anything. Keys are only looked for, never read out;
    sandboxes are tried by running a program in them that tries to get out."""
    return [
        _modules("gguf: (llama.cpp)", "local", "xllamacpp"),
        _packaged("smollm2"),
        _modules("hf: (transformers)", "hf", "torch", "transformers"),
        _vllm(),
        _key("openai:", "OPENAI_API_KEY"),
        _key("anthropic:", "ANTHROPIC_API_KEY"),
        Check("http:, recorded:, call:, endpoint:", True, "nothing to install"),
        _sandbox(),
        _room(),
    ]


def _modules(name: str, extra: str, *modules: str) -> Check:
    missing = [module for module in modules if find_spec(module) is None]
    says = f"pip install 'bakeoff[{extra}]'" if missing else "installed"
    return Check(name, not missing, says)


def _vllm() -> Check:
    check = _modules("vllm: (vLLM)", "vllm", "vllm")
    return replace(check, says=f"{check.says} (checked on a CPU, not yet on a GPU)")


def _packaged(name: str) -> Check:
    try:
        return Check(f"gguf:{name}", True, str(packaged_path(name)))
    except ModelError as error:
        return Check(f"gguf:{name}", False, error.hint)


def _key(name: str, variable: str) -> Check:
    found = bool(os.environ.get(variable))
    return Check(name, found, f"{variable} is set" if found else f"set {variable}")


def _sandbox() -> Check:
    """Every tier by its trial: the first that passes is the one that code is run in."""
    works, says = False, []
    for name, tiers in TIERS.items():
        try:
            says.append(f"{first_that_works(tiers()).name} works")
            works = True
        except SandboxError as error:
            says.append(f"{name}: {error.message}" + (f" ({error.hint})" if error.hint else ""))
    if not works:
        says.insert(0, "pip install 'bakeoff[sandbox]' on Linux; see docs/guide/sandbox.md")
    return Check("sandbox for code", works, "; ".join(says))


def _room() -> Check:
    folder = cache_folder()
    nearest = next(path for path in (folder, *folder.parents, Path("/")) if path.exists())
    free = shutil.disk_usage(nearest).free / 1e9
    return Check("room for the cache", free > 1, f"{free:.1f} GB free at {folder}")
