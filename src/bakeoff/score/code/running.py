"""A program against its tests. Every verdict is formed where the code that is judged does not run."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from bakeoff.errors import BrokenItemError
from bakeoff.sandbox import Ended, Guest, Limits, Tier
from bakeoff.sandbox.data import from_json, is_data, literal, matches, shown
from bakeoff.score.code.tests import Call, Calls, Scripts, Stdio, Tests


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a program did: `passed` of `total` tests, and of the first that failed, why.

    `program` is the index of the program that compiled, None where none did; `failure` is "" where all
    passed.
    """

    program: int | None
    passed: int
    total: int
    failure: str


@dataclass(frozen=True, slots=True)
class Judging:
    """Where and by what rules programs are run."""

    tier: Tier
    limits: Limits
    tolerance: float
    stop_early: bool


def run_tests(programs: Sequence[str], tests: Tests, how: Judging) -> Verdict:
    """The first of `programs` that compiles, against `tests`.

    Raises:
        SandboxError: a sandbox did not start.
        BrokenItemError: the tests or the reference program are at fault.
    """
    kind = tests.kind
    if isinstance(kind, Stdio):
        return _run_stdio(programs, kind, how)
    if isinstance(kind, Calls):
        assert tests.entry_point is not None
        return _run_calls(programs, kind, tests.entry_point, how)
    return _run_scripts(programs, kind, tests.entry_point, how)


@dataclass(frozen=True, slots=True)
class _Tally:
    """Passed tests so far and the first failure."""

    passed: int = 0
    failure: str = ""

    def after(self, test: int, total: int, why: str) -> "_Tally":
        if not why:
            return _Tally(self.passed + 1, self.failure)
        return _Tally(self.passed, self.failure or f"test {test + 1} of {total}: {why}")


def _run_calls(programs: Sequence[str], kind: Calls, entry: str, how: Judging) -> Verdict:
    strict = kind.reference is not None
    expected = (
        [from_json(call.expected) for call in kind.calls]
        if kind.reference is None
        else _reference_values(kind.reference, kind, entry, how)
    )
    total, tally, program = len(kind.calls), _Tally(), None
    with Guest(how.tier, "candidate", how.limits) as guest:
        try:
            program, failure = _load(guest, programs)
            if failure:
                return Verdict(program, 0, total, failure)
            for test, (call, right) in enumerate(zip(kind.calls, expected, strict=True)):
                reply = _ask(guest, entry, call)
                why = _why_not(reply, right, how.tolerance, strict=strict)
                tally = tally.after(test, total, why)
                if why and how.stop_early:
                    break
        except Ended as ended:
            tally = tally.after(tally.passed, total, _end_in_words(ended))
    return Verdict(program, tally.passed, total, tally.failure)


def _why_not(reply: Any, right: Any, tolerance: float, *, strict: bool) -> str:
    """ "" where the reply is the right value, else what is wrong with it."""
    if not isinstance(reply, dict) or "value" not in reply:
        return _fault_in_words(reply)
    if matches(right, reply["value"], tolerance=tolerance, strict=strict):
        return ""
    return f"returned {shown(reply['value'])}, expected {shown(right)}"


def _reference_values(reference: str, kind: Calls, entry: str, how: Judging) -> Sequence[Any]:
    calls = tuple(literal([entry, call.args, dict(call.kwargs)]) for call in kind.calls)
    return _reference_replies(reference, calls, how.tier, how.limits)


@lru_cache(maxsize=64)
def _reference_replies(reference: str, calls: tuple[str, ...], tier: Tier, limits: Limits) -> tuple[Any, ...]:
    """What the task's own solution returns, from a sandbox of its own."""
    values = []
    try:
        with Guest(tier, "candidate", limits) as guest:
            _, failure = _load(guest, [reference])
            for call in calls if not failure else ():
                guest.send(call)
                reply = guest.receive()
                if not isinstance(reply, dict) or "value" not in reply:
                    failure = f"{call:.80}: {_fault_in_words(reply)}"
                    break
                if not is_data(reply["value"]):
                    failure = f"{call:.80}: returned {shown(reply['value'])}, which is no data"
                    break
                values.append(reply["value"])
    except Ended as ended:
        failure = _end_in_words(ended)
    if failure:
        raise BrokenItemError(
            f"the reference program of a task failed: {failure}", "Correct the row, or leave it out."
        )
    return tuple(values)


def _run_stdio(programs: Sequence[str], kind: Stdio, how: Judging) -> Verdict:
    """A fresh sandbox for every input: a program sees one and leaves nothing behind."""
    total, tally, program = len(kind.cases), _Tally(), None
    for test, (given, right) in enumerate(kind.cases):
        try:
            with Guest(how.tier, "program", how.limits) as guest:
                guest.send(repr([list(programs), given]))
                program, failure = _loaded(guest.receive())
                if failure:
                    return Verdict(program, 0, total, failure)
                printed, code, words = guest.remainder()
            why = _print_fault(printed, code, words, right)
        except Ended as ended:
            why = _end_in_words(ended)
        tally = tally.after(test, total, why)
        if why and how.stop_early:
            break
    return Verdict(program, tally.passed, total, tally.failure)


