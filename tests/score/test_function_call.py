"""Calls in answers: how they are read, and when they are the accepted ones."""

import json
import keyword
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.function_call.call import Call
from bakeoff.score.function_call.read import read_calls
from tests.score.making import said

AREA = {
    "name": "shape.area",
    "parameters": {
        "type": "dict",
        "properties": {
            "base": {"type": "integer"},
            "height": {"type": "float"},
            "unit": {"type": "string"},
            "points": {"type": "array", "items": {"type": "float"}},
            "pair": {"type": "tuple", "items": {"type": "integer"}},
            "exact": {"type": "boolean"},
            "style": {"type": "dict"},
            "layers": {"type": "array", "items": {"type": "dict"}},
            "tag": {"type": "any"},
        },
        "required": ["base"],
    },
}
BOOK = {"name": "book", "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}
ACCEPTED = {
    "base": [10],
    "height": [5.0, 5, ""],
    "unit": ["sq. cm", ""],
    "points": [[1.0, 2.5], ""],
    "pair": [[1, 2], ""],
    "exact": [True, ""],
    "style": [{"line": ["Dashed"], "width": [1, 2, ""]}, ""],
    "layers": [[{"z": [1]}, {"z": [2]}], ""],
    "tag": ["x", ""],
}


def score(target: Any, text: str, finish: FinishReason = FinishReason.STOP, functions: Any = (AREA, BOOK)):
    target = target if isinstance(target, str) else json.dumps(target)
    item = Item("i", "", target=(target,), metadata={"functions": list(functions)})
    return judge(build_scorer("function_call"), item, said(text, finish))


def area(text: str):
    return score([{"shape.area": ACCEPTED}], text)


@pytest.mark.parametrize(
    "text",
    [
        "shape.area(base=10)",
        "[shape.area(base=10)]",
        "\n\n[shape.area(base=10),]",
        "[shape.area(base=10)",  # the bracket is added, and that is said
        "```python\n[shape.area(base=10)]\n```",
        '```json\n[{"name": "shape.area", "arguments": {"base": 10}}]\n```',
        '{"name": "shape.area", "arguments": {"base": 10}}',
        '{"name": "shape.area", "parameters": {"base": 10}}',
        '{"name": "shape_area", "arguments": "{\\"base\\": 10}"}',
        '[{"type": "function", "function": {"name": "shape_area", "arguments": "{\\"base\\": 10}"}}]',
        '{"tool_calls": [{"name": "shape.area", "arguments": {"base": 10}}]}',
        '[{"shape.area": {"base": 10}}]',
        '[{"shape_area": "{\\"base\\": 10}"}]',
        'I will.\n<tool_call>\n{"name": "shape.area", "arguments": {"base": 10}}\n</tool_call>',
        '<function=shape_area>{"base": 10}</function>',
        '[TOOL_CALLS] [{"name": "shape.area", "arguments": {"base": 10}}]',
        "<|python_tag|>[shape.area(base=10)]<|eot_id|>",
        "[shape.area(base=4 + 2 * 3)]",
    ],
)
def test_a_call_is_read_in_every_notation(text):
    assert area(text).value == 1, area(text).reason


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ("base=10, height=5.0", True),
        ("base=10, height=5", True),  # a whole number for a float
        ("base=10.0", False),  # and not the other way round
        ("base='10'", False),
        ("base=True", False),
        ("base=11", False),
        ("height=5.0", False),  # base is required
        ("base=10, colour='red'", False),
        ("base=10, unit='SQ CM'", True),  # case, spaces and ,./-_*^ do not matter
        ("base=10, unit='sq-cm.'", True),
        ("base=10, unit='sq; cm'", False),
        ("base=10, points=[1.0, 2.5]", True),
        ("base=10, points=[2.5, 1.0]", False),
        ("base=10, points=[1, 2.5]", False),  # BFCL: elements are not converted
        ("base=10, points=[]", True),  # as good as leaving it out
        ("base=10, pair=(1, 2)", True),
        ("base=10, pair=[1, 2]", True),
        ("base=10, points=(1.0, 2.5)", False),
        ("base=10, points=None", False),
        ("base=10, exact=True", True),
        ("base=10, exact=1", False),
        ("base=10, exact=False", False),
        ("base=10, style={'line': 'dashed', 'width': 2}", True),
        ("base=10, style={'line': 'dashed'}", True),
        ("base=10, style={'width': 2}", False),
        ("base=10, style={'line': 'dashed', 'end': 1}", False),
        ("base=10, style='dashed'", False),
        ("base=10, style={'line': 'dashed', 'width': True}", False),
        ("base=10, layers=[{'z': 1}, {'z': 2}]", True),
        ("base=10, layers=[{'z': 2}, {'z': 1}]", False),
        ("base=10, layers=[{'z': 1}]", False),
        ("base=10, tag='x'", True),
        ("base=10, tag=None", False),
    ],
)
def test_an_argument_has_its_type_and_an_accepted_value(arguments, right):
    assert area(f"[shape.area({arguments})]").value == float(right)


