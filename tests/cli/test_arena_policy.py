"""`bakeoff arena policy`, as a person uses it."""

import json
import sqlite3

import pytest

from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.ratings import rate
from bakeoff.arena.policy.releases import EVERYONE, give
from bakeoff.arena.policy.sampling import Tally, count, day_of
from bakeoff.arena.policy.variant import Artefact, Rating
from bakeoff.arena.policy.variants import move, register, release
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.clock import current
from tests.cli.command import bakeoff


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "chat.yaml").write_text("name: chat\nreleases: {share: 0.5}\n")
    _done(tmp_path, "adopt", "chat.yaml")
    return tmp_path


@pytest.fixture
def busy(folder):
    """Three variants of one family, of which one was chosen, and an open model."""
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    with writing(engine) as c:
        named = {"arena": "chat", "actor": "ann"}
        for name in ("orca-1", "orca-2", "orca-3"):
            register(
                c,
                name=name,
                provider="Acme",
                family="orca",
                licence="proprietary",
                access="private",
                artefact=Artefact(weights=name),
                **named,
            )
            move(c, name=name, then=State.TESTING, **named)
        register(
            c,
            name="minnow",
            provider="Reef",
            family="minnow",
            licence="open_weights",
            artefact=Artefact("m"),
            **named,
        )
        release(c, name="minnow", public=Artefact("m"), verified=True, **named)
        count(c, "chat", [Tally("orca-1", "minnow", 30, 20, 30.0)])
        ratings = {
            "orca-1": Rating(1020.0, 1000.4, 1039.6, 900),
            "minnow": Rating(1000.0, 990.0, 1010.0, 900),
        }
        rate(c, ratings=ratings, data="sha256:v", method="bt", **named)
        release(c, name="orca-1", public=Artefact("orca-1"), verified=False, **named)
        move(c, name="orca-2", then=State.WITHDRAWN, reason="another did \x1b[31mbetter", **named)
        day = day_of(current(c))
        give(c, provider=EVERYONE, since=day - 40, until=day - 31, share=0.5, data="sha256:d", **named)
    engine.dispose()
    return folder


def _done(folder, *arguments, code=0):
    done = bakeoff(folder, "arena", "policy", *arguments)
    assert done.returncode == code, (done.stdout, done.stderr)
    return done.stdout


def test_a_policy_is_put_into_force_once(folder):
    assert "chat: version 1 is in force" in _done(folder, "adopt", "chat.yaml")
    (folder / "chat.yaml").write_text("name: chat\nprivate_variants: 9\n")
    done = bakeoff(folder, "arena", "policy", "adopt", "chat.yaml")
    assert (done.returncode, "needs a higher version" in done.stderr) == (2, True)


def test_what_is_shown_has_every_variant_with_what_its_choice_is_worth(busy):
    shown = _done(busy, "show", "chat")
    for each in (
        "at most 3 private variants of one provider under test",
        "provisional until 2,000 fresh votes and an interval of at most 30 points",
        "orca-2 is withdrawn by ann: another did \\u001b[31mbetter",
        "Removed of those ever public: proprietary 0 of 1; open_weights 0 of 1",
        "everyone",
    ):
        assert each in shown, each
    line = next(each for each in shown.splitlines() if each.startswith("orca-1"))
    # The best of three with a standard error of 10 points: 8.5 points.
    for each in ("provisional", "3 (3)", "−8.5", "1020 [1000, 1040]", "claimed"):
        assert each in line
    assert "\x1b" not in shown


def test_the_report_is_there_for_machines(busy):
    found = json.loads(_done(busy, "show", "chat", "--json"))
    rows = {each["name"]: each for each in found["rows"]}
    assert list(rows) == ["orca-1", "orca-2", "orca-3", "minnow"]
    assert rows["orca-1"]["haircut"] == pytest.approx(8.4628, abs=1e-3)
    assert (rows["orca-2"]["state"], rows["orca-3"]["tested"], rows["minnow"]["tested"]) == (
        "withdrawn",
        2,
        1,
    )
    assert found["exposure"]["appearances"] == 60
    assert found["policy"]["private_variants"] == 3
    assert found["given"][0]["provider"] == "everyone"


def test_a_check_ends_with_the_digest_to_keep_and_takes_it(busy):
    said = _done(busy, "check", "chat")
    assert "chat: no rule is broken, 0 warnings" in said
    head = said.partition("the log ends with ")[2].partition(":")
    head = f"sha256:{head[2].partition(':')[0]}"
    found = json.loads(_done(busy, "check", "chat", "--published", head, "--file", "chat.yaml", "--json"))
    assert (found["findings"], found["head"]) == ([], head)
    other = f"sha256:{'0' * 63}1"
    assert "log was cut or written anew" in _done(busy, "check", "chat", "--published", other, code=1)


def test_a_row_that_was_taken_away_ends_the_check_with_1(busy):
    with sqlite3.connect(busy / "bakeoff.db") as connection:
        connection.execute("DELETE FROM variant WHERE name = 'orca-2'")
    said = _done(busy, "check", "chat", code=1)
    assert "violation: retraction: orca-2: is withdrawn by the log, and its row is gone (entry 1" in said
    (only,) = json.loads(_done(busy, "check", "chat", "--json", code=1))["findings"]
    assert (only["rule"], only["severity"], only["subject"]) == ("retraction", "violation", "orca-2")


def test_a_warning_is_told_from_a_violation(busy):
    with sqlite3.connect(busy / "bakeoff.db") as connection:
        connection.execute("UPDATE served SET day = 3, first_vote = 259200.0")
    found = json.loads(_done(busy, "check", "chat", "--json", code=1))["findings"]
    assert {each["rule"] for each in found} == {"registration", "sampling"}
    assert {each["severity"] for each in found if each["rule"] == "sampling"} == {"warning"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "code"], "no policy of an arena code is in force"),
        (["show", "code"], "no policy of an arena code is in force"),
        (["check", "code", "--file", "chat.yaml"], "chat.yaml is the policy of chat, not of code"),
        (["adopt", "none.yaml"], "none.yaml"),
    ],
)
def test_a_mistake_is_said(folder, arguments, said):
    done = bakeoff(folder, "arena", "policy", *arguments)
    assert (done.returncode, said in done.stderr, done.stdout) == (2, True, "")
