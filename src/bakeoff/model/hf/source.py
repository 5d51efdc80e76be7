"""Where a model's files are, and the name of exactly these weights."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from bakeoff.digest import digest
from bakeoff.errors import ModelError
from bakeoff.model.card import NAME as CARD
from bakeoff.model.errors import MachineError, NotThereError
from bakeoff.model.found import Found
from bakeoff.model.gguf.found import found_in_file
from bakeoff.model.hf.dequantise import dequantised
from bakeoff.model.hf.found import found_in_folder
from bakeoff.model.hub import read_hub_name
from bakeoff.model.packaged import PACKAGED, packaged_path

_SAFE = ("*.safetensors", "*.safetensors.index.json")
_PICKLED = ("*.bin", "*.bin.index.json")
_OTHER = ("*.json", "*.txt", "*.model", "*.jinja", "*.tiktoken", CARD)


@dataclass(frozen=True, slots=True)
class Source:
    """A folder in transformers' layout.

    `revision` is the hub's commit, or a digest of the weights. `note` says how the weights came to be what
    they are, where that is not simply the checkpoint. `found` is what the files say of the model.
    """

    name: str
    folder: Path
    revision: str
    note: str = ""
    found: Found = field(default_factory=Found)


def find_source(name: str, *, pickled_weights: bool) -> Source:
    """The files for `name`: a packaged model, a `.gguf` file, a folder, or `ORG/NAME[@REVISION]` on the hub.

    Downloads from the hub when the cache does not have them.

    Raises:
        NotThereError: there is no such file, model or revision, or it may not be had.
        MachineError: the hub cannot be reached, or what comes from it cannot be kept.
        ModelError: no weights of a kind we load.
    """
    path = packaged_path(name) if name in PACKAGED else Path(name).expanduser()
    if path.suffix == ".gguf":
        if not path.is_file():
            raise NotThereError(f"there is no file {path}")
        folder, sha256 = dequantised(path)
        revision, note = f"sha256:{sha256}", "dequantised from GGUF"
        return Source(path.stem, folder, revision, note, found_in_file(path))
    if path.is_dir():
        _require_weights(path, name, pickled_weights)
        return Source(path.resolve().name, path, weights_digest(path), found=found_in_folder(path))
    return _from_hub(name, pickled_weights)


def weights_digest(folder: Path) -> str:
    """One digest of the configuration and all weight files of `folder`, by name and content."""
    files = sorted(path for glob in ("config.json", "*.safetensors", "*.bin") for path in folder.glob(glob))
    return digest({path.name: _sha256(path) for path in files})


def _from_hub(name: str, pickled_weights: bool) -> Source:
    from huggingface_hub import snapshot_download

    asked = read_hub_name(name)
    if asked is None:
        raise NotThereError(
            f"{name!r} is neither a file or folder here nor the name of a model on the hub",
            "Write hf:ORG/NAME, hf:ORG/NAME@REVISION, hf:FOLDER or hf:FILE.gguf.",
        )
    repository, revision = asked
    patterns = [*_SAFE, *_OTHER, *(_PICKLED if pickled_weights else ())]
    try:
        folder = Path(
            snapshot_download(
                repository,
                revision=revision or None,
                allow_patterns=patterns,
                # Other formats and copies lie in folders, and Mistral's own layout beside the usual one.
                ignore_patterns=["*/*", "consolidated*"],
            )
        )
    except OSError as error:
        raise _hub_error(repository, revision, error) from error
    _require_weights(folder, repository, pickled_weights)
    return Source(repository, folder, folder.name, found=found_in_folder(folder))


def _hub_error(repository: str, revision: str, error: OSError) -> ModelError:
    from huggingface_hub import errors

    match error:
        case errors.GatedRepoError():
            return NotThereError(
                f"the model {repository} is gated, and this account has no access to it",
                f"Accept its terms at https://huggingface.co/{repository} and set HF_TOKEN.",
            )
        case errors.RepositoryNotFoundError():
            return NotThereError(
                f"the hub has no model {repository}, or it is private",
                "Check the spelling; for a private model set HF_TOKEN.",
            )
        case errors.RevisionNotFoundError():
            return NotThereError(
                f"the model {repository} has no revision {revision}",
                f"Its branches, tags and commits: https://huggingface.co/{repository}/commits/main",
            )
        case errors.LocalEntryNotFoundError():
            at = f" at revision {revision}" if revision else ""
            return MachineError(
                f"the model {repository}{at} is not in the local cache, and the hub cannot be reached",
                "Download it where there is a network (hf download), or give a folder: hf:FOLDER.",
            )
        case _:
            return MachineError(f"the model {repository} could not be downloaded: {error}")


def _require_weights(folder: Path, name: str, pickled_weights: bool) -> None:
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"{name} is not a model in transformers' layout: it has no config.json",
            "An adapter has to be merged into its base model first."
            if (folder / "adapter_config.json").is_file()
            else "",
        )
    if any(folder.glob("*.safetensors")) or (pickled_weights and any(folder.glob("*.bin"))):
        return
    pickled = any(folder.glob("*.bin")) or not pickled_weights
    raise ModelError(
        f"{name} has no weights in safetensors format",
        "If it has .bin files and you trust where they come from, set pickled_weights=true."
        if pickled
        else "",
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
