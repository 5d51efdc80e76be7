"""Runs that a rule judged, and people's labels of them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from bakeoff import Item, Task, evaluate
from bakeoff.judging import Rubric, rubric_of
from bakeoff.verdicts import Asking, judge_pairs, judge_run
from tests.verdicts.judges import grading, judge_server, preferring

GRADES = rubric_of(
    {
        "kind": "grades",
        "criteria": [{"name": "good", "question": "Is it good?", "levels": ["no", "so", "yes"]}],
    }
)
YES_NO = rubric_of(
    {"kind": "grades", "criteria": [{"name": "good", "question": "Is it good?", "levels": ["no", "yes"]}]}
)
PAIRS = rubric_of(
    {"kind": "pairwise", "ties": True, "criteria": [{"name": "better", "question": "Which is better?"}]}
)
Shown = Mapping[str, str]


def answered(folder: Path, answers: Mapping[str, str], name: str = "model", **task: object) -> Path:
    """A recorded run with these answers."""
    file = folder / f"{name}.jsonl"
    file.write_text("".join(json.dumps({"id": i, "output": text}) + "\n" for i, text in answers.items()))
    items = [Item(item, f"Question {item}?", target=("gold",)) for item in answers]
    asked = Task(name="things", data=items, scorer="contains", **task)
    return evaluate(asked, f"recorded:{file}", out=folder / "runs", cache=False).folder


def judged(
    folder: Path, *runs: Path, grade: Callable[[Shown], int], rubric: Rubric = GRADES, **how: object
) -> list[tuple[Path, Path]]:
    """Of each run the judge's own run and the judged one, by one judge who grades by a rule."""
    with judge_server(grading(grade)) as server:
        asking = Asking(f"{server.url}#rule", cache=False, **how)
        return [judge_run(run, rubric, asking, out=folder / "runs") for run in runs]


def compared(folder: Path, one: Path, other: Path, better: Callable[[Shown], str]) -> Path:
    """The run of a judge who prefers by a rule."""
    with judge_server(preferring(better)) as server:
        return judge_pairs(one, other, PAIRS, Asking(f"{server.url}#rule", cache=False), out=folder / "runs")


def labelled(file: Path, people: Mapping[str, object], **more: object) -> Path:
    """A file of labels."""
    rows = [{"item": item, "people": said} | more for item, said in people.items()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def words(shown: Shown) -> int:
    """A grade by the number of words."""
    return len(shown["answer"].split())
