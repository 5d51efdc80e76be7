import pytest

from bakeoff.arena.policy.ratings import publications, rate
from bakeoff.arena.policy.variant import Rating
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError


@pytest.mark.parametrize(
    "values",
    [
        (1.0, 2.0, 3.0, 1),
        (4.0, 2.0, 3.0, 1),
        (float("nan"), 2.0, 3.0, 1),
        (2.0, 1.0, float("inf"), 1),
        (2.0, 1.0, 3.0, -1),
    ],
)
def test_a_rating_that_is_none_is_refused(values):
    with pytest.raises(BakeoffError):
        Rating(*values)


def test_the_width_of_an_interval_is_a_standard_error():
    assert Rating(1000.0, 980.4, 1019.6, 9).se == pytest.approx(10, abs=1e-3)


def test_a_publication_is_kept_with_its_votes_and_its_method(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    arena.rate(minnow=1000.0)
    arena.rate(perch=900.5, minnow=1001.0)
    with reading(arena.engine) as connection:
        first, second = publications(connection, "chat")
    assert first.ratings == {"minnow": Rating(1000.0, 990.0, 1010.0, 100)}
    assert second.ratings["perch"].score == 900.5
    assert (arena.get("minnow").rating.score, second.entry) == (1001.0, arena.log()[-1].number)
    assert arena.log()[-1].facts["method"] == "bradley-terry"
    assert arena.check() == ()


def test_who_was_rated_in_public_is_not_left_out(arena):
    arena.public("minnow")
    arena.public("perch", family="perch")
    arena.rate(minnow=1000.0, perch=900.0)
    with pytest.raises(BakeoffError, match="perch had a rating, and is left out"):
        arena.rate(minnow=1000.0)
    with pytest.raises(BakeoffError, match="ghost is not registered"):
        arena.rate(minnow=1000.0, perch=900.0, ghost=1.0)
    arena.move("perch", "retired", reason="gone", rule="unavailable")
    arena.rate(minnow=1000.0)
    assert arena.get("perch").rating.score == 900.0
    assert arena.check() == ()


@pytest.mark.parametrize("other", [{"data": ""}, {"method": ""}])
def test_a_publication_names_its_votes_and_its_method(arena, other):
    with pytest.raises(BakeoffError, match="names its votes"), writing(arena.engine) as connection:
        rate(connection, "chat", {}, actor="ann", **{"data": "d", "method": "m"} | other)
