"""What holds for every generated family; the gold answers are checked family by family, beside this file."""

from itertools import islice

import pytest

from bakeoff.catalog.instructions.format import instructions
from bakeoff.catalog.maths import arithmetic
from bakeoff.catalog.reading import extraction
from bakeoff.catalog.reasoning import mystery
from bakeoff.task import catalog_names, lint, load_task, prepare

GENERATORS = {
    "arithmetic": arithmetic.problems,
    "extraction": extraction.questions,
    "format": instructions,
    "mystery": mystery.cases,
}
families = pytest.mark.parametrize("family", GENERATORS)


@families
@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_more_rows_only_add_rows(family, seed):
    rows = list(GENERATORS[family](seed, 90))
    for n in (1, 7, 36):
        assert list(GENERATORS[family](seed, n)) == rows[:n]


@families
def test_another_seed_asks_other_questions(family):
    first, second = (list(map(content, GENERATORS[family](seed, 40))) for seed in (0, 1))
    assert sum(a == b for a, b in zip(first, second, strict=True)) <= 2


@families
@pytest.mark.parametrize("seed", range(5))
def test_ids_are_unique_and_no_question_is_asked_twice(family, seed):
    rows = list(GENERATORS[family](seed, 300))
    assert len({row["id"] for row in rows}) == 300
    assert len(set(map(content, rows))) == 300


@families
def test_the_family_is_in_the_catalog_and_says_what_it_is(family):
    assert family in catalog_names()
    task, _ = load_task(family)
    assert task.name == family
    assert task.description
    assert "Made by rule" in task.about


@families
def test_it_has_a_second_prompt_and_both_are_clean(family):
    task, _ = load_task(family)
    assert len(task.variants) == 1
    for variant in ("default", *task.variants):
        assert lint(task, variant=variant) == []


@families
def test_both_prompts_ask_the_same_items_and_are_short(family):
    task, _ = load_task(family)
    asked = []
    for variant in ("default", *task.variants):
        prepared = prepare(task, variant)
        items = list(prepared.items())
        asked.append([(item.id, item.target, item.choices) for item in items])
        assert 30 <= len(items) <= 50
        for item in items:
            (turn,) = prepared.render(item).turns
            text = turn if isinstance(turn, str) else "".join(message.text for message in turn)
            assert len(text) < 400
    assert asked[0] == asked[1]


@families
def test_the_two_prompts_are_different_tasks_by_digest(family):
    task, _ = load_task(family)
    assert len({prepare(task, variant).digest for variant in ("default", *task.variants)}) == 2


def test_only_extraction_has_groups_and_four_questions_share_a_note():
    for family in GENERATORS:
        items = list(islice(prepare(load_task(family)[0]).items(), 12))
        groups = [item.group for item in items]
        if family == "extraction":
            assert groups == ["note-0"] * 4 + ["note-1"] * 4 + ["note-2"] * 4
            assert len({item.fields["note"] for item in items}) == 3
        else:
            assert set(groups) == {None}


def content(row):
    """What is asked: everything but the id."""
    return repr({key: value for key, value in row.items() if key not in ("id", "group")})
