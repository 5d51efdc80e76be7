from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.variant import Artefact, Rating
from bakeoff.database import open_database
from bakeoff.errors import BakeoffError
from tests.arena.policy.making import Arena, weights


def test_a_variant_goes_its_way_and_each_step_is_told(arena):
    made = arena.register("orca-1")
    assert (made.state, made.access, made.rating) == (State.REGISTERED, "private", None)
    arena.move("orca-1", "testing")
    arena.release("orca-1", verified=False)
    arena.move("orca-1", "disputed", reason="is it the tested one?")
    arena.move("orca-1", "provisional", reason="it is")
    arena.move("orca-1", "retired", reason="orca-2 is there", rule="superseded")
    told = arena.log()[1:]
    assert [each.kind for each in told] == [
        "variant registered",
        "variant testing",
        "variant provisional",
        "variant disputed",
        "variant provisional",
        "variant retired",
    ]
    assert {each.subject for each in told} == {"variant chat/orca-1"}
    assert told[0].facts == {
        "provider": "Acme",
        "family": "orca",
        "licence": "proprietary",
        "access": "private",
        "artefact": weights("orca-1").digest,
    }
    assert told[2].facts["sameness"] == "claimed"
    assert (told[3].reason, told[5].facts["rule"]) == ("is it the tested one?", "superseded")
    assert arena.check() == ()


def test_nothing_is_done_before_the_rules_are_stated(engine):
    with pytest.raises(BakeoffError, match="no policy of an arena chat is in force"):
        Arena(engine).register("orca-1")


def test_a_withdrawn_variant_stays_with_its_score(arena):
    arena.register("orca-1")
    arena.move("orca-1", "testing")
    arena.rate(**{"orca-1": 1010.0})
    arena.move("orca-1", "withdrawn", reason="another did better")
    assert arena.names() == ["orca-1"]
    assert arena.get("orca-1").rating == Rating(1010.0, 1000.0, 1020.0, 100)
    with pytest.raises(BakeoffError, match="withdrawn cannot become testing"):
        arena.move("orca-1", "testing", reason="a second try")
    arena.rate()  # who was never public may be left out, and keeps its score
    assert arena.get("orca-1").rating is not None
    assert arena.check() == ()


def test_the_cap_counts_private_variants_until_they_are_released_or_withdrawn(arena):
    arena.register("orca-1")
    arena.register("orca-2", family="other")
    arena.register("minnow", provider="Reef", family="minnow")
    arena.register("orca-public", access="public")
    with pytest.raises(BakeoffError, match="Acme has 2 private variants under test, and may have 2") as error:
        arena.register("orca-3")
    assert "orca-1, orca-2" in error.value.message
    arena.move("orca-1", "testing")
    arena.move("orca-1", "disputed", reason="who runs it?")
    with pytest.raises(BakeoffError, match="may have 2"):
        arena.register("orca-3")
    arena.move("orca-1", "withdrawn", reason="nobody")
    arena.register("orca-3")
    with pytest.raises(BakeoffError, match="may have 2"):
        arena.register("orca-4")
    arena.release("orca-2")
    arena.register("orca-4")
    assert arena.check() == ()


def test_a_public_variant_is_no_way_around_the_cap(arena):
    arena.register("orca-1", access="public")
    with pytest.raises(BakeoffError, match="registered as public, and is released without a test"):
        arena.move("orca-1", "testing")
    arena.release("orca-1")
    assert arena.check() == ()


def test_two_at_once_cannot_both_be_the_last_that_the_cap_allows(database, arena):
    arena.register("orca-1")
    engines = [open_database(database) for _ in range(4)]
    start = Barrier(len(engines))

    def tried(number):
        start.wait()
        try:
            Arena(engines[number]).register(f"raced-{number}")
        except BakeoffError as error:
            return error.message
        return ""

    with ThreadPoolExecutor(len(engines)) as pool:
        said = list(pool.map(tried, range(len(engines))))
    for each in engines:
        each.dispose()
    assert sorted(map(bool, said)) == [False, True, True, True]
    assert len(arena.names()) == 2
    assert arena.check() == ()


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"name": "ORCA-1"}, "there is a variant orca-1"),
        ({"provider": "ACME"}, "is known as Acme"),
        ({"family": "Orca"}, "is known as orca"),
        ({"name": " "}, "name must have 1 to 200"),
        ({"name": "x" * 201}, "name must have 1 to 200"),
        ({"provider": "a\0b"}, "provider is not plain text"),
        ({"family": "or\u202eca"}, "family is not plain text"),
        ({"provider": "Everyone"}, "Everyone is no name of a provider"),
        ({"licence": "free"}, "proprietary, open_weights, open_source"),
        ({"access": "secret"}, "private, public"),
    ],
)
def test_a_name_in_another_spelling_or_none_is_refused(arena, other, said):
    arena.register("orca-1")
    with pytest.raises(BakeoffError) as error:
        arena.register(**{"name": "orca-2"} | other)
    assert said in str(error.value)
    assert arena.names() == ["orca-1"]


