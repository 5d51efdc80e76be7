"""Containers by Docker or Podman, where one of them runs."""

import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.launch import Launch
from bakeoff.sandbox.limits import Limits

IMAGE_SETTING = "BAKEOFF_SANDBOX_IMAGE"
"""The environment variable that names the image; it must have `python3` and is never pulled by us."""
_IMAGE = "python:3.12-slim"
# What the client itself needs to find its server; the container's environment is set apart from it.
_CLIENT = ("HOME", "PATH", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST")


@dataclass(frozen=True, slots=True)
class Container:
    """A fresh container for each run: no network, no capabilities, a read-only image, an unprivileged user.

    Process count, memory and processor share are held by its control group.
    """

    program: str
    engine: str
    image: str
    image_id: str

    @property
    def name(self) -> str:
        """`docker, python:3.12-slim (sha256:0123456789ab)`."""
        return f"{self.engine}, {self.image} ({self.image_id[:19]})"

    def launch(self, source: str, limits: Limits) -> Launch:
        """See `Tier`."""
        name = f"bakeoff-{secrets.token_hex(8)}"
        memory = f"{limits.memory_mb + limits.disk_mb}m"
        argv = (
            *(self.program, "run", "--rm", "-i", "--name", name, "--pull", "never", "--log-driver", "none"),
            *("--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
            *("--user", "65534:65534", "--read-only", "--workdir", "/tmp"),  # noqa: S108 (inside)
            *("--tmpfs", f"/tmp:rw,nosuid,nodev,size={limits.disk_mb}m,mode=1777"),  # noqa: S108
            *("--memory", memory, "--memory-swap", memory, "--cpus", "1"),
            *("--pids-limit", str(limits.threads)),
            *("--shm-size", "1m", "--env", "HOME=/tmp", "--env", "PYTHONHASHSEED=0"),
            *(self.image_id, "python3", "-s", "-S", "-B", "-X", "utf8", "-c", source),
        )
        return Launch(argv, _client_environment(), end=lambda: _remove(self.program, name))


def containers() -> Iterator[Container]:
    """Docker and Podman, where they are installed, run and hold the image.

    Raises:
        SandboxError: neither; says why.
    """
    image = os.environ.get(IMAGE_SETTING, _IMAGE)
    why = []
    for engine in ("docker", "podman"):
        program = shutil.which(engine)
        if program is None:
            why.append(f"{engine} is not installed")
            continue
        try:
            yield Container(program, engine, image, _image_id(program, engine, image))
        except SandboxError as error:
            why.append(error.message)
    raise SandboxError(", ".join(why), f"docker pull {image}, or set {IMAGE_SETTING}")


def _image_id(program: str, engine: str, image: str) -> str:
    try:
        said = subprocess.run(  # noqa: S603 (a fixed command)
            [program, "image", "inspect", image],
            capture_output=True,
            env=_client_environment(),
            timeout=60,
            check=False,
        )
        if said.returncode:
            words = said.stderr.decode(errors="replace").strip().splitlines()
            raise SandboxError(f"{engine} cannot use {image}: {words[-1] if words else said.returncode}")
        return str(json.loads(said.stdout)[0]["Id"])
    except (OSError, subprocess.SubprocessError, ValueError, LookupError) as error:
        raise SandboxError(f"{engine} does not answer: {error}") from None


def _remove(program: str, name: str) -> None:
    """Killing the client leaves its container running."""
    subprocess.run(  # noqa: S603 (a fixed command)
        [program, "rm", "--force", name],
        capture_output=True,
        env=_client_environment(),
        timeout=60,
        check=False,
    )


def _client_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _CLIENT if name in os.environ}
