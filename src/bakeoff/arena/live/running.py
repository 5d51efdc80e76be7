"""A live arena on one server."""

import asyncio
import contextlib
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Self, TypeVar

from anyio.to_thread import run_sync
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from bakeoff.arena.answering.scrub import Scrub, scrub_of
from bakeoff.arena.answering.stage import Event, Stage
from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.ballots import Revealed, Side, cast
from bakeoff.arena.battles.conversations import Conversation, conversations
from bakeoff.arena.battles.life import Void
from bakeoff.arena.battles.limits import check_limits
from bakeoff.arena.battles.live_arena import LiveArena, live_arena
from bakeoff.arena.battles.opening import open_battle
from bakeoff.arena.battles.prompt import Prompt, kept
from bakeoff.arena.battles.turns import abandon_old, leave, next_turn, stop_lost, stop_unfinished, void
from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.definition.preparing import Prepared, entered, prepare
from bakeoff.arena.live.pairs import Pairs
from bakeoff.arena.live.resting import Resting
from bakeoff.arena.live.turns import Turn, asked, ended, staged
from bakeoff.arena.moderation.bare_image.taking import taken
from bakeoff.arena.moderation.recipe import opened
from bakeoff.arena.moderation.screening import counted, screen, tell
from bakeoff.arena.pairing.draw import Draw
from bakeoff.arena.policy.daily import keep
from bakeoff.arena.sharing.held_back import is_held_back
from bakeoff.arena.sharing.retention import erase_old
from bakeoff.arena.votes.battle import Outcome
from bakeoff.database import writing
from bakeoff.errors import BakeoffError
from bakeoff.model.reviving import revive
from bakeoff.nouns import FailureKind
from bakeoff.visible import visible

if TYPE_CHECKING:
    from bakeoff.arena.answering.answer import Answer
    from bakeoff.arena.moderation.filter import Filter
    from bakeoff.model.protocol import Model

T = TypeVar("T")
SERVER = "server"
"""Who acts in the log where nobody in particular does."""
MOST = 200
"""Battles that are answered at the same time on one server."""
WINDOWS = 4
"""In which one battle is watched at the same time; each holds a connection."""
_HEAD_START_S = 0.003
"""So much later than both models are asked, a thread begins to write: the two would else wait for each other,
and with them everybody's words."""
_HOUSEKEEPING_S = 600.0
_FAILURES = frozenset({Void.TIMEOUT, Void.MODEL_ERROR, Void.EMPTY})
"""What is a model's own doing: a conversation that is too long for it is not."""


class Warned(BakeoffError):  # noqa: N818 (nothing failed yet)
    """A prompt is not sent yet: its writer is asked to look at something, and may send it all the same."""


