"""The math scorer: what it takes for the answer, what it counts as the same, and what cannot harm it."""

import json
import os
import resource
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.math.final_answer import final_answer
from bakeoff.score.math.quantity import quantity
from bakeoff.score.math.symbolic import MEMORY, Symbolic
from bakeoff.score.math.tidy import tidy
from tests.score.making import choice_item, said, text_item

LINES = (Path(__file__).parent / "cases" / "math.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


def score(target, text, finish=FinishReason.STOP, **options):
    return judge(build_scorer({"name": "math", **options}), text_item(target), said(text, finish))


@pytest.mark.parametrize("about", sorted({case["about"] for case in CASES}))
def test_an_answer_is_right_where_a_mathematician_would_say_so(about):
    for case in CASES:
        if case["about"] == about:
            found = score(case["target"], f"Therefore it is $\\boxed{{{case['answer']}}}$.")
            assert found.outcome is Outcome.SCORED, (case, found)
            assert found.value == float(case["right"]), (case, found)


def test_the_table_keeps_its_size_and_both_kinds():
    assert len(CASES) >= 420
    assert min(sum(case["right"] is right for case in CASES) for right in (True, False)) >= 160


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So $x = \\boxed{\\frac{1}{2}}$.", "\\frac{1}{2}"),
        ("First \\boxed{3}, no: \\boxed{4}.", "4"),
        ("\\boxed{\\text{all } x \\in \\{1, 2\\}}", "\\text{all } x \\in \\{1, 2\\}"),
        ("\\fbox{7}", "7"),
        ("\\boxed 7", "7"),
        ("\\boxed{\\boxed{7}}", "7"),
        ("Either \\boxed{2} or \\boxed{-5}.", "2, -5"),
        ("$x=\\boxed{2}$ and $x=\\boxed{-5}$", "2, -5"),
        ("{ \\boxed{7} }} and so on", "7"),
        ("\\boxed{7}. The answer is 8.", "7"),
        ("<answer>x < 5</answer>", "x < 5"),
        ("3 + 4 = 7\n#### 7", "7"),
        ("The final answer is $\\frac{2}{3}$. I hope it is correct.", "\\frac{2}{3}"),
        ("Final Answer: The final answer is (3, 4). I hope it is correct.", "(3, 4)"),
        ("The answer is approximately 3.14.", "3.14"),
        ("**Answer:** $x = 2.5$", "x = 2.5"),
        ("Hence the answer is\n\\[\nx = 4.\n\\]", "x = 4."),
        ("Die Antwort lautet $7$.", "7"),
        ("答案是 $7$。", "7"),
        ("The cost is \\$5, and the answer is \\$7.", "\\$7"),
        ("Marisol", "Marisol"),
        ("x = 5", "x = 5"),
    ],
)
def test_the_answer_is_the_one_the_text_marks(text, answer):
    found = final_answer(text)
    assert not isinstance(found, Nothing)
    assert (found.text, found.strength) == (answer, "explicit")
    assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("We get $x^2 = 4$ and from that one $x = 2$", "x = 2"),
        ("There are four of them, and then 5 more", "5"),
    ],
)
def test_where_nothing_is_marked_the_last_formula_or_number_is_a_guess(text, answer):
    found = final_answer(text)
    assert (found.text, found.strength) == (answer, "fallback")
    assert isinstance(final_answer(text, fallback=False), Nothing)


@pytest.mark.parametrize(
    "text", ["\\boxed{", "\\boxed{}", "\\boxed{ }", "I do not know what this should be", "?!"]
)
def test_where_there_is_no_answer_there_is_none(text):
    assert score("7", text).outcome is Outcome.NO_ANSWER


def test_the_first_of_several_is_taken_if_so_told():
    text = "\\boxed{3}\nProblem: what else?\n\\boxed{4}"
    assert score("3", text, take="first").value == 1
    assert score("4", text).value == 1


