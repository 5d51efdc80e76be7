import base64
import json
import logging
import shutil
from urllib.parse import quote

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from bakeoff.board.entry.door import Permits
from bakeoff.board.entry.keys import (
    BoardKey,
    Lent,
    announce,
    announced,
    borrowed,
    lend,
    need,
    new_key,
    read_key,
)
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.database import open_database, reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import job as job_table
from bakeoff.database.tables import secret
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.jobs import Fault, jobs
from bakeoff.model.reach import NotAllowedError
from tests.board.key_server import key_server
from tests.board.leaks import leaks
from tests.board.small_board import ITEMS, done, found, handed_in, small_board
from tests.cli.command import bakeoff

KEY = "canary/0123+456=789~abcdef"
"""With characters that look different in addresses and in base64."""
SETTINGS = {"stream": "false", "attempts": "1"}


@pytest.fixture
def board(engine, tmp_path):
    made = small_board(tmp_path)
    with writing(engine) as connection:
        register(connection, made, actor="bob")
    return made


@pytest.fixture
def key(engine, tmp_path):
    """The board's private key, its public one being in the database."""
    return _new_key(engine, tmp_path / "board.key")


def _new_key(engine, path):
    made = new_key(path)
    with writing(engine) as connection:
        announce(connection, made.public, actor="bob")
    return made


def _permits(key):
    return Permits(key=key, private=True)


def _lent(engine, board, url, key=KEY):
    return handed_in(engine, board, f"{url}#rule", SETTINGS, Lent(url, key))


def _failed(engine, number):
    """The error of a submission's job that failed for good."""
    (job,) = [each for each in jobs(engine) if each.payload["submission"] == number]
    assert (job.state, job.fault) == ("failed", Fault.SUBMITTER)
    assert found(engine, number).state is State.FAILED
    return job.error


# --- nowhere but where it is sent


def _options():
    return [each for name, value in SETTINGS.items() for each in ("--set", f"{name}={value}")]


REFUSALS = {
    "plain": f"the key {KEY} is none of ours",
    "base64": f"Authorization: {base64.b64encode(KEY.encode()).decode()}",
    "in an address": f"see /keys?key={quote(KEY, safe='')}",
}


@pytest.mark.parametrize("refusal", ["", *REFUSALS])
def test_a_lent_key_reaches_its_endpoint_and_no_table_file_or_log(database, tmp_path, caplog, refusal):
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy.engine", "asyncio", "aiohttp"):
        caplog.set_level(logging.DEBUG, logger=name)
    small_board(tmp_path)
    url = database.render_as_string(hide_password=False)

    def command(*arguments, **environment):
        ended = bakeoff(tmp_path, "board", *arguments, BAKEOFF_DATABASE_URL=url, **environment)
        assert ended.returncode == 0, ended.stderr + ended.stdout
        return ended.stdout + ended.stderr

    said = command("add", "board.yaml") + command("key", "new", "board.key")
    with key_server(KEY, refusal=REFUSALS.get(refusal, "")) as server:
        given = ["--model", f"{server.url}#rule", "--organisation", "org", *_options()]
        said += command("submit", "little", *given, "--key-from", "OUR_KEY", OUR_KEY=KEY)
        # A worker without the board's key leaves it alone.
        assert "0 jobs done" in command("worker", "--until-empty", "--private-endpoints")
        assert server.sent == []
        given = ["--until-empty", "--private-endpoints", "--key-file", "board.key"]
        said += command("worker", *given, "--name", "w")
        said += command("queue", "little") + command("queue", "little", "--json")
        said += command("queue", "little", "--events", "1") + command("verify", "little")
    assert set(server.sent) == {KEY}
    assert server.environment == []
    opened = open_database(database)
    assert found(opened, 1).state is (State.FAILED if refusal else State.REVIEW)
    opened.dispose()
    if not refusal:
        assert "2 jobs done" in said
        assert len(server.sent) >= 2 * ITEMS
    assert leaks(KEY, database, tmp_path, caplog.text, said) == []


def test_a_leak_would_be_found(engine, board, key, tmp_path, database):
    """In a table, a file, a file of Parquet, an address, a header, and what was said."""
    _lent(engine, board, "https://x.example/v1", key="other")
    duckdb.sql(f"COPY (SELECT 'sent: {KEY}' AS answer) TO '{tmp_path / 'a.parquet'}' (COMPRESSION zstd)")
    (tmp_path / "file").write_bytes(b"Basic " + base64.b64encode(KEY.encode()))
    with writing(engine) as connection:
        connection.execute(update(job_table).values(payload=f"?key={quote(KEY, safe='')}"))
    header = base64.b64encode(f"Bearer {KEY}".encode()).decode()
    found = leaks(KEY, database, tmp_path, "nothing", header, KEY)
    expected = {"table job", str(tmp_path / "a.parquet"), str(tmp_path / "file"), "said 2", "said 3"}
    assert expected <= set(found) <= expected | {str(tmp_path / "test.db"), str(tmp_path / "test.db-wal")}


