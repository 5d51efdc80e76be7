"""Before answers are run: each item's own reference must pass, and a program that does nothing must fail.

What passed is remembered by content, scorer and place, so that it costs once. What failed is tried anew each
time: that may have been the machine's doing.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bakeoff.digest import digest
from bakeoff.errors import BakeoffError, BrokenItemError, TaskError
from bakeoff.nouns import FinishReason, Item, Response
from bakeoff.run.conduct import together
from bakeoff.run.progress import Progress, Watch
from bakeoff.sandbox import SLOTS
from bakeoff.score import Executing, Scorer, judge
from bakeoff.store import PreflightRecord, Proven

_SCHEME = 1
_NEGLIGIBLE = 0.01
"""The share of items that a program which does nothing may pass; more is a fault of the task."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What the items showed; `record` is None where the scorer runs nothing.

    `broken` has, by id, why an item cannot be judged here.
    """

    record: PreflightRecord | None = None
    broken: Mapping[str, str] = field(default_factory=dict)


async def preflight(
    scorer: Scorer,
    items: Iterable[Item],
    title: str,
    total: int,
    *,
    remember: bool,
    watch: Watch | None,
) -> Preflight:
    """Run the reference and an idle program on every item, through the very scorer that judges answers.

    `title` and `total` are for whoever watches. With `remember`, what passes is not run again next time.

    Raises:
        BakeoffError: answers cannot be run here.
        TaskError: more than a negligible share of the items passes a program that does nothing, no item is
            left to be scored, or an item has no tests that can be read.
    """
    if not isinstance(scorer, Executing):
        return Preflight()
    progress = Progress(f"{title}: are its references right here?", total=total)
    if watch is not None:
        watch(progress)
    place = await asyncio.to_thread(scorer.place)
    check = _Check(scorer, place, Proven() if remember else None)
    stream = iter(items)
    await together(lambda: check.work(stream, progress), SLOTS)
    _refuse_hopeless(check)
    record = PreflightRecord(
        place=place,
        items=check.items,
        references=check.references,
        reference_fails=sorted(check.reference_fails),
        idle_passes=sorted(check.idle_passes),
    )
    return Preflight(record, check.idle_passes | check.reference_fails)


@dataclass(slots=True)
class _Check:
    """The findings so far, of workers that share one stream of items."""

    scorer: Executing
    place: str
    proven: Proven | None
    items: int = 0
    references: int = 0
    reference_fails: dict[str, str] = field(default_factory=dict)
    idle_passes: dict[str, str] = field(default_factory=dict)

    async def work(self, stream: Iterator[Item], progress: Progress) -> None:
        for item in stream:
            self.items += 1
            self.references += self.scorer.reference(item) is not None
            key = digest(
                [_SCHEME, self.scorer.id, self.place, item.choices, item.target, dict(item.metadata)]
            )
            if self.proven is None or key not in self.proven:
                await self._show(item)
                fine = item.id not in self.reference_fails and item.id not in self.idle_passes
                if fine and self.proven is not None:
                    self.proven.add(key)
            progress.advance()

    async def _show(self, item: Item) -> None:
        reference = self.scorer.reference(item)
        try:
            if reference is not None:
                right, reason = await self._is_right(item, reference)
                if not right:
                    self.reference_fails[item.id] = f"its own reference solution fails here: {reason}"
            right, _ = await self._is_right(item, self.scorer.idle())
            if right:
                self.idle_passes[item.id] = "a program that does nothing passes its tests"
        except BrokenItemError as error:
            self.reference_fails[item.id] = error.message

    async def _is_right(self, item: Item, answer: str) -> tuple[bool, str]:
        response = Response(text=answer, finish=FinishReason.STOP)
        score = await asyncio.to_thread(judge, self.scorer, item, response)
        if score.value is None:
            raise BakeoffError(f"item {item.id} cannot be judged here: {score.reason}")
        return score.value == 1, score.reason


def _refuse_hopeless(check: _Check) -> None:
    idle, broken = len(check.idle_passes), len(check.idle_passes | check.reference_fails)
    if idle > max(1, _NEGLIGIBLE * check.items):
        raise TaskError(
            f"a program that does nothing passes {idle} of {check.items} items: {_named(check.idle_passes)}",
            "Their tests ask nothing; correct them, or leave the items out.",
        )
    if check.items and broken == check.items:
        raise TaskError(
            f"no item can be judged in {check.place}: {_named(check.idle_passes | check.reference_fails)}",
            "Correct the references and tests, or give them more time and memory in the scorer's options.",
        )


def _named(broken: Mapping[str, str]) -> str:
    first, reason = next(iter(broken.items()))
    others = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    return f"{first}: {reason:.300}{others}"
