"""Each lint rule finds its fault, and finds nothing in a sound task."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bakeoff.nouns import Input
from bakeoff.task import Finding, Task, lint
from tests.task.writing import write_task

ROWS = [
    {"id": "a", "input": "Which is a fruit?", "choices": ["apple", "stone", "chair"], "target": 0},
    {"id": "b", "input": "Which is a metal?", "choices": ["wool", "iron", "bread"], "target": 1},
    {"id": "c", "input": "Which is a bird?", "choices": ["trout", "tiger", "robin"], "target": 2},
]
LISTED = "{{ input }}{% for c in choices %}\n{{ letters[loop.index0] }}. {{ c }}{% endfor %}\nAnswer:"
BASE: dict[str, Any] = {
    "name": "t",
    "data": ROWS,
    "prompt": {"template": LISTED},
    "options": "letters",
    "scorer": "choice",
}
FREE: dict[str, Any] = {
    "name": "t",
    "data": [{"id": str(i), "input": f"{i} + 0.25?", "target": f"{i}.25"} for i in range(4)],
    "scorer": "number",
}


def found(base: Mapping[str, Any] = BASE, **changes: Any) -> list[Finding]:
    return lint(Task(**dict(base) | changes))


def with_row(**changes: Any) -> list[dict[str, Any]]:
    return [*ROWS[:2], ROWS[2] | changes]


@pytest.mark.parametrize("base", [BASE, FREE])
def test_a_sound_task_has_no_findings(base: Mapping[str, Any]) -> None:
    assert found(base) == []


OTHER = ROWS[1] | {"id": "q", "input": "Which is a fibre?"}
PLAIN = {"kind": "plain", "template": LISTED}
LIKELY: dict[str, Any] = {"ask": "loglikelihood", "scorer": "loglikelihood"}
CASES: dict[str, tuple[Mapping[str, Any], dict[str, Any], str, str | None, str]] = {
    "duplicate-choices": (
        BASE,
        {"data": with_row(choices=["owl", "owl", "cow"])},
        "error",
        "c",
        "'owl' is there 2 times",
    ),
    "equal-choices": (
        BASE,
        {"data": with_row(choices=["Owl", "owl ", "cow"])},
        "warning",
        "c",
        "case or white space",
    ),
    "empty-choice": (
        BASE,
        {"data": with_row(choices=["owl", " ", "cow"])},
        "error",
        "c",
        "choice 2 is empty",
    ),
    "missing-gold": (BASE, {"data": with_row(target=None)} | LIKELY, "error", "c", "no choice is marked"),
    "empty-target": (
        FREE,
        {"data": [*FREE["data"], {"id": "z", "input": "?", "target": ""}], "scorer": "exact"},
        "error",
        "z",
        "no accepted answer",
    ),
    "gold-skew": (
        BASE,
        {
            "data": [
                row | {"id": f"{i}", "input": f"{i}?", "target": 0} for i in range(20) for row in ROWS[:1]
            ]
        },
        "warning",
        None,
        "choice 1 is the right one in 20 of 20 items (100%, by chance 33%)",
    ),
    "duplicate-items": (BASE, {"data": [*ROWS, ROWS[0] | {"id": "z"}]}, "warning", "z", "the same as item a"),
    "leaked-shots": (
        BASE,
        {"shots": {"n": 1, "data": [ROWS[0] | {"id": "p", "input": "WHICH is a fruit? "}, OTHER]}},
        "warning",
        "a",
        "the example p asks the same",
    ),
    "repeated-shots": (
        BASE,
        {"shots": {"n": 2, "data": [ROWS[0] | {"id": name, "input": "Which is food?"} for name in "pq"]}},
        "warning",
        None,
        "the examples p and q ask the same",
    ),
    "unrenderable": (
        BASE,
        {"data": with_row(input="?", x=1)[::-1], "prompt": {"template": LISTED + "{{ x }}"}},
        "error",
        "b",
        "'x' is undefined",
    ),
    "ignored-input": (
        BASE,
        {"prompt": {"template": "{{ choices }}{{ letters }}"}},
        "warning",
        None,
        "does not use `input`",
    ),
    "hidden-choices": (
        BASE,
        {"prompt": {"template": "{{ input }}"}},
        "error",
        "a",
        "'apple' is not in the prompt",
    ),
    "shown-gold": (BASE, {"prompt": {"template": LISTED + "{{ target }}"}}, "error", None, "uses 'target'"),
    "wrong-labels": (
        BASE,
        {"prompt": {"template": LISTED, "system": "Answer with A or B."}},
        "error",
        "a",
        "'A or B', but there are 3 choices",
    ),
    "stop-in-answer": (
        FREE,
        {"generation": {"stop": ["."]}},
        "error",
        None,
        "the stop string '.' is in the answer of item 0 and 3 more: '0.25'",
    ),
    "unclean-boundary": (
        BASE,
        {"prompt": PLAIN | {"template": LISTED + " "}},
        "warning",
        None,
        "ends in white space",
    ),
    "equal-continuations": (
        BASE | LIKELY,
        {"options": "texts", "prompt": {"kind": "plain", "template": LISTED, "answer": "the same"}},
        "error",
        "a",
        "have the same continuation ' the same'",
    ),
    "unread-gold": (FREE, {"data": [{"id": "a", "input": "?", "target": "many"}]}, "error", "a", "many"),
}


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_finds_its_fault(rule: str) -> None:
    base, changes, level, item, message = CASES[rule]
    findings = [finding for finding in found(base, **changes) if finding.rule == rule]
    assert (level, item) in [(finding.level, finding.item) for finding in findings]
    assert any(message in finding.message for finding in findings)


def test_a_stop_string_in_the_answer_of_an_example_is_an_error() -> None:
    """A stop at a line break cuts the worked solutions that the examples teach."""
    task = FREE | {
        "shots": {"n": 1},
        "prompt": {"kind": "plain", "answer": "First.\nThe answer is {{ target }}"},
        "generation": {"stop": ["\n"]},
    }
    assert [f.message[:60] for f in found(task) if f.rule == "stop-in-answer"] == [
        r"the stop string '\n' is in the answer of example 0 and 1 mor"
    ]


def test_examples_that_teach_an_answer_the_scorer_gets_wrong_are_an_error() -> None:
    task = FREE | {"shots": {"n": 1}, "prompt": {"answer": "{{ target }}, or so. The answer is 7."}}
    findings = [finding for finding in found(task) if finding.rule == "unread-gold"]
    assert len(findings) == 4
    assert "the right answer scores 0" in findings[0].message


@pytest.mark.parametrize(
    ("template", "fits"),
    [
        ("Reply A, B or C.", True),
        ("Reply A, B, C, or D.", False),
        ("Reply A/B/C.", True),
        ("Reply A-C.", True),
        ("Reply with one letter of ABC.", True),
        ("Reply with one letter of ABCD.", False),
        ("Reply (A), (B), or (C).", True),
        ("A to D: which?", False),
        ("A plan and B-movies.", True),
    ],
)
def test_letters_named_in_a_prompt_are_held_against_the_number_of_choices(template: str, fits: bool) -> None:
    findings = found(prompt={"template": LISTED, "system": template})
    assert ("wrong-labels" not in {finding.rule for finding in findings}) == fits


def test_gold_skew_is_silent_about_a_small_imbalance_however_sure() -> None:
    """1100 of 2000 has p = 4e-6 under a fair coin, and gains a guesser five points at most."""
    rows = [
        {"id": str(i), "input": f"{i}?", "choices": ["x", "y"], "target": int(i >= 1100)} for i in range(2000)
    ]
    assert found(data=rows) == []


def test_gold_skew_is_silent_about_chance_and_about_shuffled_choices() -> None:
    even = [ROWS[0] | {"id": f"{i}", "input": f"{i}?", "target": i % 3} for i in range(60)]
    first = [row | {"target": 0} for row in even]
    assert "gold-skew" not in {finding.rule for finding in found(data=even)}
    assert "gold-skew" in {finding.rule for finding in found(data=first)}
    assert "gold-skew" not in {finding.rule for finding in found(data=first, shuffle_choices=True)}


@pytest.mark.parametrize(
    ("template", "delimiter", "clean"),
    [
        ("{{ input }}\nAnswer:", " ", True),
        ("{{ input }}\nAnswer: ", "", False),
        ("{{ input }}\nAnswer: ", " ", False),
        ("{{ input }}\nAnswer:\n", " ", False),
        ("{{ input }}\nAnswer:\n", "", True),
        ("{{ input }} Answer", "", False),
    ],
)
def test_prompt_and_continuation_must_meet_at_a_token_boundary(
    template: str, delimiter: str, clean: bool
) -> None:
    prompt = {"kind": "plain", "template": template, "delimiter": delimiter}
    findings = found(prompt=prompt, options="texts", **LIKELY)
    assert ("unclean-boundary" not in {finding.rule for finding in findings}) == clean


GAP: dict[str, Any] = {
    "name": "gaps",
    "data": [
        {"id": after, "input": f"As the _ {after}", "after": after, "choices": ["cat", "dog"], "target": n}
        for n, after in enumerate(("purred.", "barked."))
    ],
    "prompt": {
        "kind": "plain",
        "template": "",
        "lead": "As the {{ target }}",
        "answer": "{{ after }}",
    },
    **LIKELY,
}


def test_options_that_fill_a_gap_may_share_their_continuation() -> None:
    """Both items have one prompt and the same leads; only what follows tells them apart."""
    assert found(GAP) == []


@pytest.mark.parametrize(
    ("lead", "rule"),
    [
        ("As the", "equal-continuations"),
        ("As the {{ target }} ", "unclean-boundary"),
        ("As the {{ gold }}", "shown-gold"),
    ],
)
def test_a_faulty_lead_is_found(lead: str, rule: str) -> None:
    data = [{**row, "gold": row["target"]} for row in GAP["data"]]
    findings = found(GAP, prompt=GAP["prompt"] | {"lead": lead}, data=data, fields={"target": "gold"})
    assert rule in {finding.rule for finding in findings}


def test_a_lead_counts_towards_the_context() -> None:
    task = Task(**GAP)
    assert lint(task, count_tokens=words, context=4) == []
    assert {f.rule for f in lint(task, count_tokens=words, context=3)} == {"over-context"}


def words(asked: Input) -> int:
    text = asked if isinstance(asked, str) else " ".join(message.text for message in asked)
    return len(text.split())


def test_a_prompt_over_the_context_is_an_error_and_one_that_loses_shots_a_warning() -> None:
    rows = [{"id": str(n), "input": "word " * n, "target": "x"} for n in (10, 20, 40)]
    task = Task(
        name="t",
        data=rows,
        scorer="exact",
        shots={"n": 1, "rule": "fixed", "data": [{"id": "s", "input": "one two", "target": "x"}]},
        generation={"max_tokens": 5},
    )
    findings = lint(task, count_tokens=words, context=26)
    # With its example an item takes 3 words more, and 5 are kept for the answer.
    assert [(finding.level, finding.item) for finding in findings] == [("error", "40"), ("warning", "20")]
    assert "needs 45 tokens even without shots (5 for the answer); the context has 26" in findings[0].message
    assert lint(task, count_tokens=words, context=48) == []
    assert lint(task, context=26) == []


def test_the_context_must_hold_the_longest_continuation() -> None:
    task = Task(
        **BASE
        | LIKELY
        | {"options": "texts", "prompt": {"kind": "plain"}, "data": with_row(choices=["a b c d", "x", "y"])}
    )
    assert {f.item for f in lint(task, count_tokens=words, context=7) if f.rule == "over-context"} == {"c"}


def test_a_generator_whose_rows_change_with_their_number_is_an_error() -> None:
    def sound(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        yield from ({"input": f"{i}?", "target": "x"} for i in range(n))

    def drawn_from_all(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        yield from ({"input": f"{i} of {n}?", "target": "x"} for i in range(n))

    rules = {}
    for function in (sound, drawn_from_all):
        task = Task(name="t", data={"generator": function, "n": 60}, scorer="exact")
        rules[function] = {finding.rule for finding in lint(task)}
    assert rules == {sound: set(), drawn_from_all: {"unstable-generator"}}


def test_a_task_that_cannot_be_prepared_has_one_finding_that_says_why(tmp_path: Path) -> None:
    findings = lint(Task(name="t", data={"file": tmp_path / "none.jsonl"}, scorer="exact"))
    assert [(finding.level, finding.rule) for finding in findings] == [("error", "readable")]
    assert "there is no file" in findings[0].message


def test_lint_looks_at_the_variant_and_at_the_first_rows_it_is_told(tmp_path: Path) -> None:
    from bakeoff.task import load_task

    path = write_task(
        tmp_path,
        "name: t\ndata: {file: items.jsonl}\nfields: {input: question, choices: options, target: answer}\n"
        "prompt: {template: '{{ input }} {{ choices }}'}\nscorer: choice\noptions: letters\n"
        "variants: {bare: {prompt: {template: '{{ input }}'}}}\n",
    )
    task, _ = load_task(str(path))
    assert lint(task) == []
    assert {finding.rule for finding in lint(task, variant="bare", limit=1)} == {"hidden-choices"}
    assert {finding.item for finding in lint(task, variant="bare", limit=1)} == {"nile"}
