from collections import Counter

import pytest

from bakeoff.catalog.reasoning.mystery import cases

ROWS = [row for seed in range(5) for row in cases(seed, 80)]

PHRASES = {"hat": "wore a {} hat", "pet": "has a {}", "place": "was in the {}", "drink": "drank {}"}


def told_of(row, subject):
    """The traits that the story's text, read as text, gives to a subject."""
    (sentence,) = [each for each in row["story"].split(".") if each.strip().startswith(f"{subject} ")]
    facts = sentence.strip().removeprefix(f"{subject} ").split(" and ")
    return set(facts)


def test_exactly_one_suspect_fits_the_clues_and_is_the_answer():
    for row in ROWS:
        clues = told_of(row, "The thief")
        fitting = [name for name in row["choices"] if clues <= told_of(row, name)]
        assert fitting == [row["choices"][row["answer"]]], row["story"]


def test_the_story_says_what_the_fields_say():
    for row in ROWS:
        for subject, traits in [*row["suspects"].items(), ("The thief", row["clues"])]:
            assert told_of(row, subject) == {PHRASES[trait].format(v) for trait, v in traits.items()}


def test_with_two_clues_neither_is_enough_alone():
    rows = [row for row in ROWS if row["kind"] == "two clues"]
    assert len(rows) == len(ROWS) / 2
    for row in rows:
        for clue in told_of(row, "The thief"):
            assert sum(clue in told_of(row, name) for name in row["choices"]) == 2


def test_the_right_answer_is_in_every_position_equally_often():
    for kind in ("one clue", "two clues", None):
        rows = [row for row in cases(0, 400) if kind in (None, row["kind"])]
        positions = Counter(row["answer"] for row in rows)
        if kind is None:
            assert set(positions.values()) == {100}
        assert all(abs(count / len(rows) - 0.25) < 0.07 for count in positions.values())


@pytest.mark.parametrize("block", range(8))
def test_each_block_of_four_has_every_position_once(block):
    rows = list(cases(0, 32))[4 * block : 4 * block + 4]
    assert sorted(row["answer"] for row in rows) == [0, 1, 2, 3]


def test_neither_a_name_nor_its_place_in_the_alphabet_tells_the_culprit():
    rows = list(cases(0, 1200))
    culprits = Counter(row["choices"][row["answer"]] for row in rows)
    assert len(culprits) == 12
    assert max(culprits.values()) < 1.5 * 100
    ranks = Counter(sorted(row["choices"]).index(row["choices"][row["answer"]]) for row in rows)
    assert all(abs(count - 300) < 60 for count in ranks.values())
