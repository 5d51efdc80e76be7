"""A turn of a battle: two answers or none, told at one pace to whoever listens."""

import asyncio
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from bakeoff.arena.answering.column import DECLINED, Limits, Side
from bakeoff.arena.answering.conversation import conversation
from bakeoff.arena.answering.pace import STEADY
from bakeoff.arena.answering.scrub import BLACK, scrub_of
from bakeoff.arena.answering.stage import Event, Stage
from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.life import Void
from bakeoff.errors import ModelError
from bakeoff.model.remote import OpenAIModel
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Generate,
    Generation,
    Response,
    Timing,
    Usage,
)
from tests.model.remote.test_faults import BROKEN, BUSY
from tests.model.remote.virtual_time import run
from tests.servers import fault_server as fault
from tests.servers.fault_server import FaultServer, answer

SYSTEM = "You are Zephyrion of Acme. Never say so."
SCRUB = scrub_of(["Zephyrion", "Acme"])
LONG = "There are six rows, and each of them holds seven apples. " * 40


def asked(prompt="How many?"):
    return Generate("battle", conversation(SYSTEM, (prompt,), ()), Generation(), 7)


class Writer:
    """A model that writes `text` in pieces of 6 characters, one each `pause` seconds."""

    def __init__(self, text="Paris", *, pause=0.02, first=0.1, silent_after=None, **response):
        self.text, self.pause, self.first, self.silent_after = text, pause, first, silent_after
        self.response = Response(text, **{"finish": FinishReason.STOP} | response)
        self.given_up = False

    async def stream(self, request, told):
        try:
            await asyncio.sleep(self.first)
            for at in range(0, len(self.text), 6):
                if self.silent_after is not None and at >= self.silent_after:
                    await asyncio.sleep(3600)
                told(self.text[at : at + 6])
                await asyncio.sleep(self.pause)
            if isinstance(self.response, Exception):
                raise self.response
            return self.response
        except asyncio.CancelledError:
            self.given_up = True
            raise


class Failing(Writer):
    def __init__(self, kind=FailureKind.SERVER, text="Par"):
        super().__init__(text)
        self.response = Response(failure=Failure(kind, "Zephyrion is down"))


def stage(left, right, *, prompt="How many?", **limits):
    return Stage(Side(left, asked(prompt)), Side(right, asked(prompt)), SCRUB, Limits(**limits))


async def heard(staged, since=0):
    return [event async for event in staged.events(since)]


def told(left, right, **given):
    """The outcome of a turn, and all events of it."""

    async def main():
        staged = stage(left, right, **given)
        listening = asyncio.create_task(heard(staged))
        outcome = await staged.run()
        return outcome, await listening

    return run(main())


def columns(events):
    return "".join(event.left for event in events), "".join(event.right for event in events)


def test_both_answers_are_told_to_their_ends_and_returned():
    (left, right), events = told(Writer("Paris, of course."), Writer(LONG, usage=Usage(9, 400)))
    assert (left.text, right.text) == ("Paris, of course.", LONG)
    assert columns(events) == (left.text, right.text)
    assert [event.over for event in events] == [False] * (len(events) - 1) + [True]
    assert (right.tokens, right.finish, right.refused, right.scrubbed) == (400, FinishReason.STOP, False, 0)


def test_columns_grow_by_the_same_and_no_faster_than_the_steady_rate():
    async def main():
        staged = stage(Writer(LONG, pause=0.001), Writer(LONG, pause=0.05, first=1.0))
        running = asyncio.create_task(staged.run())
        at = []
        async for event in staged.events():
            assert len(event.left) == len(event.right)
            at.append((asyncio.get_running_loop().time(), event.at))
        await running
        return at

    at = run(main())
    assert at[0][0] == pytest.approx(1.0)  # with the first piece of the slower side, at once
    for (before, seen), (now, more) in pairwise(at):
        assert more - seen <= STEADY * max(now - before, 0.05) + 2


def test_after_a_reload_the_events_go_on_where_they_were():
    async def main():
        staged = stage(Writer(LONG), Writer("x" * 300))
        running = asyncio.create_task(staged.run())
        first = []
        async for event in staged.events():
            first.append(event)
            if len(first) == 5:
                break
        await asyncio.sleep(1)
        second = await heard(staged, first[-1].at)
        await running
        whole = await heard(staged)  # long after the end, everything in one event
        return first, second, whole, await heard(staged, 10**9), await heard(staged, -5)

    first, second, whole, beyond, before = run(main())
    assert columns(first + second) == columns(whole) == columns(before) == (LONG, "x" * 300)
    assert (len(whole), columns(beyond)) == (1, ("", ""))


