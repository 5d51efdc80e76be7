"""Two runs field by field, over recorded answers, against plain counting."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.comparison.fieldwise import FieldComparison, compare_fields
from bakeoff.errors import BakeoffError
from bakeoff.run import evaluate
from bakeoff.stats import mcnemar_midp, tango
from bakeoff.stats.many.multiplicity import holm
from tests.run.runs import answers, task

FIELDS = {"a": "exact", "b": "exact", "c": {"list": {"of": "exact"}}}
Said = dict[str, Any]


def runs(
    folder: Path, golds: Said, *both: Said, groups: dict[str, str] | None = None, **scorer: Any
) -> list[Path]:
    """A run for each of `both`, of the variants `default` and `other`: answers by item, objects or texts."""
    items = [
        {"id": name, "input": "?", "target": gold, "group": (groups or {}).get(name)}
        for name, gold in golds.items()
    ]
    asked = task(
        items,
        scorer={"name": "fields", "fields": FIELDS} | scorer,
        variants={"other": {"prompt": {"template": "Again: {{ input }}"}}},
    )
    made = []
    for variant, said in zip(("default", "other"), both, strict=True):
        texts = {name: each if isinstance(each, str) else json.dumps(each) for name, each in said.items()}
        (folder / variant).mkdir(parents=True)
        model = answers(folder / variant, texts)
        made.append(evaluate(asked, model, variant=variant, out=folder / "runs").folder)
    return made


def compared(
    folder: Path, golds: Said, *both: Said, incomplete: bool = False, **made: Any
) -> FieldComparison:
    return compare_fields(*runs(folder, golds, *both, **made), incomplete=incomplete)


GOLD = {"a": 1, "b": None, "c": [1, 2]}


def test_a_field_is_paired_by_item_and_its_values_are_shared_out(tmp_path):
    golds = {f"i{n}": GOLD for n in range(6)}
    free = {
        "i0": GOLD,
        "i1": {"a": 1, "c": [1]},
        "i2": "none",
        "i3": f"```json\n{json.dumps({'a': 2, 'c': [1, 2]})}\n```",
        "i4": "none",
        "i5": GOLD,
    }
    held = {name: {"a": 1, "b": 7, "c": [2, 1, 3]} for name in golds}
    found = compared(tmp_path, golds, free, held)
    assert (found.first, found.second, found.n) == ("default", "other", 6)
    by_name = {row.name: row for row in (*found.answers, *found.fields)}
    assert list(by_name) == ["one JSON object", "as it stands", "every field right", "a", "b", "c[]"]
    # a: right in i0, i1, i5 against all; b: left out in i0, i1, i3, i5 against none.
    a, b, c = (by_name[name] for name in ("a", "b", "c[]"))
    assert (a.first, a.second, a.pair.won, a.pair.lost) == (0.5, 1, 3, 0)
    assert (b.first, b.second, b.pair.won, b.pair.lost) == (pytest.approx(4 / 6), 0, 0, 4)
    assert (c.first, c.second) == (0.5, 0)
    assert a.pair.interval == tango(3, 0, 6)
    assert a.precision is not None
    assert (a.precision.first, a.precision.second, a.precision.difference) == (0.75, 1, 0.25)
    assert a.recall is not None
    assert (a.recall.first, a.recall.second) == (0.5, 1)
    # c: 7 given, all right, of 12 expected; 18 given, 12 of them right.
    assert c.precision is not None
    assert (c.precision.first, c.precision.second) == (1, pytest.approx(12 / 18))
    assert b.recall is not None
    assert (b.recall.first, b.recall.difference) == (None, None)
    p = [mcnemar_midp(won, lost) for won, lost in ((2, 0), (3, 0), (0, 2), (3, 0), (0, 4), (0, 3))]
    assert [row.pair.p for row in by_name.values()] == pytest.approx(p)
    assert [row.pair.adjusted_p for row in by_name.values()] == pytest.approx(holm(p))
    assert [dict(each)["broken"] for each in found.forms] == [2, 0]
    assert found.forms[0]["repaired by rule"] == 1


def test_the_other_way_round_it_is_the_other_sign(tmp_path):
    draw = random.Random(0)
    golds = {f"i{n}": {"a": draw.randint(0, 1), "b": draw.choice([None, 1])} for n in range(20)}
    one, two = (
        {name: {"a": draw.randint(0, 1), "b": draw.choice([None, 1, 2])} for name in golds} for _ in "12"
    )
    first, second = runs(tmp_path, golds, one, two)
    there, back = compare_fields(first, second), compare_fields(second, first)
    assert (there.first, there.second) == (back.second, back.first)
    for row, other in zip((*there.answers, *there.fields), (*back.answers, *back.fields), strict=True):
        assert (row.first, row.second, row.pair.adjusted_p) == (
            other.second,
            other.first,
            other.pair.adjusted_p,
        )
        assert row.pair.interval is not None
        assert other.pair.interval is not None
        assert row.pair.interval.low == pytest.approx(-other.pair.interval.high)
    assert there.precision.difference == pytest.approx(-(back.precision.difference or 0))


SIDE = st.fixed_dictionaries(
    {}, optional={"a": st.integers(0, 1), "b": st.none() | st.integers(0, 1)}
) | st.just("none")
ROW = st.tuples(
    st.fixed_dictionaries({"a": st.integers(0, 1), "b": st.none() | st.integers(0, 1)}), SIDE, SIDE
)


@settings(max_examples=20, deadline=None)
@given(st.lists(ROW, min_size=2, max_size=6))
def test_shares_are_those_of_plain_counting(tmp_path_factory, rows):
    golds, *both = ({f"i{n}": row[side] for n, row in enumerate(rows)} for side in range(3))
    found = compared(tmp_path_factory.mktemp("pair"), golds, *both)
    for side, said in enumerate(both):
        given_, expected, right, every = 0, 0, 0, 0
        for name, gold in golds.items():
            answer = {} if said[name] == "none" else said[name]
            fields = [(answer.get(key), gold[key]) for key in "ab"]
            given_ += sum(value is not None for value, _ in fields)
            expected += sum(value is not None for _, value in fields)
            right += sum(value is not None and value == wanted for value, wanted in fields)
            every += said[name] != "none" and all(value == wanted for value, wanted in fields)
        precision, recall = ((each.first, each.second)[side] for each in (found.precision, found.recall))
        assert precision == (pytest.approx(right / given_) if given_ else None)
        assert recall == (pytest.approx(right / expected) if expected else None)
        (row,) = (each for each in found.answers if each.name == "every field right")
        assert (row.first, row.second)[side] == pytest.approx(every / len(golds))


def test_items_of_a_group_are_paired_as_one(tmp_path):
    golds = {f"i{n}": GOLD for n in range(6)}
    groups = {name: "gh"[n % 2] for n, name in enumerate(golds)}
    found = compared(tmp_path, golds, dict.fromkeys(golds, "none"), golds, groups=groups)
    assert found.clusters == 2
    assert {row.pair.test for row in found.fields} == {"sign-flip of groups"}


def test_validity_is_a_row_where_there_is_a_schema(tmp_path):
    golds = {f"i{n}": GOLD for n in range(3)}
    schema = {"type": "object", "required": ["b"]}
    found = compared(tmp_path, golds, {name: {"a": 1} for name in golds}, golds, schema=schema)
    valid, stands = (next(r for r in found.answers if r.name == name) for name in ("valid", "as it stands"))
    assert (valid.first, valid.second) == (stands.first, stands.second) == (0, 1)


def test_items_that_one_run_has_no_score_for_are_left_out_and_counted(tmp_path):
    golds = {f"i{n}": GOLD for n in range(3)}
    two = runs(tmp_path, golds, {"i0": GOLD, "i1": GOLD}, golds)
    with pytest.raises(BakeoffError, match="not complete"):
        compare_fields(*two)
    found = compare_fields(*two, incomplete=True)
    assert (found.n, found.left_out) == (2, {"without a score in one of the runs": 1})


def test_runs_without_a_shared_item_of_another_scorer_or_the_same_one_twice_are_refused(tmp_path):
    first, second = runs(tmp_path, {"i0": GOLD}, {"i0": GOLD}, {"i0": GOLD})
    other = evaluate(
        task([{"id": "x", "input": "?", "target": GOLD}], scorer="json_value"),
        answers(tmp_path, {"x": "1"}),
        out=tmp_path,
    )
    with pytest.raises(BakeoffError, match="given twice"):
        compare_fields(first, first)
    with pytest.raises(BakeoffError, match="keeps no verdicts on fields"):
        compare_fields(first, other.folder, across=True)
    with pytest.raises(BakeoffError, match="--level"):
        compare_fields(first, second, level=2)