def _print_fault(printed: bytes, code: int, words: bytes, right: str) -> str:
    if code != 0:
        last = words.decode(errors="replace").strip().splitlines()[-1:]
        return f"runtime error: {last[0][:200] if last else f'exit code {code}'}"
    said = printed.decode(errors="replace")
    lines, wanted = _lines(said), _lines(right)
    if len(lines) == len(wanted) and all(map(_same_line, lines, wanted)):
        return ""
    return f"printed {shown(said.strip())}, expected {shown(right.strip())}"


def _lines(text: str) -> list[str]:
    """Lines without white space around them, and without empty lines around all."""
    return [line.strip() for line in text.strip().split("\n")]


def _same_line(line: str, wanted: str) -> bool:
    """The same text, or the same numbers however they are written: LiveCodeBench's comparison."""
    if line == wanted:
        return True
    said, right = line.split(), wanted.split()
    if len(said) != len(right):
        return False
    numbers, wanted_numbers = _numbers(said), _numbers(right)
    return numbers is not None and numbers == wanted_numbers


def _numbers(words: Sequence[str]) -> list[Decimal] | None:
    """Exact numbers, None where a word is none."""
    try:
        found = [Decimal(word) for word in words]
    except InvalidOperation:
        return None
    return None if any(map(Decimal.is_nan, found)) else found


def _run_scripts(programs: Sequence[str], kind: Scripts, entry: str | None, how: Judging) -> Verdict:
    """The tests in one sandbox, the answer in another; calls go between them, through us, as data."""
    total, tally, program, called = len(kind.tests), _Tally(), None, False
    with (
        Guest(how.tier, "tester", how.limits) as tester,
        Guest(how.tier, "candidate", how.limits) as candidate,
    ):
        try:
            program, failure = _load(candidate, programs)
            if failure:
                return Verdict(program, 0, total, failure)
        except Ended as ended:
            return Verdict(program, 0, total, _end_in_words(ended))
        tester.send(literal([kind.setup, kind.tests, kind.names, entry if kind.check else None]))
        for test in range(total):
            why = ""
            while True:
                try:
                    said = tester.receive()
                except Ended as ended:
                    why = f"the test itself: {_end_in_words(ended)}"
                    return Verdict(program, tally.passed, total, tally.after(test, total, why).failure)
                if "call" not in said:
                    break
                called = True
                try:
                    candidate.send(f"[{literal(said['call'])},*({said['args']})]")
                    tester.send(_forwarded(candidate.receive()))
                except Ended as ended:
                    why = _end_in_words(ended)
                    return Verdict(program, tally.passed, total, tally.after(test, total, why).failure)
            if "broken" in said:
                words = said["broken"]
                raise BrokenItemError(
                    f"the tests of a task do not run: {words['error']}: {words['message']}",
                    "Correct the row's tests; they may call the answer with data only.",
                )
            if "fault" in said:
                why = f"{_error_in_words(said['fault'])} at: {said['line']}"
            tally = tally.after(test, total, why)
            if why and how.stop_early:
                break
    if not called:
        raise BrokenItemError(
            f"the tests of a task never call {' or '.join(kind.names)}",
            "A test that asks nothing passes anything.",
        )
    return Verdict(program, tally.passed, total, tally.failure)


def _forwarded(reply: Any) -> str:
    """The reply again as JSON on one line: whatever it was, the tests' sandbox gets data."""
    import json

    return json.dumps(reply)


def _load(guest: Guest, programs: Sequence[str]) -> tuple[int | None, str]:
    guest.send(repr(list(programs)))
    return _loaded(guest.receive())


def _loaded(said: Any) -> tuple[int | None, str]:
    """The index of the program that compiled, and why it cannot be tested ("" if it can)."""
    if not isinstance(said, dict):
        return None, "it sent what is no reply"
    if "syntax" in said:
        return None, _error_in_words(said["syntax"])
    program = said.get("program")
    if not isinstance(program, int):
        return None, "it sent what is no reply"
    return program, f"runtime error on loading: {_error_in_words(said['fault'])}" if "fault" in said else ""


def _ask(guest: Guest, entry: str, call: Call) -> Any:
    guest.send(literal([entry, call.args, dict(call.kwargs)]))
    return guest.receive()


def _fault_in_words(reply: Any) -> str:
    if isinstance(reply, dict):
        if "fault" in reply:
            return f"runtime error: {_error_in_words(reply['fault'])}"
        if "missing" in reply:
            return f"cannot be called: {_error_in_words(reply['missing'])}"
        if "too_much" in reply:
            return f"returned a value {str(reply['too_much'])[:100]}"
    return "it sent what is no reply"


def _error_in_words(fault: Any) -> str:
    if not isinstance(fault, dict):
        return "an error"
    kind, message = str(fault.get("error"))[:100], str(fault.get("message"))[:200]
    if kind == "MemoryError":
        return "out of memory"
    return f"{kind}: {message}" if message else kind


def _end_in_words(ended: Ended) -> str:
    words = {"timeout": "timeout", "output": "output limit", "malformed": "sandbox violation"}
    return f"{words.get(ended.kind, 'runtime error')}: {ended.why}"
