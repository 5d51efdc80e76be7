import pytest

from bakeoff.errors import TaskError
from bakeoff.task import Task, lint, prepare
from bakeoff.task.standard import multiple_choice

ITEMS = [
    {"id": "a", "input": "Which is a bird?", "choices": ["trout", "wren", "newt"], "target": 1},
    {"id": "b", "input": "Which is a fish?", "choices": ["trout", "wren", "newt"], "target": 0},
]


def task(**facts) -> Task:
    return Task(
        **{
            "name": "animals",
            "data": {"items": ITEMS},
            "prompt": {"system": "SYSTEM", "lead": "", "delimiter": "DELIMITER", "answer": "{{ letter }}!"},
            "scorer": "choice",
            "standard_variants": "multiple_choice",
        }
        | facts
    )


def asked(variant):
    prepared = prepare(task(), variant)
    rendered = prepared.render(next(prepared.items()))
    (turn,) = rendered.turns
    text = turn if isinstance(turn, str) else "\n".join(f"{each.role}: {each.text}" for each in turn)
    return text, rendered.continuations


LISTED = "Which is a bird?\nA. trout\nB. wren\nC. newt\n"


@pytest.mark.parametrize(
    ("variant", "text", "continuations"),
    [
        ("cloze", "Question: Which is a bird?\nAnswer:", (" trout", " wren", " newt")),
        ("listed", LISTED + "Answer:", (" trout", " wren", " newt")),
        ("letters", LISTED + "Answer:", (" A", " B", " C")),
        ("chat_letters", f"user: {LISTED}Answer with the letter of the right option only.", ("A", "B", "C")),
        ("plain_letter", LISTED + "Answer:", ()),
        ("chat", f"user: {LISTED}Answer with the letter of the right option only.", ()),
    ],
)
def test_what_is_sent_holds_nothing_of_the_tasks_own_prompt(variant, text, continuations):
    assert asked(variant) == (text, continuations)


def test_reasoning_ends_with_a_line_that_the_scorer_reads():
    text, _ = asked("reasoned")
    assert text.startswith(f"user: {LISTED}Think step by step.")
    prepared = prepare(task(), "reasoned")
    item = next(prepared.items())
    from bakeoff.nouns import Response

    assert prepared.scorer(item, Response(text="Trout swim (A is a fish), wrens fly.\nAnswer: B")).value == 1
    assert prepared.scorer(item, Response(text="So it must be A, the trout.\nAnswer: A")).value == 0


def test_the_digests_all_differ():
    names = ["default", *multiple_choice()]
    assert len({prepare(task(), name).digest for name in names}) == len(names)


def test_lint_has_nothing_to_say_of_them():
    assert [
        found for name in multiple_choice() for found in lint(task(), variant=name) if found.level == "error"
    ] == []


def test_the_tasks_own_variant_takes_the_place_of_a_standard_one():
    own = task(variants={"chat": {"prompt": {"template": "{{ input }} MINE"}}})
    assert own.with_variant("chat").prompt.template == "{{ input }} MINE"
    assert list(own.every_variant).count("chat") == 1


def test_without_asking_for_them_there_are_none():
    with pytest.raises(TaskError, match="no variant 'letters'"):
        task(standard_variants=None).with_variant("letters")