class Running:
    """Use it as an async context manager: entering opens the models and makes void what a server before left
    unfinished. A battle goes on whether or not somebody watches it.
    """

    live_arena: LiveArena

    def __init__(self, engine: Engine, arena: Arena, *, most: int = MOST) -> None:
        self.arena = arena
        self._engine = engine
        self._most = most
        self._pairs = Pairs(arena)
        self._resting = Resting()
        self._stack = AsyncExitStack()
        self._models: Mapping[str, Model] = {}
        self._filters: Sequence[Filter] = ()
        self._screened: dict[str, Counter[str]] = {}
        self._stages: dict[str, tuple[Stage, asyncio.Task[None]]] = {}
        self._beginning = 0
        self._refused: set[str] = set()
        self._watching: Counter[str] = Counter()
        # SQLite has one writer at a time. Who waits here is woken; who waits there sleeps, and tries again.
        sqlite = engine.dialect.name == "sqlite"
        self._one_writer = threading.Lock() if sqlite else contextlib.nullcontext()
        own = (word for each in arena.models for word in (each.name, each.family, each.provider))
        self._scrub: Scrub = scrub_of(own)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self._models = await entered(stack, self.arena)
            self._filters = await stack.enter_async_context(opened(self.arena.moderation))
            identities = {name: model.identity for name, model in self._models.items()}
            name = self.arena.name

            def ready(connection: Connection) -> tuple[Prepared, LiveArena]:
                prepared = prepare(connection, self.arena, identities, actor=SERVER)
                stop_unfinished(connection, name)
                return prepared, live_arena(connection, name)

            prepared, self.live_arena = await self._write(ready)
            for each, state in prepared.not_shown.items():
                _say(f"{name}: {each} is {state}, and is shown to nobody")
            for each in prepared.left_out:
                _say(f"{name}: {each} was shown before, and is not: the file does not name it")
            self._stack = stack.pop_all()
        housekeeping = asyncio.create_task(self._keep_house())
        self._stack.push_async_callback(_cancelled, housekeeping)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._most = 0  # nothing begins any more
        async with self._stack:
            for _, task in list(self._stages.values()):
                await _cancelled(task)
            await self._write(lambda connection: stop_unfinished(connection, self.arena.name))
            await self._say_moderation()

    async def begin(self, voter: str, text: str, images: Sequence[bytes] = (), *, sure: bool = False) -> str:
        """Begin a battle with its first prompt; its id. Of `images`, files as they were sent, models and the
        database get the pixels (`moderation.bare_image`). Who is `sure` is not warned of what is in the text.

        Raises:
            BakeoffError: the prompt is not taken, the voter may not begin one now, or the arena is full.
            Warned: there is something in the prompt that its writer should look at.
        """
        battle, resting = secrets.token_urlsafe(16), self._resting.now(time.monotonic())
        there, shows_images = asyncio.Event(), bool(images)

        def begun(connection: Connection) -> Draw:
            name, live = self.arena.name, self.live_arena
            check_limits(connection, name, voter, self.arena.limits)
            drawn = self._pairs.next(connection, live, battle, images=shows_images, resting=resting)
            held_back = is_held_back(live, battle, self.arena.held_back)
            open_battle(connection, name, voter, drawn, battle, prompt, held_back=held_back, limits=None)
            return drawn

        def answer(pair: Draw) -> None:
            left, right = (Conversation(each, (prompt.message,)) for each in (pair.first, pair.second))
            self._answer(battle, self._asked(battle, voter, (left, right)), there)

        with self._room():
            prompt = await self._prompt(text, images, sure=sure)
            expected = self._pairs.expected(self.live_arena, battle, images=shows_images, resting=resting)
            early = expected if voter not in self._refused else None
            try:
                if early is not None:
                    answer(early)
                    await asyncio.sleep(_HEAD_START_S)
                drawn = await self._write(begun)
            except BaseException:
                # Until one is kept, models are asked for this voter when the database has said yes.
                self._refused.add(voter)
                await self._stop(battle)
                raise
            self._refused.discard(voter)
            if early is None or (drawn.first, drawn.second) != (early.first, early.second):
                await self._stop(battle)
                answer(drawn)
            there.set()
        return battle

    async def go_on(self, battle: str, voter: str, text: str, *, sure: bool = False) -> None:
        """Ask both models once more.

        Raises:
            BakeoffError: as in `begin`, or the battle cannot go on.
        """

        def gone_on(connection: Connection) -> Turn:
            next_turn(connection, battle, voter, prompt, limits=self.arena.limits)
            return self._asked(battle, voter, conversations(connection, battle))

        there = asyncio.Event()
        there.set()
        with self._room():
            prompt = await self._prompt(text, (), sure=sure)
            self._answer(battle, await self._write(gone_on), there)

    async def watch(self, battle: str, since: int = 0) -> AsyncIterator[Event]:
        """What both columns show of the turn that is being answered, from the place `since` on. The last
        event comes once the database has both answers; none where nothing is being answered, or as many
        windows as may be show it already.
        """
        found = self._stages.get(battle)
        if found is None:
            return
        stage, task = found
        if self._watching[battle] >= WINDOWS:
            return
        self._watching[battle] += 1
        try:
            async for event in stage.events(since):
                if event.over:
                    await asyncio.wait([task])
                yield event
        finally:
            self._watching[battle] -= 1
            if not self._watching[battle]:
                del self._watching[battle]

    async def vote(
        self,
        battle: str,
        voter: str,
        outcome: Outcome,
        *,
        reasons: Sequence[str] = (),
        guesses: Mapping[Side, str] | None = None,
    ) -> Revealed:
        """Vote, and learn the names (`battles.ballots.cast`).

        Raises:
            BakeoffError: the voter may not vote on that, or not now.
        """
        told = await self._write(lambda c: cast(c, battle, voter, outcome, reasons=reasons, guesses=guesses))
        self._pairs.voted()
        return told

    async def leave(self, battle: str, voter: str) -> None:
        """The voter does not want to vote.

        Raises:
            BakeoffError: the voter has no such battle, or it has ended.
        """
        await self._write(lambda connection: leave(connection, battle, voter))
        await self._stop(battle)

    async def _prompt(self, text: str, files: Sequence[bytes], *, sure: bool) -> Prompt:
        if self.arena.prompts.only and text not in self.arena.prompts.texts:
            raise BakeoffError("this arena has prompts of its own", "choose one of the list")
        if self.arena.prompts.only and files:
            raise BakeoffError("this arena has prompts of its own", "send no image with them")
        if len(text) > self.arena.longest_prompt:
            raise BakeoffError(
                f"the prompt has {len(text):,} characters, and {self.arena.longest_prompt:,} is the most",
                "shorten it",
            )
        images = tuple([await run_sync(taken, each) for each in files])
        if not text.strip():
            return Prompt("", images=images)
        screened = await screen(self._filters, text)
        for name, counts in counted([screened]).items():
            self._screened.setdefault(name, Counter()).update(counts)
        if not screened.allowed:
            raise BakeoffError(f"the prompt is not taken: {screened.reason}", "write another one")
        if screened.warnings and not sure and not self.arena.prompts.only:
            raise Warned(" ".join(screened.warnings), "change it, or send it all the same")
        return Prompt(kept(text), tags=screened.tags, images=images)

    def _asked(self, battle: str, voter: str, told: tuple[Conversation, Conversation]) -> Turn:
        return asked(self.arena, self._models, told, self.live_arena.seed, battle, voter)

    def _answer(self, battle: str, turn: Turn, there: asyncio.Event) -> None:
        stage = staged(self.arena, turn.sides, self._scrub)
        task = asyncio.create_task(self._run(battle, stage, turn, there))
        self._stages[battle] = (stage, task)

    async def _stop(self, battle: str) -> None:
        if (found := self._stages.get(battle)) is not None:
            await _cancelled(found[1])

    async def _run(self, battle: str, stage: Stage, turn: Turn, there: asyncio.Event) -> None:
        """`there` is set once the database has the turn, and can take its end."""
        try:
            outcome = await stage.run()
            await there.wait()
            self._take_note(outcome, turn.names, battle, turn.voter)
            # The voter may have left in the meantime: then there is nothing to keep.
            with contextlib.suppress(BakeoffError):
                await self._write(lambda connection: ended(connection, battle, outcome))
        except Exception:
            with contextlib.suppress(BakeoffError):
                await self._write(lambda connection: void(connection, battle, Void.MODEL_ERROR))
            raise
        finally:
            # By now its voter may have asked again, and another turn be on its way.
            if self._stages.get(battle, (None,))[0] is stage:
                del self._stages[battle]

    def _take_note(
        self, outcome: "tuple[Answer, Answer] | Voided", names: tuple[str, str], battle: str, voter: str
    ) -> None:
        """Who answers and who does not."""
        if not isinstance(outcome, Voided):
            self._resting.answered(names)
            return
        if outcome.reason not in _FAILURES:
            return
        for name in (names[side] for side in outcome.sides):
            self._resting.failed(name, voter, time.monotonic())
            revive(self._models[name])
            # Who refuses a prompt may repeat it.
            refused = outcome.detail.startswith(FailureKind.REJECTED)
            why = FailureKind.REJECTED if refused else outcome.detail
            _say(f"{self.arena.name}: {name} gave no answer in battle {battle}: {outcome.reason}: {why}")

    @contextlib.contextmanager
    def _room(self) -> Iterator[None]:
        """While one more begins: those that begin at the same time count, too."""
        if (busy := len(self._stages) + self._beginning) >= self._most:
            raise BakeoffError(
                f"{busy} battles are being answered, as many as this server takes", "try again in a minute"
            )
        self._beginning += 1
        try:
            yield
        finally:
            self._beginning -= 1

    async def _write(self, act: Callable[[Connection], T]) -> T:
        def acted() -> T:
            with self._one_writer, writing(self._engine) as connection:
                return act(connection)

        return await run_sync(acted)

    async def _keep_house(self) -> None:
        """What is to be done now and then: battles run out, days are closed, texts grow old."""
        name, arena = self.arena.name, self.arena
        duties: tuple[Callable[[Connection], object], ...] = (
            lambda connection: stop_lost(connection, name, self._stages, arena.deadlines.answer_s + 60),
            lambda connection: abandon_old(connection, name, arena.deadlines.vote_s),
            lambda connection: keep(connection, name, actor=SERVER),
            lambda connection: erase_old(connection, name, arena.retention_days, actor=SERVER),
        )
        while True:
            for duty in duties:
                try:
                    await self._write(duty)
                # Counts that are not as they were, a disk that is full: the next round tries again.
                except (BakeoffError, SQLAlchemyError) as error:
                    _say(f"{name}: {error}")
            await self._say_moderation()
            await asyncio.sleep(_HOUSEKEEPING_S)

    async def _say_moderation(self) -> None:
        said, self._screened = self._screened, {}
        try:
            if said:
                await self._write(lambda c: tell(c, self.arena.name, said, actor=SERVER))
        except (BakeoffError, SQLAlchemyError) as error:
            _say(f"{self.arena.name}: {error}")
            for name, counts in said.items():
                self._screened.setdefault(name, Counter()).update(counts)


def _say(text: str) -> None:
    """To the server's log."""
    print(visible(text), file=sys.stderr)  # noqa: T201


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])
