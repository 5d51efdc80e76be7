"""A live arena by command, as a team has one: a file, invitations, a server, votes, a ranking, a release."""

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx2
import pytest
from sqlalchemy import select, update

from bakeoff.arena.definition.definition import load_arena
from bakeoff.arena.definition.invitations import invited
from bakeoff.arena.votes.table import read_votes
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.database.tables import ballot, battle
from tests.arena.battles.playing import MODELS, made
from tests.cli.command import bakeoff

MODEL = "def sure(question):\n    return 'It is.'\n\ndef unsure(question):\n    return 'Perhaps it is.'\n"


@pytest.fixture
def folder(tmp_path):
    """With the file of an arena between two functions, for those who are invited."""
    (tmp_path / "models.py").write_text(MODEL)
    candidate = "{{name: {0}, model: 'call:models.py:{0}', provider: Us, family: ours, licence: open_source}}"
    models = "".join(f"  - {candidate.format(name)}\n" for name in ("sure", "unsure"))
    (tmp_path / "chat.yaml").write_text(f"name: chat\nvoters: invited\nmodels:\n{models}")
    return tmp_path


def done(folder, *arguments, code=0):
    """What a command said; of one that failed the errors, and nothing else was said."""
    found = bakeoff(folder, "arena", *arguments)
    assert found.returncode == code, (found.stdout, found.stderr)
    assert not (code > 1 and found.stdout)
    return found.stderr if code > 1 else found.stdout


@contextmanager
def database(folder):
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    yield engine
    engine.dispose()


