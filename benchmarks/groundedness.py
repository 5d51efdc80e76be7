"""A small model as judge of groundedness on answers that people labelled, beside rules that cost nothing.

    python benchmarks/groundedness.py DATA OUT [SET [N [MODEL]]]     # begin_wow, 30, gguf:smollm2 by default

DATA has the recorded sets begin_wow and summedits. N answers of the set are drawn, and judged by
`rag/groundedness` twice: held to the form of a verdict, and free. An answer counts as grounded where each of
its sentences is at the best level. OUT gets the runs, which `bakeoff show` opens.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from bakeoff import Task
from bakeoff.judging import read_rubric
from bakeoff.run import evaluate
from bakeoff.score.overlap import share_of_words, support
from bakeoff.score.token_f1 import token_f1
from bakeoff.stats.classes.balanced import balanced_accuracy
from bakeoff.stats.classes.rare import detection
from bakeoff.stats.confidence.auroc import auroc
from bakeoff.stats.interval import Interval
from bakeoff.store import read_samples
from bakeoff.verdicts import Asking, judge_run, opinions

TOKENS = {"begin_wow": 300, "summedits": 600}
GOOD = {"begin_wow": "Fully attributable", "summedits": "consistent"}


@dataclass(frozen=True)
class Answer:
    """An answer, what it had to rest on, and whether people say that it does."""

    id: str
    question: str
    context: str
    text: str
    good: bool


def main() -> None:
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    name, count, model = (*sys.argv[3:6], *("begin_wow", "30", "gguf:smollm2")[len(sys.argv) - 3 :])
    answers = drawn(data, name, int(count))
    good = sum(answer.good for answer in answers)
    print(f"{name}: {len(answers)} answers, {good} good by people's labels", flush=True)
    for who, values in rules(answers):
        print(line(who, values, answers), flush=True)
    run = recorded(answers, name, out)
    for held in (True, False):
        print(judged(run, answers, name, model, held, out), flush=True)


def drawn(data: Path, name: str, count: int) -> list[Answer]:
    """Answers in a random order of their own; BEGIN's generic ones, neither good nor bad, are left out."""
    question = "input" if name == "begin_wow" else "'Summarise the document.'"
    rows = duckdb.sql(
        f"SELECT id, {question}, context, output, label FROM '{data / name / 'data.parquet'}' ORDER BY id"
    ).fetchall()
    found = [
        Answer(*texts, json.loads(label) == GOOD[name]) for *texts, label in rows if "Generic" not in label
    ]
    return sorted(random.Random(f"groundedness {name}").sample(found, count), key=lambda each: each.id)


def rules(answers: Sequence[Answer]) -> Iterator[tuple[str, list[float | None]]]:
    sentences = [support(each.text, each.context) for each in answers]
    yield "words in the context", [share_of_words(each) if each else None for each in sentences]
    yield (
        "sentences supported",
        [sum(one.supported for one in each) / len(each) if each else None for each in sentences],
    )
    yield "token F1 with the context", [token_f1(each.text, each.context) for each in answers]


def recorded(answers: Sequence[Answer], name: str, out: Path) -> Path:
    """The answers as the run of a recorded model."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{name}.jsonl"
    file.write_text("".join(json.dumps({"id": a.id, "output": a.text}) + "\n" for a in answers))
    items: list[dict[str, Any]] = [
        {"id": a.id, "input": a.question, "target": "-", "metadata": {"context": [a.context]}}
        for a in answers
    ]
    task = Task(name=name, data={"items": items}, scorer="supported")
    return evaluate(task, f"recorded:{file}", out=out, cache=False).folder


def judged(run: Path, answers: Sequence[Answer], name: str, model: str, held: bool, out: Path) -> str:
    asking = Asking(model, max_tokens=TOKENS[name], constrain=held)
    verdicts, made = judge_run(run, read_rubric("rag/groundedness"), asking, out=out)
    values = {sample.item_id: sample.score.value for sample in read_samples(made)}
    text = line(
        f"{model}, {'held to the form' if held else 'free'}", [values[a.id] for a in answers], answers
    )
    said = list(opinions(verdicts))
    choices = [finding.choice for each in said for finding in each.findings]
    rubric = read_rubric("rag/groundedness")
    criterion = rubric.criteria[0]
    levels = ", ".join(f"{criterion.named(each)} {choices.count(each)}" for each in rubric.choices(criterion))
    problems = sorted({each.problem[:100] for each in said if not each.findings})
    return "\n".join(
        [text, f"    verdicts on sentences: {levels}", *(f"    {each}" for each in problems[:8])]
    )


def line(who: str, values: Sequence[float | None], answers: Sequence[Answer]) -> str:
    """Over the answers with a value: AUROC, and balanced accuracy where only 1 counts as grounded."""
    known = [(value, each.good) for value, each in zip(values, answers, strict=True) if value is not None]
    text = f"  {who}: {len(known)} of {len(answers)} with a value"
    if {good for _, good in known} != {True, False}:
        return text
    area = auroc([value for value, _ in known], [good for _, good in known])
    flags = [value == 1 for value, _ in known]
    found = detection(flags, [good for _, good in known], draws=1)
    balanced = balanced_accuracy(found.recall, found.specificity)
    shown = "" if balanced is None else f"{balanced.value:.3f} {limits(balanced.interval)}"
    return (
        f"{text}; AUROC {area.value:.3f} {limits(area.interval)}; called grounded {sum(flags)}; "
        f"balanced accuracy {shown}"
    )


def limits(interval: Interval) -> str:
    return f"[{interval.low:.3f}, {interval.high:.3f}]"


if __name__ == "__main__":
    main()
