"""Runs the tests of a task, in a sandbox without the answer: its functions are reached as data, by the host.

Follows `channel` in the same text. Here is what the right answers are, and here a test passes or fails; the
code of the answer runs in another sandbox and never sees either.
"""

# ruff: noqa: BLE001, S102, TC004, UP031

import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bakeoff.sandbox.inside.channel import Channel, fault, quote


class CandidateError(Exception):
    """The answer's function raised something that is no exception of Python's own."""


class Opaque:
    """What the answer returned was no data; it equals nothing."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return False

    def __repr__(self) -> str:
        return "<%s object>" % self.kind


def decode(tree: "Any") -> "Any":
    """Data as Python values."""
    if isinstance(tree, list):
        return [decode(each) for each in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, content),) = tree.items()
    if kind == "tuple":
        return tuple(decode(content))
    if kind == "set":
        return set(decode(content))
    if kind == "dict":
        return {decode(key): decode(value) for key, value in content}
    if kind == "float":
        return float(content)
    if kind == "int":
        return int(content, 16)
    if kind == "bytes":
        return bytes.fromhex(content)
    if kind == "complex":
        return complex(*(decode(part) for part in content))
    if kind == "range":
        return range(*content)
    if kind == "iterator":
        return iter(decode(content))
    return Opaque(str(content))


def literal(value: "Any") -> str:
    """A value as a Python literal; the answer's sandbox evaluates it."""
    kind = type(value)
    if kind is int:
        return hex(value)
    if value is None or kind in (bool, float, str, bytes, complex):
        return repr(value)
    if kind is list:
        return "[%s]" % ",".join(map(literal, value))
    if kind is tuple:
        return "(%s)" % "".join(literal(each) + "," for each in value)
    if kind in (set, frozenset):
        return "%s([%s])" % (kind.__name__, ",".join(map(literal, value)))
    if kind is dict:
        return "{%s}" % ",".join("%s:%s" % (literal(key), literal(value[key])) for key in value)
    bases: tuple[Any, ...] = (int, float, str, list, tuple, set, dict)
    for base in bases:
        if isinstance(value, base):
            return literal(base(value))
    if kind is range:
        return repr(value)
    if kind is type(iter([])):
        return "iter(%s)" % literal(list(value))
    if kind is Opaque:
        raise TypeError("the answer returned %r, which is no data" % value)
    raise TestFault("a test passes a %s to the answer, and only data can be passed" % kind.__name__)


class TestFault(BaseException):
    """The tests ask for what the channel cannot do: a mistake of the task, not of the answer."""


def proxy(channel: "Channel", name: str) -> "Any":
    """A function that asks the answer's sandbox."""
    import json

    def ask(*args: "Any", **kwargs: "Any") -> "Any":
        given = "%s,%s" % (literal(args), literal(kwargs))
        channel.write('{"call":%s,"args":%s}' % (quote(name), quote(given)))
        reply = json.loads(channel.input.readline())
        if "value" not in reply:
            failure = reply.get("fault") or reply.get("missing") or {"error": "", "message": str(reply)}
            kind = getattr(builtins, failure["error"], None)
            if isinstance(kind, type) and issubclass(kind, Exception):
                try:
                    raised = kind(failure["message"])
                except TypeError:
                    raised = CandidateError(failure["error"])
                raise raised
            raise CandidateError("%s: %s" % (failure["error"], failure["message"]))
        for mine, theirs in zip(args, decode(reply.get("args", [])), strict=False):
            update(mine, theirs)
        return decode(reply["value"])

    ask.__name__ = name
    return ask


def update(mine: "Any", theirs: "Any") -> None:
    """What the answer did to an argument in its own sandbox is done to ours."""
    if type(mine) is type(theirs) and mine != theirs:
        if isinstance(mine, list):
            mine[:] = theirs
        elif isinstance(mine, (dict, set)):
            mine.clear()
            mine.update(theirs)


def main(channel: "Channel") -> None:
    """Run each test in order, in one namespace, and report each."""
    import random

    random.seed(0)
    setup, tests, names, checked = channel.read()
    scope: dict[str, Any] = {"__name__": "tests"}
    try:
        for text in setup:
            exec(compile(text, "tests", "exec", dont_inherit=True), scope)
        for name in names:
            scope[name] = proxy(channel, name)
        codes = [compile(text, "tests", "exec", dont_inherit=True) for text in tests]
        for index, text in enumerate(tests):
            try:
                exec(codes[index], scope)
                if checked and "check" in scope:
                    scope.pop("check")(scope[checked])
            except TestFault:
                raise
            except BaseException as error:
                channel.write('{"test":%d,"fault":%s,"line":%s}' % (index, fault(error), where(error, text)))
            else:
                channel.write('{"test":%d}' % index)
    except BaseException as error:
        channel.write('{"broken":%s}' % fault(error))
    channel.read()


def where(error: BaseException, text: str) -> str:
    """The line of the test that failed, as a JSON string."""
    found, lines = "", text.split("\n")
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == "tests" and frame.tb_lineno <= len(lines):
            found = lines[frame.tb_lineno - 1].strip()
        frame = frame.tb_next
    return quote(found[:200])