@contextmanager
def served(folder, *arguments):
    """The address of an arena whose server is a process, which Ctrl-C ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *arguments, "--port", "0"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"BAKEOFF_CACHE": str(folder / "cache")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    said = ""
    try:
        for line in process.stderr:
            said += line
            if found := re.match(r"chat: (http://127\.0\.0\.1:\d+/arenas/chat)/battle$", line):
                break
        assert found, said
        yield found[1]
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        code = process.wait(30)
    assert (code, rest) == (130, ""), rest


def voted(client, arena, outcome, prompt):
    """One battle by HTTP, from its prompt to the names."""
    battle = client.post(f"{arena}/battles", data={"prompt": prompt, "agreed": "yes"}).headers["location"]
    with client.stream("GET", f"{battle}/events") as stream:
        assert "event: over" in stream.read().decode()
    assert "A was" not in client.get(battle).text
    assert client.post(f"{battle}/vote", data={"outcome": outcome}).status_code == 303
    assert "A was" in client.get(battle).text
    return battle


def test_a_team_invites_serves_votes_rates_and_gives_out(folder):
    ann, ben = [
        line.split()[-1]
        for line in done(folder, "invite", "chat.yaml", "Ann", "Ben B.").splitlines()
        if "/join/" in line
    ]
    assert "nobody has voted in chat yet" in done(folder, "rate", "--arena", "chat", code=2)
    with served(folder, "arena", "serve", "chat.yaml", "--writes", "15/minute") as arena:
        site = arena.removesuffix("/arenas/chat")
        with httpx2.Client(base_url=site) as stranger:
            refused = stranger.post(f"{arena}/battles", data={"prompt": "Is it?", "agreed": "yes"})
            assert refused.status_code == 403
        for link in (ann, ben):
            with httpx2.Client(base_url=site) as client:
                assert client.post(re.sub(r"^http://[^/]+", "", link)).status_code == 303
                battles = [voted(client, arena, each, f"Is it {each}?") for each in ("a", "b", "tie")]
        with httpx2.Client(base_url=site) as other:
            assert other.get(battles[0]).status_code == 404
            assert other.post(f"{arena}/battles").status_code == 429
    rated = json.loads(done(folder, "rate", "--arena", "chat", "--clean", "--json"))
    assert {row["model"]: row["votes"] for row in rated["ranking"]["rows"]} == {"sure": 6, "unsure": 6}
    assert rated["ranking"]["clusters"] == {"voter": 2, "prompt": 3}
    assert "chat: no rule is broken" in done(folder, "policy", "check", "chat")
    assert "are too young" in done(folder, "export", "chat", "out", code=2)
    with database(folder) as engine, writing(engine) as connection:
        assert connection.execute(select(battle.c.outcome)).scalars().all().count("tie") == 2


@pytest.mark.parametrize(
    ("changed", "arguments", "code", "said"),
    [
        (("call:models.py:sure", "call:nothing.py:sure"), (), 3, "nothing.py"),
        (("call:models.py:sure", "call:models.py:nothing"), (), 3, "nothing"),
        (("licence: open_source", "licence: free"), (), 2, "chat.yaml:4: models[0].licence"),
        (("", ""), ("chat.yaml",), 2, "an arena chat is in another file, too"),
        (("", ""), ("none.yaml",), 2, "none.yaml cannot be read"),
        (("", ""), ("--writes", "often"), 2, "--writes often is no rate"),
        (("", ""), ("--streams", "0"), 2, "--streams 0 lets nobody watch"),
        (("", ""), ("--port", "99999"), 2, "nothing can listen on 127.0.0.1, port 99999"),
    ],
)
def test_what_keeps_an_arena_from_being_served_is_one_clear_error(folder, changed, arguments, code, said):
    file = folder / "chat.yaml"
    file.write_text(file.read_text().replace(*changed))
    told = done(folder, "serve", "chat.yaml", *arguments, code=code)
    assert said in told
    assert "Traceback" not in told


def test_a_server_leaves_the_logs_of_its_process_alone(folder):
    class Log(logging.Handler):
        closed = False

        def close(self):
            self.closed = True
            super().close()

    log = Log()
    file = folder / "chat.yaml"
    file.write_text(file.read_text().replace("models.py:sure", "models.py:nothing"))
    done(folder, "serve", "chat.yaml", code=3)
    assert not log.closed


def test_a_taken_port_is_told_before_any_model_is_opened(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = done(folder, "serve", "chat.yaml", "--port", port, code=2)
    assert told.startswith(f"error: nothing can listen on 127.0.0.1, port {port}: ")


def test_the_file_to_start_from_is_an_arena_and_no_file_is_written_over(tmp_path):
    assert "bakeoff arena serve team.yaml" in done(tmp_path, "new", "team.yaml")
    found = load_arena(tmp_path / "team.yaml")
    assert (found.name, found.voters) == ("team", "invited")
    assert {each.model for each in found.models} == {"gguf:smollm2"}
    assert "is there already" in done(tmp_path, "new", "team.yaml", code=2)
    assert "no arena can be called 'My team'" in done(tmp_path, "new", "My team.yaml", code=2)
    done(tmp_path, "new", "My team.yaml", "--name", "mine")
    assert load_arena(tmp_path / "My team.yaml").name == "mine"
    assert "could not write" in done(tmp_path, "new", "none/team.yaml", code=4)


def test_the_lines_that_are_commented_out_are_an_arena_too(tmp_path):
    done(tmp_path, "new", "team.yaml")
    lines = (tmp_path / "team.yaml").read_text().splitlines()
    text = "\n".join(re.sub(r"^#( - name|   \w+:)", r" \1", line) for line in lines)
    (tmp_path / "team.yaml").write_text(text)
    assert [each.access for each in load_arena(tmp_path / "team.yaml").models] == [
        "public",
        "public",
        "private",
    ]


def test_an_invitation_is_a_link_that_holds_until_it_is_revoked(folder):
    (made_one,) = json.loads(
        done(folder, "invite", "chat.yaml", "Ann", "--address", "https://example.org/a/", "--json")
    )
    link, secret = made_one["link"], made_one["link"].rpartition("/")[2]
    assert link == f"https://example.org/a/arenas/chat/join/{secret}"
    done(folder, "invite", "chat", "Ben", "Ben")
    listed = done(folder, "invite", "chat", "--list")
    assert secret not in listed
    assert [line.split()[1] for line in listed.splitlines()] == ["for", "Ann", "Ben", "Ben"]
    assert "has no invitation Zoe that holds" in done(folder, "invite", "chat", "Zoe", "--revoke", code=2)
    assert done(folder, "invite", "chat", "Ben", "--revoke").count("is revoked") == 2
    assert "Ann is revoked" in done(folder, "invite", "chat", made_one["digest"][7:19], "--revoke")
    there = json.loads(done(folder, "invite", "chat", "--list", "--json"))
    assert len(there) == 3
    assert all(each["revoked"] for each in there)
    with database(folder) as engine, engine.connect() as connection:
        assert not invited(connection, "chat", secret)


def test_where_nobody_needs_an_invitation_there_are_none(folder):
    assert "there is no live arena chat" in done(folder, "invite", "chat", "Ann", code=2)
    assert "there is no live arena chat" in done(folder, "invite", "chat.yaml", "--list", code=2)
    assert "is for somebody" in done(folder, "invite", "chat.yaml", code=2)
    assert "leave the rest out" in done(folder, "invite", "chat.yaml", "Ann", "--list", code=2)
    file = folder / "chat.yaml"
    file.write_text(file.read_text().replace("invited", "accounts"))
    assert "those with an account vote" in done(folder, "invite", "chat.yaml", "Ann", code=2)


def test_the_votes_of_a_live_arena_are_rated_with_all_options_but_those_of_files(tmp_path):
    with database(tmp_path) as engine:
        live = made(engine)
        for number in range(12):
            one = live.ready(by=f"voter {number % 3}", prompt=f"How deep is lake {number}?")
            live.cast(one, ("a", "b", "a", "tie")[number % 4], by=f"voter {number % 3}")
        pseudonym = live.voter("voter 1")
    rated = ("rate", "--arena", "chat")
    said = done(tmp_path, *rated, "--clean", "--ties", "davidson", "--anchor", f"{MODELS[0]}=1200")
    assert "identity leaks" in said
    assert "12 of 12 votes are between rated models" in said
    only = json.loads(done(tmp_path, *rated, "--only", f"voter={pseudonym}", "--json"))
    assert only["ranking"]["votes"] == 4
    assert "a FILE, or --arena NAME" in done(tmp_path, "rate", code=2)
    assert "a FILE, or --arena NAME" in done(tmp_path, *rated, "votes.csv", code=2)
    assert "--format is of a file" in done(tmp_path, *rated, "--format", "plain", code=2)
    assert "no file" in done(tmp_path, "rate", "votes.csv", "--database", "sqlite:///x.db", code=2)
    assert "there is no live arena talk" in done(tmp_path, "rate", "--arena", "talk", code=2)


def test_the_votes_of_a_live_arena_are_published_as_ratings_with_a_digest_that_each_vote_moves(tmp_path):
    with database(tmp_path) as engine:
        live = made(engine)
        for number in range(12):
            live.cast(live.ready(by=f"voter {number % 3}"), "ab"[number % 2], by=f"voter {number % 3}")
    rated = ("rate", "--arena", "chat", "--clean", "--json")
    published = ("variant", "rate", "chat", "--clean", "--json")
    ranking = json.loads(done(tmp_path, *rated))["ranking"]
    first = json.loads(done(tmp_path, *published))
    assert {row["model"]: row["score"] for row in ranking["rows"]} == {
        name: each["score"] for name, each in first["ratings"].items()
    }
    assert json.loads(done(tmp_path, *published))["data"] == first["data"]
    with database(tmp_path) as engine, writing(engine) as connection:
        connection.execute(update(battle).where(battle.c.outcome == "a").values(outcome="tie"))
    assert json.loads(done(tmp_path, *published))["data"] != first["data"]


def test_a_release_says_what_was_left_out_and_why_and_is_registered(tmp_path):
    with database(tmp_path) as engine:
        live = made(engine)
        for number in range(40):
            live.cast(live.ready(prompt=f"Mail ann@example.com {number}"), "ab"[number % 2])
        live.cast(live.ready(held_back=True), "a")
        assert "are too young" in done(tmp_path, "export", "chat", "out", code=2)
        with writing(engine) as connection:
            connection.execute(update(ballot).values(at=ballot.c.at - 40 * 86_400))
        live.cast(live.ready(), "a")
    said = done(tmp_path, "export", "chat", "out")
    given = int(re.search(r"out/votes\.parquet: (\d+) of 42 votes", said)[1])
    left = {why: int(number) for why, number in re.findall(r"left out, ([^,:]+)[^:]*: (\d+)", said)}
    assert (left["held back"], given + sum(left.values())) == (1, 42)
    assert f"personal details taken out, mail: {given}" in said
    assert len(read_votes(tmp_path / "out" / "votes.parquet")) == given > 0
    assert "is there already" in done(tmp_path, "export", "chat", "out", code=2)
    days = ("--since", "2020-01-01", "--until", "2020-01-31")
    assert "there is no vote to give out" in done(tmp_path, "export", "chat", "old", *days, code=2)
    (entry,) = json.loads(done(tmp_path, "policy", "show", "chat", "--json"))["given"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (entry["data"], entry["provider"]) == (manifest["data"], "everyone")
    assert "an arena talk" in done(tmp_path, "export", "talk", "other", code=2)
