"""A run field by field, over recorded answers."""

import json
from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.run import rescore
from bakeoff.run.fieldwise import UNASKED, Fieldwise, fieldwise
from bakeoff.stats import clustered, wilson
from tests.run.runs import run

FIELDS = {
    "due": "date",
    "total": "amount",
    "vat": "number",
    "lines": {"list": {"key": "sku", "of": {"object": {"sku": "text", "n": "number"}}}},
    "note": "ignore",
}
GOLD: dict[str, Any] = {"due": "2024-03-05", "total": 5, "vat": None, "note": "x"}
LINES = [{"sku": "A", "n": 1}, {"sku": "B", "n": 2}]


def measured(
    folder, said: dict[str, Any], golds: dict[str, Any], level: float = 0.95, **scorer: Any
) -> Fieldwise:
    """A run over answers by item id: objects, or texts that are none."""
    items = [
        {
            "id": name,
            "input": "?",
            "target": gold,
            "group": gold.get("from", name) if "from" in gold else None,
        }
        for name, gold in golds.items()
    ]
    texts = {name: each if isinstance(each, str) else json.dumps(each) for name, each in said.items()}
    task = {"scorer": {"name": "fields", "fields": FIELDS | {"from": "ignore"}} | scorer}
    return fieldwise(run(folder, items, texts, task=task).folder, level=level)


def by_path(found: Fieldwise) -> dict[str, Any]:
    return {each.path: each for each in found.fields}


def test_a_field_has_precision_over_what_is_given_and_recall_over_what_is_expected(tmp_path):
    golds = {f"i{n}": GOLD for n in range(6)}
    said = {
        "i0": {"due": "5 March 2024", "total": "5 EUR", "vat": None},
        "i1": {"due": "2024-03-06", "total": 5, "vat": 19},
        "i2": {"due": None, "total": 5, "extra": {"a": 1, "b": 2}},
        "i3": "no JSON at all",
        "i4": '{"due": ',
        "i5": GOLD,
    }
    found = measured(tmp_path, said, golds)
    fields = by_path(found)
    due = fields["due"]
    assert due.counts == {"right": 2, "wrong": 1, "missing": 3, "hallucinated": 0, "absent": 0}
    assert (due.precision.value, due.precision.n, due.precision.interval) == (
        pytest.approx(2 / 3),
        3,
        wilson(2, 3),
    )
    assert (due.recall.value, due.recall.n, due.recall.interval) == (pytest.approx(2 / 6), 6, wilson(2, 6))
    assert (due.exact.value, due.exact.n) == (pytest.approx(2 / 6), 6)
    vat = fields["vat"]
    assert vat.counts == {"right": 0, "wrong": 0, "missing": 0, "hallucinated": 1, "absent": 3}
    assert (vat.precision.value, vat.recall.value) == (0, None)
    # Right to leave it out in i0, i2 and i5; the two that are no JSON are right in nothing.
    assert (vat.exact.value, vat.exact.n) == (0.5, 6)
    # One of the four answers gives what the target leaves out.
    assert (vat.hallucinated.value, vat.hallucinated.n, vat.hallucinated.interval) == (1, 1, wilson(1, 1))
    assert (vat.invented.value, vat.invented.n, vat.invented.interval) == (0.25, 4, wilson(1, 4))
    assert (due.missing.value, due.missing.n, due.missing.interval) == (0.5, 6, wilson(3, 6))
    assert (due.invented.value, due.invented.n) == (None, 0)
    assert fields[UNASKED].counts["hallucinated"] == 2
    assert [each.path for each in found.fields] == ["due", "total", "vat", UNASKED]
    # 6 right of 10 given and 12 expected.
    assert (found.total.precision.value, found.total.precision.n) == (pytest.approx(0.6), 10)
    assert (found.total.recall.value, found.total.recall.n) == (pytest.approx(0.5), 12)
    assert (found.total.exact.value, found.total.exact.n, found.total.exact.interval) == (
        pytest.approx(2 / 6),
        6,
        wilson(2, 6),
    )
    assert (found.total.hallucinated.value, found.total.missing.value) == (0.3, pytest.approx(5 / 12))
    assert found.valid is None
    assert {k: n for k, n in found.samples.items() if n} == {"total": 6, "scored": 4, "no_answer": 2}


