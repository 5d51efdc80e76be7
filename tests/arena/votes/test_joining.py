from dataclasses import fields

import numpy as np
from hypothesis import given, settings

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.joining import joined
from bakeoff.arena.votes.votes import Votes, battles_of, votes_of
from tests.arena.votes.strategies import battles


@settings(max_examples=30)
@given(battles(max_size=7))
def test_pages_joined_are_the_whole(rows: list[Battle]) -> None:
    whole = votes_of(rows)
    for size in (1, 2, 100):
        found = joined(votes_of(rows[at : at + size]) for at in range(0, len(rows), size))
        assert list(battles_of(found)) == rows
        for each in fields(Votes):
            if each.name not in ("models", "language", "tags", "texts"):
                one, other = getattr(found, each.name), getattr(whole, each.name)
                assert one.dtype == other.dtype, each.name
                assert one.shape == other.shape, each.name
        assert found.models == whole.models
        assert (found.language.names, found.tags.names) == (whole.language.names, whole.tags.names)
        assert np.array_equal(found.language.codes, whole.language.codes)
