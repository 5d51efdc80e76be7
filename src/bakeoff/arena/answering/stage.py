"""One turn of a battle while it is answered, and what both columns show of it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from bakeoff.arena.answering.answer import Answer
from bakeoff.arena.answering.column import Broken, Column, Limits, Side
from bakeoff.arena.answering.pace import Pace, begin, step
from bakeoff.arena.answering.scrub import Scrub
from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.life import Void

TICK_S = 0.08
"""Columns grow so often."""


@dataclass(frozen=True, slots=True)
class Event:
    """What both columns got since the event before. `at` is the place to go on from; `over` says that no
    further event comes, and `sentence`, if any, why the turn does not count."""

    at: int
    left: str = ""
    right: str = ""
    over: bool = False
    sentence: str = ""


class Stage:
    """Two models answer one prompt, side by side and at one pace.

    `left` and `right` are asked by `run`, once; meanwhile and after any number of listeners may follow
    `events`. Texts are kept once, whoever listens; a slow listener gets more at a time and holds up nobody.
    """

    def __init__(self, left: Side, right: Side, scrub: Scrub, limits: Limits | None = None) -> None:
        self._columns = tuple(Column(side, scrub, limits or Limits()) for side in (left, right))
        self._came = asyncio.Event()
        self._changed = asyncio.Event()
        self._pace: Pace | None = None
        self._outcome: tuple[Answer, Answer] | Voided | None = None

    async def run(self) -> tuple[Answer, Answer] | Voided:
        """Both answers, left and right, once both were shown to their ends; or why the turn is void.

        A failure, a silence past `Limits` or an empty answer of one side ends the turn at once, and the
        other side with it.
        """
        try:
            self._outcome = await self._answered()
        except BaseException:
            self._outcome = Voided(Void.STOPPED)
            raise
        finally:
            self._tell()
        return self._outcome

    async def events(self, since: int = 0) -> AsyncIterator[Event]:
        """What the columns show from the place `since` on, which is 0 or the `at` of an event: after a
        reload, the next event has all that was missed."""
        at = max(0, min(since, self._shown))
        while True:
            changed, shown = self._changed, self._shown
            if isinstance(self._outcome, Voided):
                yield Event(at, over=True, sentence=self._outcome.sentence)
                return
            left, right = (column.shown[at:shown] for column in self._columns)
            over = self._outcome is not None
            if over or shown > at:
                at = shown
                yield Event(at, left, right, over)
            if over:
                return
            await changed.wait()

    @property
    def _shown(self) -> int:
        return 0 if self._pace is None else int(self._pace.shown)

    async def _answered(self) -> tuple[Answer, Answer] | Voided:
        broke = False
        try:
            async with asyncio.TaskGroup() as group:
                answers = [group.create_task(column.write(self._came.set)) for column in self._columns]
                group.create_task(self._reveal())
        except* Broken:
            broke = True
        if not broke:
            return answers[0].result(), answers[1].result()
        errors = [None if each.cancelled() else each.exception() for each in answers]
        sides = {side: error for side, error in enumerate(errors) if isinstance(error, Broken)}
        return replace(next(iter(sides.values())).voided, sides=tuple(sides))

    async def _reveal(self) -> None:
        """Show both answers, from when both have begun."""
        loop = asyncio.get_running_loop()
        left, right = self._columns
        while not (left.shown and right.shown):
            self._came.clear()
            await self._came.wait()
        pace = begin(loop.time())
        tick = pace.at
        while True:
            lengths, ended = (len(left.shown), len(right.shown)), (left.ended, right.ended)
            pace = step(pace, lengths, ended, loop.time())
            grown = int(pace.shown) > self._shown
            self._pace = pace
            if grown:
                self._tell()
            if all(ended) and pace.shown >= max(lengths):
                return
            # By its own clock: columns that once waited for each other would grow at one moment ever after.
            tick = max(tick + TICK_S, loop.time())
            await asyncio.sleep(tick - loop.time())

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