def test_a_cut_text_counts_only_an_answer_that_ends_before_the_cut():
    assert score("7", "So \\boxed{7}", FinishReason.LENGTH).outcome is Outcome.SCORED
    assert score("7", "So \\boxed{7", FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert score("7", "The answer is 7", FinishReason.LENGTH).outcome is Outcome.TRUNCATED
    assert score("7", "We get $x = 7$ and then we go on to", FinishReason.LENGTH).outcome is Outcome.TRUNCATED


def test_a_refusal_is_a_refusal():
    assert score("7", "I'm sorry, but I can't help with that.").outcome is Outcome.REFUSED


def test_any_accepted_target_is_right_and_a_solution_gives_its_boxed_answer():
    item = text_item("2", "The sum is\n\\[1 + 2 = \\boxed{3}.\\]")
    for text, value in (("\\boxed{2}", 1), ("\\boxed{3}", 1), ("\\boxed{1}", 0)):
        assert judge(build_scorer("math"), item, said(text)).value == value
    assert judge(build_scorer("math"), choice_item(1, ("3", "4")), said("\\boxed{4}")).value == 1


def test_a_target_without_an_answer_is_a_mistake_in_the_task():
    for item in (text_item(), text_item(" "), text_item("$$")):
        with pytest.raises(TaskError, match="target"):
            judge(build_scorer("math"), item, said("\\boxed{7}"))


@pytest.mark.parametrize(
    ("options", "named"), [({"tolerance": -1}, "tolerance"), ({"time_limit": 0}, "time_limit")]
)
def test_a_wrong_option_is_named(options, named):
    with pytest.raises(TaskError, match=named):
        build_scorer({"name": "math", **options})


def test_a_wider_tolerance_is_relative_and_leaves_whole_numbers_alone():
    assert score("2.5", "\\boxed{2.6}", tolerance=0.04).value == 1
    assert score("2.5", "\\boxed{2.61}", tolerance=0.04).value == 0
    assert score("2.5e-30", "\\boxed{2.61e-30}", tolerance=0.04).value == 0
    assert score("1.41", "\\boxed{\\sqrt{2}}", tolerance=0.04).value == 1
    assert score("100", "\\boxed{101}", tolerance=0.04).value == 0


def test_the_reason_says_how_the_answer_was_found_and_compared():
    assert score("1/2", "\\boxed{0.5}").reason == "marked as the answer, the same: 0.5"
    assert "equal by algebra" in score("x+1", "\\boxed{1+x}").reason
    assert "not equal" in score("x+1", "\\boxed{1-x}").reason


@given(st.fractions(-(10**6), 10**6, max_denominator=99))
@settings(max_examples=60)
def test_every_way_of_writing_a_fraction_is_the_same_number(value):
    sign, top, bottom = "-" if value < 0 else "", abs(value.numerator), value.denominator
    written = [
        f"{sign}\\frac{{{top}}}{{{bottom}}}",
        f"{sign}{top}/{bottom}",
        f"${sign}\\dfrac {{{top}}} {{{bottom}}}$",
    ]
    written.append(f"{sign}{top // bottom}\\frac{{{top % bottom}}}{{{bottom}}}")
    for way in written:
        read = quantity(tidy(way))
        assert read is not None, way
        assert read.value == value


@given(
    st.integers(0, 10**6), st.text("0123456789", max_size=4), st.text("0123456789", min_size=1, max_size=4)
)
def test_a_repeating_decimal_is_the_fraction_whose_digits_repeat(whole, once, again):
    read = quantity(tidy(f"{whole}.{once}\\overline{{{again}}}"))
    assert read is not None
    shift = 10 ** len(once)
    # x·10^n·(10^m − 1) is the whole number that the two shifted copies differ by.
    difference = read.value * shift * (10 ** len(again) - 1)
    assert difference == int(f"{whole}{once}{again}") - int(f"{whole}{once}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["answer"][:30])
def test_one_spelling_is_its_own_spelling(case):
    assert tidy(tidy(case["answer"])) == tidy(case["answer"])


BOMBS = [
    "9^{9^{9}}",
    "9^{9^{9^{9}}}",
    "10^{10^{10}} - 10^{10^{10}}",
    "100000000!",
    "\\binom{10^9}{5 \\cdot 10^8}",
    "\\sum_{n=1}^{10000000} \\frac{1}{n^n}",
    "(a+b+c+d+e+f)^{60}",
    "\\det \\begin{pmatrix}"
    + "\\\\".join("&".join(f"x_{i}^{j}+y_{j}" for j in range(8)) for i in range(8))
    + "\\end{pmatrix}",
    "\\cos(10^{10^{8}})",
    "{" * 400 + "1" + "}" * 400,
    "(" * 900,
    "x^{" * 200 + "}" * 200,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb[:24])
def test_what_would_take_forever_is_wrong_and_the_next_answer_is_judged(bomb):
    found = score("7", f"\\boxed{{{bomb}}}", time_limit=0.5)
    assert (found.outcome, found.value) == (Outcome.SCORED, 0.0)
    assert score("x+1", "\\boxed{1+x}", time_limit=0.5).value == 1


def test_an_answer_that_runs_out_of_time_says_so():
    found = score("7", "\\boxed{9^{9^{9^{9}}}}", time_limit=0.5)
    assert "limits of time and memory" in found.reason


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux shows the limits of another process")
def test_memory_is_bounded():
    algebra = Symbolic(5.0)
    try:
        algebra.compare("x+1", "1+x", 0.0)
        assert resource.prlimit(algebra.process_id, resource.RLIMIT_AS) == (MEMORY, MEMORY)
    finally:
        algebra.close()


def test_an_answer_that_runs_out_of_memory_is_not_shown_equal():
    algebra = Symbolic(5.0, memory=1 << 20)
    try:
        assert algebra.compare("x+1", "1+x" + "+0" * 300, 0.0) != "equal"
    finally:
        algebra.close()


def test_a_process_killed_by_someone_else_is_our_failure_and_a_new_one_is_started():
    algebra = Symbolic(5.0)
    try:
        assert algebra.compare("x+1", "1+x", 0.0) == "equal"
        os.kill(algebra.process_id, signal.SIGKILL)
        with pytest.raises(RuntimeError, match="-9"):
            algebra.compare("x+1", "1+x", 0.0)
        assert algebra.compare("x+1", "1+x", 0.0) == "equal"
    finally:
        algebra.close()


def test_threads_share_one_process_and_each_gets_its_own_answer():
    algebra = Symbolic(5.0)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda n: algebra.compare(f"x+{n}", f"{n % 3}+x", 0.0), range(40)))
        assert found == ["equal" if n == n % 3 else "different" for n in range(40)]
    finally:
        algebra.close()


def test_without_the_library_the_task_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "math_verify.py").write_text("raise ImportError(name='math_verify')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(TaskError, match="math_verify is not installed") as error:
        Symbolic(5.0).compare("x+1", "1+x", 0.0)
    assert "bakeoff[score]" in error.value.hint


def test_nothing_in_an_answer_is_run(tmp_path):
    trace = tmp_path / "trace"
    for attempt in (
        f"__import__('os').mkdir('{trace}')",
        f"\\operatorname{{open}}('{trace}','w')",
        f"open('{trace}','w')",
    ):
        assert score("7", f"\\boxed{{{attempt}}}").value == 0
    assert not trace.exists()


def test_plain_numbers_need_no_algebra():
    for case in CASES:
        if quantity(tidy(case["target"])) and quantity(tidy(case["answer"])):
            found = score(case["target"], f"\\boxed{{{case['answer']}}}")
            assert "the same" in found.reason, case
