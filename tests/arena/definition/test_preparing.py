import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from sqlalchemy import select

from bakeoff.arena.definition.artefacts import artefact_of
from bakeoff.arena.definition.default import default_arena
from bakeoff.arena.definition.invitations import invite, invited
from bakeoff.arena.definition.preparing import announce, entered, prepare, stored
from bakeoff.arena.policy.adopting import adopt
from bakeoff.arena.policy.checking import check
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.variants import get, move
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.database.tables import live_arena
from bakeoff.errors import BakeoffError
from tests.arena.definition.making import SMALL, identities

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def log(engine):
    with reading(engine) as connection:
        return [(each.kind, each.facts) for each in events(connection)]


def test_what_is_prepared_can_be_voted_in_and_keeps_its_own_rules(engine, ready, small):
    found = ready(small)
    assert found.shown == ("orca", "whale, warm")
    assert {each.state for each in found.candidates} == {State.PROVISIONAL}
    assert (dict(found.not_shown), found.left_out) == ({}, ())
    with reading(engine) as connection:
        assert stored(connection, "chat") == small
        assert [each for each in check(connection, small.policy) if each.severity == "violation"] == []
    facts = dict(log(engine))
    assert facts["arena definition"]["digest"] == small.digest
    released = [facts["sameness"] for kind, facts in log(engine) if kind == "variant provisional"]
    assert released == ["verified", "claimed"]


def test_the_same_once_more_changes_nothing_and_keeps_salt_and_seed(engine, ready, small):
    ready(small)
    before = log(engine)
    with reading(engine) as connection:
        secrets = connection.execute(live_arena.select()).one()
    ready(small)
    assert log(engine) == before
    with reading(engine) as connection:
        assert connection.execute(live_arena.select()).one() == secrets
    assert len(secrets.salt) == 64


def test_two_arenas_have_secrets_of_their_own(engine, ready, small, file):
    ready(small)
    ready(file(SMALL.replace("name: chat", "name: other")))
    with reading(engine) as connection:
        one, other = connection.execute(live_arena.select())
    assert one.salt != other.salt
    assert one.seed != other.seed


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("provider: Acme", "provider: Acme Labs", "provider"),
        ("family: orca", "family: orcas", "family"),
        ("licence: open_source", "licence: open_weights", "licence"),
        ("licence: open_source", "licence: open_source, system: Be brief.", "its system prompt"),
        ("licence: open_source", "licence: open_source, sampling: {temperature: 0}", "its sampling"),
    ],
)
def test_a_changed_candidate_under_its_old_name_is_refused_and_nothing_changes(
    engine, ready, small, file, old, new, what
):
    ready(small)
    before = log(engine)
    with pytest.raises(BakeoffError, match=rf"orca is registered in chat with another .*{what}"):
        ready(file(SMALL.replace(old, new), "turns: 2\n"))
    assert log(engine) == before
    with reading(engine) as connection:
        assert stored(connection, "chat") == small


def test_other_weights_under_an_old_name_are_refused_and_a_new_engine_is_not(ready, small):
    ready(small)
    newer = replace(identities()["orca"], engine_version="99", details={"threads": "8"})
    ready(small, orca=newer)
    with pytest.raises(BakeoffError, match="give what changed a name of its own"):
        ready(small, orca=replace(newer, revision="sha256:bb"))


def test_a_change_of_the_definition_is_logged_without_what_is_nobodys_business(engine, ready, small, file):
    ready(small)
    ready(
        file(
            SMALL.replace("family: orca", "family: orca, access: private, system: My secret").replace(
                "name: orca", "name: orca2"
            ),
            """\
            prompts: {texts: [my own prompt]}
            moderation: [length, {filter: words, words: [bad word]}]
            """,
        ),
        orca2=identities()["orca"],
    )
    last = [facts for kind, facts in log(engine) if kind == "arena definition"][-1]
    assert last["arena"]["prompts"]["count"] == 1
    assert last["arena"]["moderation"] == ["length@1", "words@1"]
    assert set(last["arena"]["models"]) == {"orca2", "whale, warm"}
    for each in ("My secret", "my own prompt", "bad word", "api.example.com"):
        assert each not in repr(last)


