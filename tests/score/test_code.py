"""Code by execution: what is taken from an answer, the kinds of tests, and programs that try to cheat."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.sandbox import SandboxError, sandbox, tiers
from bakeoff.score import judge
from bakeoff.score.code import Code, scorer
from bakeoff.score.code.programs import find_programs
from bakeoff.score.extract.extraction import Nothing

QUICK = Code(timeout_s=2)
TRIPLE = {"entry_point": "triple", "test_list": ["assert triple(2) == 6", "assert triple('ab') == 'ababab'"]}
CALLS = {
    "entry_point": "triple",
    "calls": [{"args": [2], "expected": 6}, {"args": ["ab"], "expected": "ababab"}],
}
CHECK = {
    "entry_point": "triple",
    "prompt": 'from math import floor\n\ndef triple(x):\n    """Three times x."""\n',
    "test": "def check(candidate):\n    for n in range(5):\n        assert candidate(n) == n + n + n\n",
}
STDIO = {"stdio": [{"input": "2\n", "output": "6\n"}, {"input": "5\n", "output": "15"}]}
RIGHT = "def triple(x):\n    return 3 * x\n"


@pytest.fixture(scope="module", autouse=True)
def _sandboxed():
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


def run(
    text: str, tests: dict[str, Any], code: Code = QUICK, target: tuple[str, ...] = (), **more: Any
) -> Score:
    response = Response(text=text, finish=more.pop("finish", FinishReason.STOP))
    return judge(code, Item("triple", "Triple it.", (), target, metadata=tests), response)


def fenced(text: str) -> str:
    return f"```python\n{text}\n```"


# --- kinds of tests
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tests", [TRIPLE, CALLS, CHECK], ids=["asserts", "calls", "check"])
def test_a_right_program_passes_and_a_wrong_one_does_not(tests):
    right, wrong = run(fenced(RIGHT), tests), run(fenced(RIGHT.replace("3", "2")), tests)
    assert (right.outcome, right.value) == (Outcome.SCORED, 1.0), right.reason
    assert sandbox().name in right.reason
    assert (wrong.outcome, wrong.value) == (Outcome.SCORED, 0.0)
    assert "test 1 of" in wrong.reason


def test_programs_between_standard_input_and_output():
    assert run(fenced("print(3 * int(input()))"), STDIO).value == 1
    assert run(fenced("import sys\nprint(3 * int(sys.stdin.read()), end='  \\n\\n')"), STDIO).value == 1
    assert run(fenced("import os\nprint(3 * int(open(0).read()), flush=True)\nos._exit(0)"), STDIO).value == 1
    assert (
        run(
            fenced("import sys\nfor line in sys.stdin.buffer:\n    print(3 * int(line))\nsys.exit()"), STDIO
        ).value
        == 1
    )
    wrong = run(fenced("print(6)"), STDIO)
    assert wrong.value == 0
    assert "test 2 of 2: printed '6', expected '15'" in wrong.reason
    crashed = run(fenced("print(6)\nprint(1 / 0)"), STDIO)
    assert "ZeroDivisionError" in crashed.reason


def test_inputs_are_compared_with_what_the_reference_returns():
    tests = {"entry_point": "pair", "inputs": [[1, 2], "(3, {4})"]}
    reference = "def pair(a, b): return (a, b)"
    assert run(fenced("def pair(*both): return both"), tests, target=(reference,)).value == 1
    listed = run(fenced("def pair(*both): return list(both)"), tests, target=(reference,))
    assert "returned [1, 2], expected (1, 2)" in listed.reason


def test_json_knows_no_tuples_so_a_tuple_counts_as_the_list():
    tests = {"entry_point": "f", "calls": [{"args": [], "expected": [1, [2, {"a": [3]}]]}]}
    assert run(fenced("def f(): return (1, (2, {'a': (3,)}))"), tests).value == 1
    assert run(fenced("def f(): return (1, (2, {'a': {3}}))"), tests).value == 0


@pytest.mark.parametrize(
    ("returned", "expected", "value"),
    [
        ("0.1 + 0.2", 0.3, 1),
        ("0.3001", 0.3, 0),
        ("1", 1.0, 1),
        ("1.0", 1, 1),
        ("True", 1, 1),
        ("1.0000001", 1, 0),  # the tolerance is for expected floats
        ("'1'", 1, 0),
        ("None", None, 1),
        ("0", None, 0),
        ("float('nan')", 1.0, 0),
        ("float('inf')", 1.0, 0),
        ("1 << 5000", 1 << 5000, 1),
        ("(1 << 5000) + 1", 1 << 5000, 0),
        ("10 ** 400", 1.5, 0),
        ("{'b': 1, 'a': 2}", {"a": 2, "b": 1}, 1),
        ("{'a': 2}", {"a": 2, "b": 1}, 0),
        ("'\\ud800'", "\ud800", 1),
        ("iter([1, 2])", [1, 2], 1),
        ("range(3)", [0, 1, 2], 1),
        ("object()", None, 0),
        ("print", None, 0),
    ],
)
def test_returned_data_against_expected(returned, expected, value):
    tests = {"entry_point": "f", "calls": [{"expected": expected}]}
    assert run(fenced(f"def f(): return {returned}"), tests).value == value


@pytest.mark.parametrize(
    ("returned", "test"),
    [
        ("{1, 2}", "assert f() == {2, 1}"),
        ("(1, [2, {3: b'x'}])", "assert f() == (1, [2, {3: b'x'}])"),
        ("frozenset({(1, 2)})", "assert f() == {(1, 2)}"),
        ("map(str, [1, 2])", "assert list(f()) == ['1', '2']"),
        ("1j", "assert f() == 1j"),
        ("float('nan')", "import math\nassert math.isnan(f())"),
        ("__import__('collections').Counter('aab')", "assert f() == {'a': 2, 'b': 1}"),
        ("__import__('collections').namedtuple('P', 'x')(1)", "assert f() == (1,)"),
        ("1 << 20000", "assert f().bit_length() == 20001"),
        ("lambda: 0", "assert f() != 0"),
        ("[1]", "assert f() is not None and math.isclose(f()[0], 1)"),  # math is imported for tests
    ],
)
def test_python_s_own_kinds_reach_the_tests(returned, test):
    score = run(fenced(f"def f(): return {returned}"), {"entry_point": "f", "test_list": [test]})
    assert score.value == 1, score.reason


def test_what_a_function_does_to_its_arguments_is_seen_by_the_tests():
    tests = {"test_list": ["x = [3, 1, 2]\nassert order(x) is None\nassert x == [1, 2, 3]"]}
    assert run(fenced("def order(x): x.sort()"), tests).value == 1
    assert run(fenced("def order(x): sorted(x)"), tests).value == 0


def test_exceptions_reach_the_tests_as_what_they_are():
    tests = {"test_list": ["try:\n    f(0)\n    assert False\nexcept ZeroDivisionError:\n    pass"]}
    assert run(fenced("def f(x): return 1 / x"), tests).value == 1
    assert run(fenced("def f(x): return 0"), tests).value == 0


def test_a_method_of_a_class_can_be_the_entry_point():
    tests = {"entry_point": "Solution.triple", "calls": [{"args": [2], "expected": 6}]}
    assert run(fenced("class Solution:\n    def triple(self, x):\n        return 3 * x"), tests).value == 1


def test_a_share_of_tests_is_a_share_of_the_value():
    tests = {"entry_point": "f", "calls": [{"args": [n], "expected": n * n} for n in (0, 1, 2, 3)]}
    share = Code(credit="share", timeout_s=2)
    assert run(fenced("def f(n): return n"), tests, share).value == 0.5
    assert run(fenced("def f(n): return n * n"), tests, share).value == 1
    assert run(fenced("def f(n): return 1 // (n < 2) and n"), tests, share).value == 0.5


def test_a_builtin_s_name_is_the_answer_s_where_the_reference_defines_it():
    tests = {"test_list": ["assert sum(10, 15) == 6"]}
    assert run(fenced("def sum(a, b): return 6"), tests, target=("def sum(a, b):\n    return 6",)).value == 1


def test_tests_may_use_what_the_prompt_defines():
    prompt = "def half(x):\n    return x / 2\n\ndef f(x):\n"
    tests = {"entry_point": "f", "prompt": prompt, "test": "def check(c):\n    assert half(c(4)) == 4\n"}
    assert run("    return half(x) * 4", tests).value == 1


# --- what is taken from an answer
# ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        fenced(RIGHT),
        f"Sure!\n\n```py\n{RIGHT}```\nIt multiplies.",
        f"~~~python\n{RIGHT}~~~",
        f"````python\n{RIGHT}````",
        f"```\n{RIGHT}```\n\nUsage:\n\n```python\nprint(triple(2))\n```",
        f"```bash\npip install triple\n```\n```python\n{RIGHT}```\n```text\n6\n```",
        f"```python\ndef triple(x):\n    return x\n```\nNo, better:\n```python\n{RIGHT}```",
        f"```python\n{RIGHT}",  # never closed
        RIGHT.replace("\n", "\r\n"),
        "```python\ntriple = lambda x: 3 * x\n```",
        "```python\nfrom __future__ import annotations\ndef triple(x: Later):\n    return 3 * x\n```",
    ],
)
def test_the_program_is_found_in_an_answer(text):
    assert run(text, CHECK).value == 1, run(text, CHECK).reason


@pytest.mark.parametrize(
    "text",
    [
        "    return 3 * x",
        "    return 3 * x\n\n\ndef other(y):\n    return y +",
        "    return 3 * x\n\nprint(triple(2))\n# and so on (",
        "    y = 3 * x\n\n    # blank lines and comments stay\n    return y\n",
        "return 3 * x",
        "    return 3 * floor(x)",
        "```python\n    return 3 * x\n```",
        "```python\nreturn 3 * x\n```",
        "```python\ny = 3 * x\nreturn y\n```",
        "\n    return 3 * x",
    ],
)
def test_a_body_goes_on_after_the_prompt(text):
    assert run(text, CHECK).value == 1, run(text, CHECK).reason


def test_first_or_last_of_two_definitions():
    text = f"```python\n{RIGHT}```\n```python\ndef triple(x):\n    return 0\n```"
    assert run(text, TRIPLE, Code(take="first", timeout_s=2)).value == 1
    assert run(text, TRIPLE, Code(take="last", timeout_s=2)).value == 0


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("", Outcome.EMPTY),
        ("   \n", Outcome.EMPTY),
        ("I think it multiplies by three.", Outcome.NO_ANSWER),
        ("I'm sorry, but I can't help with that.", Outcome.REFUSED),
        (fenced("def triple(x:\n"), Outcome.SCORED),
        (fenced("def other(x): return x"), Outcome.SCORED),
        ("def triple(x):\n    return 3 *", Outcome.SCORED),
        ("```javascript\nfunction triple(x) {}\n```", Outcome.NO_ANSWER),
    ],
)
def test_answers_without_a_working_program_count_nothing_and_say_how(text, outcome):
    score = run(text, TRIPLE)
    assert (score.outcome, score.value) == (outcome, 0.0)


def test_prose_after_a_prompt_is_no_answer_and_not_a_wrong_one():
    score = run("The function multiplies by three.", CHECK)
    assert score.outcome is Outcome.NO_ANSWER, score


def test_code_cut_by_the_token_limit_is_truncated_and_a_whole_block_before_it_is_not():
    assert run("```python\n" + RIGHT, TRIPLE, finish=FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert run("    return 3 * x", CHECK, finish=FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert run(fenced(RIGHT) + "\nThis func", TRIPLE, finish=FinishReason.LENGTH).value == 1
    assert run("    return 3 * x\n\ndef runs_o", CHECK, finish=FinishReason.LENGTH).value == 1


@settings(max_examples=200)
@given(st.text(max_size=300) | st.text("`~\n \tpydef:()x", max_size=300), st.booleans(), st.booleans())
def test_any_text_yields_programs_within_it_or_nothing(text, named, prompted):
    found = find_programs(text, "f" if named else None, "def f(x):\n" if prompted else "", "last")
    assert isinstance(found, Nothing) or 0 <= found.end <= len(text)


@settings(max_examples=15)
@given(st.text(max_size=200))
def test_any_program_has_an_outcome(body):
    score = run(fenced(body), CALLS)
    assert score.outcome in (Outcome.SCORED, Outcome.NO_ANSWER, Outcome.EMPTY, Outcome.REFUSED), score.reason
    assert score.value == 0


@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000,
        "-" * 100_000 + "1",
        "x = " + "a." * 60_000 + "b",
        "x = " + "[" * 5_000 + "]" * 5_000,
        "x = 9 ** 9 ** 9",
        "x = 'a' * 10 ** 12",
        "x = " + " + ".join(["1"] * 50_000),
        "if 1:\n" + "".join(f"{' ' * n}if 1:\n" for n in range(1, 150)),
        "\x00",
        "# -*- coding: nonsense -*-",
        "x = '\ud800'",
        "```" * 20_000,
        "def triple(x): return x\n" * 100_000,
    ],
    ids=lambda source: repr(source[:12]),
)
def test_hostile_source_is_a_wrong_answer_at_worst(source):
    for text in (source, fenced(source)):
        score = run(text, TRIPLE)
        assert score.outcome is not Outcome.SCORER_ERROR, score.reason
        assert not score.value


# --- endings
# ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    while True: pass", "timeout"),
        ("    return 1 // 0", "ZeroDivisionError"),
        ("    return bytearray(1 << 32)", "out of memory"),
        ("    return triple(x)", "RecursionError"),
        ("    raise SystemExit(0)", "SystemExit"),
        ("    import os; os._exit(0)", "ended itself"),
        ("    import os; os.kill(os.getpid(), 9)", "SIGKILL"),
        ("    import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("    return 'x' * (1 << 25)", "larger than"),
    ],
)
@pytest.mark.parametrize("tests", [TRIPLE, CALLS], ids=["asserts", "calls"])
def test_how_a_program_failed_is_told(body, said, tests):
    score = run(fenced(f"def triple(x):\n{body}"), tests)
    assert (score.outcome, score.value) == (Outcome.SCORED, 0.0)
    assert said in score.reason


# --- cheats
# -------------------------------------------------------------------------------------------------------

CHEATS = {
    "equal to everything": """
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __bool__(self): return True
    def __hash__(self): return 0
