"""Files that are whole or absent, never half."""

import errno
import os
from pathlib import Path

from bakeoff.errors import StoreError


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` aside, sync it and rename it to `path`: a reader sees the old file or the new one.

    Raises:
        StoreError: the disk is full or the folder cannot be written.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise unwritable(path, error) from error


def shut(folder: Path) -> None:
    """Let none but the owner into a folder (0700) and at its files (0600).

    Raises:
        StoreError: the folder belongs to somebody else.
    """
    try:
        folder.chmod(0o700)
        for path in folder.iterdir():
            if path.is_file() and not path.is_symlink():
                path.chmod(0o600)
    except OSError as error:
        raise unwritable(folder, error) from error


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unwritable(path: Path, error: OSError) -> StoreError:
    """The error to show when `path` could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreError(
            f"the disk is full: could not write {path}",
            "what was written before is whole; free some space, then resume the run",
        )
    return StoreError(
        f"could not write {path}: {error.strerror or error}", "check the path and its permissions"
    )
