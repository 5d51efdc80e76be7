"""`bakeoff account`: what the operator does, on a database of their own."""

import io
import json
import os
import pty
import re
import subprocess
import sys
import time

import pytest

from bakeoff.accounts import by_name as found
from bakeoff.accounts import by_token, check_password, open_session
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.log import events
from tests.cli.command import bakeoff

GOOD = "correct horse battery"


@pytest.fixture
def folder(tmp_path):
    done = bakeoff(tmp_path, "account", "add", "Ann", "--organisation", "acme", "--organisation", "org0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ann has the role member" in done.stdout
    return tmp_path


def ask(folder, question):
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    with writing(engine) as connection:
        answer = question(connection)
    engine.dispose()
    return answer


def typed(folder, monkeypatch, text, *arguments):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return bakeoff(folder, "account", *arguments)


def test_who_there_is(folder):
    bakeoff(folder, "account", "add", "bob", "--role", "admin", "--display", "Bob B")
    text = bakeoff(folder, "account", "list").stdout
    assert re.search(r"ann +member +acme, org0 +by token alone +\d{4}-\d\d-\d\d", text)
    assert re.search(r"bob \(Bob B\) +admin +itself", text)
    ann, bob = json.loads(bakeoff(folder, "account", "list", "--json").stdout)
    assert (ann["name"], ann["role"], ann["organisations"], ann["disabled"]) == (
        "ann",
        "member",
        ["acme", "org0"],
        None,
    )
    assert (bob["name"], bob["role"], bob["display"]) == ("bob", "admin", "Bob B")
    assert "password" not in json.dumps([ann, bob]).replace("has_password", "")


def test_a_list_of_nobody_says_how_to_begin(tmp_path):
    assert "bakeoff account add NAME" in bakeoff(tmp_path, "account", "list").stdout


def test_nothing_is_added_where_a_part_of_it_cannot_be(tmp_path):
    done = bakeoff(tmp_path, "account", "add", "ann", "--organisation", "acme", "--organisation", "acme")
    assert done.returncode == 2
    assert "speaks for acme already" in done.stderr
    assert json.loads(bakeoff(tmp_path, "account", "list", "--json").stdout) == []


def test_a_password_is_read_from_standard_input(folder, monkeypatch):
    done = typed(folder, monkeypatch, f"{GOOD}\n", "password", "ANN")
    assert (done.returncode, done.stdout) == (0, "ann has a new password, and no sessions\n")
    assert ask(folder, lambda connection: check_password(connection, "ann", GOOD))
    refused = typed(folder, monkeypatch, "hunter2\n", "password", "ann")
    assert refused.returncode == 2
    assert "15 is the least" in refused.stderr
    assert "hunter2" not in refused.stderr + refused.stdout
    assert typed(folder, monkeypatch, "", "password", "ann").returncode == 2
    assert "there is no account eve" in typed(folder, monkeypatch, GOOD, "password", "eve").stderr


def test_no_password_is_an_argument(folder):
    assert bakeoff(folder, "account", "password", "ann", GOOD).returncode != 0
    assert bakeoff(folder, "account", "password", "ann", "--password", GOOD).returncode != 0


@pytest.mark.parametrize(("second", "said"), [(GOOD, "has a new password"), (GOOD + "x", "not the same")])
def test_on_a_terminal_it_is_asked_for_twice_and_not_shown(folder, second, said):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "account", "password", "ann"],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "dumb"},
        start_new_session=True,
    )
    os.close(theirs)
    shown = _until(ours, b"new password of ann: ")
    os.write(ours, f"{GOOD}\n".encode())
    shown += _until(ours, b"once more: ")
    os.write(ours, f"{second}\n".encode())
    shown += _until(ours, said.encode())
    process.wait(60)
    os.close(ours)
    assert GOOD not in shown.decode()
    assert bool(ask(folder, lambda connection: check_password(connection, "ann", GOOD))) is (second == GOOD)


