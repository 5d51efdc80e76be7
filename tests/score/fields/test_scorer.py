"""Objects judged field by field: worked examples, and what must hold of any object."""

import json
import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.catalog.reading.extraction import questions
from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score import build_scorer, judge
from bakeoff.score.fields import FieldVerdicts, of_nothing
from bakeoff.score.fields.compare import TooManyError, check_gold, compare
from bakeoff.score.fields.shapes import ListOf, Typed
from bakeoff.task import Task, prepare

LINES = {"list": {"key": "sku", "of": {"object": {"sku": "text", "quantity": "number"}}}}
INVOICE = {
    "invoice_date": "date",
    "total": {"amount": {"tolerance": 0.01}},
    "supplier": {"fuzzy": {"at_least": 0.9}},
    "status": {"enum": ["paid", "open"]},
    "lines": LINES,
    "note": "ignore",
}
GOLD = {
    "invoice_date": "2024-03-05",
    "total": "EUR 1,204.50",
    "supplier": "Hansen and Daughters Ltd",
    "status": None,
    "lines": [{"sku": "A1", "quantity": 2}, {"sku": "B2", "quantity": 1}],
    "note": "by hand",
}
SCHEMA = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}


def scored(
    answer: Any,
    gold: Any = GOLD,
    *,
    finish: FinishReason = FinishReason.STOP,
    meta: Any = None,
    **options: Any,
) -> Score:
    """The score of an answer (an object, or a text)."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    item = Item("i", "", target=(json.dumps(gold),), metadata=meta or {})
    return judge(build_scorer({"name": "fields", **options}), item, Response(text=text, finish=finish))


def verdicts(score: Score) -> dict[str, list[str]]:
    """The paths by verdict, without verdicts that no field has."""
    assert score.outcome is Outcome.SCORED, score.reason
    assert score.extracted is not None
    return {
        kind: list(paths) for kind, paths in FieldVerdicts.from_json(score.extracted).paths.items() if paths
    }


def test_an_invoice_is_judged_field_by_field():
    score = scored(
        {
            "invoice_date": "5 March 2024",
            "total": "1.204,50 €",
            "supplier": "Hanson and Daughters Ltd",
            "status": "paid",
            "lines": [
                {"sku": "b2", "quantity": "1"},
                {"sku": "C3", "quantity": 9},
                {"sku": "A1", "quantity": None},
            ],
            "note": "whatever",
            "vat": 19,
        },
        fields=INVOICE,
    )
    assert verdicts(score) == {
        "right": ["invoice_date", "total", "supplier", "lines[0].sku", "lines[1].sku", "lines[1].quantity"],
        "missing": ["lines[0].quantity"],
        "hallucinated": ["status", "lines[+1].sku", "lines[+1].quantity", "vat"],
    }
    # 6 right of 10 given and 7 expected.
    assert score.value == pytest.approx(12 / 17)
    assert "6 of 7 fields right; missing lines[0].quantity; hallucinated status, " in score.reason


def test_all_right_is_one_or_nothing_where_the_task_says_so():
    nearly = GOLD | {"total": "EUR 1,204.52"}
    assert scored(GOLD, fields=INVOICE, value="exact").value == 1
    assert scored(nearly, fields=INVOICE, value="exact").value == 0
    assert scored(nearly, fields=INVOICE).value == pytest.approx(12 / 14)
    assert scored({}, {"a": None}).value == scored({"a": None, "b": ""}, {}).value == 1


@pytest.mark.parametrize(
    ("said", "gold", "found"),
    [
        ({"a": "x"}, {"a": {"b": 1, "c": 2}}, {"wrong": ["a.b", "a.c"]}),
        ({"a": [1]}, {"a": {"b": 1}}, {"wrong": ["a.b"]}),
        ({"a": {"b": 1}}, {"a": [1, 2]}, {"wrong": ["a[0]", "a[1]"]}),
        ({"a": {"b": 1, "c": 2}}, {"a": 1}, {"wrong": ["a"]}),
        ({"a": {"b": 1, "c": [2]}}, {"a": None}, {"hallucinated": ["a.b", "a.c[+0]"]}),
        ({}, {"a": {"b": 1, "c": None}, "d": [1]}, {"missing": ["a.b", "d[0]"], "absent": ["a.c"]}),
        ({"a": "x"}, {"a": []}, {"hallucinated": ["a"]}),
        ({"a": [[], {}]}, {"a": {"b": 1}}, {"missing": ["a.b"]}),
        ({"a": {}}, {"a": 1}, {"missing": ["a"]}),
        ({"a": [1, 2]}, {"a": {}}, {"hallucinated": ["a[+0]", "a[+1]"]}),
        ({"a": [2, 1, 1]}, {"a": [1, 2]}, {"right": ["a[0]", "a[1]"], "hallucinated": ["a[+2]"]}),
        ({"a": "1"}, {"a": 1}, {"wrong": ["a"]}),
        ({"a.b": 1}, {"a.b": 1, "": 2}, {"right": ["['a.b']"], "missing": ["['']"]}),
    ],
)
def test_without_fields_values_are_compared_by_the_targets_types(said, gold, found):
    assert verdicts(scored(said, gold)) == found


def test_elements_without_a_key_are_paired_so_that_most_fields_are_right():
    fields = {"lines": {"list": {"of": {"object": {"sku": "text", "quantity": "number", "price": "amount"}}}}}
    gold = {"lines": [{"sku": "A", "quantity": 1, "price": 5}, {"sku": "A", "quantity": 2, "price": 5}]}
    # Greedy pairing in order would give the first line to the second's answer.
    said = {"lines": [{"sku": "A", "quantity": 2, "price": 5}, {"sku": "B", "quantity": 1, "price": 5}]}
    score = scored(said, gold, fields=fields)
    assert verdicts(score)["wrong"] == ["lines[0].sku"]
    assert score.value == pytest.approx(5 / 6)


POSITION = {"list": {"of": {"object": {"sku": "text", "quantity": "number"}}, "align": "position"}}


def test_by_position_the_first_is_compared_with_the_first():
    a, b, c = ({"sku": sku, "quantity": n} for n, sku in enumerate("ABC"))
    # What best pairing forgives: another order, and one element too many at the start.
    swapped = scored({"l": [b, a]}, {"l": [a, b]}, fields={"l": POSITION})
    assert verdicts(swapped) == {
        "wrong": ["l[0].sku", "l[0].quantity", "l[1].sku", "l[1].quantity"],
    }
    shifted = scored({"l": [c, a, b]}, {"l": [a, b]}, fields={"l": POSITION})
    assert verdicts(shifted)["hallucinated"] == ["l[+2].sku", "l[+2].quantity"]
    assert shifted.value == 0
    best = POSITION["list"] | {"align": "best"}
    assert scored({"l": [c, a, b]}, {"l": [a, b]}, fields={"l": {"list": best}}).value == pytest.approx(0.8)
    short = scored({"l": [a]}, {"l": [a, b]}, fields={"l": POSITION})
    assert verdicts(short) == {
        "right": ["l[0].sku", "l[0].quantity"],
        "missing": ["l[1].sku", "l[1].quantity"],
    }


def test_by_position_lists_may_be_of_any_length_and_may_repeat():
    gold = [1] * 3000
    found = scored(
        {"l": [1] * 2999 + [2]}, {"l": gold}, fields={"l": {"list": {"of": "number", "align": "position"}}}
    )
    assert verdicts(found)["wrong"] == ["l[2999]"]


@given(st.lists(st.integers(0, 2), max_size=5), st.lists(st.integers(0, 2), max_size=5))
def test_best_pairing_is_never_worse_than_by_position(said, gold):
    def right(align):
        each = {"list": {"of": "number", "align": align}}
        return len(verdicts(scored({"l": said}, {"l": gold}, fields={"l": each})).get("right", []))

    assert right("position") == sum(map(lambda s, g: s == g, said, gold))
    assert right("best") >= right("position")


def test_of_several_elements_of_one_key_the_first_counts_and_one_without_a_key_is_invented():
    said = {
        "lines": [
            {"quantity": 2},
            "A",
            {"sku": "a", "quantity": 9},
            {"sku": "A", "quantity": 2},
            {"sku": "B"},
        ]
    }
    assert verdicts(scored(said, {"lines": [{"sku": "A", "quantity": 2}]}, fields={"lines": LINES})) == {
        "right": ["lines[0].sku"],
        "wrong": ["lines[0].quantity"],
        "hallucinated": [
            "lines[+0].quantity",
            "lines[+1]",
            "lines[+3].sku",
            "lines[+3].quantity",
            "lines[+4].sku",
        ],
    }


ELEMENT = st.fixed_dictionaries({"a": st.integers(0, 2), "b": st.integers(0, 2)})


@given(st.lists(ELEMENT, max_size=4), st.lists(ELEMENT, max_size=4))
def test_no_other_pairing_has_more_right_fields(said, gold):
    best = max(
        sum(
            left[key] == right[key]
            for left, right in zip(order, gold, strict=False)
            if left is not None
            for key in "ab"
        )
        for order in permutations([*said, *[None] * len(gold)], len(gold))
    )
    found = compare(ListOf(Typed()), said, gold)
    assert sum(each.verdict == "right" for each in found) == best
    given_, expected = 2 * len(said), 2 * len(gold)
    n = {
        kind: sum(each.verdict == kind for each in found)
        for kind in ("right", "wrong", "missing", "hallucinated")
    }
    assert n["right"] + n["wrong"] + n["hallucinated"] == given_
    assert n["right"] + n["wrong"] + n["missing"] == expected


VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=15,
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUE, max_size=5)


def plain_text(value: Any) -> bool:
    """Whether it can be written as JSON that a strict reader takes."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(OBJECTS.filter(plain_text))
