import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.answer import MARKS, Answer, answer_start, opens_reasoning, take_apart
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.stops import Watch
from tests.model.hf.toy import toy_tokenizer

ENCODER = Encoder(toy_tokenizer())


@pytest.mark.parametrize(
    ("text", "stops", "opened", "answer"),
    [
        ("42", (), False, Answer("42")),
        ("x = 12.25\nQuestion: next", ("Question:",), False, Answer("x = 12.25\n", stop="Question:")),
        ("a;b.c", (".", ";"), False, Answer("a", stop=";")),
        ("END of it", ("END", "EN"), False, Answer("", stop="END")),
        # Stops apply after the reasoning, never inside it.
        ("<think>Question: why</think>42", ("Question:",), False, Answer("42", "Question: why")),
        (
            "<think>Question</think>42 Question 43",
            ("Question",),
            False,
            Answer("42 ", "Question", "Question"),
        ),
        ("Question: why</think>\n\n42", ("Question:",), True, Answer("42", "Question: why")),
        # The line ends behind the block are not the answer's.
        ("<think>a</think>\n\n42\n\n43", ("\n\n",), False, Answer("42", "a", "\n\n")),
        ("<think>a</think>\n\n    return 1", (), False, Answer("    return 1", "a")),
        ("<think>\n\n</think>\n\n42", (), False, Answer("42")),
        # Never closed: the raw text stays, with its mark, and no stop cuts it.
        ("<think>Question: I wonder", ("Question:",), False, Answer("<think>Question: I wonder")),
        ("I wonder", ("wonder",), True, Answer("<think>\nI wonder")),
        # Not reasoning.
        ("a </think> b", ("b",), False, Answer("a </think> ", stop="b")),
        ("<thi", (), False, Answer("<thi")),
        ("<thi", ("i",), False, Answer("<th", stop="i")),
        ("", ("x",), False, Answer("")),
    ],
)
def test_a_finished_text_is_taken_apart(text, stops, opened, answer):
    assert take_apart(text, stops, opened) == answer


@pytest.mark.parametrize(
    ("prompt", "opened"),
    [("[assistant]<think>\n", True), ("[assistant]", False), ("<think>x</think>", False)],
)
def test_a_prompt_may_leave_a_reasoning_block_open(prompt, opened):
    assert opens_reasoning(prompt) is opened


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_every_kind_of_reasoning_block_is_told_from_the_answer(opening, closing):
    block = f"{opening}\nQuestion: why{closing}\n\n42 Question: next"
    assert take_apart(block, ("Question:",), False) == Answer("42 ", "Question: why", "Question:")
    inside = block.removeprefix(opening)
    assert opens_reasoning(f"[assistant]{opening}\n")
    assert take_apart(inside, ("Question:",), True) == Answer("42 ", "Question: why", "Question:")
    unfinished = f"{opening}\nQuestion: why"
    assert take_apart(unfinished, ("Question:",), False) == Answer(unfinished)
    answer = block.index("42")
    for end in range(1, answer):
        assert answer_start(block[:end], False) in (None, end)
    assert answer_start(block[: len(opening) + 5], False) is None
    assert answer_start(block, False) == answer


@given(st.sampled_from(MARKS), st.sampled_from(MARKS), st.text("ab <>/[]", max_size=9))
def test_a_block_is_closed_by_its_own_mark(mark, other, thought):
    (opening, closing), (_, foreign) = mark, other
    if foreign != closing:
        text = f"{opening}{thought}{foreign}{thought}{closing}42"
        assert take_apart(text, (), False) == Answer("42", f"{thought}{foreign}{thought}".strip())


def watched(text, stops, opened=False, prompt="The capital"):
    """How many tokens of `text` a watch takes before it says stop, of how many, and its text."""
    watch = Watch(ENCODER.decode, ENCODER.prompt(prompt), stops, opened)
    tokens = ENCODER.encode_bare(text)
    for count, token in enumerate(tokens, 1):
        if watch.push(token):
            return count, len(tokens), watch.finish()
    return None, len(tokens), watch.finish()


@given(st.text(max_size=30), st.text(st.sampled_from("The capital é日"), max_size=10))
def test_a_watched_text_is_the_decoded_text_whatever_its_characters(text, prompt):
    assert watched(text, (), prompt=prompt)[2] == ENCODER.decode(ENCODER.encode_bare(text))


@given(
    st.text(st.sampled_from("ab."), max_size=20), st.lists(st.text("ab.", min_size=1, max_size=3), max_size=3)
)
def test_a_watch_stops_at_the_token_that_completes_the_first_stop_string(text, stops):
    count, _, seen = watched(text, stops)
    if count is None:
        assert not any(stop in text for stop in stops)
        return
    tokens = ENCODER.encode_bare(text)
    assert any(stop in seen for stop in stops)
    assert not any(stop in ENCODER.decode(tokens[: count - 1]) for stop in stops)


def test_a_stop_string_over_several_tokens_is_seen():
    count, of, _ = watched("1 2 Question: 3 4 5 6", ("2 Question:",))
    assert count is not None
    assert count < of


@pytest.mark.parametrize(
    ("text", "opened"), [("<think>Question: \n\n 1</think>", False), ("Question: \n\n 1</think>", True)]
)
def test_no_stop_string_ends_a_reasoning_block_or_the_line_ends_behind_it(text, opened):
    assert watched(text + "\n\n42", ("Question:", "\n\n"), opened)[0] is None
    assert watched(text + "\n\n42\n\n43", ("Question:", "\n\n"), opened)[0] is not None
