"""LiveCodeBench's tests: unpacked without ever loading a pickle, and judged as its own harness does."""

import base64
import json
import pickle
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.catalog.code.livecodebench import row
from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.sandbox import SandboxError, sandbox
from bakeoff.score import judge
from bakeoff.score.code import Code
from bakeoff.score.code.livecodebench import Case, pickled_text, read_cases
from bakeoff.score.code.running import _print_fault
from bakeoff.task import Task, prepare

texts = st.text(st.characters(codec="utf-8"))
LOADED: list[str] = []


def packed(value: object, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


def case(given: str, right: str, kind: str = "stdin") -> dict[str, str]:
    return {"input": given, "output": right, "testtype": kind}


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_what_was_packed_comes_out_whatever_the_protocol(pairs, protocol):
    tests = [case(*pair) for pair in pairs]
    cases = read_cases(json.dumps(tests[:1]), packed(json.dumps(tests[1:], ensure_ascii=False), protocol))
    assert cases == tuple(Case(*pair, functional=False) for pair in pairs)
    assert read_cases("[]", json.dumps(tests)) == cases


class Loaded:
    """Leaves a trace when its pickle is loaded."""

    def __reduce__(self):
        return LOADED.append, ("loaded",)


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Loaded()),
        pickle.dumps(["a text", "another"]),
        pickle.dumps(("[]",)),
        pickle.dumps(b"[]"),
        pickle.dumps(7),
        pickle.dumps("[]")[:-1],
        pickle.dumps("[]") + b"x",
        pickle.dumps("[]") + pickle.dumps(Loaded()),
        b"cos\nsystem\n(S'true'\ntR.",
        b"\x8c\xff.",
        b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff.",
        b".",
        b"",
    ],
)
def test_a_pickle_of_anything_but_one_text_is_refused_and_not_loaded(data):
    with pytest.raises(ValueError, match=r"\w"):
        pickled_text(data)
    with pytest.raises(ValueError, match="the private tests cannot be unpacked"):
        read_cases("[]", base64.b64encode(zlib.compress(data)).decode())
    assert LOADED == []


@given(
    st.binary(max_size=60)
    | st.builds(lambda start, end: start + end, st.sampled_from([b"\x80\x04", b"\x8c\x01a"]), st.binary())
)
def test_any_bytes_are_a_text_or_refused(data):
    try:
        found = pickled_text(data)
    except ValueError:
        return
    assert isinstance(found, str)


@pytest.mark.parametrize(
    ("public", "private", "problem"),
    [
        ("no", "[]", "the public tests are not JSON"),
        ("{}", "[]", "the public tests are no list"),
        ("[1]", "[]", "the public tests, number 1: expected input, output"),
        (json.dumps([case("1", "2", "other")]), "[]", "testtype of stdin or functional"),
        ("[]", "!", "the private tests cannot be unpacked"),
        ("[]", base64.b64encode(zlib.compress(b"x" * 99)[:-5]).decode(), "cannot be unpacked"),
        ("[]", "[]", "there are no tests"),
        (json.dumps([case("1", "2"), case("1", "2", "functional")]), "[]", "some tests call a function"),
        ("[" * 100_000, "[]", "not JSON"),
    ],
)
def test_rows_that_are_broken_are_named(public, private, problem):
    with pytest.raises(ValueError, match=problem):
        read_cases(public, private)


@pytest.mark.parametrize(
    ("printed", "wanted", "same"),
    [
        ("6\n", "6", True),
        ("  6  \n\n", "6\n", True),
        ("1 2\n3", "1 2 \n3\n", True),
        ("6.0", "6", True),
        ("1.50  2e3", "1.5 2000", True),
        ("0.1", "0.10000000001", False),
        ("-0", "0", True),
        ("1 2", "1\n2", False),
        ("1 2", "1 2 3", False),
        ("Yes", "YES", False),
        ("yes 1.0", "yes 1", False),
        ("nan", "NaN", False),
        ("sNaN 1", "sNaN 1.0", False),
        ("1e999999999", "1", False),
        ("", "", True),
        ("a  b", "a b", False),
    ],
)
def test_what_was_printed_is_compared_by_lines_and_by_exact_numbers(printed, wanted, same):
    assert (_print_fault(printed.encode(), 0, b"", wanted) == "") is same


def hub_row(tests: list[dict[str, str]], *, starter: str = "", name: str = "") -> dict[str, object]:
    return {
        "question_title": "Twice",
        "question_content": "Give twice the number.",
        "platform": "leetcode" if name else "atcoder",
        "question_id": "x1",
        "contest_id": "c",
        "contest_date": "2025-02-08T00:00:00",
        "starter_code": starter,
        "difficulty": "easy",
        "public_test_cases": json.dumps(tests[:1]),
        "private_test_cases": packed(json.dumps(tests[1:])),
        "metadata": json.dumps({"func_name": name} if name else {}),
    }


STDIN = hub_row([case("2\n", "4\n"), case("5", "10")])
METHOD = hub_row(
    [case("[1, 2]\n2", "[2, 4]", "functional"), case("[]\n3", "[]", "functional")],
    starter="class Solution:\n    def times(self, values: List[int], by: int) -> List[int]:\n        ",
    name="times",
)
PROGRAMS = {
    "stdin": (STDIN, "print(int(input()) * 2)", "print(int(input()) + 2)"),
    "method": (
        METHOD,
        "class Solution:\n    def times(self, values: List[int], by: int) -> List[int]:\n"
        "        return list(map(partial(mul, by), values))",
        "class Solution:\n    def times(self, values: List[int], by: int) -> List[int]:\n"
        "        return values",
    ),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_row_of_the_hub_becomes_an_item_whose_answers_are_run(kind):
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))
    columns, right, wrong = PROGRAMS[kind]
    made = row(columns)
    item = Item(made["id"], made["input"], metadata=made["meta"])
    scorer = Code(timeout_s=5)
    for program, value in ((right, 1), (wrong, 0), ("pass", 0)):
        score = judge(scorer, item, Response(f"```python\n{program}\n```", finish=FinishReason.STOP))
        assert (score.outcome, score.value) == (Outcome.SCORED, value), score.reason


def test_the_item_is_dated_and_its_prompt_shows_the_code_to_complete():
    from bakeoff.task import load_task

    benchmark, _ = load_task("livecodebench")
    for columns in (STDIN, METHOD):
        task = Task(
            name="rows",
            data={"items": [columns], "convert": row, "where": {"meta.contest_date": {"from": "2025-02"}}},
            prompt=benchmark.prompt,
            scorer=benchmark.scorer,
        )
        prepared = prepare(task)
        (item,) = prepared.items()
        assert item.metadata["contest_date"] == "2025-02-08"
        (turn,) = prepared.render(item).turns
        text = "".join(message.text for message in turn)
        assert "Give twice the number." in text
        assert ("standard input" in text) == (columns is STDIN)
        assert str(columns["starter_code"]).strip() in text


def test_a_broken_row_is_named_when_it_is_judged_or_read():
    made = row(STDIN | {"private_test_cases": packed(7)})
    with pytest.raises(TaskError, match=r"item x1: .*the private tests cannot be unpacked"):
        judge(Code(), Item("x1", "", metadata=made["meta"]), Response("```\npass\n```"))
    with pytest.raises(TaskError, match="question x1: metadata is not JSON"):
        row(STDIN | {"metadata": "{"})
