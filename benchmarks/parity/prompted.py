"""Whose prompts are held against ours: the harness's tasks, and rows in the layout of their data sets.

An entry is one task of the catalog in one variant. Rows come from the evaluation data, put into the hub's
columns, or are invented here where the data may not be shown (GPQA) or is not there (MuSR).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .rows import Row, decoded, read_rows

Hub = dict[str, Any]
COUNT = 3
"""Rows asked of each task of the catalog."""


@dataclass(frozen=True)
class Prompted:
    """`ref` is our NAME[:VARIANT].

    `peers` are the harness's task files under its `tasks`, by the key that `belongs` finds in the rows each
    is asked on (one file with the key "" for all). `file` holds the rows, under the data folder, and `hub`
    puts one of them (decoded) into the hub's columns; or `invented` are rows in these columns.

    `examples` rows more, of those that `pool` takes, are shown before each question in their order, changed
    by `example`; the harness gets them as the split `pool`. With 0 it brings its own, or shows none.
    `settings` go over the harness's. `in_order`: it must not shuffle options. `reader_adds`: the prompt needs
    columns that our reader makes and the rows of the evaluation data lack.
    """

    ref: str
    peers: Mapping[str, str]
    file: str = ""
    hub: Callable[[Row], Hub] | None = None
    invented: Sequence[Hub] = ()
    belongs: Callable[[Row], str] = lambda _: ""
    examples: int = 0
    pool: Callable[[Row], bool] = lambda _: True
    example: Callable[[Hub], Hub] = lambda row: row
    split: str = "test"
    settings: Mapping[str, Any] = field(default_factory=dict)
    in_order: bool = False
    reader_adds: bool = False

    @property
    def name(self) -> str:
        """That of the golden file: the ref with a dot."""
        return self.ref.replace(":", ".")

    def asked(self, data: Path) -> dict[str, tuple[list[Row], list[Row]]]:
        """For each peer the rows that are asked and the examples, as the evaluation data has them."""
        if not self.file:
            return {key: ([*self.invented], []) for key in self.peers}
        rows = [decoded_row(row) for row in read_rows(data / self.file)]
        count = COUNT // len(self.peers)
        found = {}
        for key in self.peers:
            own = [row for row in rows if self.belongs(row) == key]
            test = [row for row in own if row["split"] == self.split]
            # Spread over the file; examples are other rows.
            step = max(1, len(test) // count)
            asked = [test[step * number] for number in range(count)]
            others = [row for row in own if self.pool(row) and row not in asked]
            found[key] = (asked, others[: self.examples])
        return found

    def columns(self, row: Row) -> Hub:
        """The row in the hub's columns."""
        return dict(row) if self.hub is None else self.hub(row)


