"""The tier that works on this machine, found by running it."""

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from bakeoff.sandbox.bubblewrap import bubblewraps
from bakeoff.sandbox.container import containers
from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.guest import Ended, Guest
from bakeoff.sandbox.launch import Tier
from bakeoff.sandbox.limits import Limits
from bakeoff.sandbox.wasi import wasis

SETTING = "BAKEOFF_SANDBOX"
"""The environment variable that names the one tier to use."""

# In order of preference: by start-up time, and by how much has been tried on it.
TIERS: Mapping[str, Callable[[], Iterable[Tier]]] = {
    "bubblewrap": bubblewraps,
    "container": containers,
    "wasi": wasis,
}
_TRIAL_LIMITS = Limits(cpu_s=20, wall_s=120)
_TRIAL = """
import os
def tries(secret):
    escapes = []
    try:
        open(secret).close()
        escapes.append("could read a file of the host")
    except OSError:
        pass
    try:
        open("/escape", "w").close()
        escapes.append("could write outside of its folder")
    except OSError:
        pass
    try:
        import socket
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.connect(("192.0.2.1", 9))
        escapes.append("has a route to the network")
    except (ImportError, AttributeError, OSError):
        pass
    if os.environ.get("BAKEOFF_SANDBOX_SECRET"):
        escapes.append("sees the environment")
    return escapes
"""


_one_at_a_time = threading.Lock()


def sandbox() -> Tier:
    """The first tier that runs a program here and confines it. Looked for once per process, from any thread.

    Raises:
        SandboxError: there is none; says of each why, and how to get one. Nothing is ever run without one.
    """
    with _one_at_a_time:
        found = _found()
    if isinstance(found, SandboxError):
        raise SandboxError(found.message, found.hint)
    return found


@cache
def _found() -> Tier | SandboxError:
    try:
        return _look()
    except SandboxError as error:
        return error


def _look() -> Tier:
    wanted = os.environ.get(SETTING)
    if wanted is not None and wanted not in TIERS:
        raise SandboxError(
            f"{SETTING}={wanted}: there is no such sandbox", f"Choose one of {', '.join(TIERS)}."
        )
    why = []
    for name in [wanted] if wanted else TIERS:
        try:
            return first_that_works(TIERS[name]())
        except SandboxError as error:
            why.append(f"{name}: {error.message}" + (f" ({error.hint})" if error.hint else ""))
    raise SandboxError(
        f"model-written code runs only in a sandbox, and none works here: {'; '.join(why)}",
        "See docs/guide/sandbox.md; `pip install 'bakeoff[sandbox]'` is enough on most Linux machines.",
    )


def first_that_works(tiers: Iterable[Tier]) -> Tier:
    """The first of `tiers` that passes a trial.

    Raises:
        SandboxError: none does; says why of each.
    """
    why = []
    for tier in tiers:
        try:
            try_out(tier)
        except SandboxError as error:
            why.append(error.message)
        else:
            return tier
    raise SandboxError("; ".join(why) or "there is nothing to try")


def try_out(tier: Tier) -> None:
    """Run a program in `tier` that tries to read, write and connect where it must not.

    Raises:
        SandboxError: it does not start, does not answer, or does not confine.
    """
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        secret.write_text("secret")
        Path(folder).chmod(0o755)
        secret.chmod(0o644)
        try:
            with Guest(tier, "candidate", _TRIAL_LIMITS) as guest:
                guest.send(repr([_TRIAL]))
                guest.receive()
                guest.send(repr(["tries", (str(secret),), {}]))
                said = guest.receive()
        except Ended as ended:
            raise SandboxError(f"{tier.name} started, but {ended.why}") from None
    if said != {"value": []}:
        raise SandboxError(f"{tier.name} does not confine what runs in it: {said}")