def triple(x): return Equal()
""",
    "a number equal to everything": """
class Equal(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = int.__hash__
def triple(x): return Equal(1)
""",
    "a text equal to everything": """
class Equal(str):
    def __eq__(self, other): return True
    def __str__(self): return "ababab"
    __hash__ = str.__hash__
def triple(x): return Equal("?")
""",
    "a list equal to everything": """
class Equal(list):
    def __eq__(self, other): return True
def triple(x): return Equal()
""",
    "leaving with success": "def triple(x):\n    import sys; sys.exit(0)",
    "leaving with success on loading": "import os\nos._exit(0)",
    "leaving with success at the system call": "import os\ndef triple(x): os._exit(0)",
    "ending the interpreter in its exit hooks": """
import atexit, os
atexit.register(os._exit, 0)
def triple(x): return None
""",
    "printing a verdict": """
def triple(x):
    print("passed"); print("OK"); print('{"test":0}'); print('{"test":1}')
""",
    "writing a verdict to every descriptor": """
import os
def triple(x):
    for fd in range(64):
        try:
            os.write(fd, b'\\n{"test":0}\\n{"test":1}\\npassed\\n')
        except OSError:
            pass
""",
    "taking the channel and its nonce to forge a verdict": """
import gc
def triple(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Channel":
            for line in ('{"test":0}', '{"test":1}', '{"passed":2}', '{"value":true}', '{"program":0}'):
                each.write(line)
""",
    "walking the frames for what is expected": """
import sys
def triple(x):
    frame = sys._getframe()
    while frame:
        for name, value in {**frame.f_globals, **frame.f_locals}.items():
            if name in ("expected", "result", "tests", "solution") and not callable(value):
                try:
                    value.append("passed")
                except Exception:
                    return value
        frame = frame.f_back
""",
    "rewriting the interpreter": """
import builtins, json, os, sys
builtins.AssertionError = type("Never", (BaseException,), {})
builtins.isinstance = lambda *_: True
builtins.compile = lambda *_, **__: (lambda: None)
builtins.all = builtins.any = lambda *_: True
json.dumps = lambda *_, **__: '"passed"'
sys.exit = lambda *_: None
os.write = lambda fd, data: len(data)
def triple(x): return None
""",
    "replacing the guest's own functions": """
import sys
for name in ("encode", "call", "fault", "matches", "load"):
    setattr(sys.modules["__main__"], name, lambda *_, **__: '{"value":true}')
def triple(x): return None
""",
    "searching memory for the tests": """
import gc
def triple(x):
    needle = "ass" + "ert tri" + "ple(" + repr(x)
    for each in gc.get_objects():
        if isinstance(each, (list, tuple)):
            for text in each:
                if isinstance(text, str) and needle in text:
                    return eval(text.split("== ")[1])
        if isinstance(each, dict) and ("expec" + "ted") in each:
            return each["expec" + "ted"]
""",
    "searching files for the tests": """
import os
def triple(x):
    needle = "tri" + "ple(" + repr(x) + ") == "
    for folder, _, names in os.walk("/"):
        for name in names:
            path = os.path.join(folder, name)
            if not path.startswith(("/usr/lib", "/lib", "/dev")):
                try:
                    text = open(path, errors="replace").read(1 << 20)
                except OSError:
                    continue
                if needle in text:
                    return eval(text.split(needle)[1].split("\\n")[0])
""",
    "another name for the tests' own assert": """
def check(candidate): pass
def triple(x): return None
""",
    "an exception that tests may catch": "def triple(x): raise AssertionError('passed')",
    "an exception that ends a test runner": "def triple(x): raise KeyboardInterrupt",
    "an exception that speaks for the task": """
class TestFault(BaseException): pass
def triple(x): raise TestFault("passed")
""",
    "a syntax error at run time": "def triple(x): raise SyntaxError('tests')",
    "data of a kind there is not": """
import gc
def triple(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Channel":
            each.write('{"value":{"Opaque":[]}}'); each.write('{"value":{"set":[[1]]}}')
""",
    "a reply of the wrong shape": """
import gc, os
def triple(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Channel":
            for line in ("[]", "0", "null", '"passed"', '{"fault":0}', '{"value":1,"args":5}'):
                each.write(line)
            each.write('{"fault":{"error":[]}}')
""",
}


@pytest.mark.parametrize("tests", [TRIPLE, CALLS, CHECK, STDIO], ids=["asserts", "calls", "check", "stdio"])
@pytest.mark.parametrize("cheat", CHEATS)
def test_no_cheat_passes_and_none_is_mistaken_for_our_failure(cheat, tests):
    text = CHEATS[cheat] if tests is not STDIO else CHEATS[cheat] + "\ntriple(2)\n"
    score = run(fenced(text), tests)
    assert (score.outcome, score.value) == (Outcome.SCORED, 0.0), score.reason


def test_a_cheat_in_one_sample_changes_nothing_in_the_next():
    for cheat in list(CHEATS)[:4]:
        run(fenced(CHEATS[cheat]), TRIPLE)
        assert run(fenced(RIGHT), TRIPLE).value == 1


def test_many_colliding_keys_do_not_hang_the_judge():
    """Integers that hash alike make sets and mappings quadratic, in whoever builds them."""
    code = "def f(): return {n * (2**61 - 1): 0 for n in range(40000)} if 0 else forged()\n"
    code += """
import gc
def forged():
    channel = next(o for o in gc.get_objects() if type(o).__name__ == "Channel")
    channel.write('{"value":{"set":[%s]}}' % ",".join(str(n * (2**61 - 1)) for n in range(100000)))
"""
    tests = {"entry_point": "f", "inputs": [[]]}
    score = run(fenced(code), tests, target=("def f(): return {1, 2}",))
    assert score.value == 0
    assert "returned" in score.reason


# --- mistakes of a task, and of the machine
# ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tests", "named"),
    [
        ({}, "no tests"),
        ({**TRIPLE, **STDIO}, "both"),
        ({"calls": [{"args": [1], "expected": 1}]}, "entry_point"),
        ({"entry_point": 3, "calls": []}, "entry_point"),
        ({"entry_point": "f", "calls": []}, "calls"),
        ({"entry_point": "f", "calls": [{"args": [1]}]}, "calls[0]"),
        ({"entry_point": "f", "calls": [{"args": 1, "expected": 1}]}, "calls[0].args"),
        ({"entry_point": "f", "calls": [{"args": "1 +", "expected": 1}]}, "calls[0].args"),
        ({"entry_point": "f", "calls": [{"args": [], "kwargs": [], "expected": 1}]}, "calls[0].kwargs"),
        ({"entry_point": "f", "inputs": [[1]]}, "target"),
        ({"stdio": [{"input": "x"}]}, "stdio[0]"),
        ({"test": "   "}, "test"),
        ({"test_list": "assert f()"}, "test_list"),
        ({"test_list": [3]}, "test_list[0]"),
        ({"test_list": []}, "test_list"),
        ({"test_list": ["assert f( == 3"]}, "no Python"),
        ({"test_list": ["assert 1 == 1"]}, "call nothing"),
        ({"entry_point": "f", "test": "def check(c):\n    pass"}, "never call"),
        (
            {"test_list": ["import unittest\nclass T(unittest.TestCase):\n    def test(self): f()"]},
            "unittest",
        ),
        ({"test_list": ["assert f(lambda: 0) == 0"]}, "data can be passed"),
    ],
)
def test_a_mistake_in_the_tests_names_the_item_and_the_field(tests, named):
    with pytest.raises(TaskError) as error:
        run(fenced("def f(*a): return 0"), tests)
    assert "item triple" in error.value.message
    assert named in error.value.message
    assert error.value.hint


@pytest.mark.parametrize("reference", ["def f(): return 1 / 0", "def f(", "x = 1", "import os; os._exit(0)"])
def test_a_reference_that_fails_is_the_task_s_mistake(reference):
    with pytest.raises(TaskError) as error:
        run(fenced("def f(): return 1"), {"entry_point": "f", "inputs": [[]]}, target=(reference,))
    assert "item triple: the reference program" in error.value.message


@pytest.mark.parametrize("options", [{"timeout_s": 0.0}, {"memory_mb": 1}, {"tolerance": -1.0}])
def test_options_out_of_range_are_named(options):
    with pytest.raises(TaskError) as error:
        Code(**options)
    assert next(iter(options)) in error.value.message


@pytest.mark.parametrize("text", [fenced(RIGHT), fenced("def triple(x): return 0")])
def test_without_a_sandbox_nothing_is_run_and_nothing_scored(monkeypatch, text):
    monkeypatch.setattr(tiers, "TIERS", {name: make for name, make in tiers.TIERS.items() if name == "wasi"})
    monkeypatch.delenv("BAKEOFF_WASI_PYTHON", raising=False)
    monkeypatch.delenv(tiers.SETTING, raising=False)
    tiers._found.cache_clear()
    try:
        score = run(text, TRIPLE)
    finally:
        tiers._found.cache_clear()
    assert (score.outcome, score.value) == (Outcome.SCORER_ERROR, None)
    assert "bakeoff[sandbox]" in score.reason


def test_a_sandbox_that_does_not_exist_is_named(monkeypatch):
    monkeypatch.setenv(tiers.SETTING, "chroot")
    tiers._found.cache_clear()
    try:
        assert "there is no such sandbox" in run(fenced(RIGHT), TRIPLE).reason
    finally:
        tiers._found.cache_clear()


@pytest.mark.parametrize(
    ("failures", "outcome", "value"), [(1, Outcome.SCORED, 1.0), (2, Outcome.SCORER_ERROR, None)]
)
def test_a_sandbox_that_fails_to_start_is_tried_once_more_and_is_never_a_wrong_answer(
    monkeypatch, failures, outcome, value
):
    real, left = scorer.run_tests, [failures]

    def sometimes(*arguments):
        if left[0]:
            left[0] -= 1
            raise SandboxError("no sandbox started")
        return real(*arguments)

    monkeypatch.setattr(scorer, "run_tests", sometimes)
    metadata = {"entry_point": "f", "calls": [{"args": [1], "expected": 2}]}
    score = run(fenced("def f(x):\n    return x + 1"), metadata)
    assert (score.outcome, score.value) == (outcome, value)
