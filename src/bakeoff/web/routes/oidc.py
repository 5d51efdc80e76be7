"""`/login/oidc`: to the provider and back."""

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from bakeoff.accounts import Account, Identity, by_identity
from bakeoff.errors import BakeoffError
from bakeoff.web.cookies import ERRAND, cookie_name, drop_cookie, put_cookie
from bakeoff.web.errands import LONGEST_S, Errands
from bakeoff.web.links import Links
from bakeoff.web.pages.login import Login, local_path
from bakeoff.web.pages.typed import Problem
from bakeoff.web.provider import LoginError, Provider
from bakeoff.web.reading import Library
from bakeoff.web.routes.login import form, opened
from bakeoff.web.routes.request import Books, Served

router = APIRouter(include_in_schema=False)


@router.get("/login/oidc")
async def set_out(request: Request, settings: Served, then: str = "") -> Response:
    """Off to the provider, with a secret that shows who set out when they come back."""
    provider, errands = _provider(request), _errands(request)
    key, errand = errands.begin(local_path(then))
    try:
        address = await provider.start(errand, _back(request, settings.address))
    except LoginError as error:
        return form(request, settings, Login(local_path(then), problem=_problem(error)), status=502)
    answer = RedirectResponse(address, 303)
    put_cookie(answer, ERRAND, key, secure=settings.secure, seconds=LONGEST_S)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.get("/login/oidc/callback")
async def come_back(request: Request, library: Books, settings: Served) -> Response:
    """Back from the provider: logged in, or told why not."""
    provider, errands = _provider(request), _errands(request)
    key = request.cookies.get(cookie_name(ERRAND, secure=settings.secure), "")
    errand = errands.end(key, request.query_params.get("state", ""))
    try:
        if errand is None:
            raise LoginError("this log-in was not begun here, took too long, or is over", "begin it again")
        identity = await provider.identity(errand, _back(request, settings.address), request.query_params)
        account = await run_sync(_of, library, identity)
        if account.disabled is not None:
            raise LoginError(f"{account.name} is disabled", "ask who runs this site")
        answer = await run_sync(opened, request, library, settings, account, errand.then)
    except BakeoffError as error:
        answer = form(
            request, settings, Login(errand.then if errand else "", problem=_problem(error)), status=403
        )
    drop_cookie(answer, ERRAND, secure=settings.secure)
    answer.headers["cache-control"] = "no-store"
    return answer


def _problem(error: BakeoffError) -> Problem:
    return Problem(error.message, error.hint)


def _of(library: Library, identity: Identity) -> Account:
    with library.write() as connection:
        return by_identity(connection, identity)


def _back(request: Request, address: str) -> str:
    """Where the provider sends people back to, by the site's public address."""
    here = address or f"{request.url.scheme}://{request.url.netloc}{request.scope.get('root_path', '')}"
    return here.rstrip("/") + Links().to("login", "oidc", "callback")


def _provider(request: Request) -> Provider:
    found: Provider | None = request.app.state.provider
    if found is None:
        raise HTTPException(404)
    return found


def _errands(request: Request) -> Errands:
    found: Errands = request.app.state.errands
    return found