def test_a_private_candidate_is_put_under_test_and_one_that_is_left_out_is_told(ready, small, file):
    ready(small)
    found = ready(
        file(SMALL.replace("name: orca,", "name: minke, access: private,")), minke=identities()["orca"]
    )
    assert [each.state for each in found.candidates] == [State.TESTING, State.PROVISIONAL]
    assert found.left_out == ("orca",)


def test_a_withdrawn_candidate_stays_withdrawn_and_is_told(engine, ready, small):
    ready(small)
    with writing(engine) as connection:
        move(connection, "chat", "orca", State.WITHDRAWN, actor="ann", reason="asked for")
    found = ready(small)
    assert found.shown == ("whale, warm",)
    assert found.not_shown == {"orca": State.WITHDRAWN}


def test_a_changed_policy_needs_a_higher_version(engine, ready, small, file):
    ready(small)
    with pytest.raises(BakeoffError, match="a change needs a higher version"):
        ready(file(more="policy: {private_variants: 1}\n"))
    ready(file(more="policy: {private_variants: 1, version: 2}\n"))


def test_an_api_that_does_not_date_its_version_needs_a_date(small, file, database):
    undated = replace(identities()["whale, warm"], revision="")
    with pytest.raises(BakeoffError, match=r"whale, warm: openai:whale does not say .*\nwrite api_date"):
        artefact_of(small.models[1], undated)
    dated = file(SMALL.replace("family: whale", "family: whale, api_date: 2026-05-01"))
    found = artefact_of(dated.models[1], undated)
    assert (found.api_model, found.api_date, found.weights) == ("whale", "2026-05-01", "")


def test_an_arena_that_is_not_there_is_told(engine):
    with reading(engine) as connection, pytest.raises(BakeoffError, match="no live arena nowhere"):
        stored(connection, "nowhere")


@pytest.mark.model
def test_the_default_arena_needs_no_file_and_loads_its_model_once(engine):
    arena = default_arena()

    async def known():
        async with AsyncExitStack() as stack:
            models = await entered(stack, arena)
            assert len({id(each) for each in models.values()}) == 1
            return {name: each.identity for name, each in models.items()}

    found = asyncio.run(known())
    with writing(engine) as connection:
        prepared = prepare(connection, arena, found, actor="ann")
        assert prepared.shown == ("smollm2, temperature 0", "smollm2, temperature 1")
        first, second = (get(connection, "default", name).artefact for name in prepared.shown)
    assert first.weights == second.weights != ""
    assert first.digest != second.digest


def test_before_an_arena_is_live_it_can_be_announced_so_that_voters_are_invited(engine, ready, small, file):
    with writing(engine) as connection:
        announce(connection, small, actor="ann")
        announce(connection, file(more="turns: 2\n"), actor="ann")  # it is known
        assert stored(connection, "chat") == small
        _, secret = invite(connection, "chat", "Ann", actor="ann")
        salt = connection.execute(select(live_arena.c.salt)).scalar_one()
    assert [kind for kind, _ in log(engine)] == ["arena policy", "invitation made"]
    ready(small)
    before = log(engine)
    assert dict(before)["arena definition"]["digest"] == small.digest
    ready(small)
    assert log(engine) == before
    with reading(engine) as connection:
        assert invited(connection, "chat", secret)
        assert connection.execute(select(live_arena.c.salt)).scalar_one() == salt
        assert [each for each in check(connection, small.policy) if each.severity == "violation"] == []


def test_an_arena_is_not_announced_with_other_rules_than_those_in_force(engine, small, file):
    with writing(engine) as connection:
        adopt(connection, file(more="policy: {private_variants: 1}\n").policy, actor="ann")
    with writing(engine) as connection, pytest.raises(BakeoffError, match="needs a higher version"):
        announce(connection, small, actor="ann")
    with reading(engine) as connection, pytest.raises(BakeoffError, match="no live arena chat"):
        stored(connection, "chat")
