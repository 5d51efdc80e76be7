import hashlib
import json
from datetime import UTC, time

import pytest
from sqlalchemy import select, update

from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.policy.releases import given
from bakeoff.arena.policy.sampling import as_date
from bakeoff.arena.sharing.export import give_out
from bakeoff.arena.sharing.held_back import is_given
from bakeoff.arena.votes.importing.importing import read_battles
from bakeoff.arena.votes.table import read_votes
from bakeoff.database import reading, writing
from bakeoff.database.tables import ballot, battle
from bakeoff.errors import BakeoffError
from tests.arena.battles.playing import MODELS
from tests.arena.policy.making import Arena

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

SECRET = "My card is 4111 1111 1111 1111, write to ann@example.com"
DAY_S = 86_400.0


def voted(live, n=1, days=30, **other):
    """The ids of battles that were voted on so many days ago."""
    ids = []
    for number in range(n):
        each = live.ready(by=f"voter {number % 3}", **{"prompt": f"{SECRET} {number}"} | other)
        live.cast(each, "ab"[number % 2], by=f"voter {number % 3}")
        ids.append(each)
    with writing(live.engine) as connection:
        connection.execute(
            update(ballot).where(ballot.c.battle.in_(ids)).values(at=ballot.c.at - days * DAY_S)
        )
    return ids


def out(live, folder, **other):
    return give_out(live.engine, "chat", folder, actor="ann", **other)


def register(live):
    with reading(live.engine) as connection:
        return given(connection, "chat")


def today(live):
    return Arena(live.engine).today()


def drawn(live, ids):
    with reading(live.engine) as connection:
        arena = live_arena(connection, "chat")
    return [each for each in ids if is_given(arena, each, 0.2)]


def test_every_vote_is_accounted_for_and_only_the_right_ones_are_given(live, tmp_path):
    old = voted(live, 40)
    voted(live, 3, days=2)
    voted(live, 5, held_back=True)
    live.ready(by="nobody votes")
    rules = Arena(live.engine)
    rules.register("secret")
    rules.move("secret", "testing")
    voted(live, 2, pair=("secret", MODELS[0]))
    found = out(live, tmp_path / "release")
    assert (found.total, found.earlier, found.too_young, found.held_back) == (50, 0, 3, 5)
    assert (found.under_test, found.given) == (2, len(drawn(live, old)))
    parts = (found.earlier, found.too_young, found.held_back, found.under_test, found.not_drawn, found.given)
    assert sum(parts) == found.total
    assert found.given > 0
    votes = read_votes(tmp_path / "release" / "votes.parquet")
    assert len(votes.model_a) == found.given
    assert set(votes.models) == set(MODELS[:2])


def test_what_is_given_names_nobody(live, tmp_path):
    ids = voted(live, 40)
    found = out(live, tmp_path / "release", form="jsonl")
    text = (tmp_path / "release" / "votes.jsonl").read_text()
    with reading(live.engine) as connection:
        voters = connection.execute(select(battle.c.voter)).scalars().all()
        salt = live_arena(connection, "chat").salt
    for each in ("4111", "ann@", salt, *ids, *voters):
        assert each not in text
    assert found.removed == {"card": found.given, "mail": found.given}
    battles, taken = read_battles(tmp_path / "release" / "votes.jsonl")
    assert (taken.format, taken.taken) == ("plain", found.given)
    assert all("[card removed], write to [mail removed]" in each.prompt_text for each in battles)
    assert {each.at.astimezone(UTC).time() for each in battles} == {time(0)}
    assert {each.answer_a for each in battles} == {"Ten *metres*."}


def test_both_forms_hold_the_same_votes(live, tmp_path):
    voted(live, 40)
    out(live, tmp_path / "one", form="jsonl")
    out(live, tmp_path / "two", provider="Acme")
    battles, _ = read_battles(tmp_path / "one" / "votes.jsonl")
    votes = read_votes(tmp_path / "two" / "votes.parquet")
    texts = sorted(each.prompt for each in votes.texts)
    assert texts == sorted(each.prompt_text for each in battles)
    assert len({*votes.voter}) == len({each.voter for each in battles})


def test_voters_of_two_releases_cannot_be_matched(live, tmp_path):
    voted(live, 40)
    out(live, tmp_path / "one")
    out(live, tmp_path / "two", provider="Acme")
    one, two = (read_votes(tmp_path / name / "votes.parquet") for name in ("one", "two"))
    assert {*one.voter}.isdisjoint({*two.voter})
    assert {*one.key}.isdisjoint({*two.key})


def test_the_register_has_the_digest_of_the_file_and_the_manifest_says_the_same(live, tmp_path):
    voted(live, 20)
    found = out(live, tmp_path / "release")
    file = tmp_path / "release" / "votes.parquet"
    (entry,) = register(live)
    assert entry.data == found.data == "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
    assert (as_date(entry.since).isoformat(), as_date(entry.until).isoformat()) == (found.since, found.until)
    assert json.loads((tmp_path / "release" / "manifest.json").read_text())["data"] == found.data
    assert entry.until == today(live) - 11
    assert Arena(live.engine).broken() == []


def test_the_next_release_goes_on_where_the_last_one_ended(live, tmp_path):
    voted(live, 30, days=30)
    recent = voted(live, 30, days=12)
    first = out(live, tmp_path / "one", until=today(live) - 20)
    second = out(live, tmp_path / "two")
    assert (first.too_young, second.earlier) == (30, 30)
    assert second.given == len(drawn(live, recent))
    with pytest.raises(BakeoffError, match="there is nothing to give out"):
        out(live, tmp_path / "three")


@pytest.mark.parametrize("days", [{"until": 10}, {"until": 0}, {"since": 3, "until": 3}])
def test_what_the_policy_does_not_allow_is_not_written(live, tmp_path, days):
    voted(live, 10, days=0)
    day = today(live)
    with pytest.raises(BakeoffError, match="too young"):
        out(live, tmp_path / "release", **{name: day - each for name, each in days.items()})
    assert [each.name for each in tmp_path.iterdir() if "release" in each.name] == []
    assert register(live) == ()


def test_a_release_of_nothing_is_none_and_one_that_is_there_is_not_written_over(live, tmp_path):
    with pytest.raises(BakeoffError, match="no vote to give out"):
        out(live, tmp_path / "release")
    voted(live, 20)
    out(live, tmp_path / "release")
    before = (tmp_path / "release" / "manifest.json").read_bytes()
    with pytest.raises(BakeoffError, match="is there already"):
        out(live, tmp_path / "release", provider="Acme")
    assert (tmp_path / "release" / "manifest.json").read_bytes() == before
    assert len(register(live)) == 1
