import json
import re

import pytest

from bakeoff.catalog.instructions.format import instructions
from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer

ROWS = [row for seed in range(3) for row in instructions(seed, 160)]

# Each answer taken apart by something other than what made it, back to the words in the instruction.
READ = {
    "numbered": lambda text: re.findall(r"^\d\. (\w+)$", text, re.MULTILINE),
    "brackets": lambda text: re.fullmatch(r"\[(\w+)\]", text).groups(),
    "title": lambda text: [text[0].lower() + text[1:]],
    "dashes": lambda text: text.split("-"),
    "repeat": lambda text: set(text.split(", ")),
    "json": lambda text: json.loads(text).values(),
    "quotes": lambda text: [text.strip('"')],
    "commas": lambda text: text.split(", "),
}


@pytest.mark.parametrize("kind", READ)
def test_every_accepted_answer_is_made_of_the_words_of_the_instruction(kind):
    rows = [row for row in ROWS if row["kind"] == kind]
    assert len(rows) == 60
    for row in rows:
        for answer in row["answer"]:
            words = list(READ[kind](answer))
            assert words == [word for word in re.findall(r"\w+", row["instruction"]) if word in words]
            assert len(words) == (3 if kind in ("numbered", "dashes", "commas") else 1)


def test_forms_are_the_ones_asked_for():
    first = {row["kind"]: row for row in instructions(0, 8)}
    word = {kind: row["words"][0] for kind, row in first.items()}
    assert first["repeat"]["answer"] == [f"{word['repeat']}, {word['repeat']}, {word['repeat']}"]
    assert first["quotes"]["answer"] == [f'"{word["quotes"]}"']
    assert first["title"]["answer"][0].istitle()
    assert [line[:3] for line in first["numbered"]["answer"][0].splitlines()] == ["1. ", "2. ", "3. "]
    for text in first["json"]["answer"]:
        (key,) = json.loads(text)
        assert f'key "{key}"' in first["json"]["instruction"]


def test_the_example_is_of_the_same_kind_and_gives_nothing_away():
    for row in ROWS:
        assert row["example_answer"] not in row["answer"]
        shared = set(re.findall(r"\w+", row["example_instruction"])) & set(row["words"])
        assert not shared
        assert list(READ[row["kind"]](row["example_answer"]))


def test_the_right_answer_inside_a_sentence_is_not_the_right_answer():
    row = next(row for row in ROWS if row["kind"] == "brackets")
    item = Item(id=row["id"], input=row["instruction"], target=tuple(row["answer"]))
    scorer = build_scorer("exact")
    told = scorer(item, Response(text=f"Here you are: {row['answer'][0]}", finish=FinishReason.STOP))
    alone = scorer(item, Response(text=f" {row['answer'][0]}\n", finish=FinishReason.STOP))
    assert (told.outcome, told.value) == (Outcome.SCORED, 0)
    assert (alone.outcome, alone.value) == (Outcome.SCORED, 1)
