import pytest

from bakeoff.model.answer import MARKS
from bakeoff.model.remote.reasoning import cut_at_stop, split_reasoning


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>Question: is it?</think>42", "Question: is it?", "42"),
        ("\n<think>\nhm\n</think>\n\n42\n", "hm", "42\n"),
        ("<thinking>hm</thinking> 42", "hm", " 42"),
        ("<think>never closed", "never closed", ""),
        ("<think></think>42", "", "42"),
        ("plain", "", "plain"),
        ("Use <think> and </think> as marks.", "", "Use <think> and </think> as marks."),
        ("opened in the prompt\n</think>\n\n42", "opened in the prompt", "42"),
    ],
)
def test_the_reasoning_block_is_taken_out(text, reasoning, answer):
    assert split_reasoning(text, opened=True) == (reasoning, answer)


@pytest.mark.parametrize(("mark", "close"), MARKS)
def test_the_marks_of_every_model_are_known_and_close_only_their_own(mark, close):
    assert split_reasoning(f"{mark}hm{close}\n42") == ("hm", "42")
    other = next(other for _, other in MARKS if other != close)
    assert split_reasoning(f"{mark}a {other} b{close}42") == (f"a {other} b", "42")
    assert split_reasoning(f"{mark}hm") == ("hm", "")


def test_a_sentence_that_closes_one_model_s_reasoning_ends_no_other_answer():
    text = "Certainly.\nHere is my response: 42"
    assert split_reasoning(text, opened=True) == ("", text)


def test_a_lone_closing_mark_ends_nothing_in_a_plain_completion():
    assert split_reasoning("a\n</think>b") == ("", "a\n</think>b")


@pytest.mark.parametrize(
    ("text", "stops", "kept", "fired"),
    [
        ("42\nQuestion: more", ("Question:", "\n"), "42", "\n"),
        ("42.", ("\n",), "42.", None),
        ("a END", ("EN", "END"), "a ", "END"),
        ("abc", ("",), "abc", None),
        ("", ("x",), "", None),
        ("xyz", ("x",), "", "x"),
    ],
)
def test_the_text_ends_before_the_first_stop(text, stops, kept, fired):
    assert cut_at_stop(text, stops) == (kept, fired)
