"""The client against a real server; and against servers that do not do what they should."""

import hashlib
import json
import shutil
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bakeoff.board.registry import known
from bakeoff.client import Client, ClientError
from bakeoff.database import database_url, open_database, reading
from bakeoff.errors import BakeoffError
from tests.board.recorded import answers, work_off
from tests.web.api.site import build
from tests.web.live import server


@pytest.fixture(scope="module")
def stocked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stocked")
    return folder, build(folder)


@pytest.fixture(scope="module")
def site(stocked):
    with server(stocked[0]) as address:
        yield address


@pytest.fixture
def own(stocked, tmp_path):
    """A server of one's own to write to: its address, its folder and people's tokens."""
    folder = tmp_path / "own"
    shutil.copytree(stocked[0], folder)
    with server(folder) as address:
        yield address, folder, stocked[1]


@contextmanager
def answering(*said):
    """A server that gives these answers in turn, the last again and again: (status, headers, body). Yields
    its address and the headers of what was asked.
    """
    asked, left = [], list(said)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(dict(self.headers) | {"path": self.path})
            status, headers, body = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{found.server_port}", asked
    found.shutdown()
    found.server_close()


def test_boards_rows_and_models_are_what_the_database_has(site, stocked):
    client = Client(site)
    assert [each["name"] for each in client.boards()] == ["little"]
    engine = open_database(database_url(f"sqlite:///{stocked[0] / 'bakeoff.db'}"))
    with reading(engine) as connection:
        assert client.board("little")["rule"] == known(connection, "little").digest
    engine.dispose()
    rows = list(client.rows("little"))
    assert [row["key"] for row in rows] == ["1", "2", "3"]
    assert list(client.rows("little", per_page=1)) == rows
    assert [row["key"] for row in client.rows("little", state="ranked", sort="-score")] == ["2", "1"]
    assert [row["key"] for row in client.rows("little", pin=["3", "2"], per_page=1)][:2] == ["2", "3"]
    name = rows[0]["entrant"]["model"]
    assert client.model("little", name)["rows"] == [rows[0]]
    assert [len(row["standings"]) for row in client.history("little", name)] == [2]


def test_snapshots_are_checked_by_their_digests(site):
    client = Client(site)
    newest, oldest = client.snapshots("little")
    for at, which in (("last", newest), ("first", oldest), (oldest["digest"], oldest)):
        found = client.snapshot("little", at)
        assert found["made"] == which["made"]
        canonical = json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}" == which["digest"]
    assert [each["kind"] for each in client.changes("little")["changes"]][:1] == ["removed"]
    assert client.changes("little", "last", "last")["changes"] == []


def test_a_snapshot_that_was_changed_on_the_way_is_none():
    body = b'{"rows":[]}'
    other = f"sha256:{hashlib.sha256(b'other').hexdigest()}"
    named = f"sha256:{hashlib.sha256(body).hexdigest()}"
    for headers, at in (
        ({"snapshot-digest": other}, "last"),
        ({}, "last"),
        ({"snapshot-digest": named}, other),
    ):
        with (
            answering((200, headers, body)) as (address, _),
            pytest.raises(ClientError, match="digest names"),
        ):
            Client(address).snapshot("little", at)
    with answering((200, {"snapshot-digest": named}, body)) as (address, _):
        assert Client(address).snapshot("little", named) == {"rows": []}


def test_runs_and_their_samples(site):
    client = Client(site)
    runs = list(client.runs(limit=2))
    assert len({each["id"] for each in runs}) == len(runs) == 6
    run = client.run(runs[0]["id"])
    assert run["metrics"]["counts"]["total"] == 12
    samples = list(client.samples(run["id"], limit=5, sort="-value"))
    assert [each["value"] for each in samples] == sorted((each["value"] for each in samples), reverse=True)
    assert client.sample(run["id"], samples[0]["item"])["item_id"] == samples[0]["item"]


def test_a_model_is_handed_in_and_waited_for(own):
    address, folder, tokens = own
    client = Client(address, tokens["ann"])
    file = answers(folder, 6, "mine").partition(":")[2]
    made = client.submit_predictions("little", file, "new", licence="mit")
    assert (made["state"], made["model"]["licence"]) == ("validating", "mit")
    with pytest.raises(ClientError, match="is validating after"):
        client.wait(made["id"], most_s=0)
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    said = []

    def seen(found):
        said.append(found["state"])
        work_off(engine, folder)

    done = client.wait(made["id"], pause_s=0.01, said=seen)
    engine.dispose()
    assert (done["state"], said[-1], said[0]) == ("review", "review", "validating")
    assert done["scores"]["score"]["value"] == pytest.approx(0.5)
    assert [each["id"] for each in client.submissions("little", organisation="new")] == [made["id"]]


def test_weights_are_handed_in(own):
    address, _, tokens = own
    client = Client(address, tokens["ann"])
    model = f"hf:org/name@{'a' * 40}"
    made = client.submit("little", model, "new", parameters=7, settings={"dtype": "bfloat16"})
    assert client.submission(made["id"])["model"]["parameters"] == 7
    assert made["model"]["name"] == model.removeprefix("hf:")


