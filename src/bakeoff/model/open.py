"""A model from its reference, such as `hf:ORG/NAME` or `recorded:answers.csv`."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from bakeoff.errors import ModelError
from bakeoff.model.errors import MachineError, NotThereError
from bakeoff.model.packaged import PACKAGED, packaged_path
from bakeoff.model.protocol import Model


@dataclass(frozen=True, slots=True)
class _Engine:
    """Where an engine's class is, how its references look, and which modules of which extra it needs."""

    location: str
    form: str
    extra: str = ""
    modules: tuple[str, ...] = ()


_OPENAI = "bakeoff.model.remote.openai:OpenAIModel"
_ENGINES = {
    "hf": _Engine("bakeoff.model.hf:HfModel", "hf:ORG/NAME[@REVISION]", "hf", ("torch", "transformers")),
    "vllm": _Engine("bakeoff.model.vllm:VllmModel", "vllm:ORG/NAME[@REVISION]", "vllm", ("vllm",)),
    "gguf": _Engine("bakeoff.model.gguf:GgufModel", "gguf:FILE.gguf", "local", ("xllamacpp",)),
    "openai": _Engine(_OPENAI, "openai:MODEL"),
    "anthropic": _Engine("bakeoff.model.remote.anthropic:AnthropicModel", "anthropic:MODEL"),
    "http": _Engine(_OPENAI, "http://HOST/v1#MODEL"),
    "https": _Engine(_OPENAI, "https://HOST/v1#MODEL"),
    "recorded": _Engine("bakeoff.model.recorded:RecordedModel", "recorded:FILE[#MODEL]"),
    "call": _Engine("bakeoff.model.pipeline:CallModel", "call:FILE.py:FUNCTION"),
    "endpoint": _Engine("bakeoff.model.pipeline:EndpointModel", "endpoint:URL"),
}


def open_model(ref: str, settings: Mapping[str, str] | None = None) -> Model:
    """The model that `ref` names, not yet entered: nothing is loaded and no server is asked.

    References: `hf:ORG/NAME[@REVISION]`, `hf:FOLDER`, `hf:FILE.gguf`, `vllm:` as `hf:`, `gguf:FILE.gguf`,
    `openai:MODEL`, `anthropic:MODEL`, `http://HOST/v1#MODEL` (any server that speaks the OpenAI wire format),
    `recorded:FILE[#MODEL]`, and a pipeline: `call:FILE.py:FUNCTION`, `endpoint:URL[#NAME]`. A packaged
    model's short name stands for its file: `gguf:smollm2`, `hf:smollm2`. `settings` are the engine's own, as
    text.

    Raises:
        ModelError: the reference is malformed, names a missing file, needs an extra that is not installed,
            or a setting is wrong.
    """
    prefix, colon, rest = ref.partition(":")
    if not colon or prefix not in _ENGINES:
        raise _unknown_reference(ref, prefix if colon else "")
    engine = _ENGINES[prefix]
    if not rest:
        raise ModelError(f"the model reference {ref!r} names no model", f"Write {engine.form}.")
    _require(prefix, engine, rest)
    chosen = dict(settings or {})
    match prefix:
        case "http" | "https":
            rest = _endpoint(ref, chosen)
        case "hf" | "vllm" | "gguf":
            rest = _weights(prefix, rest)
        case "recorded":
            _check_recorded(rest)
        case "call":
            _check_function(ref, rest)
    module, _, name = engine.location.partition(":")
    return cast("Model", getattr(import_module(module), name)(rest, chosen))


def _unknown_reference(ref: str, prefix: str) -> ModelError:
    forms = "A reference is one of: " + ", ".join(engine.form for engine in _ENGINES.values()) + "."
    if guess := _guess(ref, prefix):
        forms = f"Did you mean {guess}? {forms}"
    what = f"has the unknown prefix {prefix!r}" if prefix else "has no prefix that names an engine"
    return ModelError(f"the model reference {ref!r} {what}", forms)


def _guess(ref: str, prefix: str) -> str:
    if prefix.endswith(".py"):
        return f"call:{ref}"
    if prefix:
        near = get_close_matches(prefix.lower(), _ENGINES, n=1)
        return near[0] + ref[len(prefix) :] if near else ""
    if ref.endswith(".gguf") or ref in PACKAGED:
        return f"gguf:{ref}"
    if ref.endswith((".jsonl", ".csv", ".parquet")):
        return f"recorded:{ref}"
    return f"hf:{ref}" if ref.count("/") == 1 or Path(ref).is_dir() else ""


def _require(prefix: str, engine: _Engine, rest: str) -> None:
    """That the engine's libraries are installed, without importing them."""
    modules = engine.modules
    if prefix == "hf" and (rest in PACKAGED or rest.endswith(".gguf")):
        modules = (*modules, "gguf")
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MachineError(
            f"models of the kind {prefix}: need {' and '.join(missing)}, which is not installed",
            f"Install it: pip install 'bakeoff[{engine.extra}]'",
        )


def _endpoint(ref: str, settings: dict[str, str]) -> str:
    """The model's name from `http://HOST/v1#MODEL`; the address goes to the settings."""
    url, _, name = ref.partition("#")
    if not name:
        raise ModelError(
            f"the model reference {ref!r} does not say which model of that server to ask",
            f"Add its name behind a '#': {url}#MODEL. GET {url.rstrip('/')}/models lists them.",
        )
    if "base_url" in settings:
        raise ModelError(
            f"the model reference {ref!r} and the setting base_url both give an address", "Leave one out."
        )
    settings["base_url"] = url
    return name


def _weights(prefix: str, rest: str) -> str:
    """A packaged model's file for its short name; a local path after checking that it is there."""
    if rest in PACKAGED and not Path(rest).exists():
        return str(packaged_path(rest))
    path = Path(rest).expanduser()
    local = prefix == "gguf" or rest.endswith(".gguf") or rest.startswith((".", "~", "/"))
    if not local and not path.exists():
        return rest
    if not path.exists():
        raise _missing(prefix, path)
    if prefix == "gguf" and not path.is_file():
        raise ModelError(f"{path} is a folder, not a GGUF file", _near_files(path / "*.gguf"))
    return str(path)


def _check_recorded(rest: str) -> None:
    if Path(rest).expanduser().is_file():
        return
    path = Path(rest.rpartition("#")[0] or rest).expanduser()
    if not path.is_file():
        raise _missing("recorded", path)


def _check_function(ref: str, rest: str) -> None:
    file, colon, name = rest.rpartition(":")
    if not colon or not name.isidentifier():
        raise ModelError(
            f"the model reference {ref!r} does not say which function of a file to call",
            f"Write call:FILE.py:FUNCTION, such as call:{file or rest}:answer.",
        )
    path = Path(file).expanduser()
    if not path.is_file():
        raise _missing("call", path)


def _missing(prefix: str, path: Path) -> ModelError:
    names = ", ".join(f"{prefix}:{name}" for name in PACKAGED) if prefix == "gguf" else ""
    hint = _near_files(path) + (f" Packaged models: {names}." if names else "")
    return NotThereError(f"there is no file {path}", hint.strip())


def _near_files(path: Path) -> str:
    """The files beside `path` with the most similar names, as a hint."""
    folder = path.parent
    if not folder.is_dir():
        return f"The folder {folder} does not exist."
    names = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    near = get_close_matches(path.name, names, n=3, cutoff=0.5)
    if not near:
        near = [name for name in names if Path(name).suffix == path.suffix][:3]
    return f"In that folder: {', '.join(near)}." if near else f"The folder {folder} holds nothing like it."