def test_a_slow_listener_holds_nobody_and_misses_nothing():
    async def main():
        staged = stage(Writer(LONG), Writer(LONG))

        async def slowly():
            seen = []
            async for event in staged.events():
                seen.append(event)
                await asyncio.sleep(2.0)
            return seen

        loop = asyncio.get_running_loop()
        slow, quick = asyncio.create_task(slowly()), asyncio.create_task(heard(staged))
        await staged.run()
        ended = loop.time()
        return ended, await quick, await slow

    ended, quick, slow = run(main())
    assert ended < len(LONG) / STEADY + 6
    assert columns(slow) == columns(quick) == (LONG, LONG)
    assert len(slow) < len(quick) / 4


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (Failing(), Void.MODEL_ERROR),
        (Failing(FailureKind.STALLED), Void.TIMEOUT),
        (Failing(FailureKind.TIMEOUT), Void.TIMEOUT),
        (Failing(FailureKind.CONTEXT_LENGTH, text=""), Void.TOO_LONG),
        (Writer(first=100.0), Void.TIMEOUT),
        (Writer(LONG, silent_after=60), Void.TIMEOUT),
        (Writer(LONG * 9, pause=1.0), Void.TIMEOUT),
        (Writer("x" * 30_000, pause=0.001), Void.TOO_LONG),
        (Writer(""), Void.EMPTY),
        (Writer(" \n\u200b "), Void.EMPTY),
        (Writer("<think>\nSo far", finish=FinishReason.LENGTH), Void.EMPTY),
    ],
)
@pytest.mark.parametrize("left", [True, False])
def test_whatever_ends_one_side_voids_the_turn_at_once_and_ends_the_other(broken, reason, left):
    other = Writer(LONG * 6, pause=0.2)
    sides = (broken, other) if left else (other, broken)
    outcome, events = told(*sides, first_s=20, stall_s=5, whole_s=60, characters=20_000)
    assert isinstance(outcome, Voided)
    assert outcome.reason is reason
    assert (0 if left else 1) in outcome.sides
    assert other.given_up
    assert (events[-1].over, events[-1].sentence) == (True, outcome.sentence)
    assert "Zephyrion" not in "".join(map(repr, events))
    assert not {"left", "right"}.intersection(outcome.sentence.split())


@pytest.mark.parametrize("pause", [0.02, 0.4, 4.9])
def test_who_writes_on_may_take_longer_than_any_silence(pause):
    slow = Writer("How do you like this? ", pause=pause)
    (left, right), _ = told(slow, Writer(LONG), stall_s=5)
    assert (left.text, right.text) == (slow.text, LONG)


@pytest.mark.parametrize("last", [0.01, 0.1, 1.7])
def test_a_silence_ends_the_turn_when_it_has_lasted_and_not_before(last):
    """The moment is not moved for every piece: it may be late by a thirtieth."""

    async def main():
        loop, silent = asyncio.get_running_loop(), Writer(LONG, first=0, pause=last, silent_after=18)
        outcome = await stage(silent, Writer(LONG * 9), stall_s=6).run()
        return outcome, loop.time() - 2 * last

    begun = run(clock())
    outcome, ended = run(main())
    assert outcome.reason is Void.TIMEOUT
    assert 5.99 <= ended - begun <= 6.4


async def clock():
    return asyncio.get_running_loop().time()


def test_an_error_that_makes_every_request_pointless_voids_the_turn_and_is_kept_for_the_log():
    broken = Writer()
    broken.response = ModelError("the account of Zephyrion has no credit left")
    outcome, events = told(broken, Writer(LONG))
    assert outcome == Voided(Void.MODEL_ERROR, "the account of Zephyrion has no credit left", (0,))
    assert "credit" not in "".join(map(repr, events))


def test_a_mistake_of_ours_keeps_its_traceback_and_the_listeners_are_let_go():
    async def main():
        broken = Writer()
        broken.response = ZeroDivisionError()
        staged = stage(broken, Writer(LONG))
        listening = asyncio.create_task(heard(staged))
        with pytest.raises(ExceptionGroup) as caught:
            await staged.run()
        assert caught.group_contains(ZeroDivisionError)
        return await listening

    assert run(main())[-1].over


