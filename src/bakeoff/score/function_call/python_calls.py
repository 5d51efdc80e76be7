"""Calls written as in Python: `[f(a=1), g(b="x")]`. Parsed, never evaluated."""

import ast
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bakeoff.score.function_call.call import Call, UnreadableError

_LARGEST = 10**12
"""Operands and results of arithmetic inside arguments: `2*3.14` is a number, `9**9**9` stays text."""
_LONGEST_WHOLE = 10**4000
"""Python refuses to print longer numbers, and reads them in hexadecimal all the same."""

_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def python_calls(text: str) -> tuple[Call, ...]:
    """The calls of a text that is nothing but calls: a list, a tuple, or one a line; `[]` is none.

    Arguments go by name. Their values are literals and sums of numbers; a bare name is a text, and any other
    expression (`x[0]`, `len(s)`, `math.pi`) stays as it is written.

    Raises:
        UnreadableError: anything else stands there, or an argument has no name.
    """
    try:
        with warnings.catch_warnings():
            # Python warns of "\d" and of `1 in x`-like slips in what it parses; they are the model's.
            warnings.simplefilter("ignore")
            module = ast.parse(text.strip())
        return tuple(_call(node) for node in _elements(module))
    except UnreadableError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"not calls in Python notation ({_why(error)})") from None


def _elements(module: ast.Module) -> Iterator[ast.expr]:
    for statement in module.body:
        if not isinstance(statement, ast.Expr):
            raise UnreadableError("not calls in Python notation (a program)")
        value = statement.value
        if isinstance(value, ast.List | ast.Tuple):
            yield from value.elts
        else:
            yield value


def _call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call):
        raise UnreadableError(f"not a call: {ast.unparse(node):.60}")
    name = _dotted(node.func)
    if node.args or any(keyword.arg is None for keyword in node.keywords):
        raise UnreadableError(f"arguments of {name:.60} are not given by name")
    names = [keyword.arg for keyword in node.keywords]
    if len(set(names)) != len(names):
        raise UnreadableError(f"{name:.60} is given an argument twice")
    return Call(name, {str(keyword.arg): _value(keyword.value) for keyword in node.keywords}, "python")


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise UnreadableError(f"not the name of a function: {ast.unparse(node):.60}")
    return ".".join((node.id, *reversed(parts)))


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int() as value) if abs(value) >= _LONGEST_WHOLE:
            raise UnreadableError("a number of over 4,000 digits")
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.List(elts=elements):
            return [_value(element) for element in elements]
        case ast.Tuple(elts=elements):
            return tuple(_value(element) for element in elements)
        case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
            return {_value(key): _value(value) for key, value in zip(keys, values, strict=True) if key}
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = _value(operand)
            if _is_number(number):
                return -number if isinstance(sign, ast.USub) else number
        case ast.BinOp(left=left, op=op, right=right):
            result = _result(op, _value(left), _value(right))
            if result is not None:
                return result
    return ast.unparse(node)


def _result(op: ast.operator, left: Any, right: Any) -> Any:
    """The value of a sum of numbers; None where it is no number or out of all proportion."""
    operation = _OPERATIONS.get(type(op))
    if operation is None or not all(
        _is_number(number) and abs(number) < _LARGEST for number in (left, right)
    ):
        return None
    if isinstance(op, ast.Pow) and abs(right) > 64:
        return None
    try:
        result = operation(left, right)
    except (ArithmeticError, ValueError):
        return None
    return result if _is_number(result) and abs(result) < _LARGEST else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _why(error: Exception) -> str:
    return f"{error.msg:.60}" if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"[:60]
