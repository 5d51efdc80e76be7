import pytest

from bakeoff.arena.policy.releases import give, given
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError


def gave(arena, **other):
    today = arena.today()
    values = {"provider": "Reef", "since": today - 20, "until": today - 11, "share": 0.2, "data": "sha256:d"}
    with writing(arena.engine) as connection:
        give(connection, "chat", actor="ann", **values | other)


def test_who_received_which_votes_and_when_is_kept(arena):
    gave(arena)
    with reading(arena.engine) as connection:
        (found,) = given(connection, "chat")
        assert given(connection, "code") == ()
    assert (found.provider, found.until - found.since, found.share, found.data, found.entry) == (
        "Reef",
        9,
        0.2,
        "sha256:d",
        2,
    )


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"since": 5, "until": 4}, "is no range of days"),
        ({"share": 0.25}, "the share given out must be 0.2, got 0.25"),
        ({"share": float("nan")}, "the share given out must be 0.2"),
        ({"provider": " "}, "names who receives it"),
        ({"data": ""}, "names who receives it"),
    ],
)
def test_what_the_policy_does_not_allow_is_refused(arena, other, said):
    with pytest.raises(BakeoffError) as error:
        gave(arena, **other)
    assert said in str(error.value)
    assert [each.kind for each in arena.log()] == ["arena policy"]


def test_votes_are_given_out_from_the_day_after_the_delay_on(arena):
    with pytest.raises(BakeoffError, match="to everyone alike"):
        gave(arena, until=arena.today() - 10)
    gave(arena, until=arena.today() - 11)
    assert arena.check() == ()


@pytest.mark.parametrize(("wrong", "known"), [("reef", "Reef"), ("REEF", "Reef"), ("Everyone", "everyone")])
def test_a_provider_in_another_spelling_is_refused(arena, wrong, known):
    arena.register("eel", provider="Reef")
    with pytest.raises(BakeoffError, match=f"{wrong} is known as {known}"):
        gave(arena, provider=wrong)
    gave(arena, provider=known)