def test_the_target_itself_is_a_perfect_answer(gold):
    for value in ("f1", "exact"):
        score = scored(gold, gold, value=value)
        assert score.value == 1, score.reason
    assert set(verdicts(score)) <= {"right", "absent"}


EVERY_KIND = INVOICE | {
    "vat": {"number": {"decimal": ","}},
    "paid": "boolean",
    "number": "exact",
    "buyer": {"object": {"name": "text", "tags": {"list": {"of": "text"}}}},
}


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys([*EVERY_KIND, "more"], VALUE)).filter(plain_text),
    st.sampled_from(["lines", "buyer"]),
    st.lists(
        st.fixed_dictionaries({}, optional={"sku": VALUE, "quantity": VALUE, "name": VALUE, "tags": VALUE})
    ),
)
def test_whatever_stands_in_a_field_has_a_verdict(said, name, values):
    said = said | {name: values if name == "lines" or not values else values[0]}
    if not plain_text(said):
        return
    score = scored(said, GOLD | {"buyer": {"name": "Ada", "tags": ["a", "b"]}}, fields=EVERY_KIND)
    found = verdicts(score)
    assert 0 <= score.value <= 1
    # The target's values are all there, whatever was said.
    judged = sum(len(found.get(kind, [])) for kind in ("right", "wrong", "missing"))
    assert judged == 10


