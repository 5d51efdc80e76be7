"""Processes that are killed, and started again."""

import importlib
import itertools
import multiprocessing
import os
import resource
import signal
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

Target = Callable[..., None]
"""What a process does, of a module that can be imported: it is given its name and the arguments."""


class Workers:
    """So many processes that each run `target`.

    They are forked from one process that has imported the target's module and `preload`, so that to start one
    again takes milliseconds and not the second that imports take.
    """

    def __init__(self, number: int, target: Target, *args: Any, preload: Sequence[str] = ()) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._parent = context.Process(target=_parent, args=(theirs, number, target, args, tuple(preload)))
        self._parent.start()
        theirs.close()

    def kill(self, place: int) -> None:
        """kill -9 the process at a place, from 0 on, and start another there."""
        self._pipe.send(place)
        ended = self._pipe.recv()
        assert ended == -signal.SIGKILL, f"a worker ended by itself, with {ended}"

    def end(self) -> float:
        """Kill all; the seconds of processor time that all took together."""
        self._pipe.send(None)
        used: float = self._pipe.recv()
        self._parent.join()
        return used


def _parent(
    pipe: Connection, number: int, target: Target, args: Sequence[Any], preload: Sequence[str]
) -> None:
    for each in preload:
        importlib.import_module(each)
    names = (f"w{count}" for count in itertools.count(1))
    running = [_started(target, next(names), args) for _ in range(number)]
    try:
        while (place := pipe.recv()) is not None:
            pipe.send(_killed(running[place]))
            running[place] = _started(target, next(names), args)
    finally:  # also when the test is gone, and with it the other end of the pipe
        for each in running:
            _killed(each)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    pipe.send(sum(each.ru_utime + each.ru_stime for each in used))


def _started(target: Target, name: str, args: Sequence[Any]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        target(name, *args)
    except BaseException:  # noqa: BLE001 (a process that was forked must not go on as its parent would)
        traceback.print_exc()
    os._exit(1)


def _killed(process: int) -> int:
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
