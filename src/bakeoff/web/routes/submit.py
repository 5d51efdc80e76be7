"""`/boards/{board}/submit`: the form by which a model is handed in."""

import math
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import UploadFile

from bakeoff.accounts import Account, Action, speaks_for
from bakeoff.board.entry.eligible import NotEligibleError
from bakeoff.board.registry import known
from bakeoff.board.submissions import check_open
from bakeoff.errors import BakeoffError
from bakeoff.web.answers import links_of
from bakeoff.web.pages.submit import by_field, submit
from bakeoff.web.pages.typed import NOTHING, Problem, Typed
from bakeoff.web.reading import Library
from bakeoff.web.routes.form import after, texts
from bakeoff.web.routes.request import Books, Served, shown
from bakeoff.web.routes.signing import SignedIn, Viewer, check
from bakeoff.web.settings import Settings
from bakeoff.web.submitting import WEIGHT_TYPES, Asked, FieldError, hand_in, upload

router = APIRouter(include_in_schema=False)

FORM = "submit"
_MOST_FIELDS = 20
_LONGEST_FIELD = 64 * 1024


@router.get("/boards/{board}/submit")
def asked(request: Request, board: str, library: Books, served: Served, viewer: Viewer) -> HTMLResponse:
    """What may be handed in, and the form."""
    return _page(request, library, served, board, viewer)


@router.post("/boards/{board}/submit")
async def handed_in(
    request: Request, board: str, library: Books, served: Served, viewer: SignedIn
) -> Response:
    """Hand in what the form says. A file goes to disk as it comes, of no more bytes than may be sent."""
    check(viewer, Action.SUBMIT)
    form = await request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=_LONGEST_FIELD)
    try:
        file = form.get("file")
        sent = file if isinstance(file, UploadFile) and file.filename else None
        return await run_sync(_handed_in, request, library, served, board, viewer, texts(form), sent)
    finally:
        await form.close()


def _handed_in(
    request: Request,
    library: Library,
    served: Settings,
    board: str,
    viewer: Account,
    fields: dict[str, str],
    sent: UploadFile | None,
) -> Response:
    with library.read() as connection:
        known(connection, board)
    if not speaks_for(viewer, fields.get("organisation", "")):
        raise HTTPException(403, f"{viewer.name} does not speak for this organisation")
    read, problems = _read(fields, sends=sent is not None)
    if not problems:
        try:
            if sent is not None:
                with library.read() as connection:  # or a file that is refused would lie here
                    check_open(connection, known(connection, board), fields["organisation"])
                read["model"] = _kept(library, sent, fields)
            asked = Asked(organisation=fields["organisation"], **read)
            with library.write() as connection:
                made = hand_in(connection, known(connection, board), asked, submitter=viewer.name)
        except BakeoffError as error:
            problems = _problems(error)
        else:
            links = links_of(request)
            return after(links.submission(board, made.id), "submitted")
    # What is secret, or a file, is to be given again.
    kept = {name: text for name, text in fields.items() if name != "key"}
    return _page(request, library, served, board, viewer, Typed(FORM, kept, problems))


def _read(fields: Mapping[str, str], *, sends: bool) -> tuple[dict[str, Any], dict[str, Problem]]:
    """What the fields say, and what is wrong with those that say nothing of their kind."""
    readers: dict[str, Callable[[str], Any]] = {
        "model": partial(_model, sends=sends),
        "licence": str.strip,
        "parameters": _parameters,
        "weight_type": _weight_type,
        "base": str.strip,
        "supersedes": _number,
        "settings": _settings,
        "key": str.strip,
    }
    read, problems = {}, {}
    for name, reader in readers.items():
        try:
            read[name] = reader(fields.get(name, ""))
        except FieldError as error:
            problems[name] = Problem(error.message, error.hint)
    return read, problems


def _model(text: str, *, sends: bool) -> str:
    model = text.strip()
    if sends and model:
        raise FieldError("model", "a model is named, and a file is sent", "hand in one of the two")
    if not sends and not model:
        raise FieldError("model", "no model is named", "name one, or send a file of its answers")
    if model.startswith("recorded:"):
        # Whoever knows the digest of another's answers could hand them in as their own.
        raise FieldError("model", "recorded answers are sent as a file", "choose the file below")
    return model


def _weight_type(text: str) -> str:
    if text not in ("", *WEIGHT_TYPES):
        raise FieldError("weight_type", "there are no such weights", f"they are {', '.join(WEIGHT_TYPES)}")
    return text or "original"


def _kept(library: Library, sent: UploadFile, fields: dict[str, str]) -> str:
    with TemporaryDirectory(prefix="bakeoff-upload-") as folder:
        path = Path(folder) / "upload"
        with path.open("wb") as copy:
            shutil.copyfileobj(sent.file, copy)
        return upload(path, sent.filename or "", library.runs, model=fields.get("called", "").strip())


def _parameters(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1e6:
        raise FieldError(
            "parameters", f"{text[:20]!r} is no number of billions", "write 7 or 0.5, or nothing"
        )
    return value


def _number(text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise FieldError("supersedes", f"{text[:20]!r} is no number of a submission", "choose one, or none")
    return int(text)


def _settings(text: str) -> dict[str, str]:
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, equals, value = line.strip().partition("=")
        if not name or not equals:
            raise FieldError("settings", f"line {number} is not KEY=VALUE", "one setting a line")
        found[name.strip()] = value.strip()
    return found


def _problems(error: BakeoffError) -> dict[str, Problem]:
    """What is wrong, by field; what no field is to blame for stands above all of them."""
    match error:
        case FieldError():
            return {error.field: Problem(error.message, error.hint)}
        case NotEligibleError():
            lines = error.hint.split("\n")
            found = {by_field(line): Problem(line) for line in lines if by_field(line)}
            return {"": Problem(error.message, "\n".join(lines))} | found
        case _:
            field = "organisation" if "quota" in error.message else ""
            field = "supersedes" if "can be superseded" in error.hint else field
            field = "key" if "key to seal" in error.message else field
            return {field: Problem(error.message, error.hint)}


def _page(
    request: Request,
    library: Library,
    served: Settings,
    board: str,
    viewer: Account | None,
    typed: Typed = NOTHING,
) -> HTMLResponse:
    with library.read() as connection:
        page = submit(connection, board, viewer, largest=served.largest_upload, typed=typed)
    return shown(request, "submit", page, status=200 if typed is NOTHING else 400)
