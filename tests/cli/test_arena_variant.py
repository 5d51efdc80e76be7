"""`bakeoff arena variant`, and what a keeper enters in the log, as a person does it."""

import csv
import hashlib
import json
import sqlite3
from contextlib import contextmanager
from shutil import copytree

import pytest

from bakeoff.arena.cleaning.recipe import DEFAULT, filter_named
from bakeoff.arena.policy.sampling import Tally, count
from bakeoff.arena.policy.variant import Artefact
from bakeoff.arena.policy.variants import register, release
from bakeoff.arena.ranking.method import Method
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.log import events
from tests.arena.ranking.test_ranking import fights
from tests.cli.command import bakeoff

POLICY = "name: chat\nprivate_variants: 2\nreleases: {share: 0.5}\n"


@pytest.fixture(scope="module")
def adopted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adopted")
    (folder / "chat.yaml").write_text(POLICY)
    _done(folder, "policy", "adopt", "chat.yaml")
    _write(folder / "votes.csv", fights())
    return folder


@pytest.fixture(scope="module")
def published(adopted, tmp_path_factory):
    folder = tmp_path_factory.mktemp("published") / "arena"
    copytree(adopted, folder)
    with _writing(folder) as connection:
        named = {"arena": "chat", "actor": "ann"}
        for name in "abcde":
            artefact = Artefact(f"sha256:{name}")
            whose = {"provider": "Acme", "family": "orca", "licence": "proprietary"}
            register(connection, name=name, artefact=artefact, **whose, **named)
            if name in "ab":
                release(connection, name=name, public=artefact, verified=True, **named)
    _done(folder, "variant", "rate", "chat", "votes.csv", "--clean", "--anchor", "a=1300")
    return folder


@pytest.fixture
def folder(adopted, tmp_path):
    """An arena with its policy, and 400 votes on four models."""
    return copytree(adopted, tmp_path / "arena")


@pytest.fixture
def rated(published, tmp_path):
    """Its four models are registered and rated, `a` and `b` are public, and a fifth had no vote."""
    return copytree(published, tmp_path / "arena")


@contextmanager
def _writing(folder):
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    with writing(engine) as connection:
        yield connection
    engine.dispose()


def _write(path, battles):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model_a", "model_b", "outcome", "voter"])
        writer.writerows([each.model_a, each.model_b, each.outcome, n % 8] for n, each in enumerate(battles))


def _done(folder, *arguments, code=0):
    done = bakeoff(folder, "arena", *arguments)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert not (code and done.stdout)
    return done.stderr if code else done.stdout


def _register(folder, name, *more, code=0):
    whose = ("--provider", "Acme", "--family", "orca", "--licence", "proprietary")
    weights = () if "--weights" in more else ("--weights", f"sha256:{name}")
    return _done(folder, "variant", "register", "chat", name, *whose, *weights, *more, code=code)


def _listed(folder):
    return {each["name"]: each for each in json.loads(_done(folder, "variant", "list", "chat", "--json"))}


def _log(folder):
    with _writing(folder) as connection:
        return list(events(connection))


def test_a_variant_lives_from_its_registration_to_its_end_in_sight(folder):
    said = _register(folder, "orca-1", "--private")
    assert "orca-1 is registered in chat as private" in said
    _register(folder, "orca-2", "--private")
    said = _register(folder, "orca-3", "--private", code=2)
    assert "Acme has 2 private variants under test, and may have 2: orca-1, orca-2" in said
    assert "the same as orca-1" in _register(folder, "orca-4", "--weights", "sha256:orca-1")
    _done(folder, "variant", "move", "chat", "orca-1", "testing")
    other = ("--weights", "sha256:other")
    refused = _done(folder, "variant", "release", "chat", "orca-1", *other, code=2)
    assert "the public model is not the variant orca-1 that was registered" in refused
    said = _done(folder, "variant", "release", "chat", "orca-1", "--weights", "sha256:orca-1")
    assert "orca-1 is provisional" in said
    assert "claimed by its provider" in said
    _register(folder, "orca-3", "--private")  # there is room for it now
    assert "say why" in _done(folder, "variant", "move", "chat", "orca-2", "withdrawn", code=2)
    _done(folder, "variant", "move", "chat", "orca-2", "withdrawn", "--reason", "another did better")
    states = {name: each["state"] for name, each in _listed(folder).items()}
    assert states == {
        "orca-1": "provisional",
        "orca-2": "withdrawn",
        "orca-4": "registered",
        "orca-3": "registered",
    }
    lines = _done(folder, "variant", "list", "chat").splitlines()
    assert [line.split()[:6] for line in lines[1:3]] == [
        ["orca-1", "Acme", "orca", "proprietary", "private", "provisional"],
        ["orca-2", "Acme", "orca", "proprietary", "private", "withdrawn"],
    ]
    assert "chat: no rule is broken" in _done(folder, "policy", "check", "chat")


def test_an_artefact_of_an_api_is_told_in_all_its_parts(folder):
    told = {
        "api_model": "orca-large",
        "api_date": "2026-03-01",
        "system_prompt": "sha256:s",
        "decoding": "temperature=0.7",
    }
    options = [part for key, value in told.items() for part in (f"--{key.replace('_', '-')}", value)]
    whose = ("--provider", "Acme", "--family", "orca", "--licence", "open_weights")
    _done(folder, "variant", "register", "chat", "orca", *whose, *options)
    assert _listed(folder)["orca"]["artefact"] == told | {"weights": ""}
    _done(folder, "variant", "release", "chat", "orca", *options[:-2], code=2)  # another decoding
    said = _done(folder, "variant", "release", "chat", "orca", *options, "--verified", "--reason", "out")
    assert "verified" in said
    last = _log(folder)[-1]
    assert (last.kind, last.facts["sameness"], last.reason) == ("variant provisional", "verified", "out")


