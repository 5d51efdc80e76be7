"""What says that it does not know, and what answers all the same."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.rag.abstention import abstention

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "abstentions.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["text"][:40] or "nothing") for case in CASES])
def test_an_answer_abstains_or_it_does_not(case):
    words = abstention(case["text"])
    assert (words is not None) is case["abstains"], words
    if words is not None:
        assert " ".join(words.split()) == words
        assert words.replace("'", "") in case["text"].replace("’", "").replace("'", "")


@given(st.text(), st.sampled_from([case["text"] for case in CASES]), st.text())
def test_no_text_breaks_the_rule(before, case, after):
    for text in (before, before + case + after):
        words = abstention(text)
        assert words is None or 0 < len(words) <= 100


def test_what_goes_on_is_an_answer():
    said = "I don't know."
    assert abstention(f"{said} {'word ' * 60}") is not None
    assert abstention(f"{said} {'word ' * 61}") is None
    assert abstention(f"The tower is red. {said}") is None
