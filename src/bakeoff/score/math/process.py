"""The process that does algebra: it may run out of time or memory without harm to anyone else.

Started by `symbolic` as a script, so that nothing but the computer algebra is loaded. It reads one question a
line as JSON, `[gold, answer, tolerance]`, and writes one word a line. Signals end it when a question takes
too long: they work where Python itself is stuck, as in a power with a billion digits.
"""

import json
import logging
import os
import re
import resource
import signal
import sys
from functools import lru_cache
from typing import Any

WALL_TO_CPU = 10
"""How much longer a question may take on the clock than on the processor, on a busy machine."""
DIGITS = 40
"""Decimal digits to which exact expressions are compared where simplifying does not decide."""

_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+)\.?(\d*)[eE]([-+]?\d+)(?!\w)")


def main() -> None:
    """Answer questions until the input ends. Arguments: CPU seconds a question, bytes of memory."""
    seconds, memory = float(sys.argv[1]), int(sys.argv[2])
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)  # whatever a library prints is no answer
    logging.disable()
    try:
        import math_verify  # noqa: F401
    except ImportError as error:
        print(f"missing {error.name}", file=answers, flush=True)
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    print("ready", file=answers, flush=True)
    for line in questions:
        gold, answer, tolerance = json.loads(line)
        _allow(seconds)
        try:
            word = compare(gold, answer, tolerance)
        except (MemoryError, RecursionError):
            word = "limit"
        except Exception:  # noqa: BLE001 (what computer algebra raises at nonsense is without end)
            word = "unreadable"
        _allow(0)
        print(word, file=answers, flush=True)


def compare(gold: str, answer: str, tolerance: float) -> str:
    """`equal`, `different`, or `unreadable` where one of them is no expression that can be parsed."""
    golds, answers = _parsed(gold), _parsed(answer)
    if not golds or not answers:
        return "unreadable"
    equal = any(_equal(wanted, given, tolerance) for wanted in golds for given in answers)
    return "equal" if equal else "different"


def _equal(gold: Any, answer: Any, tolerance: float) -> bool:
    from math_verify import verify

    if (found := _equal_numbers(gold, answer, tolerance)) is not None:
        return found
    return bool(verify(gold, answer, strict=True, allow_set_relation_comp=True, timeout_seconds=None))


def _equal_numbers(gold: Any, answer: Any, tolerance: float) -> bool | None:
    """Two constants: within `tolerance` of the target where one is a decimal, else to 40 digits."""
    from sympy import Expr, Float, UnevaluatedExpr

    constants = all(
        isinstance(side, Expr) and not side.free_symbols and not side.has(UnevaluatedExpr)
        for side in (gold, answer)
    )
    if not constants:
        return None
    wanted, given = gold.doit().evalf(DIGITS), answer.doit().evalf(DIGITS)
    difference, size = abs(given - wanted).evalf(DIGITS), abs(wanted)
    if not (difference.is_Float or difference.is_zero) or not (size.is_Float or size.is_zero):
        return None
    exact = not gold.has(Float) and not answer.has(Float)
    return bool(difference <= size * (10.0 ** (5 - DIGITS) if exact else tolerance))


@lru_cache(maxsize=256)
def _parsed(latex: str) -> tuple[Any, ...]:
    """The expressions `latex` may be."""
    from math_verify import LatexExtractionConfig, parse

    # LaTeX would read 4e-30 as 4e - 30.
    latex = _SCIENTIFIC.sub(r"\1.\g<2>0\\cdot10^{\3}", latex)
    found = parse(f"${latex}$", [LatexExtractionConfig()], parsing_timeout=None)
    return tuple(_complex(expression) for expression in found if not isinstance(expression, str))


def _complex(expression: Any) -> Any:
    """The expression with `i` as the imaginary unit; where it counts the terms of a sum it stays."""
    from sympy import Expr, FiniteSet, I, Tuple

    if not isinstance(expression, Expr | FiniteSet | Tuple):
        return expression
    return expression.xreplace({symbol: I for symbol in expression.free_symbols if symbol.name == "i"})


def _allow(seconds: float) -> None:
    """Let the system end this process after so many seconds; 0 takes that back."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WALL_TO_CPU)


if __name__ == "__main__":
    main()
