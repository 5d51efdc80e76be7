"""Runs the code of an answer as a program, between standard input and output. Follows `channel`."""

# ruff: noqa: BLE001, PTH108, PTH109, PTH118, PTH123, S102, S307, TC004, UP031

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bakeoff.sandbox.inside.channel import LITERALS, fault


def main(nonce: str) -> None:
    """Read the program and its input, say that it starts, and become it."""
    import types

    with os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n") as host:
        programs, text = eval(host.readline(), dict(LITERALS))
    code, said = None, ""
    for index, program in enumerate(programs):
        try:
            code = compile(program, "solution", "exec", dont_inherit=True)
        except BaseException as error:
            said = said or '{"syntax":%s}' % fault(error)
        else:
            said = '{"program":%d}' % index
            break
    os.write(1, ("\n%s %s\n" % (nonce, said)).encode("ascii"))
    if code is None:
        return
    feed(text)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def feed(text: str) -> None:
    """Make `text` the standard input, for every way of reading it."""
    import io

    data = text.encode("utf-8", "surrogatepass")
    if hasattr(os, "dup2"):
        path = os.path.join(os.getcwd(), ".input")
        with open(path, "wb") as file:
            file.write(data)
        descriptor = os.open(path, os.O_RDONLY)
        os.unlink(path)
        os.dup2(descriptor, 0)
        os.close(descriptor)
        sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
    else:
        sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
