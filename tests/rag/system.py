"""A small system that retrieves and answers, in the place of a model; and a judge who goes by the words."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff import Item, Task
from bakeoff.run import evaluate
from tests.servers.chat_server import Messages

PASSAGES = {
    "tower": "The tower is 30 m high. A. Rossi built it.",
    "river": "The river is 12 km long.",
    "fair": "The fair opens in May.",
}
# id: question, reference, needed passages, answerable, passages that the system finds, its answer.
QUESTIONS: dict[str, tuple[str, str, list[str], bool | None, list[str], str]] = {
    "a": ("How high is it?", "30 m", ["tower"], True, ["tower", "fair"], "The tower is 30 m high. Hello!"),
    "b": ("Who built it?", "A. Rossi", ["tower"], True, ["river", "tower"], "A. Rossi built it."),
    "c": ("How long is the river?", "12 km", ["river"], True, ["fair"], "It is 40 km long."),
    "d": ("When does the fair open?", "In May.", ["fair"], True, ["fair"], "I don't know."),
    "e": ("Who is the mayor?", "", [], False, ["tower"], "The passages do not mention the mayor."),
    "f": ("Who owns the river?", "", [], False, ["river"], "The river is owned by A. Rossi."),
    "g": ("Is it old?", "It is.", ["tower"], True, ["tower"], ""),
    "h": ("Is it safe?", "It is.", ["tower"], True, [], "I'm sorry, but I can't help with that."),
    "i": ("Will it break?", "No.", ["tower"], True, [], "raise"),
    "j": ("Is it wet?", "Yes.", ["river"], None, ["river"], "…"),
}
_PIPELINE = """
def answer(question, item_id):
    ids, text = FOUND[item_id]
    if text == "raise":
        raise RuntimeError("no index")
    return {"answer": text, "passages": [{"id": each, "text": PASSAGES[each]} for each in ids]}
"""


def asked(folder: Path, questions: dict[str, Any] | None = None, marked: bool = True, **how: Any) -> Path:
    """The run of a task that asks the system, with groups if `how` has them."""
    questions = QUESTIONS if questions is None else questions
    found = {item: (each[4], each[5]) for item, each in questions.items()}
    file = folder / "pipeline.py"
    file.write_text(f"PASSAGES = {PASSAGES!r}\nFOUND = {found!r}\n{_PIPELINE}")
    groups = how.pop("groups", {})
    items = [
        Item(item, each[0], target=(each[1],) if each[1] else ("no answer",), group=groups.get(item))
        for item, each in questions.items()
    ]
    rows = [
        {"id": item.id, "input": item.input, "target": list(item.target)}
        | ({"group": item.group} if item.group else {})
        | {"metadata": _metadata(questions[item.id]) if marked else {}}
        for item in items
    ]
    task = Task(name="town", data={"items": rows}, scorer="contains")
    return evaluate(task, f"call:{file}:answer", out=folder / "runs", cache=False, **how).folder


def _metadata(question: tuple[str, str, list[str], bool | None, list[str], str]) -> dict[str, Any]:
    answerable = {} if question[3] is None else {"answerable": question[3]}
    return {"relevant": question[2]} | answerable


def by_words(say: Callable[[str, str], str]) -> Callable[[Messages], str]:
    """A judge of units who goes through them: `say` has the unit and all passages, and names a level."""

    def rule(messages: Messages) -> str:
        shown = messages[0]["content"]
        mark = re.search(r"that carry the code ([0-9a-f]{8})", shown).group(1)
        passages = re.findall(rf"<<passage \d+ {mark}>> (.*)", shown)
        units = re.findall(rf"<<sentence \d+ {mark}>> (.*)", shown) or passages
        evidence = {"evidence": 1 if passages else None} if '"evidence"' in shown else {}
        verdicts = {
            str(number): {"why": "by the words"} | evidence | {"verdict": say(unit, "\n".join(passages))}
            for number, unit in enumerate(units, 1)
        }
        return json.dumps({"case": mark, "verdicts": verdicts})

    return rule