def prompt_digest(texts: Iterable[str]) -> str:
    """SHA-256 of a prompt, with its continuation where it has one."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def decoded_row(row: Row) -> dict[str, Any]:
    """The row with target and metadata decoded, whatever kind of target it has."""
    meta, target = row["meta"], row["target"]
    if isinstance(meta, str):
        return {**row, "meta": json.loads(meta), "target": json.loads(target)}
    return dict(row) if not isinstance(target, str) or not row.get("choices") else decoded(row)


def _labelled(question: str) -> Callable[[Row], Hub]:
    def hub(row: Row) -> Hub:
        labels = row["meta"].get("labels") or list("ABCDEFGH")[: len(row["choices"])]
        return {
            "id": row["id"],
            question: row["input"],
            "question_concept": row["meta"].get("concept", ""),
            "choices": {"text": row["choices"], "label": labels},
            "answerKey": labels[row["target"]],
        }

    return hub


def _mmlu(row: Row) -> Hub:
    return {
        "question": row["input"],
        "subject": row["meta"]["subject"],
        "choices": row["choices"],
        "answer": row["target"],
    }


def _mmlu_pro(row: Row) -> Hub:
    return {
        "question_id": int(row["id"]),
        "question": row["input"],
        "options": row["choices"],
        "answer": "ABCDEFGHIJ"[row["target"]],
        "answer_index": row["target"],
        "cot_content": "",
        "category": row["meta"]["category"],
        "src": row["meta"]["src"],
    }


def _thought(row: Hub) -> Hub:
    """An invented worked answer, in the form of the validation split."""
    return {**row, "cot_content": f"A: Let's think step by step. It is so. The answer is ({row['answer']})."}


def _hellaswag(row: Row) -> Hub:
    # The rows have the harness's own cleaning behind them; it changes nothing the second time.
    activity = row["meta"]["activity"]
    return {
        "ind": int(row["id"]),
        "activity_label": activity,
        "ctx_a": row["input"].removeprefix(f"{activity}: "),
        "ctx_b": "",
        "endings": row["choices"],
        "source_id": "activitynet~v_1",
        "label": str(row["target"]),
    }


def _winogrande(row: Row) -> Hub:
    one, other = row["choices"]
    return {"sentence": row["input"], "option1": one, "option2": other, "answer": str(row["target"] + 1)}


def _truthfulqa(row: Row) -> Hub:
    meta = row["meta"]
    labels = [int(index == row["target"]) for index in range(len(row["choices"]))]
    return {
        "question": row["input"],
        "mc1_targets": {"choices": row["choices"], "labels": labels},
        "mc2_targets": {"choices": meta["mc2_choices"], "labels": meta["mc2_labels"]},
    }


def _bbh(row: Row) -> Hub:
    return {"input": row["input"], "target": row["target"], "config": row["meta"]["task"]}


def _gsm8k(row: Row) -> Hub:
    return {"question": row["input"], "answer": row["meta"]["solution"]}


def _math(row: Row) -> Hub:
    meta = row["meta"]
    level = f"Level {meta['level']}"
    return {"problem": row["input"], "level": level, "type": meta["subject"], "solution": meta["solution"]}


def _math_500(row: Row) -> Hub:
    meta = row["meta"]
    return {
        "problem": row["input"],
        "solution": meta["solution"],
        "answer": row["target"],
        "subject": meta["subject"],
        "level": meta["level"],
        "unique_id": row["id"],
    }


def _drop(row: Row) -> Hub:
    given = row["meta"]["answer"]
    date = {part: given["date"].get(part, "") for part in ("day", "month", "year")}
    return {
        "section_id": row["id"].partition("/")[0],
        "query_id": row["meta"]["query_id"],
        "passage": row["context"],
        "question": row["input"],
        "answer": {"number": given["number"], "date": date, "spans": given["spans"]},
        "validated_answers": {"number": [], "date": [], "spans": []},
    }


def _ifeval(row: Row) -> Hub:
    return {
        "key": int(row["id"]),
        "prompt": row["input"],
        "instruction_id_list": [each["instruction_id"] for each in row["target"]],
        "kwargs": [each["kwargs"] for each in row["target"]],
    }


def _subject(row: Row) -> str:
    return str(row["meta"]["subject"])


def _category(row: Row) -> str:
    return str(row["meta"]["category"])


def _task(row: Row) -> str:
    return str(row["meta"]["task"])


_FIRST = {"fewshot_config": {"sampler": "first_n"}, "fewshot_split": "pool"}
_ARC, _HELLASWAG, _WINOGRANDE = (
    "arc/arc_challenge.yaml",
    "hellaswag/hellaswag.yaml",
    "winogrande/default.yaml",
)
_SUBJECTS = ("abstract_algebra", "us_foreign_policy", "high_school_european_history")
_CATEGORIES = ("biology", "computer science", "law")
_BBH_TASKS = ("date_understanding", "object_counting", "snarks")

_GPQA = tuple(
    {
        "Record ID": f"rec{number}",
        "Question": f"Which of these {thing} is the {number}th?\nOne is.",
        "Correct Answer": f"the {number}th, [Fe(CN)6]4- \n",
        "Incorrect Answer 1": f" the first of  all {thing}",
        "Incorrect Answer 2": "[none] of them",
        "Incorrect Answer 3": "both [title] and more",
        "High-level domain": "Chemistry",
        "Subdomain": "Made up",
    }
    for number, thing in enumerate(("salts", "waves", "cells"), 4)
)
_MUSR = tuple(
    {
        "narrative": f"{who} came home late.\n\nThe door was open, and nobody had seen {who}.",
        "question": f"Who most likely opened the door for {who}?",
        "choices": repr([f"{who}'s sister", "the neighbour", "the 'quiet' lodger"][:count]),
        "answer_index": 1,
        "answer_choice": "the neighbour",
    }
    for who, count in (("Ada", 2), ("Bo", 3), ("Cleo", 3))
)

PROMPTED = (
    Prompted(
        "mmlu",
        {subject: f"mmlu/default/mmlu_{subject}.yaml" for subject in _SUBJECTS},
        "mmlu/data.parquet",
        _mmlu,
        belongs=_subject,
        examples=5,
        pool=lambda row: row["split"] == "dev",
        settings={"fewshot_split": "pool", "num_fewshot": 5},
    ),
    Prompted(
        "mmlu_pro:plain",
        {name: f"mmlu_pro/mmlu_pro_{name.replace(' ', '_')}.yaml" for name in _CATEGORIES},
        "mmlu_pro/data.parquet",
        _mmlu_pro,
        belongs=_category,
        examples=5,
        example=_thought,
        settings={"fewshot_split": "pool"},
        reader_adds=True,
    ),
    Prompted(
        "mmlu_pro:open-llm-v2",
        {"": "leaderboard/mmlu_pro/mmlu_pro.yaml"},
        "mmlu_pro/data.parquet",
        _mmlu_pro,
        examples=5,
        settings={"fewshot_split": "pool"},
    ),
    Prompted("arc_easy", {"": "arc/arc_easy.yaml"}, "arc_easy/data.parquet", _labelled("question")),
    Prompted("arc_challenge", {"": _ARC}, "arc_challenge/data.jsonl", _labelled("question")),
    Prompted(
        "arc_challenge:open-llm-v1",
        {"": _ARC},
        "arc_challenge/data.jsonl",
        _labelled("question"),
        examples=25,
        settings={**_FIRST, "num_fewshot": 25},
    ),
    Prompted(
        "openbookqa", {"": "openbookqa/openbookqa.yaml"}, "openbookqa/data.jsonl", _labelled("question_stem")
    ),
    Prompted(
        "truthfulqa_mc1:lm-eval",
        {"": "truthfulqa/truthfulqa_mc1.yaml"},
        "truthfulqa/data.parquet",
        _truthfulqa,
        split="validation",
    ),
    Prompted(
        "truthfulqa_mc2:open-llm-v1",
        {"": "truthfulqa/truthfulqa_mc2.yaml"},
        "truthfulqa/data.parquet",
        _truthfulqa,
        split="validation",
    ),
    Prompted("hellaswag", {"": _HELLASWAG}, "hellaswag/data.parquet", _hellaswag, split="validation"),
    Prompted(
        "hellaswag:open-llm-v1",
        {"": _HELLASWAG},
        "hellaswag/data.parquet",
        _hellaswag,
        split="validation",
        examples=10,
        settings={**_FIRST, "num_fewshot": 10},
    ),
    Prompted("winogrande", {"": _WINOGRANDE}, "winogrande/data.jsonl", _winogrande, split="validation"),
    Prompted(
        "winogrande:open-llm-v1",
        {"": _WINOGRANDE},
        "winogrande/data.jsonl",
        _winogrande,
        split="validation",
        examples=5,
        settings={**_FIRST, "num_fewshot": 5},
    ),
    Prompted(
        "commonsense_qa",
        {"": "commonsense_qa/default.yaml"},
        "commonsense_qa/data.jsonl",
        _labelled("question"),
        split="validation",
    ),
    Prompted(
        "gpqa_main:open-llm-v2",
        {"": "leaderboard/gpqa/gpqa_main_zeroshot.yaml"},
        invented=_GPQA,
        in_order=True,
    ),
    Prompted(
        "musr_murder_mysteries:open-llm-v2",
        {"": "leaderboard/musr/musr_murder_mysteries.yaml"},
        invented=_MUSR,
    ),
    *(
        Prompted(
            f"bbh:{variant}",
            {task: f"{folder}/{task}.yaml" for task in _BBH_TASKS},
            "bbh/data.parquet",
            _bbh,
            belongs=_task,
            reader_adds=variant == "open-llm-v2",
        )
        for variant, folder in (
            ("cot", "bbh/cot_fewshot"),
            ("direct", "bbh/fewshot"),
            ("open-llm-v2", "leaderboard/bbh_mc"),
        )
    ),
    *(
        Prompted(
            f"gsm8k:{variant}",
            {"": "gsm8k/gsm8k.yaml"},
            "gsm8k/data.parquet",
            _gsm8k,
            examples=5,
            settings={**_FIRST, "num_fewshot": 5},
        )
        for variant in ("lm-eval", "open-llm-v1")
    ),
    Prompted(
        "math_hard:open-llm-v2",
        {"5": "leaderboard/math/math_algebra.yaml"},
        "math_500/data.jsonl",
        _math,
        belongs=lambda row: str(row["meta"]["level"]),
    ),
    Prompted("math_500:minerva", {"": "minerva_math/minerva_math500.yaml"}, "math_500/data.jsonl", _math_500),
    Prompted("drop:lm-eval", {"": "drop/default.yaml"}, "drop_fixture/data.jsonl", _drop, split="fixture"),
    Prompted("ifeval:open-llm-v2", {"": "ifeval/ifeval.yaml"}, "ifeval/data.jsonl", _ifeval),
)
"""One entry for each prompt of the catalog that the harness has too."""
