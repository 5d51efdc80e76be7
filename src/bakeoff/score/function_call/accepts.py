"""Whether one call is an accepted one. The rules are those of BFCL's checker (Yan et al. 2024), restated."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.score.function_call.call import Call
from bakeoff.score.function_call.expected import OPTIONAL, ExpectedCall
from bakeoff.score.function_call.offered import Function, Parameter

_DROPPED = re.compile(r"[ ,./\-_*^]")


def mismatch(call: Call, expected: ExpectedCall, function: Function) -> str | None:
    """Why the call is not the expected one; None where it is.

    - The name is the function's; in JSON also with underscores for dots, which many interfaces forbid.
    - Every required argument is there, and every expected one whose values do not include "".
    - No argument is there that the function or the expectation does not know.
    - Each has the parameter's type and one of the accepted values. A whole number does for a float, but not
      among the elements of an array. A value of another type counts where the accepted ones have that type
      (a variable's name, say), and is then compared as it is.
    - Texts are compared without case, spaces and any of `,./-_*^`, and quotes are all alike; arrays element
      by element in order; objects key by key, each value against those accepted for it.
    """
    underscored = function.name.replace(".", "_") if call.notation == "json" else function.name
    if call.name not in (function.name, underscored):
        return f"{call.name:.60} is called, not {function.name:.60}"
    for name in function.required:
        if name not in call.arguments:
            return f"the required argument {name:.60} is missing"
    for name, value in call.arguments.items():
        if name not in function.parameters or name not in expected.accepted:
            return f"the argument {name:.60} is not expected"
        if not _accepts(value, expected.accepted[name], function.parameters[name]):
            return f"{name:.60}={value!r:.80} is not accepted"
    for name, accepted in expected.accepted.items():
        if name not in call.arguments and OPTIONAL not in accepted:
            return f"the argument {name:.60} is missing"
    return None


def _accepts(value: Any, accepted: tuple[Any, ...], parameter: Parameter) -> bool:
    kind = parameter.kind
    if parameter.is_tuple and isinstance(value, tuple):
        value = list(value)
    if kind is float and type(value) is int:
        value = _as_float(value)
    answered = _type_of(accepted)
    if type(value) is not kind:
        return type(value) is answered and _among(value, accepted)
    if value == [] and OPTIONAL in accepted:
        # Where an argument may be left out, an empty array says as much.
        return True
    if not _elements_fit(value, accepted, parameter.elements):
        return False
    if answered not in (None, kind):
        return _among(value, accepted)
    if kind is dict:
        return any(isinstance(each, Mapping) and _object_fits(value, each) for each in accepted)
    if kind is list and parameter.elements is dict:
        return any(_objects_fit(value, each) for each in accepted if isinstance(each, list))
    return _among(_loose(value), [_loose(each) for each in accepted])


def _elements_fit(value: Any, accepted: Sequence[Any], elements: type | None) -> bool:
    """Whether the elements have the type the parameter names, or the one that an accepted array has."""
    arrays = [each for each in accepted if isinstance(each, list)]
    if elements is None or not arrays:
        return True
    return any(
        all(type(part) is elements or type(part) is _type_of(each) for part in value) for each in arrays
    )


def _object_fits(value: Any, accepted: Mapping[str, Any]) -> bool:
    """Whether an object has the accepted keys, and under each an accepted value (a bare one: only that)."""
    if not isinstance(value, Mapping) or not value.keys() <= accepted.keys():
        return False
    for key, listed in accepted.items():
        choices = listed if isinstance(listed, list | Mapping) else [listed]
        if isinstance(choices, Mapping):
            if not _object_fits(value.get(key), choices):
                return False
        elif key not in value:
            if OPTIONAL not in choices:
                return False
        elif not _among(_loose(value[key]), [_loose(each) for each in choices]):
            return False
    return True


def _objects_fit(value: Any, accepted: Sequence[Any]) -> bool:
    return len(value) == len(accepted) and all(
        isinstance(choices, Mapping) and _object_fits(each, choices)
        for each, choices in zip(value, accepted, strict=True)
    )


def _type_of(accepted: Sequence[Any]) -> type | None:
    """The type of the accepted values: of the first that is not the mark of an optional argument."""
    return next((type(each) for each in accepted if each != OPTIONAL), None)


def _among(value: Any, accepted: Sequence[Any]) -> bool:
    return any(_equal(value, each) for each in accepted)


def _equal(left: Any, right: Any) -> bool:
    """Equality of JSON values: numbers by value, and true is not 1."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_equal(left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


def _loose(value: Any) -> Any:
    if isinstance(value, str):
        return _DROPPED.sub("", value).lower().replace("'", '"')
    if isinstance(value, list):
        return [_loose(each) for each in value]
    return value


def _as_float(value: int) -> float | int:
    try:
        return float(value)
    except OverflowError:
        return value
