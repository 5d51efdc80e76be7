"""Files of predictions: kept by their digest when they are handed in, so that none can change after.

They lie as `predictions/DIGEST/NAME` under the place that all workers reach, DIGEST being the SHA-256 of the
content. A file holds the answers to all tasks of a board, told apart by item id (`recorded:`).
"""

import hashlib
import os
import re
import shutil
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.model.reach import NotAllowedError
from bakeoff.model.recorded.rows import FORMATS
from bakeoff.store.files import unwritable

_FOLDER = "predictions"
_NAME = r"\w[\w.-]{0,99}"
_KEPT = re.compile(
    rf"recorded:{_FOLDER}/(?P<digest>[0-9a-f]{{64}})/(?P<name>{_NAME})(?P<model>#.*)?", re.ASCII | re.DOTALL
)


def keep(ref: str, out: Path) -> str:
    """Copy the file of a reference `recorded:FILE[#MODEL]` to its place under `out`. Returns the reference to
    it, `recorded:predictions/DIGEST/NAME[#MODEL]`.

    Raises:
        BakeoffError: the file is not there, or its name is not made of letters, digits, `_`, `-` and `.`.
        StoreError: it cannot be read or copied.
    """
    path, model = _split(ref.partition(":")[2])
    if not path.is_file():
        raise BakeoffError(f"there is no file {path}")
    if not re.fullmatch(_NAME, path.name, re.ASCII) or path.suffix.lower() not in FORMATS:
        raise BakeoffError(
            f"the file of predictions is called {path.name!r}",
            f"use letters, digits, _, - and . for its name, and end it in {', '.join(FORMATS)}",
        )
    try:
        with path.open("rb") as source:
            place = _placed(source, path.name, out / _FOLDER)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error
    return f"recorded:{place.relative_to(out).as_posix()}{model}"


def is_kept(ref: str) -> bool:
    """Whether a reference is one of `keep`."""
    return _KEPT.fullmatch(ref) is not None


def kept(ref: str, out: Path) -> str:
    """The reference by which a worker opens predictions that `keep` returned this one for.

    Raises:
        NotAllowedError: it names any other file, a link, one that is not there, or one that was changed.
    """
    parts = _parts(ref)
    digest, name = parts["digest"], parts["name"]
    place = out / _FOLDER / digest / name
    if place.resolve() != out.resolve() / _FOLDER / digest / name or not place.is_file():
        raise NotAllowedError(
            f"the predictions {name} are not under {out}",
            "hand them in with the --out that the workers have",
        )
    if file_digest(place) != digest:
        raise NotAllowedError(f"the predictions {name} were changed after they were handed in")
    return f"recorded:{place}{parts['model'] or ''}"


def revision(ref: str) -> str:
    """The digest in a reference of `keep`, as engines name the revision of a file."""
    return f"sha256:{_parts(ref)['digest']}"


def named(ref: str) -> str:
    """What the model in a reference of `keep` is called: as it says, or as the file."""
    parts = _parts(ref)
    return (parts["model"] or "#")[1:] or Path(parts["name"]).stem


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hex.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from error


def _parts(ref: str) -> re.Match[str]:
    found = _KEPT.fullmatch(ref)
    if found is None:
        raise NotAllowedError(
            "predictions are read from where submissions are kept, and from no other file",
            "hand the file in: bakeoff board submit BOARD --model recorded:FILE",
        )
    return found


def _placed(source: BinaryIO, name: str, folder: Path) -> Path:
    """A copy of `source` as `folder/DIGEST/name`, whole or not at all."""
    aside = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, aside = mkstemp(dir=folder, suffix=".part")
        with os.fdopen(descriptor, "wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
        # The digest is of what was written, whatever becomes of the file meanwhile.
        place = folder / file_digest(Path(aside)) / name
        place.parent.mkdir(exist_ok=True)
        Path(aside).chmod(0o444)
        return Path(aside).replace(place)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        if aside is not None:
            Path(aside).unlink(missing_ok=True)


def _split(name: str) -> tuple[Path, str]:
    """The file, and `#MODEL` behind it; a file whose own name has a `#` wins, as it does for the engine."""
    whole = Path(name).expanduser()
    file, mark, model = name.rpartition("#")
    if not mark or whole.is_file():
        return whole, ""
    return Path(file).expanduser(), f"#{model}"
