"""Task files over real data render the prompts that lm-evaluation-harness documents.

The prompts are those of its task files `gsm8k` 3.0, `arc_challenge` and `mmlu`; the expected texts below are
its templates filled in by hand from a row's fields, not by our renderer.
"""

from pathlib import Path
from typing import Any

import pytest

from bakeoff.nouns import Item
from bakeoff.task import Finding, Prepared, lint, load_task, prepare

pytestmark = pytest.mark.data
TASKS = Path(__file__).parent / "tasks"


def opened(name: str, file: str, data_dir: Path) -> Prepared:
    task, variant = load_task(str(TASKS / f"{name}.yaml"), data=str(data_dir / name / file))
    return prepare(task, variant)


def text(prepared: Prepared, item: Item) -> str:
    (turn,) = prepared.render(item).turns
    assert isinstance(turn, str)
    return turn


def errors(prepared: Prepared, limit: int | None = None) -> list[Finding]:
    return [finding for finding in lint(prepared.task, limit=limit) if finding.level == "error"]


def test_gsm8k_shows_five_worked_solutions_and_never_the_question_itself(data_dir: Path) -> None:
    prepared = opened("gsm8k", "data.parquet", data_dir)
    assert (prepared.n_items, prepared.chance) == (1319, 0)
    rows = {item.id: item for item in prepared.items()}

    def solved(name: str) -> str:
        return f"Question: {rows[name].input}\nAnswer: {rows[name].fields['meta']['solution']}"

    for item in prepared.items(50):
        rendered = prepared.render(item)
        assert len(set(rendered.shots)) == 5
        assert item.id not in rendered.shots
        expected = [*map(solved, rendered.shots), f"Question: {item.input}\nAnswer:"]
        assert rendered.turns == ("\n\n".join(expected),)
    assert prepared.task.generation.stop == ("Question:", "</s>", "<|im_end|>")


def test_gsm8k_lints_clean(data_dir: Path) -> None:
    """Every reference solution is read by the task's own scorer, and no stop string cuts one."""
    assert errors(opened("gsm8k", "data.parquet", data_dir)) == []


def test_arc_challenge_asks_for_the_likelihood_of_each_choices_text(data_dir: Path) -> None:
    prepared = opened("arc_challenge", "data.jsonl", data_dir)
    assert prepared.n_items == 1172
    # 4 questions with 3 options, 1165 with 4, 3 with 5.
    assert prepared.chance == pytest.approx((4 / 3 + 1165 / 4 + 3 / 5) / 1172)
    for item in prepared.items(50):
        rendered = prepared.render(item)
        assert rendered.turns == (f"Question: {item.input}\nAnswer:",)
        assert rendered.continuations == tuple(f" {choice}" for choice in item.choices)
    assert errors(prepared) == []


def test_mmlu_shows_the_five_dev_questions_of_the_subject(data_dir: Path) -> None:
    prepared = opened("mmlu", "data.parquet", data_dir)
    assert (prepared.n_items, prepared.chance) == (14042, 0.25)

    def asked(fields: Any) -> str:
        options = "".join(
            f"\n{letter}. {choice}" for letter, choice in zip("ABCD", fields["choices"], strict=True)
        )
        return f"{fields['input'].strip()}{options}\nAnswer:"

    dev: dict[str, list[Item]] = {}
    for group in prepared.pool.groups.values():
        for candidate in group:
            dev.setdefault(candidate.item.metadata["subject"], []).append(candidate.item)
    assert len(dev) == 57
    for item in list(prepared.items())[::97]:
        subject = item.metadata["subject"]
        shots = [f"{asked(each.fields)} {'ABCD'[each.target]}" for each in dev[subject]]  # type: ignore[index]
        assert len(shots) == 5
        opening = "The following are multiple choice questions (with answers) about "
        assert text(prepared, item) == (
            f"{opening}{subject.replace('_', ' ')}.\n\n" + "\n\n".join([*shots, asked(item.fields)])
        )
        assert prepared.render(item).continuations == (" A", " B", " C", " D")


def test_mmlu_holds_questions_with_the_same_choice_twice_and_lint_finds_them(data_dir: Path) -> None:
    prepared = opened("mmlu", "data.parquet", data_dir)
    twice = {item.id for item in prepared.items() if len(set(item.choices)) < 4}
    assert twice
    assert {(finding.rule, finding.item) for finding in errors(prepared)} == {
        ("duplicate-choices", name) for name in twice
    }
