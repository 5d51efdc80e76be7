from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.cleaning.anomalous_voters import AnomalousVoters
from bakeoff.arena.cleaning.blind import NotBlind
from bakeoff.arena.cleaning.duplicates import DuplicatePrompts
from bakeoff.arena.cleaning.faults import Faults
from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.gold_pairs import GoldPairs
from bakeoff.arena.cleaning.leaks import IdentityLeaks
from bakeoff.arena.cleaning.refusals import Refusals
from bakeoff.arena.cleaning.steps import Step, clean
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.table import read_votes, write_votes
from bakeoff.arena.votes.votes import votes_of
from tests.arena.cleaning.made import battle, shuffled, votes
from tests.arena.votes.strategies import battles

FILTERS: list[Filter] = [
    NotBlind(),
    Faults(),
    IdentityLeaks(),
    Refusals(),
    DuplicatePrompts(1),
    GoldPairs(keep_pairs=True),
    AnomalousVoters(at_least=1),
]


def test_the_way_from_raw_to_used_by_hand() -> None:
    rows = [
        battle("1", blind=False, prompt="p", answer_a="", answer_b="x"),
        battle("2", prompt="p", answer_a="", answer_b="x"),
        battle("3", prompt="p", answer_a="y", answer_b="x"),
        battle("4", prompt="p", answer_a="z", answer_b="x"),
        battle("5", answer_a="z", answer_b="x"),
    ]
    found = clean(votes(*rows), [NotBlind(), Faults(), DuplicatePrompts(1)])
    assert found.steps == (
        Step("not blind", 1, {}, 5, {"the models' names were seen": 1}, 4),
        Step("faults", 1, {}, 4, {"an answer is empty": 1}, 0),
        Step("duplicate prompts", 1, {"cap": 1, "seed": 0}, 3, {"the prompt has more than 1 battles": 1}, 1),
    )
    assert [step.after for step in found.steps] == [4, 3, 2]
    assert found.used.sum() == 2
    assert found.why[0] == "not blind: the models' names were seen"
    assert found.why[1] == "faults: an answer is empty"
    assert {found.why[2], found.why[3]} == {None, "duplicate prompts: the prompt has more than 1 battles"}
    assert found.why[4] is None


@given(battles(), st.permutations(FILTERS))
def test_nothing_is_lost_on_the_way(rows: list[Battle], filters: list[Filter]) -> None:
    found = clean(votes_of(rows), filters)
    assert len(found.used) == len(found.why) == len(rows)
    assert np.array_equal(found.used, found.why.codes < 0)
    before = len(rows)
    for step in found.steps:
        assert step.before == before
        before = step.after
        assert 0 <= step.unjudged <= step.before
    assert before == found.used.sum()
    assert sum(found.why.counts().values()) == sum(step.flagged for step in found.steps)


@given(battles(), st.integers(0, 100))
def test_the_order_of_battles_changes_nothing(rows: list[Battle], seed: int) -> None:
    everything = votes_of(rows)
    mixed, order = shuffled(everything, seed)
    found, again = clean(everything, FILTERS), clean(mixed, FILTERS)
    assert [found.why[int(row)] for row in order] == [again.why[row] for row in range(len(rows))]
    assert found.steps == again.steps


def test_no_filter_uses_everything() -> None:
    found = clean(votes(battle("1"), battle("2")), [])
    assert found.used.all()
    assert found.steps == ()


def test_votes_from_a_file_are_cleaned_like_those_in_memory(tmp_path: Path) -> None:
    answers = ("", "I am ChatGPT", "I'm sorry, but I can't help with that.", "Fine.", None)
    rows = [
        battle(
            str(n),
            prompt=f"p{n % 7}",
            blind=n % 11 != 0,
            answer_a=answers[n % 5],
            answer_b="x",
            model_a="gpt-4",
        )
        for n in range(200)
    ]
    write_votes(tmp_path / "votes.parquet", rows)
    found, expected = clean(read_votes(tmp_path / "votes.parquet"), FILTERS), clean(votes(*rows), FILTERS)
    assert found.steps == expected.steps
    assert np.array_equal(found.why.codes, expected.why.codes)
    assert 0 < found.used.sum() < 200