def test_values_of_a_list_are_clustered_by_item_and_exact_is_of_items(tmp_path):
    golds = {f"i{n}": GOLD | {"lines": LINES} for n in range(4)}
    said = {name: GOLD | {"lines": LINES if name != "i3" else LINES[:1]} for name in golds}
    quantity = by_path(measured(tmp_path, said, golds))["lines[].n"]
    values, items = [1.0] * 7 + [0.0], [f"i{n}" for n in range(4) for _ in range(2)]
    assert (quantity.recall.value, quantity.recall.n, quantity.recall.clusters) == (7 / 8, 8, 4)
    expected = clustered(values, items)
    assert expected is not None
    assert quantity.recall.interval == expected
    assert (quantity.exact.value, quantity.exact.n) == (0.75, 4)


def test_items_of_a_group_are_clustered_by_it(tmp_path):
    golds = {f"i{n}": GOLD | {"from": "ab"[n % 2]} for n in range(6)}
    found = measured(tmp_path, dict.fromkeys(golds, GOLD), golds)
    due = by_path(found)["due"]
    assert due.precision.clusters == due.exact.clusters == found.total.recall.clusters == 2


def test_validity_counts_every_answer_and_one_without_an_object_is_not_valid(tmp_path):
    schema = {"type": "object", "required": ["due"], "properties": {"due": {"type": "string"}}}
    said = {"i0": {"due": "2024-03-05"}, "i1": {"due": 5}, "i2": {}, "i3": "none"}
    found = measured(tmp_path, said, dict.fromkeys(said, GOLD), schema=schema)
    assert found.valid is not None
    assert (found.valid.value, found.valid.n, found.valid.interval) == (0.25, 4, wilson(1, 4))


def test_how_every_answer_became_an_object_is_counted(tmp_path):
    whole = json.dumps(GOLD)
    said = {
        "i0": whole,
        "i1": f"```json\n{whole}\n```",
        "i2": f"Here it is: {whole}",
        "i3": f"```json\n{whole}\n```\nAnything else?",
        "i4": "none",
        "i5": whole[:-1] + ",}",
    }
    found = measured(tmp_path, said, dict.fromkeys(said, GOLD))
    assert {form: n for form, n in found.forms.items() if n} == {
        "as given": 1,
        "repaired by rule": 3,
        "broken": 2,
    }
    assert found.rules == {"a fenced json block": 2, "the first JSON object in the text": 1}
    assert (found.as_given.value, found.as_given.interval) == (pytest.approx(1 / 6), wilson(1, 6))


def test_an_object_that_is_not_valid_cannot_be_read_as_it_stands(tmp_path):
    schema = {"type": "object", "properties": {"due": {"type": "string"}}}
    found = measured(tmp_path, {"i0": GOLD, "i1": GOLD | {"due": 5}}, {"i0": GOLD, "i1": GOLD}, schema=schema)
    assert (found.forms["as given"], found.as_given.value) == (2, 0.5)


@pytest.mark.parametrize("own", [True, False])
def test_answers_of_which_none_can_be_read_are_none_of_them_valid(tmp_path, own):
    schema = {"type": "object"}
    items = [{"id": "i0", "input": "?", "target": GOLD, "meta": {"schema": schema} if own else {}}]
    scorer = {"name": "fields", "fields": FIELDS} | ({} if own else {"schema": schema})
    found = fieldwise(run(tmp_path, items, {"i0": "none"}, task={"scorer": scorer}).folder)
    assert found.valid is not None
    assert (found.valid.value, found.valid.n) == (0, 1)


def test_samples_without_a_score_are_left_out_and_counted(tmp_path):
    golds = {f"i{n}": GOLD for n in range(3)}
    found = measured(tmp_path, {"i0": GOLD, "i1": GOLD}, golds)
    assert (found.total.exact.value, found.total.exact.n) == (1, 2)
    assert (found.samples["total"], found.samples["model_error"]) == (3, 1)


