"""What a worker opens for a submission, and what it keeps from it.

A submission names a model, settings and perhaps an address; the worker has keys, files and a network of its
own. A submission gets the key that was lent with it and the file that was handed in with it, and reaches what
anybody on the internet does. More only where the operator permits it.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from bakeoff.board.entry.keys import BoardKey, Lent, borrowed
from bakeoff.board.entry.predictions import is_kept, kept
from bakeoff.database import reading
from bakeoff.errors import BakeoffError
from bakeoff.jobs import Job, Steps
from bakeoff.model import open_model
from bakeoff.model.errors import MachineError
from bakeoff.model.packaged import PACKAGED
from bakeoff.model.reach import Keys, NotAllowedError, Reach, check_reach, reaching
from bakeoff.model.remote.endpoint import Secret, environment_key

Door = Callable[[Job, Steps], AbstractContextManager[str]]
"""Gives the model reference of a job as a worker opens it, for the time that it is open."""

_HOMES = {"OPENAI_API_KEY": "api.openai.com", "ANTHROPIC_API_KEY": "api.anthropic.com"}
_LENT = "It is the key that was handed in with the submission: hand it in again with one that is taken."
_NONE = "Hand it in with its key: bakeoff board submit … --key-from VARIABLE."


@dataclass(frozen=True, slots=True)
class Permits:
    """What an operator lets submissions use that is not theirs; by default nothing.

    `variables` are environment variables that hold keys, each with the host, and port if it names one, that
    its key may go to. `private`: addresses that are not public may be asked. `key` opens what was lent.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    key: BoardKey | None = None


def door(out: Path, permits: Permits | None) -> Door:
    """The way by which a worker that has `out` opens models.

    Without `permits` a model is opened as for the operator himself: with all that the process may use.
    """
    return partial(_admitted, out, permits)


def permitted(names: Sequence[str]) -> dict[str, str]:
    """The environment variables and their hosts in `NAME@HOST` each; two names stand for their usual hosts.

    Raises:
        BakeoffError: a name without its host.
    """
    found = {}
    for each in names:
        name, _, host = each.partition("@")
        host = host or _HOMES.get(name, "")
        if not name or not host or "/" in host:
            raise BakeoffError(
                f"--allow-env takes NAME@HOST, got {each!r}",
                "a key goes to no host but its own, or a submission could have it sent anywhere",
            )
        found[name] = host.lower()
    return found


def address(ref: str, settings: Mapping[str, str]) -> str:
    """Where the key of a model would go; "" for a model that takes none. Nothing is asked.

    Raises:
        ModelError: as `open_model`, but a missing key is no mistake.
    """
    asked = []

    def keys(url: str, variable: str, *, required: bool) -> Secret:  # noqa: ARG001
        asked.append(url)
        return Secret("")

    with reaching(Reach(keys, private=True)):
        open_model(ref, settings)
    return asked[-1] if asked else ""


def lendable(ref: str, settings: Mapping[str, str], variable: str) -> Lent:
    """The key in an environment variable, to be lent for this model.

    Raises:
        BakeoffError: the model is asked at no address.
        ModelError: the variable holds no key, or the address is none that a key should go to.
    """
    url = address(ref, settings)
    if not url:
        raise BakeoffError(f"{ref} is not asked at an address, and takes no key", "leave out --key-from")
    key = environment_key(url, variable, required=True)
    check_reach(url, key=True, private=True)
    return Lent(url, key.reveal())


def check_settings(settings: Mapping[str, str]) -> None:
    """Whether the settings of a submission are ones that run no code of its own.

    Raises:
        NotAllowedError: one is not.
    """
    if "pickled_weights" in settings:
        raise NotAllowedError(
            "pickled_weights is not taken: such files can hold code", "convert the weights to safetensors"
        )
    if not re.fullmatch(r"\w*", settings.get("attention", "")):
        raise NotAllowedError(
            f"attention={settings['attention']} is not taken: kernels from the hub are code",
            "name one that transformers has: sdpa, eager",
        )


@contextmanager
def _admitted(out: Path, permits: Permits | None, job: Job, steps: Steps) -> Iterator[str]:
    """The door itself.

    Raises:
        NotAllowedError: what the submission asks for is not its own, and not permitted.
    """
    ref: str = job.payload["model"]
    engine, _, name = ref.partition(":")
    if permits is None:
        yield kept(ref, out) if is_kept(ref) else ref
        return
    if engine not in steps.held.offers:
        raise NotAllowedError(f"this worker opens no models of the kind {engine}:")
    check_settings(job.payload["settings"])
    _check_weights(engine, name)
    lent = _lent(permits, job, steps)
    with reaching(Reach(_keys(permits, lent), private=permits.private)):
        yield kept(ref, out) if engine == "recorded" else ref


def _check_weights(engine: str, name: str) -> None:
    """Say of a file only that it is not there; `open_model` would help its user by naming those beside it."""
    if engine not in ("hf", "vllm", "gguf") or name in PACKAGED:
        return
    path = Path(os.path.expanduser(name))  # noqa: PTH111 (pathlib's raises for users that are not there)
    if engine == "gguf" or name.endswith(".gguf"):
        there = path.is_file()
    else:
        there = path.exists() or not name.startswith((".", "~", "/"))
    if not there:
        raise NotAllowedError(f"there is no file {name} where the worker runs")


def _lent(permits: Permits, job: Job, steps: Steps) -> Lent | None:
    if "lent" not in job.payload:
        return None
    number = job.payload["submission"]
    if permits.key is None:
        raise MachineError(f"this worker has no key file to open the key of submission {number} with")
    with reading(steps.engine) as connection:
        return borrowed(connection, number, permits.key)


def _keys(permits: Permits, lent: Lent | None) -> Keys:
    def find(url: str, variable: str, *, required: bool) -> Secret:
        if lent is not None:
            if url != lent.address:
                raise NotAllowedError(f"the key was lent for {lent.address}, and is not sent to {url}")
            return Secret(lent.key, _LENT)
        if permits.variables.get(variable) == urlsplit(url).netloc.lower():
            return environment_key(url, variable, required=required)
        if required:
            raise NotAllowedError(f"{url} wants a key, and those of the worker are not sent to it", _NONE)
        return Secret("", _NONE)

    return find
