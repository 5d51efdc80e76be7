"""What is compared: our task files beside the harness's own, on the same rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.rows import Row

SUBJECTS = ("abstract_algebra", "business_ethics")
"""Whole subjects of MMLU, 100 questions each, so that five-shot openings are shared as in a real run."""

Columns = Callable[[Row], dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """`name` is that of our file under tests/conformance/tasks; `data` has its rows, under the data folder.

    `peer` names the harness's task files, under its `tasks`: one, or one for each of `subjects`, which
    begin the ids of their rows. `columns` puts one of our rows (decoded) into the columns that these files
    read and `settings` replaces settings of theirs. With `examples_of_peer` the worked examples are those in
    the harness's own prompt, and ours is asked with a copy of them.
    """

    name: str
    data: str
    peer: tuple[str, ...]
    columns: Columns
    settings: Mapping[str, Any] = field(default_factory=dict)
    subjects: tuple[str, ...] = ()
    examples_of_peer: bool = False

    def rows(self, rows: Sequence[Row], items: int) -> list[Row]:
        """The first `items` rows, as many of each subject; then those that are only shown as examples."""
        if not self.subjects:
            return list(rows[:items])
        of = [[row for row in rows if str(row["id"]).startswith(f"{name}/")] for name in self.subjects]
        asked = [row for each in of for row in _of_split(each, "test")[: items // len(of)]]
        return [*asked, *(row for each in of for row in _of_split(each, "dev"))]


def _of_split(rows: Sequence[Row], split: str) -> list[Row]:
    return [row for row in rows if row["split"] == split]


def _lettered(row: Row) -> dict[str, Any]:
    labels = row["meta"].get("labels") or list("ABCDEFGH")[: len(row["choices"])]
    return {"choices": {"text": row["choices"], "label": labels}, "answerKey": labels[row["target"]]}


def _arc(row: Row) -> dict[str, Any]:
    return {"question": row["input"], **_lettered(row)}


def _openbookqa(row: Row) -> dict[str, Any]:
    return {"question_stem": row["input"], **_lettered(row)}


def _hellaswag(row: Row) -> dict[str, Any]:
    # The rows have the harness's own cleaning behind them; it changes nothing the second time.
    activity = row["meta"]["activity"]
    context = row["input"].removeprefix(f"{activity}: ")
    label = str(row["target"])
    return {
        "activity_label": activity,
        "ctx_a": context,
        "ctx_b": "",
        "endings": row["choices"],
        "label": label,
    }


def _mmlu(row: Row) -> dict[str, Any]:
    return {"question": row["input"], "choices": row["choices"], "answer": row["target"]}


def _winogrande(row: Row) -> dict[str, Any]:
    one, other = row["choices"]
    return {"sentence": row["input"], "option1": one, "option2": other, "answer": str(row["target"] + 1)}


def _truthfulqa(row: Row) -> dict[str, Any]:
    labels = [int(index == row["target"]) for index in range(len(row["choices"]))]
    return {"question": row["input"], "mc1_targets": {"choices": row["choices"], "labels": labels}}


FIRST_ROWS = {"fewshot_config": {"sampler": "first_n"}, "fewshot_split": "test"}

COMPARISONS = (
    Comparison("arc_challenge", "arc_challenge/data.jsonl", ("arc/arc_challenge.yaml",), _arc),
    Comparison("hellaswag", "hellaswag/data.parquet", ("hellaswag/hellaswag.yaml",), _hellaswag),
    Comparison(
        "mmlu",
        "mmlu/data.parquet",
        tuple(f"mmlu/default/mmlu_{subject}.yaml" for subject in SUBJECTS),
        _mmlu,
        settings={"fewshot_split": "dev", "num_fewshot": 5},
        subjects=SUBJECTS,
    ),
    Comparison("winogrande", "winogrande/data.jsonl", ("winogrande/default.yaml",), _winogrande),
    Comparison(
        "truthfulqa_mc1",
        "truthfulqa/data.parquet",
        ("truthfulqa/truthfulqa_mc1.yaml",),
        _truthfulqa,
        examples_of_peer=True,
    ),
    Comparison(
        "openbookqa",
        "openbookqa/data.jsonl",
        ("openbookqa/openbookqa.yaml",),
        _openbookqa,
        settings={**FIRST_ROWS, "num_fewshot": 5},
    ),
)

TRUTHFULQA_BY_ROWS = Comparison(
    "truthfulqa_mc1",
    "truthfulqa/data.parquet",
    ("truthfulqa/truthfulqa_mc1.yaml",),
    _truthfulqa,
    settings={**FIRST_ROWS, "num_fewshot": 6, "doc_to_text": "Q: {{question}}\nA:"},
)
"""TruthfulQA with six rows of the data as its examples, in place of the harness's six: for golden values that
need no text but the data's."""