def test_a_variable_is_a_name_where_the_accepted_value_is_text():
    accepted = {"base": ["side"]}
    assert score([{"shape.area": accepted}], "shape.area(base=side)").value == 1
    assert score([{"shape.area": accepted}], "shape.area(base='side')").value == 1
    assert score([{"shape.area": accepted}], "shape.area(base=Side)").value == 0


def test_a_bare_value_in_an_accepted_object_is_the_only_one():
    accepted = {"base": [10], "style": [{"line": "dashed", "width": 2}]}
    for style, right in (
        ("{'line': 'Dashed', 'width': 2}", 1),
        ("{'line': 'd', 'width': 2}", 0),
        ("{'width': 2}", 0),
    ):
        assert score([{"shape.area": accepted}], f"shape.area(base=10, style={style})").value == right


def test_underscores_for_dots_are_the_interfaces_not_pythons():
    assert area("[shape_area(base=10)]").value == 0
    assert area('[{"name": "shape_area", "arguments": {"base": 10}}]').value == 1
    assert area('[{"name": "shape_areas", "arguments": {"base": 10}}]').value == 0


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("[book(city='Rome'), book(city='Oslo'), shape.area(base=10)]", True),
        ("[shape.area(base=10), book(city='Oslo'), book(city='Rome')]", True),
        ("book(city='Oslo')\nshape.area(base=10)\nbook(city='Rome')", True),
        ("[book(city='Rome'), book(city='Rome'), shape.area(base=10)]", False),
        ("[book(city='Rome'), shape.area(base=10)]", False),
        ("[book(city='Rome'), book(city='Oslo'), shape.area(base=10), book(city='Rome')]", False),
    ],
)
def test_several_calls_in_any_order(text, right):
    expected = [{"book": {"city": ["Rome"]}}, {"shape.area": ACCEPTED}, {"book": {"city": ["Oslo"]}}]
    assert score(expected, text).value == float(right)
    numbered = {"book_1": {"city": ["Rome"]}, "shape.area": ACCEPTED, "book_2": {"city": ["Oslo"]}}
    assert score(numbered, text).value == float(right)


def test_calls_are_paired_so_that_all_fit_if_they_can():
    """The first expected call would take the only one that the second accepts."""
    expected = [{"book": {"city": ["Rome", "Oslo"]}}, {"book": {"city": ["Rome"]}}]
    assert score(expected, "[book(city='Rome'), book(city='Oslo')]").value == 1
    assert score(expected, "[book(city='Oslo'), book(city='Rome')]").value == 1
    assert score(expected, "[book(city='Oslo'), book(city='Oslo')]").value == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("None of the functions can do this.", 1),
        ("[]", 1),
        ('{"tool_calls": []}', 1),
        ("You could use `book(city='Rome')` for that, but no.", 1),
        ("```python\ncity = 'Rome'\nbook(city=city)\n```", 1),
        ("[book(city='Rome')]", 0),
        ('[{"book": {"city": "Rome"}}]', 0),
        ("book()", 0),
    ],
)
def test_where_no_function_fits_any_answer_without_a_call_is_right(text, value):
    assert score("no call", text).value == value
    assert score('"no call"', text).value == value


def test_declining_to_call_is_right_where_no_call_is_and_a_refusal_elsewhere():
    decline = "I'm sorry, but I cannot help with that."
    assert score("no call", decline).outcome is Outcome.SCORED
    assert area(decline).outcome is Outcome.REFUSED


