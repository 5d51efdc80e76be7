"""The multiple-choice benchmarks of the catalog on all of their real rows.

Every row loads, the count is the published one, and what the linter calls an error is listed here with the
reason why it stands: it is in the benchmark.
"""

import hashlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from bakeoff.catalog.knowledge.mmlu import category
from bakeoff.nouns import FinishReason, Item, Response
from bakeoff.score import build_scorer
from bakeoff.task import lint, load_task, prepare

pytestmark = pytest.mark.data


class Real(NamedTuple):
    """`errors` counts what lint finds, by rule. `chance` is the mean of 1/number of choices, or as stated."""

    ref: str
    folder: str
    n: int
    chance: float
    errors: dict[str, int]


REAL = (
    # Nine questions have the same option twice.
    Real("mmlu", "mmlu", 14042, 0.25, {"duplicate-choices": 9}),
    # Six of them are in the sample, and the annotators found them faultless.
    Real("mmlu_redux", "mmlu_redux", 5330, 0.25, {"duplicate-choices": 6}),
    # Question 8584. Its examples are on the hub, so that a variant without any is read here.
    Real("mmlu_pro:reasoned", "mmlu_pro", 12032, 0.11086, {"duplicate-choices": 1}),
    Real("arc_easy", "arc_easy", 2376, 0.25016, {}),
    Real("arc_challenge", "arc_challenge", 1172, 0.25016, {}),
    Real("openbookqa", "openbookqa", 500, 0.25, {}),
    # The copy has empty options, which the source's semicolons left behind.
    Real("truthfulqa_mc1", "truthfulqa", 817, 0.22526, {"empty-choice": 20, "duplicate-choices": 1}),
    Real("truthfulqa_mc2", "truthfulqa", 817, 0.4483, {"empty-choice": 31, "duplicate-choices": 7}),
    Real("truthfulqa_gen", "truthfulqa", 817, 0, {"empty-choice": 20, "duplicate-choices": 1}),
    Real("hellaswag", "hellaswag", 1000, 0.25, {}),
    Real("winogrande", "winogrande", 1267, 0.5, {}),
    # 24 questions have the same option twice.
    Real("commonsense_qa", "commonsense_qa", 1221, 0.2, {"duplicate-choices": 24}),
    Real("bbh", "bbh", 6511, 0, {}),
)


def file_of(folder: Path) -> str:
    return str(next(file for file in (folder / "data.jsonl", folder / "data.parquet") if file.exists()))


@pytest.mark.parametrize("real", REAL, ids=lambda real: real.ref)
def test_every_row_loads_and_what_lint_finds_is_known(real: Real, data_dir: Path) -> None:
    task, variant = load_task(real.ref, data=file_of(data_dir / real.folder))
    prepared = prepare(task, variant)
    assert prepared.n_items == real.n
    assert prepared.chance == pytest.approx(real.chance, abs=5e-6)
    found = Counter(each.rule for each in lint(task, variant=variant) if each.level == "error")
    assert found == real.errors


@pytest.mark.parametrize("name", ["arc_easy", "openbookqa", "hellaswag", "winogrande", "truthfulqa_mc1"])
def test_every_standard_variant_renders_every_row(name: str, data_dir: Path) -> None:
    folder = "truthfulqa" if name.startswith("truthfulqa") else name
    task, _ = load_task(name, data=file_of(data_dir / folder))
    for variant in ("cloze", "listed", "letters", "chat_letters", "plain_letter", "chat", "reasoned"):
        prepared = prepare(task, variant)
        for item in prepared.items():
            rendered = prepared.render(item)
            assert len(rendered.continuations) == (
                len(item.choices) if prepared.task.ask != "generate" else 0
            )


def test_subjects_are_in_the_categories_of_the_paper(data_dir: Path) -> None:
    task, _ = load_task("mmlu:zero_shot", data=file_of(data_dir / "mmlu"))
    seen = {
        (item.metadata["subject"], item.metadata["category"]) for item in prepare(task, "zero_shot").items()
    }
    assert len(seen) == 57
    assert {(subject, category(subject)) for subject, _ in seen} == seen


def test_three_targets_of_bbh_are_none_of_the_answers_of_their_task(data_dir: Path) -> None:
    from bakeoff.catalog.reasoning.bbh import row

    task, _ = load_task("bbh", data=file_of(data_dir / "bbh"))
    items = list(prepare(task).items())
    rows = [
        row({"config": item.metadata["task"], "input": item.input, "target": item.target[0]})  # type: ignore[index]
        for item in items
    ]
    free = Counter(each["meta"]["task"] for each in rows if not each["meta"]["closed"])
    tasks = {"dyck_languages": 250, "multistep_arithmetic_two": 250, "word_sorting": 250}
    assert free == tasks | {"movie_recommendation": 1, "ruin_names": 2}


# Of lm-evaluation-harness 0.4.13 (`process_results_gen`) on every 13th question: how many of 63 answers are
# right, and the SHA-256 (16 digits) of all 63 verdicts.
VERDICTS = {
    ("best", "bleu"): (60, "91044d78d50b9019"),
    ("best", "rouge1"): (63, "60ac1bebb39f2d0b"),
    ("best", "rouge2"): (61, "e006ed0c6f823f4a"),
    ("best", "rougeL"): (63, "60ac1bebb39f2d0b"),
    ("false", "bleu"): (0, "c7dc2d25e306355c"),
    ("false", "rouge1"): (0, "c7dc2d25e306355c"),
    ("false", "rouge2"): (0, "c7dc2d25e306355c"),
    ("false", "rougeL"): (0, "c7dc2d25e306355c"),
    ("both", "bleu"): (27, "a18b581b0ec76532"),
    ("both", "rouge1"): (25, "a90e90a7bf4888b8"),
    ("both", "rouge2"): (25, "a90e90a7bf4888b8"),
    ("both", "rougeL"): (25, "a90e90a7bf4888b8"),
}


@pytest.mark.parametrize(("said", "measure"), VERDICTS)
def test_answers_to_truthfulqa_are_judged_as_by_the_harness(said: str, measure: str, data_dir: Path) -> None:
    pytest.importorskip("sacrebleu")
    pytest.importorskip("rouge_score")
    task, _ = load_task("truthfulqa_gen", data=file_of(data_dir / "truthfulqa"))
    scorer = build_scorer({**task.scorer, "measure": measure})

    def answer(item: Item) -> str:
        true, false = item.metadata["correct_answers"], item.metadata["incorrect_answers"]
        answers = {
            "best": item.metadata["best_answer"],
            "false": false[0],
            "both": f"{true[-1]}, but {false[-1]}",
        }
        return str(answers[said])

    items = list(prepare(task).items())[::13]
    scores = [scorer(item, Response(text=answer(item), finish=FinishReason.STOP)) for item in items]
    verdicts = "".join(f"{score.value:.0f}" for score in scores)
    assert (verdicts.count("1"), hashlib.sha256(verdicts.encode()).hexdigest()[:16]) == VERDICTS[
        said, measure
    ]
