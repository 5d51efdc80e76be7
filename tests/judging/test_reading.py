"""What a judge said, hostile or careless: read right, or refused with the reason."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.judging import Unreadable, Verdict, read_verdict, verdict_schema
from tests.judging.rubrics import GRADES, NUMBERINGS, PAIRWISE, RUBRICS, SENTENCES

MARK = "5a1c9e07"
CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_a_judges_text_is_read_as_it_was_meant_or_not_at_all(case):
    name = case.get("rubric", "grades")
    found = read_verdict(text_of(case), RUBRICS[name], MARK, NUMBERINGS.get(name))
    if case["want"] is None:
        assert isinstance(found, Unreadable), found
        assert re.search(case["reason"], found.reason), found
        assert len(found.reason) < 200
    else:
        assert isinstance(found, Verdict), found
        assert [each.choice for each in found.findings] == case["want"]
        assert [each.evidence for each in found.findings if each.evidence] == case.get("evidence", [])
        assert found.repaired == case.get("repaired", "")


def text_of(case):
    if "text" in case:
        return case["text"]
    build = case["build"]
    return build.get("first", "") + build["repeat"] * build["times"] + build.get("then", "")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.floats(0, 4).map(lambda x: round(x * 2) / 2)
    | st.sampled_from(["first", "second", "tie", "full", "none", "2", "", MARK]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["case", "verdicts", "why", "grade", "better", "verdict", "grounded"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=4,
)


@st.composite
def near_verdicts(draw):
    """A verdict in form, with at most one value in it exchanged or taken out."""
    rubric = draw(st.sampled_from([GRADES, PAIRWISE, SENTENCES]))
    numbering = NUMBERINGS["sentences"] if rubric is SENTENCES else None
    if numbering is None:
        key = "grade" if rubric is GRADES else "better"
        verdicts = {
            each.name: {"why": draw(st.text(max_size=5)), key: draw(st.sampled_from(rubric.choices(each)))}
            for each in rubric.criteria
        }
    else:
        verdicts = {
            str(unit): {
                "why": draw(st.text(max_size=5)),
                "evidence": draw(st.sampled_from(numbering.evidence())),
                "verdict": draw(st.sampled_from(numbering.said(rubric, unit))),
            }
            for unit in range(1, numbering.units + 1)
        }
    value = {"case": MARK, "verdicts": verdicts}
    inner = draw(st.sampled_from([value, value["verdicts"], *value["verdicts"].values()]))
    name = draw(st.sampled_from([*inner, "extra", "4"]))
    change = draw(st.sampled_from(["keep", "drop", "set"]))
    if change == "drop":
        inner.pop(name, None)
    elif change == "set":
        inner[name] = draw(JSON)
    return rubric, numbering, value


@given(near_verdicts())
def test_what_is_read_is_what_the_schema_allows(drawn):
    rubric, numbering, value = drawn
    valid = jsonschema.Draft202012Validator(verdict_schema(rubric, MARK, numbering)).is_valid(value)
    found = read_verdict(json.dumps(value), rubric, MARK, numbering)
    assert isinstance(found, Verdict) is valid, found


@given(near_verdicts(), st.text(max_size=30), st.text(max_size=30))
def test_text_around_a_verdict_never_changes_what_it_says(drawn, before, after):
    rubric, numbering, value = drawn
    alone = read_verdict(json.dumps(value), rubric, MARK, numbering)
    found = read_verdict(before + json.dumps(value) + after, rubric, MARK, numbering)
    if isinstance(found, Verdict):
        assert isinstance(alone, Verdict)
        assert found.findings == alone.findings


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_ends_in_an_outcome_and_none_without_the_mark_is_a_verdict(text):
    assert isinstance(read_verdict(text, GRADES, MARK), Unreadable)


@given(near_verdicts(), st.data())
def test_a_verdict_that_is_cut_off_is_none(drawn, data):
    rubric, numbering, value = drawn
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert isinstance(read_verdict(cut, rubric, MARK, numbering), Unreadable)


@given(near_verdicts())
def test_every_unit_has_its_one_verdict_or_there_is_none(drawn):
    rubric, numbering, value = drawn
    found = read_verdict(json.dumps(value), rubric, MARK, numbering)
    if numbering is not None and isinstance(found, Verdict):
        assert [each.unit for each in found.findings] == [1, 2, 3]
        assert found.findings[1].choice in (1, "not_applicable")


def test_units_cannot_be_read_without_their_numbers():
    with pytest.raises(ValueError, match="needs the numbering"):
        read_verdict("{}", SENTENCES, MARK)
    with pytest.raises(ValueError, match="needs the numbering"):
        verdict_schema(SENTENCES, MARK)