def test_a_server_that_stops_ends_both_models_and_says_so():
    async def main():
        writers = (Writer(LONG), Writer(LONG))
        staged = stage(*writers)
        listening = asyncio.create_task(heard(staged))
        running = asyncio.create_task(staged.run())
        await asyncio.sleep(1)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return writers, await listening

    writers, events = run(main())
    assert all(writer.given_up for writer in writers)
    assert "server stopped" in events[-1].sentence


@pytest.mark.parametrize(
    ("writer", "text"),
    [
        (Writer("I'm sorry, but I can't help with that."), "I'm sorry, but I can't help with that."),
        (Writer("", refusal="I will not."), "I will not."),
        (Writer("", refusal="filtered by Acme", finish=FinishReason.CONTENT_FILTER), DECLINED),
        (Writer("Well, ", finish=FinishReason.CONTENT_FILTER), "Well, "),
    ],
)
def test_a_refusal_is_an_answer_and_counted_as_one(writer, text):
    (left, right), events = told(writer, Writer())
    assert (left.text, left.refused, right.refused) == (text, True, False)
    assert columns(events)[0] == text


def test_an_answer_cut_at_the_token_limit_is_an_answer():
    (left, _), _ = told(Writer(LONG, finish=FinishReason.LENGTH), Writer())
    assert (left.text, left.finish, left.refused) == (LONG, FinishReason.LENGTH, False)


def test_names_are_never_shown_and_the_true_text_is_kept():
    text = "I am Zephyrion, a model of Acme. Zephyrion!"
    (left, right), events = told(Writer(text), Writer("Paris"))
    shown = f"I am {BLACK}, a model of {BLACK}. {BLACK}!"
    assert (left.text, left.shown, left.scrubbed) == (text, shown, 3)
    assert (right.shown, right.scrubbed) == (None, 0)
    assert columns(events) == (shown, "Paris")
    assert SYSTEM not in "".join(map(repr, events))


def test_times_are_the_engines_and_ours_where_it_has_none():
    (left, right), _ = told(Writer(timing=Timing(2.5, 0.5)), Writer(first=0.3))
    assert (left.first_token_s, left.total_s) == (0.5, 2.5)
    assert right.first_token_s is None
    assert right.total_s == pytest.approx(0.32)


@asynccontextmanager
async def pair(server, **given):
    settings = {"base_url": server.url, "stall_s": "0.2", "deadline_s": "5"} | given
    async with OpenAIModel("bad", settings) as bad, OpenAIModel("good", settings) as good:
        yield bad, good


async def battle(behaviours, left: bool, **given):
    """The outcome and the events of a turn in which one side's server behaves so. Nothing stays in flight."""
    async with FaultServer() as server:
        server.script("bad", *behaviours)
        server.script("good", answer("Paris, of course.", delay=0.01))
        async with pair(server, **given) as (bad, good):
            staged = stage(*((bad, good) if left else (good, bad)))
            listening = asyncio.create_task(heard(staged))
            outcome = await staged.run()
            async with asyncio.timeout(5):
                while server.in_flight:  # noqa: ASYNC110 (it hears a little later of what was given up)
                    await asyncio.sleep(0.005)
            return outcome, await listening


FAULTS = {name: behaviour for name, (behaviour, _) in (BROKEN | BUSY).items()}
FAULTS |= {
    "a drip without end": fault.drip,
    "no credit": fault.status(402),
    "a key that is not taken": fault.status(401),
    "a rejected request": fault.status(400),
    "another model's answer": answer("Rome", model="other"),
    "an empty answer": answer(""),
    "white space": answer(" \n "),
    "a thought without an answer": answer("<think>so"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_of_a_server_is_ever_an_answer(name, monkeypatch):
    monkeypatch.setattr("bakeoff.model.remote.retry.BASE_S", 0.001)
    left = len(name) % 2 == 0
    outcome, events = asyncio.run(battle([FAULTS[name]], left, attempts="1", deadline_s="0.3"))
    assert isinstance(outcome, Voided)
    assert events[-1] == Event(events[-1].at, over=True, sentence=outcome.sentence)


def test_a_fault_that_passes_before_the_first_piece_is_nobodys_concern(monkeypatch):
    monkeypatch.setattr("bakeoff.model.remote.retry.BASE_S", 0.001)
    outcome, events = asyncio.run(battle([fault.status(500), fault.reset, answer("Rome")], left=True))
    assert [each.text for each in outcome] == ["Rome", "Paris, of course."]
    assert columns(events) == ("Rome", "Paris, of course.")
