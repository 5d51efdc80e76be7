"""One attempt over HTTP: bytes out, an answer or a fault back."""

import asyncio
import time
from contextlib import suppress
from typing import Any, NamedTuple, Protocol
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson
from yarl import URL

from bakeoff.errors import ModelError
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import Fault, Retry, error_of, fault_of, malformed, read_error
from bakeoff.model.remote.resolver import PublicResolver
from bakeoff.model.remote.retry import retry_after
from bakeoff.model.remote.sse import Event, EventParser, EventTooLongError
from bakeoff.nouns import FailureKind, Response, Timing

BODY_LIMIT = 64 * 2**20
"""Bytes of one answer that we are ready to read."""

_ERROR_LIMIT = 2**20
_CONNECT_S = 30.0
_DRAIN_S = 0.25


class Reader(Protocol):
    """Makes an answer of what a server sends."""

    @property
    def started(self) -> bool:
        """Whether a first token has come."""
        ...

    def whole(self, payload: Any) -> None:
        """Take an answer that came in one piece."""
        ...

    def event(self, event: Event) -> bool:
        """Take one event of a stream; true when it was the last."""
        ...

    def response(self, timing: Timing) -> Response:
        """The answer. Raises Fault when it is not whole."""
        ...


class Reply(NamedTuple):
    """An answer to a GET. `payload` is None where the body is not JSON."""

    status: int
    payload: Any
    body: bytes