def shuffled(value: Any, random: random.Random) -> Any:
    """The same value with the names of its objects in another order."""
    if isinstance(value, dict):
        names = list(value)
        random.shuffle(names)
        return {name: shuffled(value[name], random) for name in names}
    return [shuffled(each, random) for each in value] if isinstance(value, list) else value


@given(OBJECTS.filter(plain_text), OBJECTS.filter(plain_text), st.randoms(use_true_random=False))
def test_the_order_of_names_changes_nothing(said, gold, random):
    there, again = scored(said, gold), scored(shuffled(said, random), shuffled(gold, random))
    assert there.value == again.value
    assert {k: sorted(v) for k, v in verdicts(there).items()} == {
        k: sorted(v) for k, v in verdicts(again).items()
    }


@given(OBJECTS.filter(plain_text), OBJECTS.filter(plain_text))
def test_what_one_side_lacks_the_other_side_has_too_much(one, other):
    there, back = verdicts(scored(one, other)), verdicts(scored(other, one))
    # Of a field with another structure on either side every value of the target is wrong: targets differ.
    if "wrong" not in there and "wrong" not in back:
        assert len(there.get("missing", [])) == len(back.get("hallucinated", []))
        assert len(there.get("right", [])) == len(back.get("right", []))


@given(st.lists(ELEMENT, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_a_list_changes_nothing(elements, random):
    mixed = random.sample(elements, len(elements))
    assert scored({"l": mixed}, {"l": elements}, value="exact").value == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I cannot see an invoice here", "there is no JSON value"),
        ('{"total": 1,}', "trailing commas would have to be mended"),
        ("{'total': 1}", "Python notation would have to be mended"),
        ('{"total": 1 // euros\n}', "comments or trailing commas would have to be mended"),
        ('{"total": 1, "total": 2}', "the name 'total' stands twice"),
        ('{"a": {"x": 1, "x": 1}}', "the name 'x' stands twice"),
        ("[1, 2]", "a JSON list, not an object"),
        ('"total"', "a JSON text, not an object"),
        ('{"total": NaN}', ""),
        ('{"total": 1', ""),
        (json.dumps({"a": [1] * 10_001}), "more than 10,000 values"),
    ],
)
def test_what_is_not_one_json_object_is_no_answer(answer, why):
    score = scored(answer, {"total": 1})
    assert (score.outcome, score.value) == (Outcome.NO_ANSWER, 0)
    assert why in score.reason


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        ('{"total": 1}', "the whole text: 1 of 1"),
        ('```json\n{"total": 1}\n```', "a fenced json block, 12 characters around it left out: 1 of 1"),
        ('{"total": 1} Done.', "the first JSON object in the text, 6 characters around it left out: 1 of 1"),
    ],
)
def test_what_was_left_out_to_get_at_the_object_is_said(answer, how):
    assert scored(answer, {"total": 1}).reason.startswith(how)