def test_what_is_done_is_done_under_ones_name(own):
    address, _, tokens = own
    client = Client(address, tokens["ann"])
    post = client.say("little", "**well**", on="submission 1", organisation="org0")
    assert (post["author"], post["organisation"], post["body"]) == ("ann", "org0", "**well**")
    assert client.act(1, "withdraw", reason="wrong weights")["state"] == "withdrawn"
    with pytest.raises(ClientError, match="may not publish"):
        client.act(2, "publish")


@pytest.mark.parametrize(
    ("call", "status", "words"),
    [
        (lambda client: client.board("nowhere"), 404, "there is no board nowhere"),
        (lambda client: list(client.rows("little", sort="nothing")), 400, "nothing"),
        (lambda client: client.submit("little", "hf:a/b", "new"), 400, "40 digits"),
        (lambda client: client.submit("little", "hf:a/b", "org1"), 403, "does not speak for org1"),
        (lambda client: client.submit("little", "hf:a/b", "new", nothing=1), 422, "nothing"),
        (lambda client: client.submission(99), 404, "there is no submission 99"),
        (lambda client: client.snapshot("little", "2000-01-01"), 404, "2000-01-01"),
    ],
)
def test_what_the_site_does_not_do_is_told_with_its_hint(site, stocked, call, status, words):
    with pytest.raises(ClientError) as error:
        call(Client(site, stocked[1]["ann"]))
    assert error.value.status == status
    assert words in str(error.value)


def test_a_wrong_token_and_a_missing_file_are_told(site, tmp_path):
    with pytest.raises(ClientError) as error:
        Client(site, "bkf_wrong").submit("little", f"hf:a/b@{'a' * 40}", "new")
    assert error.value.status == 401
    with pytest.raises(BakeoffError, match=r"missing\.jsonl cannot be read"):
        Client(site).submit_predictions("little", tmp_path / "missing.jsonl", "new")


def test_a_token_is_never_in_what_is_printed(site):
    client = Client(site, "bkf_secretsecret")
    with pytest.raises(ClientError) as error:
        client.boards()
    assert "bkf_secret" not in f"{client!r} {error.value}"


@pytest.mark.parametrize(
    "url",
    ["", "boards.example.org", "ftp://example.org", "http://", "https://a/?x=1", "https://u:p@example.org"],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(BakeoffError):
        Client(url)


def test_a_token_goes_unencrypted_to_no_other_machine():
    with pytest.raises(BakeoffError, match="unencrypted"):
        Client("http://example.org", "bkf_x")
    for url in ("http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1", "https://example.org"):
        Client(url, "bkf_x")
    with pytest.raises(BakeoffError, match="no token"):
        Client("https://example.org", "bkf_x\r\nX-Evil: 1")


def test_a_token_follows_nobody_to_another_site():
    with answering((200, {}, b'{"boards": []}')) as (other, asked_there):
        for status in (301, 302, 303, 307, 308):
            with answering((status, {"Location": f"{other}/api/v1/boards"}, b"")) as (address, asked):
                with pytest.raises(ClientError):
                    Client(address, "bkf_x").boards()
                assert asked[0]["Authorization"] == "Bearer bkf_x"
        part = json.dumps({"rows": [{"n": 1}], "next": f"{other}/steal"}).encode()
        with answering((200, {}, part)) as (address, _):
            rows = Client(address, "bkf_x").rows("little")
            assert next(rows) == {"n": 1}
            with pytest.raises(ClientError, match="another site"):
                next(rows)
    assert asked_there == []


def test_who_asks_too_often_waits_and_asks_again_but_hands_in_once():
    busy = (429, {"Retry-After": "0"}, b'{"title": "that was too often", "hint": "wait"}')
    with answering(busy, busy, (200, {}, b'{"boards": []}')) as (address, asked):
        assert Client(address).boards() == []
        assert len(asked) == 3
    with answering(busy) as (address, asked):
        with pytest.raises(ClientError, match="too often"):
            Client(address).boards()
        assert len(asked) == 4
    with answering(busy) as (address, asked):
        with pytest.raises(ClientError, match="too often"):
            Client(address, "bkf_x").submit("little", "hf:a/b", "new")
        assert len(asked) == 1


def test_what_does_not_answer_as_a_site_is_told():
    for status, body in (
        (200, b"<html>"),
        (502, b"<html>bad gateway"),
        (500, b'{"other": 1}'),
        (404, b"\xff"),
    ):
        with answering((status, {}, body)) as (address, _), pytest.raises(ClientError):
            Client(address).boards()
    cut_off = (200, {"Content-Length": "100"}, b'{"boards"')
    with answering(cut_off) as (address, _), pytest.raises(ClientError, match=r"broke off|does not answer"):
        Client(address, timeout_s=5).boards()
    with pytest.raises(ClientError, match="does not answer"):
        Client("http://127.0.0.1:9").boards()