class Transport:
    """One connection pool to one endpoint. Open it, use it, close it."""

    def __init__(self, endpoint: Endpoint, headers: dict[str, str], connections: int, stall_s: float) -> None:
        self._endpoint = endpoint
        self._headers = headers
        self._connections = connections
        self._stall_s = stall_s
        self._session: aiohttp.ClientSession | None = None
        self._proxy: URL | None = None
        self._urls: dict[str, URL] = {}
        # Silence is a stall only where bytes are due: a body that is not streamed comes when it is written.
        self._streamed = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S, sock_read=stall_s)
        self._whole = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S)

    def open(self) -> None:
        """Make the pool; connections come with the first request."""
        self._proxy = _proxy(self._endpoint)
        # A proxy looks names up itself, and has rules of its own.
        guarded = self._endpoint.public_only and self._proxy is None
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=self._connections, resolver=PublicResolver() if guarded else None
            ),
            headers={"Content-Type": "application/json", "Accept-Encoding": "identity"} | self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            # Environment proxies are read once, below: aiohttp would ask a thread for them per request, and
            # lay credentials from ~/.netrc over ours.
            trust_env=False,
        )

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def get(self, address: str, timeout_s: float = 30.0) -> Reply:
        """The reply to a GET.

        Raises:
            Fault: there was none.
        """
        fault: Fault
        try:
            async with (
                asyncio.timeout(timeout_s),
                self._pool.get(URL(address, encoded=True), proxy=self._proxy, allow_redirects=False) as reply,
            ):
                body = await _read(reply, BODY_LIMIT)
                return Reply(reply.status, _json(body), body)
        except TimeoutError:
            fault = Fault(FailureKind.TIMEOUT, f"no answer within {timeout_s:g} s")
        except (aiohttp.ClientError, OSError) as error:
            fault = self._broken(error)
        # Raised out here so that nothing of the library's exception, headers included, hangs on to it.
        raise fault

    async def post(self, path: str, body: bytes, reader: Reader, *, stream: bool) -> Response:
        """The answer to one POST, with its timing.

        Raises:
            Fault: there was none, or it was not whole.
            ModelError, ContentFiltered: see `fault_of`.
        """
        start = time.perf_counter()
        fault: Fault
        try:
            async with self._pool.post(
                self._url(path),
                data=body,
                timeout=self._streamed if stream else self._whole,
                proxy=self._proxy,
                allow_redirects=False,
            ) as reply:
                if reply.status != 200:
                    error = read_error(await _read(reply, _ERROR_LIMIT, cut=True))
                    raise fault_of(
                        reply.status, error, retry_after(reply.headers, time.time()), self._endpoint
                    )
                first, end = await self._receive(reply, reader, stream=stream)
        except TimeoutError as error:
            # The deadline's own cancellation is no TimeoutError in here; this is the socket's.
            late = isinstance(error, aiohttp.ConnectionTimeoutError)
            kind = FailureKind.CONNECTION if late else FailureKind.STALLED
            silence = f"no connection within {_CONNECT_S:g} s" if late else f"silence for {self._stall_s:g} s"
            fault = Fault(kind, silence, Retry.AGAIN)
        except (aiohttp.ClientError, OSError) as error:
            fault = self._broken(error)
        else:
            return reader.response(Timing(end - start, first - start if first is not None else None))
        raise fault

    @property
    def _pool(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RuntimeError("the model is used outside its `async with` block")
        return self._session

    def _url(self, path: str) -> URL:
        if path not in self._urls:
            self._urls[path] = URL(self._endpoint.address(path), encoded=True)
        return self._urls[path]

    async def _receive(
        self, reply: aiohttp.ClientResponse, reader: Reader, *, stream: bool
    ) -> tuple[float | None, float]:
        """Feed the reader; when the first token of a stream came (None for a whole answer) and the last."""
        kind = reply.content_type
        if kind == "text/event-stream" or (stream and kind not in ("application/json", "text/html")):
            return await _events(reply, reader)
        body = await _read(reply, BODY_LIMIT)
        payload = _json(body)
        if payload is None:
            raise malformed(f"status 200 with {kind} that is not JSON")
        error = error_of(payload) if isinstance(payload, dict) and payload.get("error") else None
        if error is not None:
            status = int(error.code) if error.code.isdecimal() and len(error.code) == 3 else 500
            raise fault_of(status, error, None, self._endpoint)
        reader.whole(payload)
        return None, time.perf_counter()

    def _broken(self, error: Exception) -> Fault:
        # Class and text only: some of aiohttp's exceptions carry the request's headers.
        said = self._endpoint.scrub(str(error))[:300] if isinstance(error, OSError) else ""
        detail = f"{type(error).__name__}: {said}" if said else type(error).__name__
        return Fault(FailureKind.CONNECTION, f"the connection broke: {detail}", Retry.AGAIN)


async def _events(reply: aiohttp.ClientResponse, reader: Reader) -> tuple[float | None, float]:
    parser = EventParser()
    first: float | None = None
    size = 0
    while chunk := await reply.content.readany():
        size += len(chunk)
        if size > BODY_LIMIT:
            raise malformed(f"a stream of more than {BODY_LIMIT} bytes")
        try:
            events = parser.feed(chunk)
        except EventTooLongError as error:
            raise malformed(str(error)) from None
        for event in events:
            last = reader.event(event)
            if first is None and reader.started:
                first = time.perf_counter()
            if last:
                end = time.perf_counter()
                await _drain(reply)
                return first, end
    return first, time.perf_counter()


async def _drain(reply: aiohttp.ClientResponse) -> None:
    """Read the few bytes that close a stream, or its connection could not serve the next request."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            while not reply.content.at_eof():
                await reply.content.readany()


async def _read(reply: aiohttp.ClientResponse, limit: int, *, cut: bool = False) -> bytes:
    chunks, size = [], 0
    while chunk := await reply.content.readany():
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            if cut:
                break
            raise malformed(f"a body of more than {limit} bytes")
    return b"".join(chunks)


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _proxy(endpoint: Endpoint) -> URL | None:
    """The environment's proxy for the endpoint; never for a server on this machine."""
    url = URL(endpoint.url)
    if endpoint.local or proxy_bypass(url.host or ""):
        return None
    found = getproxies().get(url.scheme)
    if not found:
        return None
    try:
        return URL(found)
    except ValueError:
        raise ModelError(f"the environment's {url.scheme}_proxy is not an address") from None
