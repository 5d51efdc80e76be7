"""A sandboxed interpreter and the conversation with it."""

import os
import secrets
import selectors
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, Self

from bakeoff.sandbox.data import Malformed, read_data
from bakeoff.sandbox.errors import SandboxError
from bakeoff.sandbox.launch import Tier
from bakeoff.sandbox.limits import Limits

Role = Literal["candidate", "tester", "program"]

_START_S = 180.0  # a first run may have to compile
_CHUNK = 1 << 16
_KEPT_WORDS = 4096


@dataclass(frozen=True, slots=True)
class Ended(Exception):  # noqa: N818 (how hostile code ended is a finding, not an error of ours)
    """The code inside ended, or was ended, before it answered; `why` is for people."""

    kind: Literal["timeout", "output", "exit", "signal", "malformed"]
    why: str

    def __str__(self) -> str:
        return self.why


class Guest:
    """One process in a sandbox. A context manager, for one thread: the end of the thread ends it.

    Entering starts it without waiting, so that two can start side by side. Whatever comes back is a claim by
    hostile code, bounded in size; it is data and decides nothing.

    Raises:
        SandboxError: on entering or on the first message, when the sandbox did not come up. After that,
        nothing is the sandbox's fault.
    """

    def __init__(self, tier: Tier, role: Role, limits: Limits) -> None:
        self._tier = tier
        self._role = role
        self._limits = limits
        self._nonce = secrets.token_hex(16)
        self._said = bytearray()
        self._read_to = 0
        self._words = b""
        self._left = limits.output_mb << 20
        self._open = True
        self._ready = False

    def __enter__(self) -> Self:
        limits = self._limits
        ceilings = f"{_whole(limits.cpu_s)}, {limits.memory_mb}, {limits.disk_mb}, {limits.threads}"
        self._launch = launch = self._tier.launch(_source(self._role, self._nonce, ceilings, limits), limits)
        command, options = (launch.argv, {}) if launch.user is None else _as_user(launch.argv, launch.user)
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the tier's command; nothing of an answer is in it)
                command,
                env=dict(launch.env),
                pass_fds=launch.pass_fds,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
                **options,
            )
        except (OSError, subprocess.SubprocessError) as error:
            launch.end()
            raise SandboxError(f"{self._tier.name} could not be started: {error}") from None
        finally:
            for descriptor in launch.pass_fds:
                os.close(descriptor)
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
            if pipe is not None
        )
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        for descriptor in (self._stdout, self._stderr):
            self._selector.register(descriptor, selectors.EVENT_READ)
        self._deadline = time.monotonic() + _START_S
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def process_id(self) -> int:
        """Of the outermost process, as this machine counts."""
        return self._process.pid

    def close(self) -> None:
        """End everything inside, at once."""
        if not self._open:
            return
        self._open = False
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._launch.end()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def send(self, message: str) -> None:
        """Give the guest one line, a Python literal.

        Raises:
            SandboxError: on the first message, when the sandbox did not come up.
            Ended: it was gone, or took no more.
        """
        if not self._ready:
            self._wait_until_ready()
        data = memoryview(message.encode("utf-8", "surrogatepass") + b"\n")
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            while data:
                if self._stdin in self._step():
                    with suppress(BlockingIOError):
                        data = data[os.write(self._stdin, data[:_CHUNK]) :]
        except BrokenPipeError:
            raise self._end() from None
        finally:
            self._selector.unregister(self._stdin)

    def receive(self) -> Any:
        """The next thing the guest says, as JSON.

        Raises:
            Ended: it ended first, ran out of time, said too much, or something that cannot be read.
        """
        try:
            return read_data(self._frame())
        except Malformed as error:
            raise Ended("malformed", str(error)) from None

    def remainder(self) -> tuple[bytes, int, bytes]:
        """Everything still to come on standard output, the exit code, and the last words on standard error.

        Raises:
            Ended: out of time, or too much output.
        """
        while self._stdout in self._selector.get_map():
            self._step()
        code = self._wait()
        if (ended := _by_signal(code, self._limits)) is not None:
            raise ended
        return bytes(self._said[self._read_to + 1 :]), code, self._words

    def _wait_until_ready(self) -> None:
        """Up to here only our own code has run: whatever goes wrong is the sandbox's fault."""
        try:
            said = self._frame()
        except Ended as ended:
            words = self._words.decode(errors="replace").strip().splitlines()
            why = words[-1] if words else ended.why
            raise SandboxError(f"{self._tier.name} did not start: {why}") from None
        if said != b"ready":
            raise SandboxError(f"{self._tier.name} said something else than that it is ready")
        self._ready = True
        self._deadline = time.monotonic() + self._limits.wall_s

    def _frame(self) -> bytes:
        """The next line behind our nonce. Everything else is noise that the code inside made."""
        mark = b"\n%s " % self._nonce.encode()
        looked = self._read_to
        while True:
            start = self._said.find(mark, looked)
            end = self._said.find(b"\n", start + 1) if start >= 0 else -1
            if end >= 0:
                self._read_to = end
                return bytes(self._said[start + len(mark) : end])
            looked = start if start >= 0 else max(self._read_to, len(self._said) - len(mark))
            if self._stdout not in self._selector.get_map():
                raise self._end()
            self._step()

    def _step(self) -> set[int]:
        """Wait for something to happen, and read what came."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Ended("timeout", f"nothing more within {self._limits.wall_s:g} s")
        ready = {key.fd for key, _ in self._selector.select(left)}
        for descriptor in ready - {self._stdin}:
            data = os.read(descriptor, _CHUNK)
            if not data:
                self._selector.unregister(descriptor)
            self._left -= len(data)
            if self._left < 0:
                raise Ended("output", f"more than {self._limits.output_mb} MiB of output")
            if descriptor == self._stdout:
                self._said += data
            else:
                self._words = (self._words + data)[-_KEPT_WORDS:]
        return ready

    def _end(self) -> Ended:
        """How the process ended, once it no longer listens or speaks."""
        code = self._wait()
        return _by_signal(code, self._limits) or Ended("exit", f"the process ended itself (exit code {code})")

    def _wait(self) -> int:
        try:
            return self._process.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Ended("timeout", f"did not end within {self._limits.wall_s:g} s") from None


def _as_user(command: tuple[str, ...], user: int) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The command that runs `command` as `user`, and what `Popen` needs besides.

    By setpriv where it can: `Popen` changes the user in a copy of this process, and with a model in memory
    the copying takes longer than all the rest.
    """
    if (setpriv := _setpriv()) is not None:
        return (*_through(setpriv, user), *command), {}
    return command, {"user": user, "group": user, "extra_groups": ()}


