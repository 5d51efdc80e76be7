"""Code, judged by running it against the item's tests."""

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.sandbox import Limits, SandboxError, sandbox, slot
from bakeoff.score.code.programs import find_programs
from bakeoff.score.code.running import Judging, Verdict, run_tests
from bakeoff.score.code.tests import read_tests
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, unscored, zero


@dataclass(frozen=True, slots=True)
class Code:
    """The program in the answer passes the item's tests, run in a sandbox: HumanEval, MBPP, stdin and stdout.

    Tests are in the item's metadata: `calls`, `inputs`, `stdio`, `test` or `test_list`. `take` chooses among
    several code blocks that define the function. `timeout_s` is processor time per sandbox; three times as
    much may pass on the clock. `tolerance` is absolute, for expected floats. With `credit: share`, the value
    is the share of tests passed. Without a sandbox nothing is run and nothing scored.
    """

    name: ClassVar[str] = "code"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    blocking: ClassVar[bool] = True

    take: Literal["last", "first"] = "last"
    credit: Literal["all", "share"] = "all"
    timeout_s: float = 10.0
    memory_mb: int = 512
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        for name, least in (("timeout_s", 1), ("memory_mb", 64), ("tolerance", 0)):
            if getattr(self, name) < least:
                raise TaskError(f"scorer code: {name} must be {least} or more, got {getattr(self, name)}")

    @property
    def id(self) -> str:
        """`code@1`, with the options that differ from their defaults."""
        return identifier(self)

    def place(self) -> str:
        """The sandbox and its Python.

        Raises:
            SandboxError: none works here.
        """
        return sandbox().name

    def reference(self, item: Item) -> str | None:
        """The first target, which is a program; None where there is no target."""
        programs = () if isinstance(item.target, int) else item.target
        return _fenced(programs[0]) if programs and programs[0].strip() else None

    def idle(self) -> str:
        """A program that is one `pass`; after a prompt, the function there without a body."""
        return _fenced("pass")

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where every test passes, else 0; the share of those that pass with `credit: share`."""
        tests = read_tests(item)
        cut = response.finish is FinishReason.LENGTH
        found = find_programs(response.text, tests.entry_point, tests.prompt, self.take)
        if isinstance(found, Nothing):
            return zero(self.id, Outcome.TRUNCATED if cut else Outcome.NO_ANSWER, found.why)
        if cut and found.end >= len(response.text):
            how = found.programs[0].how
            return zero(self.id, Outcome.TRUNCATED, f"cut within its code, allow more tokens; {how}")
        try:
            with slot():
                tier = sandbox()
                limits = Limits(cpu_s=self.timeout_s, wall_s=3 * self.timeout_s, memory_mb=self.memory_mb)
                how_judged = Judging(tier, limits, self.tolerance, stop_early=self.credit == "all")
                programs = [program.text for program in found.programs]
                try:
                    verdict = run_tests(programs, tests, how_judged)
                except SandboxError:  # a busy machine can fail to start one; never the answer's doing
                    verdict = run_tests(programs, tests, how_judged)
        except SandboxError as error:
            return unscored(self.id, Outcome.SCORER_ERROR, f"{error.message}. {error.hint}".strip())
        except TaskError as error:
            raise type(error)(f"item {item.id}: {error.message}", error.hint) from None
        program = found.programs[verdict.program or 0]
        if verdict.program is None and not program.explicit:
            return zero(self.id, Outcome.NO_ANSWER, f"no code: {program.how} is no Python: {verdict.failure}")
        reason = f"{_in_words(verdict)} [{program.how}; {tier.name}]"
        return scored(self.id, self._value(verdict), program.text, reason)

    def _value(self, verdict: Verdict) -> float:
        if self.credit == "share":
            return verdict.passed / verdict.total
        return float(verdict.passed == verdict.total and not verdict.failure)


def _fenced(program: str) -> str:
    """The program in a fence that nothing in it closes."""
    longest = max(map(len, re.findall("`+", program)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{program}\n{fence}"


def _in_words(verdict: Verdict) -> str:
    if not verdict.failure:
        return f"passes {verdict.passed} of {verdict.total} tests"
    return verdict.failure[:400]