def _until(terminal, text):
    """What a terminal shows, until it shows that."""
    shown, end = b"", time.monotonic() + 60
    while text not in shown and time.monotonic() < end:
        shown += os.read(terminal, 4096)
    assert text in shown
    return shown


def test_a_token_is_printed_once(folder):
    done = bakeoff(folder, "account", "token", "new", "ann", "--label", "ci")
    (text,) = done.stdout.split()
    assert ask(folder, lambda connection: by_token(connection, text))[0].name == "ann"
    assert "not shown again" in done.stderr
    listed = bakeoff(folder, "account", "token", "list", "ann")
    assert re.search(r"1 +ci +\S+ +never", listed.stdout)
    assert text[4:] not in listed.stdout + bakeoff(folder, "account", "token", "list", "ann", "--json").stdout
    made = json.loads(
        bakeoff(folder, "account", "token", "new", "ann", "--label", "two", "--days", "1", "--json").stdout
    )
    assert (made["id"], made["expires"] - time.time() < 86_410) == (2, True)
    assert bakeoff(folder, "account", "token", "revoke", "ann", "1").stdout == "token 1 is revoked\n"
    assert ask(folder, lambda connection: by_token(connection, text)) is None
    assert "revoked" in bakeoff(folder, "account", "token", "list", "ann").stdout
    again = bakeoff(folder, "account", "token", "revoke", "ann", "1")
    assert (again.returncode, "has no token 1 to revoke" in again.stderr) == (2, True)
    assert bakeoff(folder, "account", "token", "new", "ann", "--label", "x", "--days", "999").returncode == 2


def test_sessions_are_listed_and_closed_and_never_shown(folder):
    secret = ask(folder, lambda connection: open_session(connection, found(connection, "ann")))
    listed = bakeoff(folder, "account", "sessions", "ann")
    as_json = bakeoff(folder, "account", "sessions", "ann", "--json")
    assert "UTC" in listed.stdout
    assert len(json.loads(as_json.stdout)) == 1
    assert secret not in listed.stdout + as_json.stdout
    assert bakeoff(folder, "account", "sessions", "ann", "--close").stdout == "1 closed\n"
    assert bakeoff(folder, "account", "sessions", "ann").stdout == "there are no sessions\n"
    assert json.loads(bakeoff(folder, "account", "sessions", "ann", "--close", "--json").stdout) == {
        "closed": 0
    }


def test_a_role_an_organisation_and_the_account_itself_are_given_and_taken(folder):
    for arguments, said in (
        (["role", "ann", "moderator"], "ann has the role moderator"),
        (["organisation", "ann", "new org"], "ann speaks for acme, new org, org0"),
        (["organisation", "ann", "acme", "--remove"], "ann speaks for new org, org0"),
        (["disable", "ann", "--reason", "left"], "ann is disabled"),
        (["enable", "ann"], "ann is open again"),
    ):
        done = bakeoff(folder, "account", *arguments)
        assert (done.returncode, done.stdout) == (0, f"{said}\n")
    kinds = ask(folder, lambda connection: [(each.kind, each.reason) for each in events(connection)])
    assert kinds[-5:] == [
        ("account role", ""),
        ("organisation granted", ""),
        ("organisation withdrawn", ""),
        ("account disabled", "left"),
        ("account enabled", ""),
    ]
    assert bakeoff(folder, "account", "disable", "ann").returncode != 0  # a reason is asked for
    assert bakeoff(folder, "account", "role", "ann", "king").returncode != 0


def test_what_is_shown_of_others_moves_no_cursor(folder):
    """An organisation's name may be anything that was written in a database by other means."""
    ask(
        folder,
        lambda connection: connection.exec_driver_sql(
            "UPDATE membership SET organisation = 'a\x1b[2J' WHERE organisation = 'acme'"
        ),
    )
    text = bakeoff(folder, "account", "list").stdout
    assert "\x1b" not in text
    assert "\\u001b" in text
