"""Answers kept for readers: the same as asked anew, never somebody else's, and made once for many."""

import asyncio
from collections import Counter

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from bakeoff.web.middleware import kept
from bakeoff.web.middleware.kept import Keeping


class Site:
    """An app that counts what it is asked, and whose state is a word."""

    def __init__(self):
        self.asked, self.state, self.all_here = Counter(), "one", asyncio.Barrier(4)
        self.app = Keeping(
            Starlette(
                routes=[
                    Route(f"/{each}", getattr(self, each))
                    for each in ("page", "own", "live", "stream", "wrong")
                ]
            ),
            stamp=lambda: self.state,
        )

    async def page(self, request: Request):
        self.asked["page"] += 1
        await asyncio.sleep(0.05)
        return PlainTextResponse(f"{self.state} {request.url.query}")

    async def own(self, _request):
        self.asked["own"] += 1
        return PlainTextResponse(str(self.asked["own"]), headers={"cache-control": "no-store"})

    async def live(self, _request):
        self.asked["live"] += 1
        return PlainTextResponse(str(self.asked["live"]), headers={"cache-control": kept.LIVE})

    async def wrong(self, _request):
        self.asked["wrong"] += 1
        return PlainTextResponse("no", 404)

    async def stream(self, _request):
        async def words():
            yield "a"
            await self.all_here.wait()  # which nobody passes who waits for another's end
            yield "b"

        return StreamingResponse(words(), media_type="text/event-stream")

    async def get(self, path, **headers):
        """Status, headers and body; the body's parts with when they came."""
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(b"host", b"x"), *_headers(headers)],
            "server": ("x", 80),
            "client": ("c", 1),
            "scheme": "http",
            "root_path": "",
        }
        said = []

        async def receive():
            await asyncio.sleep(60)

        async def send(message):
            said.append(message)

        await self.app(scope, receive, send)
        body = b"".join(each.get("body", b"") for each in said)
        return said[0]["status"], dict(said[0]["headers"]), body.decode()


def _headers(given):
    return [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(kept, "CHECKED_S", 0.0)
    return Site()


def test_many_who_ask_at_once_are_answered_by_one_page(site):
    async def many():
        return await asyncio.gather(*(site.get("/page?a=1") for _ in range(50)))

    answers = asyncio.run(many())
    assert {body for _, _, body in answers} == {"one a=1"}
    assert site.asked["page"] == 1


def test_what_changed_is_seen_and_another_view_is_another_page(site):
    async def story():
        first = await site.get("/page?a=1")
        site.state = "two"
        return first[2], (await site.get("/page?a=1"))[2], (await site.get("/page?a=2"))[2]

    assert asyncio.run(story()) == ("one a=1", "two a=1", "two a=2")


@pytest.mark.parametrize("header", ["cookie", "authorization", "range"])
def test_what_is_somebodys_own_is_neither_kept_nor_given(site, header):
    async def story():
        await site.get("/page")
        await site.get("/page", **{header: "x"})
        await site.get("/page", **{header: "x"})

    asyncio.run(story())
    assert site.asked["page"] == 3


@pytest.mark.parametrize("path", ["own", "wrong"])
def test_what_may_not_be_kept_is_made_for_each(site, path):
    async def story():
        return await asyncio.gather(*(site.get(f"/{path}") for _ in range(5)))

    asyncio.run(story())
    assert site.asked[path] == 5


def test_what_goes_on_is_shared_for_a_moment_and_then_made_anew(site, monkeypatch):
    monkeypatch.setattr(kept, "LIVE_S", 0.2)

    async def story():
        first = [(await site.get("/live"))[2] for _ in range(5)]
        await asyncio.sleep(0.25)
        return first, await site.get("/live"), await site.get("/live", cookie="a=b")

    first, (_, headers, later), (_, own, mine) = asyncio.run(story())
    assert (first, later, mine) == (["1"] * 5, "2", "3")
    assert headers[b"cache-control"] == b"no-cache"
    assert own[b"cache-control"].startswith(b"no-store")  # whoever reads it may see what others may not


def test_a_stream_passes_and_nobody_waits_for_its_end(site):
    async def story():
        return await asyncio.wait_for(asyncio.gather(*(site.get("/stream") for _ in range(4))), 30)

    assert [body for _, _, body in asyncio.run(story())] == ["ab"] * 4


def test_who_has_the_page_already_is_told_so(site):
    async def story():
        _, headers, _ = await site.get("/page")
        return await site.get("/page", if_none_match=headers[b"etag"].decode())

    status, headers, body = asyncio.run(story())
    assert (status, body) == (304, "")
    assert b"content-length" not in headers


def test_a_page_that_fails_leaves_nobody_waiting(site):
    async def story():
        async def broken(_scope, _receive, _send):
            await asyncio.sleep(0.05)
            raise RuntimeError

        site.app._app = broken
        return await asyncio.wait_for(
            asyncio.gather(*(site.get("/page") for _ in range(5)), return_exceptions=True), 5
        )

    assert [type(each) for each in asyncio.run(story())] == [RuntimeError] * 5


def test_memory_stays_within_its_bound(site, monkeypatch):
    monkeypatch.setattr(kept, "_MOST_BYTES", 40)

    async def story():
        for each in range(10):
            await site.get(f"/page?{each}")

    asyncio.run(story())
    assert sum(len(each.body) for each in site.app._answers.values()) <= 40
    assert site.app._bytes == sum(len(each.body) for each in site.app._answers.values())