@pytest.mark.parametrize(
    ("answer", "taken_from"),
    [
        (' {"total": 1}\n', ""),
        ('```json\n{"total": 1}\n```', "a fenced json block"),
        ('```\n{"total": 1}\n```', "a fenced block"),
        ('Sure: {"total": 1}', "the first JSON object in the text"),
    ],
)
def test_where_a_rule_took_the_object_from_is_kept(answer, taken_from):
    assert FieldVerdicts.from_json(scored(answer, {"total": 1}).extracted).taken_from == taken_from


def test_verdicts_of_records_that_do_not_say_where_the_object_was_are_read():
    old = {"valid": None, "right": ["a"], "wrong": [], "missing": [], "hallucinated": [], "absent": []}
    assert FieldVerdicts.from_json(json.dumps(old)).taken_from is None


def test_an_object_that_the_token_limit_cut_is_truncated_and_one_that_was_complete_is_not():
    assert (
        scored('{"total": 1, "due": "2024', {"total": 1}, finish=FinishReason.LENGTH).outcome
        is Outcome.TRUNCATED
    )
    assert scored('{"total": 1}', {"total": 1}, finish=FinishReason.LENGTH).value == 1


@pytest.mark.parametrize("where", [{"schema": SCHEMA}, {"meta": {"schema": SCHEMA}}])
def test_validity_is_kept_beside_the_fields_and_exactness_needs_it(where):
    gold = {"total": 5}
    score = scored({"total": 5}, gold, **where)
    assert score.value == 1
    assert json.loads(score.extracted)["valid"] is False
    assert "not valid at $.total" in score.reason
    assert scored({"total": 5}, gold, value="exact", **where).value == 0
    assert json.loads(scored({"total": "5"}, gold, **where).extracted)["valid"] is True
    assert json.loads(scored({"total": 5}, gold).extracted)["valid"] is None