@cache
def _setpriv() -> str | None:
    """util-linux's; others of the name know fewer options."""
    found = shutil.which("setpriv")
    if found is None:
        return None
    try:
        trial = subprocess.run([*_through(found, 1), found, "--version"], capture_output=True, timeout=60)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return found if trial.returncode == 0 else None


def _through(setpriv: str, user: int) -> tuple[str, ...]:
    return setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"


def _by_signal(code: int, limits: Limits) -> Ended | None:
    """Exit codes above 128 are how the init process of a sandbox reports a signal."""
    number = -code if code < 0 else code - 128
    if number == signal.SIGXCPU:
        return Ended("timeout", f"used {_whole(limits.cpu_s)} s of processor time")
    if not 0 < number < signal.NSIG:
        return None
    names = {each.value: each.name for each in signal.Signals}
    return Ended("signal", f"the process was ended by {names.get(number, f'signal {number}')}")


def _whole(seconds: float) -> int:
    return max(1, round(seconds + 0.499))


def _source(role: Role, nonce: str, ceilings: str, limits: Limits) -> str:
    if role == "program":
        start = f'os.write(1, b"\\n{nonce} ready\\n")\nmain("{nonce}")\n'
    else:
        most = f", {limits.message_mb << 20}" if role == "candidate" else ""
        start = f'channel = Channel("{nonce}")\nchannel.write("ready")\nmain(channel{most})\n'
    return f"{_text('channel')}\n{_text(role)}\nconfine({ceilings})\n{start}"


@cache
def _text(name: str) -> str:
    return files("bakeoff.sandbox.inside").joinpath(f"{name}.py").read_text("utf-8")
