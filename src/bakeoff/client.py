"""A thin client of a site's API, with nothing but the standard library.

from bakeoff import Client
for row in Client("https://boards.example.org").rows("small-models", search="llama"): ...
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException, HTTPMessage, HTTPResponse
from ipaddress import ip_address
from pathlib import Path
from typing import IO, Any, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from bakeoff.errors import BakeoffError

Json = dict[str, Any]
_TRIES = 4
_LONGEST_PAUSE_S = 60.0
_PART = 1024 * 1024


class ClientError(BakeoffError):
    """A site did not do what was asked. `status` is the HTTP status; 0 where there was no answer."""

    def __init__(self, status: int, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.status = status


class Client:
    """A site, by its address, and who asks: a token of an account, which reading does not need.

    Methods return what the API answers, described at the site's `/api`. Lists are read part by part as one
    goes on. Where a site asks to wait (429, 503), reading waits and tries again a few times.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout_s: float = 60.0) -> None:
        """Nothing is asked yet.

        Raises:
            BakeoffError: `url` is no http address, or a token would go to it unencrypted.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise BakeoffError(
                f"{url!r} is not the address of a site", "write https://HOST or http://HOST:PORT"
            )
        if parts.username or parts.password:
            raise BakeoffError("an address with a password in it is not taken", "give the token as `token`")
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise BakeoffError("that is no token", "an account's page makes one")
        if token and parts.scheme == "http" and not _is_here(parts.hostname):
            raise BakeoffError(f"a token would go unencrypted to {parts.hostname}", "use https://")
        self._base = url.rstrip("/")
        self._token = token
        self._timeout = timeout_s
        self._opener = build_opener(_SameSite)

    def __repr__(self) -> str:
        return f"Client({self._base!r})"

    def boards(self) -> list[Json]:
        """The boards there are, with the newest state of each."""
        return cast("list[Json]", self._read("/boards")["boards"])

    def board(self, name: str) -> Json:
        """What a board ranks, by which rule, and who may be on it."""
        return self._read(_path("boards", name))

    def rows(self, board: str, **view: Any) -> Iterator[Json]:
        """The rows of a board, all of one state. `view` are parameters as in the address of its page:
        `search="llama"`, `sort="cost"`, `parameters_max=9`, `licence=["mit", "afl-3.0"]`, `at="2026-01-31"`.
        """
        return self._each(_path("boards", board, "rows"), "rows", view)

    def model(self, board: str, name: str) -> Json:
        """All that a board has of a model, by its whole name: rows and submissions."""
        return self._read(_path("boards", board, "models", name))

    def history(self, board: str, model: str) -> list[Json]:
        """How the rows of a model stood in each state of a board."""
        return cast("list[Json]", self._read(_path("boards", board, "history"), {"model": model})["rows"])

    def snapshots(self, board: str) -> list[Json]:
        """The states of a board that were published, the newest first: digest, version, made."""
        return cast("list[Json]", self._read(_path("boards", board, "snapshots"))["snapshots"])

    def snapshot(self, board: str, at: str = "last") -> Json:
        """A state of a board, whole: by a day, the beginning of a digest, `last` or `first`.

        Its digest is worked out here: what comes back is what was published.

        Raises:
            ClientError: there is none, or what came is not what its digest names.
        """
        with self._open(self._asked("GET", _path("boards", board, "snapshots", at), {})) as answer:
            content = _whole(answer)
            named = answer.headers.get("snapshot-digest", "")
        found = f"sha256:{hashlib.sha256(content).hexdigest()}"
        whole = at.removeprefix("sha256:")
        if found != named or (len(whole) == 64 and found != f"sha256:{whole}"):
            raise ClientError(0, f"the snapshot is not what its digest names: {found}", "ask again")
        return cast("Json", json.loads(content))

    def changes(self, board: str, old: str = "", new: str = "") -> Json:
        """What changed from one state of a board to another; by default from the last but one to the last."""
        return self._read(_path("boards", board, "changes"), {"from": old, "to": new})

    def submissions(self, board: str, **which: Any) -> Iterator[Json]:
        """What was handed in to a board: all, or of a `state` or an `organisation`."""
        return self._each(_path("boards", board, "submissions"), "submissions", which)

    def submission(self, number: int) -> Json:
        """One submission: its state, why it waits, how far it is, what went wrong."""
        return self._read(_path("submissions", str(number)))

    def submit(self, board: str, model: str, organisation: str, **facts: Any) -> Json:
        """Hand in a model: weights on the hub, `hf:ORG/NAME@COMMIT`, or an endpoint. Returns the submission.

        `facts` are `licence`, `parameters` (billions), `weight_type`, `base`, `supersedes`, `settings` and
        `key`, one's own for the endpoint. It is sent once: nothing is handed in twice by trying again.

        Raises:
            ClientError: the site does not take it; the hint says what to do.
        """
        said = {"model": model, "organisation": organisation, **facts}
        return self._posted(_path("boards", board, "submissions"), said)

    def submit_predictions(self, board: str, file: Path | str, organisation: str, **facts: Any) -> Json:
        """Hand in recorded answers, a file as for `recorded:`. Returns the submission.

        `facts` are `model`, the one in the file whose answers are meant, and `licence`, `parameters`, `base`
        and `supersedes`.

        Raises:
            BakeoffError: the file cannot be read.
            ClientError: the site does not take it; the hint says what to do.
        """
        path = Path(file)
        query = {"file": path.name, "organisation": organisation, **facts}
        try:
            with path.open("rb") as content:
                request = self._asked(
                    "POST", _path("boards", board, "predictions"), query, content, "application/octet-stream"
                )
                request.add_header("Content-Length", str(path.stat().st_size))
                return self._sent(request)
        except OSError as error:
            raise BakeoffError(
                f"{path} cannot be read: {error.strerror or error}", "check the path"
            ) from None

    def act(self, number: int, act: str, *, reason: str = "", rule: str = "") -> Json:
        """Do something to a submission: `vote`, `withdraw` and `flag`, or as a moderator `publish`, `reject`
        and `retry`. Returns it as it stands then.

        Raises:
            ClientError: that is not one's to do, its state does not allow it, or the reason is missing.
        """
        return self._posted(_path("submissions", str(number), act), {"reason": reason, "rule": rule})

    def say(self, board: str, body: str, *, on: str = "", organisation: str = "") -> Json:
        """Add a post, in Markdown, to a thread of a board: its own, or that on `submission 3`, `task B/T`."""
        said = {"body": body, "on": on, "organisation": organisation}
        return self._posted(_path("boards", board, "discussion"), said)

    def wait(
        self,
        number: int,
        *,
        most_s: float | None = None,
        pause_s: float = 5.0,
        said: Callable[[Json], None] | None = None,
    ) -> Json:
        """Wait until a submission's way is over, or until a moderator has to look at it. Returns it then.

        `said` is called with it each time it is looked at, which is every `pause_s` seconds at first, and
        every minute later.

        Raises:
            ClientError: there is no such submission, or after `most_s` seconds it is still on its way.
        """
        begun = time.monotonic()
        while True:
            found = self.submission(number)
            if said is not None:
                said(found)
            if found["ended"] or found["state"] == "review":
                return found
            if most_s is not None and time.monotonic() - begun + pause_s > most_s:
                raise ClientError(
                    0, f"submission {number} is {found['state']} after {most_s:g} s", "wait longer"
                )
            time.sleep(pause_s)
            pause_s = min(1.5 * pause_s, _LONGEST_PAUSE_S)

    def runs(self, **which: Any) -> Iterator[Json]:
        """The runs on the site, the newest first; `q` are words in task, model or id, `status` theirs."""
        return self._each(_path("runs"), "runs", which)

    def run(self, run_id: str) -> Json:
        """A run and all that was measured of it."""
        return self._read(_path("runs", run_id))

    def samples(self, run_id: str, **which: Any) -> Iterator[Json]:
        """The samples of a run in short. `show` is an outcome, `right` or `wrong`, `q` a part of its id."""
        return self._each(_path("runs", run_id, "samples"), "samples", which)

    def sample(self, run_id: str, item: str, repeat: int = 0) -> Json:
        """A sample whole: what was asked, what came back, what was extracted and why."""
        return self._read(_path("runs", run_id, "samples", item), {"repeat": repeat})

    def _each(self, path: str, name: str, query: Mapping[str, Any]) -> Iterator[Json]:
        part = self._read(path, query)
        yield from part[name]
        while part["next"] is not None:
            # The path of the next part, on the same site: never an address of somebody else's.
            part = self._answered(self._request("GET", urljoin(self._base, str(part["next"]))))
            yield from part[name]

    def _read(self, path: str, query: Mapping[str, Any] | None = None) -> Json:
        return self._answered(self._asked("GET", path, query or {}))

    def _answered(self, request: Request, tries: int = _TRIES) -> Json:
        try:
            return self._sent(request)
        except _BusyError as busy:
            if tries <= 1:
                raise
            time.sleep(busy.pause_s)
        return self._answered(request, tries - 1)

    def _posted(self, path: str, said: Json) -> Json:
        """What comes back of what is sent, once: nothing is done twice by trying again."""
        return self._sent(self._asked("POST", path, {}, json.dumps(said).encode(), "application/json"))

    def _sent(self, request: Request) -> Json:
        with self._open(request) as answer:
            content = _whole(answer)
        try:
            return cast("Json", json.loads(content))
        except ValueError:
            raise ClientError(
                0, f"{request.full_url} answers no JSON", "is it the address of a site?"
            ) from None

    def _asked(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        body: bytes | IO[bytes] | None = None,
        kind: str = "",
    ) -> Request:
        given = [
            (name, str(each))
            for name, value in query.items()
            if value not in (None, "")
            for each in (value if isinstance(value, list | tuple) else [value])
        ]
        url = f"{self._base}/api/v1{path}" + (f"?{urlencode(given)}" if given else "")
        return self._request(method, url, body, kind)

    def _request(
        self, method: str, url: str, body: bytes | IO[bytes] | None = None, kind: str = ""
    ) -> Request:
        if _site(url) != _site(self._base):
            raise ClientError(0, f"the site sends on to {url}", "that is another site, and is not asked")
        request = Request(url, body, {"Accept": "application/json"}, method=method)  # noqa: S310 (http alone)
        if kind:
            request.add_header("Content-Type", kind)
        if self._token:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        return request

    def _open(self, request: Request) -> HTTPResponse:
        try:
            return cast("HTTPResponse", self._opener.open(request, timeout=self._timeout))
        except HTTPError as error:
            with error:
                raise _explained(error) from None
        except (URLError, OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise ClientError(0, f"{self._base} does not answer: {reason}", "is the address right?") from None


class _BusyError(ClientError):
    """The site asks to wait."""

    def __init__(self, status: int, message: str, hint: str, pause_s: float) -> None:
        super().__init__(status, message, hint)
        self.pause_s = pause_s


class _SameSite(HTTPRedirectHandler):
    """Follows no site to another."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if _site(newurl) != _site(req.full_url):
            raise HTTPError(req.full_url, code, f"it sends on to another site, {newurl}", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _explained(error: HTTPError) -> ClientError:
    try:
        said = json.loads(error.read(_PART))
        message, hint = str(said["title"]), str(said.get("hint", ""))
    except (ValueError, KeyError, TypeError, OSError):
        message, hint = f"the site answers {error.code}: {error.reason}", ""
    if error.code in (429, 503):
        return _BusyError(error.code, message, hint, _pause(error.headers.get("retry-after", "")))
    return ClientError(error.code, message, hint)


def _pause(said: str) -> float:
    return min(float(said), _LONGEST_PAUSE_S) if said.isascii() and said.isdigit() else 5.0


def _whole(answer: HTTPResponse) -> bytes:
    try:
        return answer.read()
    except (OSError, HTTPException) as error:
        raise ClientError(0, f"the answer broke off: {error}", "ask again") from None


def _path(*parts: str) -> str:
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def _site(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _is_here(host: str) -> bool:
    """Whether a host is this machine, where nobody listens in between."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