# --- for its submission, its address, and its board alone


def test_a_sealed_key_that_is_copied_to_another_submission_is_refused(engine, board, key, tmp_path):
    with key_server(KEY) as server:
        first = _lent(engine, board, server.url)
        thief = handed_in(engine, board, f"{server.url}#rule", SETTINGS, Lent(server.url, "none"))
        with writing(engine) as connection:
            sealed = connection.execute(
                select(secret.c.sealed).where(secret.c.submission == first)
            ).scalar_one()
            connection.execute(update(secret).where(secret.c.submission == thief).values(sealed=sealed))
            connection.execute(update(job_table).where(job_table.c.owner == "org").values(not_before=0))
        done(engine, tmp_path, _permits(key), "http", need(key.public))
        assert found(engine, first).state is State.REVIEW
        assert "not lent for it" in _failed(engine, thief)
        assert set(server.sent) == {KEY}


def test_a_key_is_sent_to_no_other_address_than_it_was_lent_for(engine, board, key, tmp_path):
    with key_server(KEY) as server, key_server(KEY) as other:
        number = _lent(engine, board, server.url)
        with writing(engine) as connection:
            payload = connection.execute(select(job_table.c.payload)).scalar_one()
            connection.execute(update(job_table).values(payload=payload.replace(server.url, other.url)))
        done(engine, tmp_path, _permits(key), "http", need(key.public))
        assert f"lent for {server.url}" in _failed(engine, number)
        assert server.sent == other.sent == []


@pytest.mark.parametrize("change", ["cut", "turned", "gone", "no base64", "of somebody else"])
def test_what_is_not_the_key_as_it_was_sealed_is_refused(engine, board, key, tmp_path, change):
    with key_server(KEY) as server:
        number = _lent(engine, board, server.url)
        with writing(engine) as connection:
            sealed = connection.execute(select(secret.c.sealed)).scalar_one()
            data = base64.b64decode(sealed)
            # Whoever has the public key can seal something, but not know the key.
            forged = BoardKey(b"\1" * 32)
            changed = {
                "cut": sealed[:40],
                "turned": base64.b64encode(bytes([data[0] ^ 1, *data[1:]])).decode(),
                "gone": None,
                "no base64": "no base64",
                "of somebody else": _sealed(forged.public, b"{}"),
            }[change]
            if changed is None:
                connection.execute(secret.delete())
            else:
                connection.execute(update(secret).values(sealed=changed))
        done(engine, tmp_path, _permits(key), "http", need(key.public))
        assert "hand the model in again, with its key" in _failed(engine, number)
        assert server.sent == []


@pytest.mark.parametrize("plain", [b"{}", b"[]", b"no json", b'{"submission":"1","address":"","key":""}'])
def test_what_somebody_else_sealed_for_the_board_is_no_key(engine, board, key, plain):
    number = _lent(engine, board, "http://127.0.0.1:9/v1")
    with writing(engine) as connection:
        connection.execute(update(secret).values(sealed=_sealed(key.public, plain)))
        with pytest.raises(NotAllowedError):
            borrowed(connection, number, key)


def test_a_worker_with_an_older_key_leaves_newer_jobs_alone_and_does_its_own(engine, board, tmp_path):
    old = _new_key(engine, tmp_path / "old.key")
    with key_server(KEY) as server:
        before = _lent(engine, board, server.url)
        new = _new_key(engine, tmp_path / "new.key")
        after = _lent(engine, board, server.url)
        assert done(engine, tmp_path, _permits(old), "http", need(old.public)) == 2
        assert found(engine, before).state is State.REVIEW
        assert found(engine, after).state is State.VALIDATING
        assert done(engine, tmp_path, _permits(new), "http", need(new.public)) == 2
        assert found(engine, after).state is State.REVIEW
    assert need(old.public) != need(new.public)


def test_nothing_is_sealed_before_the_board_has_a_key_and_the_newest_holds(engine, board, tmp_path):
    with pytest.raises(BakeoffError, match="no key to seal with"):
        _lent(engine, board, "http://127.0.0.1:9/v1")
    made = [_new_key(engine, tmp_path / f"{each}.key") for each in range(3)]
    number = _lent(engine, board, "http://127.0.0.1:9/v1")
    with reading(engine) as connection:
        assert announced(connection) == tuple(each.public for each in made)
        assert borrowed(connection, number, made[-1]).key == KEY
        with pytest.raises(NotAllowedError, match="cannot be opened"):
            borrowed(connection, number, made[0])
        assert broken(connection) is None
        (event,) = [each for each in events(connection) if each.kind == "key lent"]
    assert event.facts == {"address": "http://127.0.0.1:9/v1", "sealed for": need(made[-1].public)}


def test_a_submission_has_one_key(engine, board, key):
    number = _lent(engine, board, "http://127.0.0.1:9/v1")
    with pytest.raises(BakeoffError, match="has a key already"), writing(engine) as connection:
        lend(connection, number, Lent("http://127.0.0.1:9/v1", "other"), actor="ann")


