import re

import pytest

from bakeoff.catalog.reading.extraction import questions

ROWS = [row for seed in range(5) for row in questions(seed, 160)]

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
FORMS = {
    "number": r"\b[A-Z]-\d{4}\b",
    "date": rf"\b\d{{1,2}} (?:{MONTHS})\b",
    "amount": r"\$\d+\.\d\d",
    "person": r"\b[A-Z][a-z]+ (?:Alvarez|Brandt|Costa|Dubois|Eriksen|Fischer|Gupta|Haddad|Ivanova|Jansen)\b",
}


@pytest.mark.parametrize("asked", FORMS)
def test_the_note_has_one_text_of_the_form_asked_for_and_it_is_the_answer(asked):
    rows = [row for row in ROWS if row["asked"] == asked]
    assert len(rows) == 200
    for row in rows:
        assert re.findall(FORMS[asked], row["note"]) == [row["answer"]]


def test_no_answer_is_in_its_question():
    assert not [row for row in ROWS if row["answer"].lower() in row["question"].lower()]


def test_another_person_is_in_the_note_with_another_first_name():
    for row in ROWS:
        assert row["note"].count(row["facts"]["person"].split()[0]) == 1


def test_rows_of_a_note_share_its_text_and_ask_four_different_things():
    rows = list(questions(3, 40))
    for start in range(0, 40, 4):
        four = rows[start : start + 4]
        assert len({row["group"] for row in four}) == len({row["note"] for row in four}) == 1
        assert {row["asked"] for row in four} == set(FORMS)
