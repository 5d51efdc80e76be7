"""`/arenas/{arena}/battle` and `/battles/{id}`: two answers without names, a vote, and then the names."""

import base64
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, cast

import orjson
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.datastructures import UploadFile

from bakeoff.arena.battles.images import image
from bakeoff.arena.battles.rows import own
from bakeoff.arena.live.running import Running, Warned
from bakeoff.arena.moderation.bare_image.taking import MOST_BYTES
from bakeoff.errors import BakeoffError
from bakeoff.web.answers import links_of
from bakeoff.web.pages.arena_battle import REASONS, battle_page, new_battle
from bakeoff.web.pages.typed import NOTHING, Typed, refused
from bakeoff.web.reading import Library
from bakeoff.web.routes.form import texts
from bakeoff.web.routes.request import Books, shown
from bakeoff.web.streams import streams
from bakeoff.web.voters import Voter, claimed, holds, known, newcomer, welcome

if TYPE_CHECKING:
    from bakeoff.arena.battles.ballots import Side
    from bakeoff.arena.votes.battle import Outcome

router = APIRouter(include_in_schema=False)

_MOST_FIELDS = 30
_LONGEST_FIELD = 1024 * 1024
_OWN = {"cache-control": "no-store"}
"""A battle is its voter's alone."""
_OWN_IMAGE = {
    "cache-control": "private, max-age=3600",
    "vary": "cookie",
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
}
"""It never changes; a browser asks again once its user is another."""


async def _running(request: Request, arena: str) -> Running:
    found = request.app.state.arenas.get(arena)
    if found is None:
        raise BakeoffError(f"there is no live arena {arena} here", "the list of arenas has all there are")
    return cast("Running", found)


Live = Annotated[Running, Depends(_running)]


@router.get("/arenas/{arena}/battle")
def begin(request: Request, live: Live, library: Books) -> HTMLResponse:
    """The page to begin a battle."""
    return _new(request, live, library)


@router.post("/arenas/{arena}/battles")
async def begun(request: Request, live: Live, library: Books) -> Response:
    """Begin one."""
    form = await request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=_LONGEST_FIELD)
    try:
        fields, file = texts(form), form.get("image")
        sent = file if isinstance(file, UploadFile) and file.filename else None
        try:
            # One byte more than is taken tells a file that is too large without reading all of it.
            images = (await sent.read(MOST_BYTES + 1),) if sent is not None else ()
            voter = await _known_or_new(request, library, live)
            if voter.secret and fields.get("agreed") != "yes":
                raise BakeoffError("what is kept needs your consent", "tick the box, or write nothing")
            sure = fields.get("sure") == "yes"
            made = await live.begin(voter.pseudonym, fields.get("prompt", ""), images, sure=sure)
        except BakeoffError as error:
            return await run_sync(_new, request, live, library, _refused("begin", fields, error))
    finally:
        await form.close()
    answer = RedirectResponse(links_of(request).battle(live.arena.name, made), 303)
    welcome(request, answer, live.arena.name, voter.secret)
    return answer


@router.get("/arenas/{arena}/battles/{battle}")
def shown_battle(request: Request, live: Live, library: Books, battle: str) -> HTMLResponse:
    """A battle of one's own."""
    return _battle(request, live, library, battle)


@router.get("/arenas/{arena}/battles/{battle}/images/{number}")
def sent_image(request: Request, live: Live, library: Books, battle: str, number: int) -> Response:
    """An image that was sent in a battle of one's own."""
    voter = _known(request, library, live)
    with library.read() as connection:
        found = image(connection, battle, voter.pseudonym, number)
    return Response(base64.b64decode(found.data), media_type=found.media_type, headers=_OWN_IMAGE)


@router.get("/arenas/{arena}/battles/{battle}/events")
async def events(
    request: Request, live: Live, library: Books, battle: str, since: Annotated[int, Query(ge=0)] = 0
) -> Response:
    """What both columns get, as server-sent events: `more` with the new characters of each and the place
    they lead to, and `over`. Who comes back says by `since` where they were, or by the id of the last event.
    """
    await run_sync(_check_own, request, live, library, battle)
    there = streams(request.app)
    there.check()
    last = request.headers.get("last-event-id", "")
    place = int(last) if last.isascii() and last.isdigit() and len(last) < 12 else since
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}

    async def told() -> AsyncIterator[bytes]:
        with there.one():
            yield b"retry: 1000\n\n"
            async for event in live.watch(battle, place):
                data = orjson.dumps({"left": event.left, "right": event.right})
                yield b"id: %d\nevent: more\ndata: %s\n\n" % (event.at, data)
            yield b"event: over\ndata: {}\n\n"

    return StreamingResponse(told(), media_type="text/event-stream", headers=headers)


