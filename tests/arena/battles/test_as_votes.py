from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import update

from bakeoff.arena.battles import as_votes
from bakeoff.arena.battles.as_votes import Chosen
from bakeoff.arena.battles.life import Void
from bakeoff.arena.battles.prompt import Prompt
from bakeoff.arena.cleaning.recipe import DEFAULT
from bakeoff.arena.cleaning.steps import clean
from bakeoff.arena.votes.battle import OUTCOMES
from bakeoff.arena.votes.pair_counts import pair_counts
from bakeoff.arena.votes.style import Style, style_of
from bakeoff.arena.votes.table import read_votes, write_votes
from bakeoff.arena.votes.votes import battles_of
from bakeoff.database import reading, writing
from bakeoff.database.tables import ballot
from bakeoff.errors import BakeoffError
from tests.arena.battles.playing import MODELS, said


@pytest.fixture
def voted(live):
    """The ids of thirteen battles with votes, of five voters and all pairs, beside others without."""
    ids = []
    for number in range(13):
        pair = (MODELS[number % 3], MODELS[(number + 1 + number % 2) % 3])
        by = f"voter {number % 5}"
        ids.append(live.ready(by=by, pair=pair, prompt=f"What is {number % 4}?", held_back=number < 2))
        live.cast(ids[-1], OUTCOMES[number % 4], by=by)
    live.open(), live.ready()
    live.void(live.ready(), Void.EMPTY)
    live.leave(live.ready())
    return ids


def test_only_what_was_voted_on_is_a_vote_with_all_that_is_known_of_it(live):
    asked = Prompt("Wie tief?", language="de", tags=("lake", "hard"))
    there = live.open(prompt=asked)
    live.answered(
        there,
        said("I am Orca.\n# Yes", shown="I am ███.\n# Yes", scrubbed=1),
        said("No", refused=True),
    )
    live.next_turn(there, "Und weit?")
    live.answered(there, "- *one*\n- **two**", "three")
    live.cast(there, "b")
    live.ready()
    (found,) = live.battles()
    assert (found.id, found.model_a, found.model_b, found.outcome) == (there, *MODELS[:2], "b")
    assert (found.voter, found.language, found.blind) == (live.voter(), "de", True)
    assert found.tags == ("hard", "lake", "refusal")
    assert found.prompt_text == "Wie tief?\n\nUnd weit?"
    assert found.answer_a == "I am ███.\n# Yes\n\n- *one*\n- **two**"
    assert (found.style_a, found.style_b) == (Style(9, 1, 2, 1), Style(2))
    assert abs(found.at - datetime.now(UTC)).total_seconds() < 600
    assert 0 <= found.seconds < 600
    (true,) = live.battles(words="written")
    assert true.answer_a.startswith("I am Orca.")
    (none,) = live.battles(words="none")
    assert (none.prompt_text, none.answer_a, none.answer_b) == (None, None, None)
    assert none.style_a == found.style_a


def test_columns_are_those_of_the_battles_whatever_the_page(live, voted, monkeypatch):
    def numbers(votes):
        return {each.id: each for each in battles_of(votes)}

    found = {}
    for page in (1, 3, 5_000):
        monkeypatch.setattr(as_votes, "_PAGE", page)
        with reading(live.engine) as connection:
            votes = as_votes.votes(connection, "chat")
            found[page] = numbers(votes)
            assert [each.id for each in votes.texts] == list(found[page])
            cleaned = clean(votes, DEFAULT)
    assert set(found[1]) == set(voted)
    assert found[1] == found[3] == found[5_000]
    assert {each.id for each in live.battles()} == set(voted)
    assert votes.models == tuple(sorted(MODELS))
    assert cleaned.used.all()
    assert Counter(np.unique(votes.prompt, return_counts=True)[1].tolist()) == Counter([4, 3, 3, 3])


def test_counts_of_pairs_are_those_of_the_votes(live, voted):
    with reading(live.engine) as connection:
        expected = pair_counts(as_votes.votes(connection, "chat"))
        found = as_votes.pair_counts(connection, "chat")
        nothing = as_votes.pair_counts(connection, "other")
    assert found.models == expected.models
    assert found.total == 13
    for name in ("model_a", "model_b", "counts"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
        assert getattr(found, name).dtype == getattr(expected, name).dtype, name
    assert (nothing.models, nothing.total) == ((), 0)


def test_votes_of_a_span_and_those_held_back_can_be_chosen(live, voted):
    with writing(live.engine) as connection:
        connection.execute(update(ballot).values(at=5_000.0))
        connection.execute(update(ballot).where(ballot.c.battle == voted[5]).values(at=4_999.5))

    def ids(**chosen):
        return {each.id for each in live.battles(chosen=Chosen(**chosen))}

    assert ids(until=5_000.0) == {voted[5]}
    assert ids(since=5_000.0) == set(voted) - {voted[5]}
    assert ids(held_back=True) == set(voted[:2])
    assert ids(held_back=False, since=5_000.0) == set(voted[2:]) - {voted[5]}
    with pytest.raises(BakeoffError, match="no live arena"), reading(live.engine) as connection:
        list(as_votes.battles(connection, "other"))


def test_a_file_of_them_is_one_of_votes(live, voted, tmp_path):
    with reading(live.engine) as connection:
        assert write_votes(tmp_path / "v.parquet", as_votes.battles(connection, "chat")) == 13
    assert list(battles_of(read_votes(tmp_path / "v.parquet"))) == live.battles()


def test_style_is_of_what_was_shown(live):
    there = live.open()
    live.answered(there, said("**Two words** here", shown="**███** here", scrubbed=1), "x")
    live.cast(there)
    assert live.battles()[0].style_a == style_of("**███** here")