def test_of_several_targets_the_nearest_counts():
    item = Item("i", "", target=('{"a": 1, "b": 1}', '{"a": 2, "b": 2}'))
    assert judge(build_scorer("fields"), item, Response(text='{"a": 2, "b": 2}')).value == 1


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "fields must be a mapping"),
        ({"a": "dat"}, "fields.a: there is no kind 'dat'"),
        ({"a": 3}, "fields.a: expected a kind"),
        ({"a": {"date": None, "text": None}}, "fields.a: expected a kind"),
        ({"a": {"date": {"ordr": "dmy"}}}, "fields.a: it has no option 'ordr'"),
        ({"a": {"date": {"order": "ymd"}}}, "`order` cannot be 'ymd'"),
        ({"a": {"date": "dmy"}}, "fields.a: options are a mapping"),
        ({"a": {"amount": {"tolerance": -1}}}, "tolerance must be 0 or more"),
        ({"a": {"amount": {"currency": "euros"}}}, "currency must be a code"),
        ({"a": {"fuzzy": {"at_least": 0}}}, "at_least must lie"),
        ({"a": {"enum": []}}, "an enum needs the list"),
        ({"a": {"enum": [True]}}, "an enum needs the list"),
        ({"a": {"list": {"key": "b"}}}, "a list needs `of`"),
        ({"a": {"list": {"of": "text", "key": "b"}}}, "the key 'b' is no single value"),
        ({"a": {"list": {"of": "text", "align": "order"}}}, "align is `best` or `position`"),
        (
            {"a": {"list": {"of": {"object": {"b": "text"}}, "key": "b", "align": "position"}}},
            "without a `key`",
        ),
        ({"a": {"list": {"of": "text", "sort": True}}}, "may have `key` or `align`"),
        ({"a": {"list": {"of": {"object": {"b": "ignore"}}, "key": "b"}}}, "the key 'b' is no single value"),
        ({"a": {"object": {"b": {"list": {"of": "wrd"}}}}}, "fields.a.b[]: there is no kind 'wrd'"),
        ({"a": {"ignore": {"x": 1}}}, "ignore has no options"),
        ({"a": {"enum": [{1, 2}]}}, "not JSON"),
    ],
)
def test_a_mistake_in_the_fields_is_named_with_its_place(fields, problem):
    with pytest.raises(TaskError) as error:
        build_scorer({"name": "fields", "fields": fields})
    assert problem in error.value.message


@pytest.mark.parametrize(
    ("kind", "gold", "said"),
    [
        ({"date": {"order": "dmy"}}, "2024-03-05", "05/03/2024"),
        ({"date": {"order": "mdy"}}, "03/05/2024", "March 5, 2024"),
        ({"date": {"order": None}}, "2024-03-05", "March 5, 2024"),
        ({"number": {"tolerance": 0.1, "decimal": ","}}, "1,2", 1.25),
        ({"amount": {"tolerance": 1, "decimal": ".", "currency": "EUR"}}, "1,204", "EUR 1203.50"),
        ({"fuzzy": {"at_least": 0.7}}, "Okafor Tools", "Okafor Tool"),
        ({"enum": ["paid", "open"]}, "paid", "PAID"),
        ({"list": {"of": "text", "align": "best"}}, ["a", "b"], ["b", "a"]),
    ],
)
def test_every_option_of_a_kind_can_be_given(kind, gold, said):
    assert scored({"a": said}, {"a": gold}, fields={"a": kind}).value == 1


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        ({"invoice_date": "3/5/2024"}, "invoice_date can be 2024-03-05 or 2024-05-03"),
        ({"total": "a lot"}, "total must be an amount"),
        ({"suplier": "x"}, "suplier is not named in `fields`"),
        ({"lines": "none"}, "lines must be a list"),
        ({"lines": ["A1"]}, "lines[0] must be an object"),
        ({"lines": [{"quantity": 1}]}, "lines[0] has no sku"),
        ({"lines": [{"sku": "A"}, {"sku": "a"}]}, "lines[1] has the same sku"),
        ([], "a JSON list, not an object"),
    ],
)
def test_a_target_that_cannot_be_compared_is_a_mistake_of_the_task(gold, problem):
    with pytest.raises(TaskError, match="item i: the target cannot be compared") as error:
        scored({}, gold, fields=INVOICE)
    assert problem in error.value.message