@router.post("/arenas/{arena}/battles/{battle}/turns")
async def asked(request: Request, live: Live, library: Books, battle: str) -> Response:
    """Ask both something more."""
    fields = texts(await request.form(max_fields=_MOST_FIELDS))
    voter = await run_sync(_known, request, library, live)
    try:
        sure = fields.get("sure") == "yes"
        await live.go_on(battle, voter.pseudonym, fields.get("prompt", ""), sure=sure)
    except BakeoffError as error:
        return await run_sync(_battle, request, live, library, battle, _refused("more", fields, error))
    return RedirectResponse(links_of(request).battle(live.arena.name, battle), 303)


@router.post("/arenas/{arena}/battles/{battle}/vote")
async def voted(request: Request, live: Live, library: Books, battle: str) -> Response:
    """Vote."""
    form = await request.form(max_fields=_MOST_FIELDS)
    fields = texts(form)
    reasons = tuple(dict.fromkeys(each for each in form.getlist("reason") if each in REASONS))
    sides: tuple[Side, ...] = ("left", "right")
    guesses = {side: fields[side] for side in sides if fields.get(side)}
    voter = await run_sync(_known, request, library, live)
    try:
        outcome = cast("Outcome", fields.get("outcome", ""))
        await live.vote(battle, voter.pseudonym, outcome, reasons=reasons, guesses=guesses)
    except BakeoffError as error:
        return await run_sync(_battle, request, live, library, battle, refused("vote", fields, error))
    return RedirectResponse(links_of(request).battle(live.arena.name, battle), 303)


@router.post("/arenas/{arena}/battles/{battle}/leave")
async def left(request: Request, live: Live, library: Books, battle: str) -> Response:
    """Give a battle up, and begin another."""
    voter = await run_sync(_known, request, library, live)
    await live.leave(battle, voter.pseudonym)
    return RedirectResponse(links_of(request).arena(live.arena.name, "battle"), 303)


@router.get("/arenas/{arena}/join/{secret}")
def invited(request: Request, live: Live, library: Books, secret: str) -> HTMLResponse:
    """What an invitation leads to: programs that look at links do not take it up."""
    _check_invitation(library, live, secret)
    page = {"arena": live.arena, "secret": secret}
    answer = shown(request, "arena_join", page)
    answer.headers.update(_OWN)
    return answer


@router.post("/arenas/{arena}/join/{secret}")
def joined(request: Request, live: Live, library: Books, secret: str) -> Response:
    """Take an invitation up."""
    _check_invitation(library, live, secret)
    answer = RedirectResponse(links_of(request).arena(live.arena.name, "battle"), 303)
    welcome(request, answer, live.arena.name, secret)
    return answer


def _check_invitation(library: Library, live: Running, secret: str) -> None:
    # A secret of anybody's making would let its maker read whatever is asked with it.
    with library.read() as connection:
        if not holds(connection, live.arena, secret):
            raise BakeoffError(
                "there is no such invitation, or it was taken back", "ask who sent it for another"
            )


def _new(request: Request, live: Running, library: Library, typed: Typed = NOTHING) -> HTMLResponse:
    with library.read() as connection:
        who = known(request, connection, live.arena)
    may = who is not None or live.arena.voters == "anyone"
    page = new_battle(live.arena, known=who is not None, may=may, typed=typed)
    answer = shown(request, "arena_battle", page, status=200 if typed is NOTHING else 400)
    answer.headers.update(_OWN)
    return answer


def _battle(
    request: Request, live: Running, library: Library, battle: str, typed: Typed = NOTHING
) -> HTMLResponse:
    voter = _known(request, library, live)
    with library.read() as connection:
        page = battle_page(connection, live.arena, battle, voter.pseudonym, typed)
    answer = shown(request, "arena_battle", page, status=200 if typed is NOTHING else 400)
    answer.headers.update(_OWN)
    return answer


def _refused(form: str, fields: Mapping[str, str], error: BakeoffError) -> Typed:
    """A prompt that was not taken. One that its writer is only warned of has its problem at `sure`."""
    typed = refused(form, fields, error)
    return replace(typed, problems={"sure": typed.problems[""]}) if isinstance(error, Warned) else typed


def _check_own(request: Request, live: Running, library: Library, battle: str) -> None:
    voter = _known(request, library, live)
    with library.read() as connection:
        own(connection, battle, voter.pseudonym)


def _known(request: Request, library: Library, live: Running) -> Voter:
    with library.read() as connection:
        found = known(request, connection, live.arena)
    if found is None:
        raise HTTPException(404, "you have no battle here")
    return found


async def _known_or_new(request: Request, library: Library, live: Running) -> Voter:
    def looked_up() -> Voter | None:
        with library.read() as connection:
            return known(request, connection, live.arena)

    # The database is asked only where it alone knows: each question is time until the first words.
    invited = live.arena.voters == "invited"
    found = await run_sync(looked_up) if invited else claimed(request, live.arena, live.live_arena)
    return found or newcomer(request, live.arena, live.live_arena)