def test_a_run_of_another_scorer_is_refused_and_can_be_judged_anew(tmp_path):
    items = [{"id": "i0", "input": "?", "target": json.dumps(GOLD)}]
    folder = run(tmp_path, items, {"i0": json.dumps(GOLD)}, task={"scorer": "json_value"}).folder
    with pytest.raises(BakeoffError, match="keeps no verdicts on fields"):
        fieldwise(folder)
    again = rescore(folder, {"name": "fields", "fields": FIELDS}, out=tmp_path / "again")
    assert fieldwise(again).total.exact.value == 1


def flat(value: Any, path: str = "") -> Counter[tuple[str, str]]:
    """The single values of an object by field, lists as bags of whole elements: another way to count."""
    found = Counter[tuple[str, str]]()
    for name, each in value.items():
        for one in each if isinstance(each, list) else [each]:
            if one is not None:
                found[f"{path}{name}", json.dumps(one, sort_keys=True)] += 1
    return found


BAGS = st.fixed_dictionaries(
    {},
    optional={
        "a": st.none() | st.integers(0, 2),
        "b": st.none() | st.sampled_from(["x", "y"]),
        "c": st.lists(st.integers(0, 2), max_size=4),
        "d": st.lists(st.sampled_from(["x", "y", "z"]), max_size=3),
    },
)


@settings(max_examples=25)
@given(st.lists(st.tuples(BAGS | st.just("not JSON"), BAGS), min_size=1, max_size=6))
def test_precision_and_recall_are_those_of_bags_of_values(tmp_path_factory, rows):
    """Where elements of lists are single values, best pairing is what two bags have in common."""
    golds = {f"i{n}": gold for n, (_, gold) in enumerate(rows)}
    said = {f"i{n}": answer for n, (answer, _) in enumerate(rows)}
    found = measured(tmp_path_factory.mktemp("run"), said, golds, fields=None)
    given_, expected, right = (Counter[str]() for _ in range(3))
    for answer, gold in rows:
        one, two = flat({} if answer == "not JSON" else answer), flat(gold)
        for count, bag in ((given_, one), (expected, two), (right, one & two)):
            for (name, _), number in bag.items():
                count[name] += number
    # Of a list that a target lacks, null has the name of the field and not of its elements.
    counted = defaultdict[str, Counter[str]](Counter)
    for each in found.fields:
        counted[each.path.removesuffix("[]")].update(each.counts)
        given_here = sum(each.counts[v] for v in ("right", "wrong", "hallucinated"))
        expected_here = sum(each.counts[v] for v in ("right", "wrong", "missing"))
        assert (each.precision.n, each.recall.n) == (given_here, expected_here)
    for name, n in counted.items():
        if name != UNASKED:
            assert n["right"] == right[name]
            assert n["right"] + n["wrong"] + n["missing"] == expected[name]
    total = found.total
    assert (total.precision.n, total.recall.n) == (given_.total(), expected.total())
    assert total.counts["right"] == right.total()


VALUES = st.none() | st.integers(0, 1) | st.lists(st.integers(0, 2), max_size=3)
ANSWERS = st.dictionaries(st.sampled_from("abc"), VALUES) | st.just("not JSON")


@settings(max_examples=25)
@given(st.lists(st.tuples(ANSWERS, st.dictionaries(st.sampled_from("abc"), VALUES)), min_size=1, max_size=5))
def test_fields_add_up_to_all_values(tmp_path_factory, rows):
    golds = {f"i{n}": gold for n, (_, gold) in enumerate(rows)}
    said = {f"i{n}": answer for n, (answer, _) in enumerate(rows)}
    found = measured(tmp_path_factory.mktemp("run"), said, golds, fields=None)
    total = Counter[str]()
    for each in found.fields:
        total.update(each.counts)
    given_ = total["right"] + total["wrong"] + total["hallucinated"]
    expected = total["right"] + total["wrong"] + total["missing"]
    assert (found.total.precision.n, found.total.recall.n, found.total.exact.n) == (
        given_,
        expected,
        len(rows),
    )
    for share, n in ((found.total.precision, given_), (found.total.recall, expected)):
        assert share.value == (pytest.approx(total["right"] / n) if n else None)
        assert share.interval is None or share.interval.low <= share.value <= share.interval.high