def test_a_row_is_retired_by_a_rule_of_the_policy_alone(rated):
    move = ("variant", "move", "chat", "a", "retired", "--reason", "its API was turned off")
    assert "has no rule 'age'" in _done(rated, *move, "--rule", "age", code=2)
    assert "a is retired" in _done(rated, *move, "--rule", "unavailable")
    assert "a has 0 fresh votes" in _done(
        rated, "variant", "move", "chat", "a", "provisional", "--reason", "it is back"
    ) + _done(rated, "variant", "move", "chat", "a", "listed", code=2)


def test_what_is_published_is_the_ranking_of_the_same_votes(rated):
    ranking = json.loads(_done(rated, "rate", "votes.csv", "--clean", "--anchor", "a=1300", "--json"))
    there = _listed(rated)
    for row in ranking["ranking"]["rows"]:
        rating = there[row["model"]]["rating"]
        assert rating["score"] == pytest.approx(row["score"])
        assert (rating["low"], rating["high"]) == pytest.approx(
            (row["interval"]["low"], row["interval"]["high"])
        )
        assert rating["votes"] == row["votes"]
    assert there["e"]["rating"] is None


def test_whoever_has_the_file_and_the_log_can_rate_again(rated):
    entry = _log(rated)[-1]
    assert entry.facts["data"] == f"sha256:{hashlib.sha256((rated / 'votes.csv').read_bytes()).hexdigest()}"
    how = json.loads(entry.facts["method"])
    named = how["method"] | {"style": (), "anchor": tuple(how["method"]["anchor"])}
    assert Method(**named) == Method(anchor=("a", 1300.0))
    again = [filter_named(each["name"].replace(" ", "-"), each["parameters"]) for each in how["filters"]]
    assert tuple(again) == DEFAULT


def test_nobody_is_left_out_of_a_publication_in_silence(rated):
    said = _done(rated, "variant", "rate", "chat", "votes.csv")
    assert "not rated: e: no votes that count" in said
    assert "4 ratings are published" in said
    before = len(_log(rated))
    _write(rated / "fewer.csv", [each for each in fights() if "a" not in (each.model_a, each.model_b)])
    assert "a had a rating, and is left out" in _done(rated, "variant", "rate", "chat", "fewer.csv", code=2)
    (rated / "fewer.csv").write_text("model_a,model_b,wins_a,wins_b,ties\na,b,30,20,5\n")
    assert "counts of pairs" in _done(rated, "variant", "rate", "chat", "fewer.csv", code=2)
    assert len(_log(rated)) == before


def test_nobody_votes_on_what_is_not_registered(folder):
    for name in "abc":
        _register(folder, name)
    said = _done(folder, "variant", "rate", "chat", "votes.csv", code=2)
    assert "there is no variant d in chat" in said
    assert all(each["rating"] is None for each in _listed(folder).values())


def test_votes_that_are_given_out_stand_in_the_register(folder):
    (folder / "january.csv").write_text("votes")
    days = ("--since", "2024-01-01", "--until", "2024-01-31")
    give = ("policy", "give", "chat", "everyone", *days)
    named = f"sha256:{hashlib.sha256(b'votes').hexdigest()}"
    for data in ("january.csv", named):
        assert named in _done(folder, *give, "--share", "0.5", "--data", data)
    found = json.loads(_done(folder, "policy", "show", "chat", "--json"))["given"]
    assert [(each["provider"], each["share"], each["data"]) for each in found] == [
        ("everyone", 0.5, named)
    ] * 2
    assert (found[0]["since"], found[0]["until"]) == (19_723, 19_753)  # days since 1970
    for share, data, said in (
        ("0.4", named, "the share given out must be 0.5"),
        ("0.5", "sha256:12", "is no digest"),
    ):
        assert said in _done(folder, *give, "--share", share, "--data", data, code=2)
    assert "cannot read" in _done(folder, *give, "--share", "0.5", "--data", "none.csv", code=4)


def test_a_day_that_is_over_is_closed_once(rated):
    with _writing(rated) as connection:
        count(connection, "chat", [Tally("a", "b", 3, 2, 1.5)])
    nothing = {"closed": [], "inactive": []}
    assert json.loads(_done(rated, "policy", "daily", "chat", "--json")) == nothing
    with sqlite3.connect(rated / "bakeoff.db") as connection:
        connection.execute("UPDATE served SET day = 19000")
    assert "closed: 2022-01-08\ninactive now: none" in _done(rated, "policy", "daily", "chat")
    assert json.loads(_done(rated, "policy", "daily", "chat", "--json")) == nothing
    with sqlite3.connect(rated / "bakeoff.db") as connection:
        connection.execute("UPDATE served SET shown = 4")
    assert "violation: sampling" in bakeoff(rated, "arena", "policy", "check", "chat").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["variant", "list", "code"], "no policy of an arena code is in force"),
        (["policy", "daily", "code"], "no policy of an arena code is in force"),
        (["variant", "move", "chat", "orca", "testing"], "there is no variant orca in chat"),
        (["variant", "release", "chat", "orca", "--weights", "w"], "there is no variant orca in chat"),
        (["variant", "release", "chat", "orca", "--api-model", "m"], "an artefact is named by the digest"),
        (["variant", "rate", "chat", "votes.csv", "--anchor", "a"], "--anchor takes MODEL=SCORE"),
        (["variant", "rate", "chat", "votes.csv", "--style", "colour"], "there is no style 'colour'"),
    ],
)
def test_a_mistake_is_said(folder, arguments, said):
    assert said in _done(folder, *arguments, code=2)
