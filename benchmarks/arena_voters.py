"""Voters of a live arena, as browsers are: they begin, watch, ask once more, reload, vote, vote again, leave.

Each has a cookie of its own. They note what they were promised, to be held against the database, and all that
should not be: a name before a vote, a text that is not the model's, a vote that is refused.
"""

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeVar

import aiohttp
from benchmarks.null_server import TEXT

T = TypeVar("T")
OUTCOMES = ("a", "b", "tie", "both_bad")
LOST = (aiohttp.ClientError, ConnectionError, TimeoutError)
_OPTIONS = re.compile(r"<option[^>]*>[^<]*</option>")
_STATE = re.compile(r'data-state="(\w+)"')
_SAID = re.compile(r"A was <b>(.*?)</b>, B was <b>(.*?)</b>")
_TAG = re.compile(r"<[^>]+>")


@dataclass(slots=True)
class Told:
    """What all voters were told. `votes` and `names` are by battle; `took` is in seconds, by what was asked;
    `lost` counts answers that did not come, `wrong` is what should not be."""

    begun: set[str] = field(default_factory=set)
    votes: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    took: dict[str, list[float]] = field(default_factory=dict)
    did: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is the page, "" for none."""

    status: int
    text: str
    location: str
    cookie: str


class Voter:
    """One who votes in `arena` at `url` until `ends` on the monotonic clock, `least` times in any case, and
    thinks `think_s` on average before a vote. `secret` words are not to be seen before a vote."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        arena: str,
        secret: tuple[str, ...],
        told: Told,
        *,
        number: int,
        ends: float,
        least: int,
        think_s: float,
    ) -> None:
        self._session = session
        self._url = url
        self._arena = f"/arenas/{arena}"
        self._secret = secret
        self._told = told
        self._draw = random.Random(number)
        self._number = number
        self._ends = ends
        self._to_vote = least
        self._think_s = think_s
        self._cookie = ""

    async def live(self) -> None:
        """Battle after battle."""
        await self._think()
        while time.monotonic() < self._ends or (self._to_vote > 0 and not self._told.wrong):
            battle = await self._sure(self._begun)
            if battle:
                await self._judged(battle)
            await self._think()

    async def _judged(self, battle: str) -> None:
        while True:
            state = await self._sure(lambda: self._watched(battle))
            if state != "answered" or not self._chance(0.15):
                break
            await self._sure(lambda: self._more(battle))
        if state != "answered":
            if state != "void":
                self._wrong(f"battle {battle} is {state} after its answers were whole")
            return
        await self._think()
        if self._chance(0.05):
            await self._sure(lambda: self._leave(battle))
            return
        await self._vote(battle)
        page = await self._sure(lambda: self._asked("page", "GET", self._of(battle)))
        found = _SAID.search(page.text)
        if found is None:
            self._wrong(f"no names after the vote on {battle}")
        else:
            left, right = (_TAG.sub("", each) for each in found.groups())
            self._told.names[battle] = left, right

    async def _begun(self) -> str:
        prompt = {"prompt": f"How many apples are in six rows of seven? ({self._number})", "agreed": "yes"}
        reply = await self._asked("begin", "POST", f"{self._arena}/battles", prompt)
        if reply.status != 303:
            self._wrong(f"no battle was begun: {reply.status} {_problem(reply.text)}")
            return ""
        self._cookie = reply.cookie or self._cookie
        battle = reply.location.rpartition("/")[2]
        self._told.begun.add(battle)
        return battle

    async def _watched(self, battle: str) -> str:
        """Load the page, watch the stream to its end, sometimes with a reload between; the state then."""
        page = await self._asked("page", "GET", self._of(battle))
        self._check_blind(page.text, battle)
        if (state := _state(page.text)) != "answering":
            return state
        texts, place, over = ["", ""], 0, False
        reload = self._draw.randrange(1, 10) if self._chance(0.2) else 0
        events = 0
        while not over:
            async with aclosing(self._events(battle, place)) as stream:
                async for name, at, data in stream:
                    events, over, place = events + 1, name == "over", at or place
                    for side, key in enumerate(("left", "right")):
                        texts[side] += data.get(key, "")
                    if events == reload:
                        self._told.did["reload"] += 1
                        break
            if not over and events != reload:
                raise aiohttp.ClientConnectionError("the stream ended without its end")
        page = await self._asked("page", "GET", self._of(battle))
        self._check_blind(page.text, battle)
        state = _state(page.text)
        self._check_texts(battle, texts, whole=state == "answered" and any(texts) and not reload)
        return state

    async def _events(self, battle: str, since: int) -> AsyncIterator[tuple[str, int, dict[str, str]]]:
        headers = self._headers()
        async with self._session.get(
            f"{self._url}{self._of(battle)}/events?since={since}", headers=headers
        ) as answer:
            if answer.status != 200:
                self._wrong(f"no stream of {battle}: {answer.status}")
                return
            name, at = "", 0
            async for raw in answer.content:
                key, _, value = raw.decode().rstrip("\n").partition(": ")
                match key:
                    case "event":
                        name = value
                    case "id":
                        at = int(value)
                    case "data":
                        self._check_blind(value, battle)
                        yield name, at, json.loads(value)

    async def _more(self, battle: str) -> None:
        self._told.did["turn"] += 1
        await self._asked("turn", "POST", f"{self._of(battle)}/turns", {"prompt": "Are you sure?"})

    async def _leave(self, battle: str) -> None:
        await self._asked("leave", "POST", f"{self._of(battle)}/leave")
        self._told.left.add(battle)

    async def _vote(self, battle: str) -> None:
        """A vote in one of the ways in which they come."""
        outcome = self._draw.choice(OUTCOMES)
        kind = self._draw.choices(("once", "again", "cut", "twice", "other"), (12, 3, 3, 1, 1))[0]
        self._told.did[f"vote, {kind}"] += 1
        if kind == "cut":
            sending = asyncio.ensure_future(self._voted(battle, outcome))
            await asyncio.wait([sending], timeout=self._draw.uniform(0, 0.03))
            sending.cancel()
            await asyncio.wait([sending])
        both = [self._sure(lambda: self._voted(battle, outcome)) for _ in range(1 + (kind == "twice"))]
        for status in await asyncio.gather(*both):
            if status != 303:
                self._wrong(f"a vote on {battle} ({kind}) was refused: {status}")
                return
        self._told.votes[battle] = outcome
        self._to_vote -= 1
        if kind == "again" and await self._sure(lambda: self._voted(battle, outcome)) != 303:
            self._wrong(f"the same vote again on {battle} was refused")
        other = OUTCOMES[(OUTCOMES.index(outcome) + 1) % 4]
        if kind == "other" and await self._sure(lambda: self._voted(battle, other)) != 400:
            self._wrong(f"another vote on {battle} was taken")

    async def _voted(self, battle: str, outcome: str) -> int:
        return (await self._asked("vote", "POST", f"{self._of(battle)}/vote", {"outcome": outcome})).status

    async def _asked(self, kind: str, method: str, path: str, form: dict[str, str] | None = None) -> Reply:
        began = time.monotonic()
        url, headers = f"{self._url}{path}", self._headers()
        async with self._session.request(
            method, url, data=form, headers=headers, allow_redirects=False
        ) as answer:
            text = await answer.text()
        self._told.took.setdefault(kind, []).append(time.monotonic() - began)
        if answer.status >= 500:
            self._wrong(f"{method} {kind}: {answer.status}")
        cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return Reply(answer.status, text, answer.headers.get("location", ""), cookie)

    async def _sure(self, act: Callable[[], Awaitable[T]]) -> T:
        """Do it, and again for as long as no answer comes."""
        while True:
            try:
                return await act()
            except LOST:
                self._told.lost += 1
                await asyncio.sleep(self._draw.uniform(0.05, 0.3))

    def _headers(self) -> dict[str, str]:
        return {"cookie": self._cookie, "accept-encoding": "gzip"} if self._cookie else {}

    def _of(self, battle: str) -> str:
        return f"{self._arena}/battles/{battle}"

    def _chance(self, share: float) -> bool:
        return self._draw.random() < share

    async def _think(self) -> None:
        await asyncio.sleep(self._draw.uniform(0, 2 * self._think_s))

    def _check_blind(self, text: str, battle: str) -> None:
        """The list of those that may be guessed has all names, whoever answered."""
        plain = _OPTIONS.sub("", text)
        if found := [word for word in self._secret if word.casefold() in plain.casefold()]:
            self._wrong(f"{found} in battle {battle} before its vote")

    def _check_texts(self, battle: str, texts: list[str], *, whole: bool) -> None:
        """Both answers; not `whole` where the turn may have ended while nobody watched."""
        if not all(TEXT.startswith(text) for text in texts):
            self._wrong(f"the stream of {battle} had other words than the model's: {texts}")
        elif whole and texts != [TEXT, TEXT]:
            self._wrong(f"the stream of {battle} ended at {[len(text) for text in texts]}")

    def _wrong(self, what: str) -> None:
        self._told.wrong.append(what)


def _state(page: str) -> str:
    found = _STATE.search(page)
    return found[1] if found else ""


def _problem(page: str) -> str:
    found = re.search(r'class="problem"[^>]*>(.*?)</', page, re.DOTALL)
    return _TAG.sub("", found[1]).strip() if found else ""