def test_any_call_asks_only_for_a_call():
    assert score("any call", "[book(city='Rome')]").value == 1
    assert score("any call", "[]").value == 0
    assert score("any call", "Let me think.").outcome is Outcome.NO_ANSWER


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I would call shape.area(base=10).", "not calls"),
        ("shape.area(10)", "not given by name"),
        ("shape.area({'base': 10})", "not given by name"),
        ("shape.area(**{'base': 10})", "not given by name"),
        ("shape.area(base=10, base=11)", "twice"),
        ("x = shape.area(base=10)", "a program"),
        ("import os", "a program"),
        ("[shape.area]", "not a call"),
        ("(lambda: 1)(base=10)", "not the name of a function"),
        ('{"name": "shape.area", "arguments": "{base: 10}"}', "not JSON"),
        ('{"name": "shape.area", "arguments": [10]}', "not given by name"),
        ('{"a": 1, "b": 2}', "without a name"),
        ('"shape.area"', "not a call"),
        ("f(" * 5000, "not calls"),
        ("f(a=" + "-" * 50_000 + "1)", "not calls"),
        ("f(a=0x" + "f" * 5000 + ")", "digits"),
        ("f(a=" + "9" * 5000 + ")", "not calls"),
        ("f(a='" + "x" * 200_000 + "')", "longer than"),
        ("\ud800", "not calls"),
        ("f(a=\x00)", "not calls"),
    ],
)
def test_what_is_not_calls_is_no_answer_and_says_why(text, why):
    found = read_calls(text)
    assert isinstance(found, Nothing)
    assert why in found.why
    assert area(text).outcome is Outcome.NO_ANSWER


def test_nothing_is_executed_and_no_power_tower_is_computed():
    calls, _ = read_calls("f(a=9**9**9**9, b=__import__('os').getcwd(), c=[x for x in y], d=2*3.5, e=1/0)")
    assert calls == (
        Call(
            "f",
            {
                "a": "9 ** 9 ** 9 ** 9",
                "b": "__import__('os').getcwd()",
                "c": "[x for x in y]",
                "d": 7.0,
                "e": "1 / 0",
            },
            "python",
        ),
    )


def test_a_cut_answer_that_ends_with_a_call_may_have_had_more():
    assert score("no call", "None of", FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert (
        score([{"book": {"city": ["Rome"]}}], "[book(city='Rome')", FinishReason.LENGTH).outcome
        is Outcome.TRUNCATED
    )
    assert score([{"book": {"city": ["Rome"]}}], "[book(city='Rome')]", FinishReason.LENGTH).value == 1


def test_the_reason_names_the_argument():
    assert "base=11 is not accepted" in area("shape.area(base=11)").reason
    assert "the required argument base is missing" in area("shape.area(height=5.0)").reason
    assert "2 calls, 1 expected" in area("shape.area(base=10), shape.area(base=10)").reason


@pytest.mark.parametrize(
    ("target", "functions", "named"),
    [
        ("maybe", (BOOK,), "target"),
        ("[]", (BOOK,), "target"),
        ("[1]", (BOOK,), "target"),
        ('[{"book": {"city": "Rome"}}]', (BOOK,), "target"),
        ('{"book": {"city": ["Rome"]}, "deck": [[], ""]}', (BOOK,), "target"),
        ('[{"hotel": {"city": ["Rome"]}}]', (BOOK, AREA), "hotel"),
        ('[{"book": {"city": ["Rome"]}}]', (), "metadata.functions"),
        ('[{"book": {"city": ["Rome"]}}]', ({"parameters": {}},), "no name"),
    ],
)
def test_a_task_that_cannot_be_judged_is_the_tasks_mistake(target, functions, named):
    with pytest.raises(TaskError, match="item i") as error:
        score(target, "[book(city='Rome')]", functions=functions)
    assert named in str(error.value)


NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda name: not keyword.iskeyword(name))
VALUES = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab 'é\"\\\n", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", min_size=1), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_python_and_json_notation_say_the_same(arguments):
    in_python = f"f({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    in_json = json.dumps({"name": "f", "arguments": arguments})
    (python,), _ = read_calls(in_python)
    (other,), _ = read_calls(in_json)
    assert python.arguments == other.arguments == arguments


@given(st.text(st.sampled_from("f(a=1),[]{}\"': \n0x9*-<tool_call>/`"), max_size=60) | st.text(max_size=40))
def test_any_text_has_an_outcome(text):
    for target in ("no call", "any call", [{"book": {"city": ["Rome"]}}]):
        assert score(target, text).outcome is not Outcome.SCORER_ERROR