def test_the_same_artefact_under_two_names_is_linked(arena):
    arena.register("orca-1")
    arena.register("orca-2", artefact=weights("orca-1"))
    assert arena.log()[-1].facts["same_as"] == "orca-1"


def test_an_artefact_is_named_by_weights_or_by_a_dated_model():
    assert Artefact(api_model="orca", api_date="2026-11-01").digest != weights("orca").digest
    for given in ({}, {"api_model": "orca"}, {"system_prompt": "sha256:ab"}):
        with pytest.raises(BakeoffError, match="api_model and api_date"):
            Artefact(**given)


def test_what_is_public_must_be_what_was_tested(arena):
    arena.register("orca-1")
    for other in (weights("orca-chat"), Artefact(weights="sha256:orca-1", system_prompt="sha256:ab")):
        with pytest.raises(BakeoffError, match="not the variant orca-1 that was registered"):
            arena.release("orca-1", other)
    with pytest.raises(BakeoffError, match="was not released yet"):
        arena.move("orca-1", "provisional")
    arena.release("orca-1")
    with pytest.raises(BakeoffError, match="was released already"):
        arena.release("orca-1")


def test_only_fresh_votes_and_a_narrow_interval_make_a_row_more_than_provisional(arena):
    for name in ("orca-1", "minnow"):
        arena.register(name, provider=name)
        arena.move(name, "testing")
    arena.count(("orca-1", "minnow", 500, 500, 500.0))
    arena.later(2)
    arena.release("orca-1")
    arena.count(("orca-1", "minnow", 30, 30, 30.0))
    with pytest.raises(BakeoffError, match="0 fresh votes"):
        arena.move("orca-1", "listed")
    arena.later(1)
    arena.count(("orca-1", "minnow", 19, 19, 19.0))
    with pytest.raises(BakeoffError, match="19 fresh votes, and is provisional until it has 20"):
        arena.move("orca-1", "listed")
    arena.count(("minnow", "orca-1", 1, 1, 1.0))
    with pytest.raises(BakeoffError, match="no published rating"):
        arena.move("orca-1", "listed")
    arena.rate(**{"orca-1": 1010.0})
    arena.adopt(version=2, preliminary={"fresh_votes": 20, "width": 19.9})
    with pytest.raises(
        BakeoffError, match=r"20.0 points wide, and it is provisional until that is at most 19.9"
    ):
        arena.move("orca-1", "listed")
    arena.adopt(version=3)
    assert arena.move("orca-1", "listed").state is State.LISTED
    assert arena.log()[-1].facts == {"from": "provisional", "fresh": 20, "low": 1000.0, "high": 1020.0}
    assert arena.broken(version=3) == []


@pytest.mark.parametrize(
    ("then", "other", "said"),
    [
        ("retired", {"reason": "old"}, "no rule '' under which a row is retired"),
        ("retired", {"reason": "old", "rule": "unloved"}, "no rule 'unloved'"),
        ("retired", {"rule": "superseded"}, "for a reason, and none was given"),
        ("withdrawn", {}, "for a reason"),
        ("disputed", {"reason": " "}, "for a reason"),
        ("inactive", {"reason": "unloved"}, "has not been public for 3 whole days"),
        ("testing", {}, "provisional cannot become testing"),
        ("registered", {}, "provisional cannot become registered"),
    ],
)
def test_a_move_that_the_policy_does_not_know_is_refused(arena, then, other, said):
    arena.public("minnow")
    with pytest.raises(BakeoffError) as error:
        arena.move("minnow", then, **other)
    assert said in str(error.value)
    assert arena.get("minnow").state is State.PROVISIONAL


def test_a_dispute_is_settled_by_going_back_or_on_and_opens_no_other_way(arena):
    arena.register("orca-1")
    arena.move("orca-1", "testing")
    arena.move("orca-1", "disputed", reason="who runs it?")
    assert arena.get("orca-1").before is State.TESTING
    with pytest.raises(BakeoffError, match="disputed cannot become listed"):
        arena.move("orca-1", "listed", reason="all is well")
    with pytest.raises(BakeoffError, match="was not released yet"):
        arena.move("orca-1", "provisional", reason="all is well")
    assert arena.move("orca-1", "testing", reason="its provider does").before is None


def test_an_unknown_variant_is_a_mistake_of_the_user(arena):
    with pytest.raises(BakeoffError, match="there is no variant orca in chat"):
        arena.move("orca", "testing")