def test_targets_that_are_no_json_objects_and_items_without_a_target_are_mistakes():
    for target in ((), ("{",), ('{"a": 1, "a": 2}',)):
        with pytest.raises(TaskError, match="item i: "):
            judge(build_scorer("fields"), Item("i", "", target=target), Response(text="{}"))


def test_lists_too_long_to_be_aligned_are_refused_on_either_side():
    with pytest.raises(TooManyError, match="l has too many"):
        compare(Typed(), {"l": [0] * 5000}, {"l": [0] * 201})
    with pytest.raises(ValueError, match="l is too long"):
        check_gold(Typed(), {"l": [0] * 1001})
    assert scored({"l": [0] * 5000}, {"l": [0] * 201}).outcome is Outcome.NO_ANSWER


def test_the_id_names_the_fields_and_what_a_target_expects_is_read_from_it():
    scorer = build_scorer({"name": "fields", "fields": INVOICE, "schema": SCHEMA, "value": "exact"})
    assert scorer.id.startswith('fields@1(fields={"invoice_date": "date", ')
    other = build_scorer(
        {"name": "fields", "fields": INVOICE, "schema": {"type": "object"}, "value": "exact"}
    )
    assert scorer.id != other.id
    target = (json.dumps(GOLD),)
    assert of_nothing(scorer.id, target) == [
        ("invoice_date", "missing"),
        ("total", "missing"),
        ("supplier", "missing"),
        ("status", "absent"),
        ("lines[0].sku", "missing"),
        ("lines[0].quantity", "missing"),
        ("lines[1].sku", "missing"),
        ("lines[1].quantity", "missing"),
    ]
    for plain in ("fields@1", "fields@1(value=exact)"):
        assert of_nothing(plain, target)[-1] == ("note", "missing")
        assert of_nothing(plain, ("no JSON",)) == of_nothing(plain, 1) == of_nothing(plain, ()) == []


# The notes of the catalog's extraction task: four questions on each become one object.
NOTES = {
    "number": "exact",
    "date": "date",
    "amount": "amount",
    "person": {"fuzzy": {"at_least": 0.9}},
}


def notes(n: int) -> Task:
    """A task that asks for all facts of each of `n` notes as JSON."""
    rows = [row for row in questions(0, 4 * n) if row["asked"] == "number"]
    items = [{"id": row["group"], "input": row["note"], "target": row["facts"]} for row in rows]
    return Task(name="notes", data={"items": items}, scorer={"name": "fields", "fields": NOTES})


def test_the_facts_of_the_catalogs_notes_are_targets_that_other_spellings_meet():
    items = list(prepare(notes(40)).items())
    assert len(items) == 40
    scorer = build_scorer({"name": "fields", "fields": NOTES})
    for item in items:
        facts = json.loads(item.target[0])
        day, month = facts["date"].split()
        respelled = {
            "person": facts["person"].upper(),
            "amount": f"{facts['amount'][1:]} USD",
            "date": f"{month[:3]}. {day}",
            "number": facts["number"],
        }
        assert judge(scorer, item, Response(text=json.dumps(respelled))).value == 1
        # The other person of the note, and a year that it does not state.
        invented = respelled | {"date": f"{day} {month} 2024", "number": facts["number"].lower()}
        assert judge(scorer, item, Response(text=json.dumps(invented))).value == 0.5
