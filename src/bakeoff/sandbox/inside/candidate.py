"""Runs the code of an answer and calls its functions for the host. Follows `channel` in the same text."""

# ruff: noqa: BLE001, S102, TC004, UP031

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bakeoff.sandbox.inside.channel import Channel, TooMuch, encode, fault, quote

SOLUTION = "solution"
UNBOUNDED = 1 << 60


def load(programs: "list[str]") -> "tuple[Any, str]":
    """Compile the first of `programs` that is Python, run it as a module, and say which it was."""
    import types

    first_error = ""
    for index, text in enumerate(programs):
        try:
            code = compile(text, SOLUTION, "exec", dont_inherit=True)
        except BaseException as error:
            first_error = first_error or fault(error)
            continue
        module = types.ModuleType(SOLUTION)
        sys.modules[SOLUTION] = module
        try:
            exec(code, module.__dict__)
        except BaseException as error:
            return module, '{"program":%d,"fault":%s}' % (index, fault(error))
        return module, '{"program":%d}' % index
    return None, '{"syntax":%s}' % first_error


def find(module: "Any", name: str) -> "Any":
    """The callable `name` of the solution; of `Class.method`, the method of a fresh instance."""
    found = module
    for part in name.split("."):
        if isinstance(found, type):
            found = found()
        found = getattr(found, part)
    return found


def call(module: "Any", name: str, args: "tuple[Any, ...]", kwargs: "dict[str, Any]", *, most: int) -> str:
    """Call a function of the solution: what it returned, and its arguments where it changed them."""
    try:
        function = find(module, name)
    except BaseException as error:
        return '{"missing":%s}' % fault(error)
    try:
        before = encode(args, [UNBOUNDED])
        value = encode(function(*args, **kwargs), [most])
        after = encode(args, [UNBOUNDED])
        if after != before and len(after) > most:
            raise TooMuch("its arguments became larger than may be sent")
    except TooMuch as error:
        return '{"too_much":%s}' % quote(str(error))
    except BaseException as error:
        return '{"fault":%s}' % fault(error)
    changed = ',"args":%s' % after if after != before else ""
    return '{"value":%s%s}' % (value, changed)


def main(channel: "Channel", most: int) -> None:
    """Serve the host until it has nothing more to ask."""
    module, said = load(channel.read())
    channel.write(said)
    while (asked := channel.read()) is not None:
        channel.write(call(module, *asked, most=most))
