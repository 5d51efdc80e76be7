"""Names of models on the hub: ORG/NAME[@REVISION]."""

import re
from pathlib import Path
from typing import NamedTuple

from bakeoff.model.packaged import PACKAGED

_PART = r"(?!-|\.)(?:(?!--|\.\.)[\w.-]){1,96}(?<!-|\.)"
_NAME = re.compile(rf"(?P<repository>(?:{_PART}/)?{_PART})(?:@(?P<revision>(?:(?!\.\.)[\w./-])+))?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")


class HubName(NamedTuple):
    """A model on the hub. `revision` is a branch, a tag or a commit; empty for the main branch."""

    repository: str
    revision: str

    @property
    def pinned(self) -> bool:
        """Whether it means the same weights tomorrow: branches and tags move, a whole commit stays."""
        return _COMMIT.fullmatch(self.revision) is not None


def read_hub_name(name: str) -> HubName | None:
    """The parts of `name`; None where no model on the hub can be called so."""
    found = _NAME.fullmatch(name)
    return HubName(found["repository"], found["revision"] or "") if found else None


def is_local(name: str) -> bool:
    """Whether `name`, what stands behind the engine in a reference, is a file or folder, not on the hub."""
    return (
        name in PACKAGED
        or name.endswith(".gguf")
        or name.startswith((".", "~", "/"))
        or Path(name).expanduser().exists()
    )
