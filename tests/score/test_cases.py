"""The tables under cases/: one line per string, extended from any bug report.

`want` is the label, or the number as a fraction, or null for no answer; `strength` is `explicit` unless the
line says otherwise.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.extract.letter import extract_label
from bakeoff.score.extract.number import extract_number
from bakeoff.score.extract.reasoning import part_reasoning
from bakeoff.score.extract.refusal import refusal_phrase
from bakeoff.score.refusal.behaviour import behaviour

CASES = Path(__file__).parent / "cases"
CAPITALS = ("Paris", "London", "Rome", "Berlin")


def cases(name: str) -> list[Any]:
    lines = (CASES / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(json.loads(line), id=f"line-{number}") for number, line in enumerate(lines, 1)]


@pytest.mark.parametrize("case", cases("labels"))
def test_the_label_of_an_answer_is_the_one_a_reader_would_take(case):
    found = extract_label(case["text"], case.get("choices", CAPITALS), **case.get("options", {}))
    if case["want"] is None:
        assert isinstance(found, Nothing), found
        assert found.why
    else:
        assert not isinstance(found, Nothing), found
        assert (found.text, found.strength) == (case["want"], case.get("strength", "explicit")), found


@pytest.mark.parametrize("case", cases("numbers"))
def test_the_number_of_an_answer_is_the_one_a_reader_would_take(case):
    found = extract_number(case["text"], **case.get("options", {}))
    if case["want"] is None:
        assert isinstance(found, Nothing), found
        assert found.why
    else:
        assert not isinstance(found, Nothing), found
        assert found.value == Fraction(case["want"])
        assert found.extraction.strength == case.get("strength", "explicit"), found


@pytest.mark.parametrize("case", cases("reasoning"))
def test_reasoning_is_no_part_of_the_answer(case):
    parted = part_reasoning(case["text"])
    assert (parted.answer, parted.unclosed) == (case["answer"], case.get("unclosed", False))


@pytest.mark.parametrize("case", cases("refusals"))
def test_a_refusal_in_words_is_recognised_and_nothing_else_is(case):
    assert (refusal_phrase(case["text"]) is not None) == case["refuses"]


@pytest.mark.parametrize("case", cases("behaviours"))
def test_an_answer_does_what_a_reader_would_say_it_does(case):
    assert behaviour(case["text"]).kind == case["does"]


def test_the_tables_cover_six_languages_and_keep_their_size():
    for name, least in (("labels", 250), ("numbers", 160)):
        rows = [param.values[0] for param in cases(name)]
        assert len(rows) >= least
        assert {row["language"] for row in rows} >= {"en", "de", "fr", "es", "zh", "ja"}
