"""Which sandbox is taken, and that none is taken that does not hold."""

import os
import shutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bakeoff.sandbox import Guest, Launch, Limits, SandboxError
from bakeoff.sandbox.bubblewrap import Bubblewrap
from bakeoff.sandbox.interpreter import interpreters
from bakeoff.sandbox.tiers import TIERS, first_that_works, try_out
from tests.sandbox.asking import answer


@dataclass(frozen=True)
class Bare:
    """No sandbox at all: what must never be taken for one."""

    name: str = "bare"
    env: dict[str, str] = field(default_factory=dict)

    def launch(self, source: str, limits: Limits) -> Launch:
        return Launch((sys.executable, "-S", "-c", source), self.env)


@dataclass(frozen=True)
class Broken:
    """A program in the place of bubblewrap that fails as it does where user namespaces are off."""

    argv: tuple[str, ...]
    name: str = "broken"

    def launch(self, source: str, limits: Limits) -> Launch:
        return Launch(self.argv)


@pytest.mark.parametrize("name", TIERS)
def test_each_tier_works_or_says_why_not(name):
    try:
        tier = first_that_works(TIERS[name]())
    except SandboxError as error:
        pytest.skip(f"{name}: {error}")
    code = "import collections, heapq, math, re, typing\ndef f(x): return [math.sqrt(x), {x: (x, {x})}]"
    assert answer(tier, code, 4, limits=Limits()) == [2.0, {"dict": [[4, {"tuple": [4, {"set": [4]}]}]]}]


def test_what_does_not_confine_is_refused():
    with pytest.raises(SandboxError) as error:
        try_out(Bare())
    assert "does not confine" in error.value.message
    assert "could read a file of the host" in error.value.message


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ("sh", "-c", "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1"),
            "Permission denied",
        ),
        (("/nonexistent/bwrap",), "could not be started"),
        (("sh", "-c", "exit 0"), "did not start"),
        (("sh", "-c", "kill -9 $$"), "SIGKILL"),
    ],
)
def test_a_tier_that_does_not_start_is_our_failure_and_says_why(argv, said):
    with pytest.raises(SandboxError) as error:
        try_out(Broken(argv))
    assert said in error.value.message


def test_the_first_that_works_is_taken_and_all_are_named_when_none_does(tier):
    assert first_that_works([Bare(), tier, Bare()]) is tier
    with pytest.raises(SandboxError) as error:
        first_that_works([Bare(name="one"), Bare(name="two")])
    assert "one" in error.value.message
    assert "two" in error.value.message


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read what the sandbox's user cannot")
def test_an_interpreter_that_the_sandbox_cannot_read_is_refused(tier, tmp_path):
    if not isinstance(tier, Bubblewrap):
        pytest.skip(f"this machine's sandbox is {tier.name}")
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    executable = shutil.copy(tier.interpreter.executable, hidden)
    with pytest.raises(SandboxError) as error:
        try_out(replace(tier, interpreter=replace(tier.interpreter, executable=executable)))
    assert "Permission denied" in error.value.message


def test_an_interpreter_s_files_exist():
    for interpreter in interpreters():
        assert Path(interpreter.executable).is_file()
        assert any((Path(folder) / "os.py").exists() for folder in interpreter.folders)


@pytest.mark.parametrize("name", Limits.__slots__)
def test_limits_are_above_nothing(name):
    with pytest.raises(ValueError, match=name):
        Limits(**{name: 0})


def test_what_is_sent_before_the_guest_reads_does_not_block(tier):
    """A pipe holds 64 KiB; the guest may not read, and may speak while we write."""
    limits = Limits(cpu_s=5, wall_s=20)
    with Guest(tier, "candidate", limits) as guest:
        guest.send(repr(["def f(x): return len(x)"]))
        guest.receive()
        guest.send(repr(["f", ("x" * (1 << 22),), {}]))
        assert guest.receive() == {"value": 1 << 22}