# --- the operator's file


def test_the_key_file_is_its_owners_and_is_never_written_over(tmp_path):
    path = tmp_path / "board.key"
    made = new_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path).public == made.public
    before = path.read_bytes()
    with pytest.raises(BakeoffError, match="is there already"):
        new_key(path)
    assert path.read_bytes() == before
    link = tmp_path / "link.key"
    link.symlink_to(tmp_path / "elsewhere.key")
    with pytest.raises(BakeoffError, match="is there already"):
        new_key(link)
    with pytest.raises(StoreError, match="nowhere"):
        new_key(tmp_path / "nowhere" / "board.key")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666, 0o660])
def test_a_key_file_that_others_can_read_is_refused(tmp_path, mode):
    path = tmp_path / "board.key"
    new_key(path)
    path.chmod(mode)
    with pytest.raises(StoreError, match="others can read"):
        read_key(path)


@pytest.mark.parametrize("content", ["", "no key", "AAAA", "ä", base64.b64encode(b"x" * 33).decode()])
def test_a_file_that_holds_no_key_is_refused_without_being_shown(tmp_path, content):
    path = tmp_path / "board.key"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(StoreError, match="holds no key") as caught:
        read_key(path)
    assert not content or content not in str(caught.value).replace(str(path), "").replace("no key", "")


def test_nothing_that_is_shown_holds_a_key(tmp_path):
    made = new_key(tmp_path / "board.key")
    private = (tmp_path / "board.key").read_text().strip()
    assert private not in repr(made)
    assert KEY not in repr(Lent("https://x.example/v1", KEY))


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=8))
def test_what_is_sealed_comes_back_to_the_private_key_alone(text):
    key = BoardKey(b"\2" * 32)
    sealed = _sealed(key.public, text.encode())
    assert key.open(sealed) == text.encode()
    assert text not in sealed
    with pytest.raises(ValueError, match="not sealed with this key"):
        BoardKey(b"\3" * 32).open(sealed)


# --- the command line


@pytest.fixture
def folder(tmp_path):
    small_board(tmp_path)
    _command(tmp_path, "add", "board.yaml")
    return tmp_path


def _command(folder, *arguments, code=0, **environment):
    ended = bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///b.db", **environment)
    assert ended.returncode == code, ended.stderr + ended.stdout
    return ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("ref", "settings", "variable", "said"),
    [
        ("http://127.0.0.1:9/v1#m", [], "NOT_SET", "NOT_SET is not set"),
        ("http://127.0.0.1:9/v1#m", [], "BROKEN", "characters no key has"),
        ("http://8.8.8.8/v1#m", [], "OUR_KEY", "unencrypted to http://8.8.8.8/v1"),
        ("endpoint:http://8.8.8.8/ask", [], "OUR_KEY", "unencrypted to http://8.8.8.8"),
        ("anthropic:m", ["--set", "base_url=http://8.8.8.8/v1"], "OUR_KEY", "unencrypted"),
        ("recorded:file.jsonl", [], "OUR_KEY", "takes no key"),
        ("http://127.0.0.1:9/v1#m", [], "OUR_KEY", "no key to seal with"),
    ],
)
def test_a_key_that_cannot_be_lent_leaves_nothing_behind(folder, ref, settings, variable, said):
    (folder / "file.jsonl").write_text('{"id": "one0", "output": "0"}\n')
    given = ["--model", ref, *settings, "--organisation", "org", "--key-from", variable]
    environment = {"BAKEOFF_DATABASE_URL": "sqlite:///b.db", "OUR_KEY": KEY, "BROKEN": f"{KEY}ä"}
    ended = bakeoff(folder, "board", "submit", "little", *given, **environment)
    assert ended.returncode in (2, 3)
    assert said in ended.stderr
    assert KEY not in ended.stderr
    assert json.loads(_command(folder, "queue", "little", "--json")) == []


def test_a_worker_says_which_key_file_is_wrong(folder):
    shutil.copy(folder / "board.yaml", folder / "other.yaml")
    assert "key:" in _command(folder, "key", "new", "board.key")
    new_key(folder / "other.key")
    worker = ("worker", "--until-empty")
    assert "other.key is no key of this database" in _command(
        folder, *worker, "--key-file", "other.key", code=2
    )
    assert "none.key" in _command(folder, *worker, code=4, BAKEOFF_BOARD_KEY_FILE="none.key")
    _command(folder, *worker, BAKEOFF_BOARD_KEY_FILE="board.key")


def test_a_key_file_is_not_written_over_by_the_command(folder):
    made = json.loads(_command(folder, "key", "new", "board.key", "--json"))
    assert made["need"] == need(made["public"])
    assert "is there already" in _command(folder, "key", "new", "board.key", code=2)
    private = (folder / "board.key").read_text().strip()
    assert private not in json.dumps(made)


def _sealed(public, plain):
    from nacl.public import PublicKey, SealedBox

    return base64.b64encode(SealedBox(PublicKey(base64.b64decode(public))).encrypt(plain)).decode()
