"""The calls an answer makes, against those the item accepts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.function_call.accepts import mismatch
from bakeoff.score.function_call.call import Call
from bakeoff.score.function_call.expected import ExpectedCall, expected_calls
from bakeoff.score.function_call.offered import Function, offered_functions
from bakeoff.score.function_call.read import read_calls
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, settle, zero

_NUMBERED = re.compile(r"(.+)_\d+")


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """The answer makes exactly the calls the item accepts, in any order; by syntax alone, nothing is run.

    Calls in Python notation (`[area(base=10)]`), as JSON (`{"name": "area", "arguments": {…}}` and its
    relatives) or between the marks of a chat template. The target is JSON: a list of
    `{function: {argument: [accepted values]}}`, `""` among them for an argument that may be left out; or
    `no call` where no offered function fits (any answer without a call is then right); or `any call`.
    `metadata.functions` holds the descriptions of the offered functions. Verdicts are those of the Berkeley
    Function Calling Leaderboard's syntax checker.
    """

    name: ClassVar[str] = "function_call"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    @property
    def id(self) -> str:
        """`function_call@1`."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the calls are the accepted ones, else 0."""
        expected = expected_calls(item)
        found = read_calls(response.text)
        if expected == "no call":
            return self._none_wanted(response, found)
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        calls, extraction = found
        if not calls:
            return replace(settle(self.id, response, extraction, 0.0), reason="no call was made")
        if expected == "any call":
            return settle(self.id, response, extraction, 1.0)
        wrong = _difference(calls, _described(item, expected))
        score = settle(self.id, response, extraction, float(wrong is None))
        if wrong is None or score.outcome is not Outcome.SCORED:
            return score
        return replace(score, reason=f"{extraction.how}: {wrong}")

    def _none_wanted(self, response: Response, found: tuple[tuple[Call, ...], Extraction] | Nothing) -> Score:
        if isinstance(found, Nothing):
            if response.finish is FinishReason.LENGTH:
                return zero(self.id, Outcome.TRUNCATED, "the token limit came before the answer's end")
            return scored(self.id, 1.0, None, f"no call was made, rightly ({found.why})")
        calls, extraction = found
        reason = "a call was made where none fits" if calls else "no call was made, rightly"
        return scored(self.id, float(not calls), extraction.text, reason)


def _described(item: Item, expected: Sequence[ExpectedCall]) -> tuple[tuple[ExpectedCall, Function], ...]:
    """Each expected call with the description of its function."""
    functions = {function.name: function for function in offered_functions(item)}
    return tuple((call, _function(item, call.name, functions)) for call in expected)


def _function(item: Item, name: str, functions: Mapping[str, Function]) -> Function:
    numbered = _NUMBERED.fullmatch(name)
    for key in (name, numbered[1] if numbered else name):
        if key in functions:
            return functions[key]
    if len(functions) == 1:
        # The description says how a function is called: some BFCL targets shorten the only one's name.
        return next(iter(functions.values()))
    raise TaskError(
        f"item {item.id}: the target calls {name:.80}, which `metadata.functions` does not offer",
        f"It offers {', '.join(functions):.200}.",
    )


def _difference(calls: tuple[Call, ...], expected: tuple[tuple[ExpectedCall, Function], ...]) -> str | None:
    """Why the calls are not the expected ones, whichever order; None where they are."""
    if len(calls) != len(expected):
        return f"{len(calls)} calls, {len(expected)} expected"
    reasons = [[mismatch(call, *each) for call in calls] for each in expected]
    if len(calls) > 1:
        import numpy as np
        from scipy.optimize import linear_sum_assignment

        fits = np.array([[reason is None for reason in row] for row in reasons])
        rows, columns = linear_sum_assignment(fits, maximize=True)
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    else:
        pairs = [(0, 0)]
    return next((reasons[row][column] for row, column in pairs if reasons[row][column] is not None), None)
