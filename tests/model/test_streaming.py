"""What is told of a text while it is written: never what is taken out of it later."""

import asyncio
import threading
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.answer import answer_start, take_apart
from bakeoff.model.gguf.writing import write
from bakeoff.model.streaming import Telling, stream
from bakeoff.model.vllm.translate import Writing
from bakeoff.nouns import Failure, FailureKind, Generate, Generation, Response, Timing
from tests.model.gguf.test_writing import Scripted, chunks
from tests.model.vllm.shapes import CompletionOutput, RequestOutput

SECRET = "key-abcabcabd-0123"
MARKS = ("<think>", "</think>", "[THINK]", "[/THINK]", "</thi")
PARTS = st.sampled_from([*"ab Q\n\t<", "Paris", "Q:", "\n\n", *MARKS, "key-abc", SECRET])
TEXTS = st.lists(PARTS, max_size=12).map("".join)
STOPS = st.sampled_from([(), ("\n\n",), ("Q:", "\n"), ("ab Q", "b"), ("aab", "abab")])


@st.composite
def cut_up(draw):
    """A text, and pieces that make it."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)) | {0, len(text)})
    return text, [text[a:b] for a, b in pairwise(cuts)]


@given(cut_up(), STOPS, st.booleans())
def test_what_is_told_is_how_the_answer_begins_wherever_the_text_is_cut(written, stops, opened):
    text, pieces = written
    answer = take_apart(text, stops, opened).text.replace(SECRET, "***")
    told: list[str] = []
    telling = Telling(told.append, stops, secret=SECRET, hide=lambda part: part.replace(SECRET, "***"))
    for piece in pieces:
        telling.grow(piece, partial(answer_start, opened=opened))
        assert answer.startswith("".join(told))
    assert telling.said == "".join(told)
    # Held back at the end is what may begin a mark, and white space before a first word.
    longest = max(map(len, (*stops, SECRET)))
    if "".join(told):
        assert len(answer) - len("".join(told)) < longest


def test_words_are_told_at_once_and_what_may_end_the_answer_is_held_back():
    told: list[str] = []
    telling = Telling(told.append, ("\nQ:",))
    for piece in (" Par", "is", "\n", "Q", "ueen", "\nQ", ":", " not this"):
        telling.grow(piece, partial(answer_start, opened=False))
    assert told == [" Par", "is", "\nQueen"]


def test_an_empty_stop_string_stops_nothing():
    told: list[str] = []
    telling = Telling(told.append, ("",))
    telling.grow("Paris", partial(answer_start, opened=False))
    assert told == ["Paris"]


@given(cut_up(), STOPS, st.booleans())
def test_the_engines_of_local_weights_tell_how_their_answer_begins(written, stops, opened):
    _, pieces = written
    told: list[str] = []
    prompt = "?<think>" if opened else "?"
    answer = write(
        Scripted(*chunks(*pieces)),
        prompt,
        [1],
        Generation(stop=stops),
        seed=1,
        slot=0,
        reuse=False,
        thinks=lambda: False,
        cancelled=threading.Event(),
        telling=Telling(told.append, stops),
    )
    assert answer.text.startswith("".join(told))
    heard: list[str] = []
    writing = Writing(1, stops, opened, Telling(heard.append, stops))
    for place, piece in enumerate(pieces):
        last = place == len(pieces) - 1
        output = CompletionOutput(text=piece, token_ids=[1], finish_reason="stop" if last else None)
        if writing.push(RequestOutput([output])):
            break
    assert writing.response(Timing()).text.startswith("".join(heard))
    assert heard == told[: len(heard)]


class Deaf:
    """An engine that has the whole answer at its end."""

    def __init__(self, response: Response) -> None:
        self.response = response

    async def generate(self, request: Generate) -> Response:
        return self.response


class Hasty(Deaf):
    """One that tells what its answer then does not hold."""

    async def stream(self, request: Generate, told) -> Response:
        told("Lon")
        return self.response


def streamed(model):
    told: list[str] = []
    response = asyncio.run(stream(model, Generate("k", "?", Generation(), 1), told.append))
    return response, told


def test_an_engine_that_does_not_stream_tells_all_at_its_end():
    assert streamed(Deaf(Response("Paris")))[1] == ["Paris"]
    assert streamed(Deaf(Response("")))[1] == []


def test_the_end_that_an_engine_left_untold_is_told():
    assert streamed(Hasty(Response("London")))[1] == ["Lon", "don"]


@pytest.mark.parametrize("text", ["Paris", "", " London"])
def test_an_answer_that_is_not_what_was_told_is_a_failure(text):
    response, told = streamed(Hasty(Response(text)))
    assert (response.failure.kind, response.text) == (FailureKind.MALFORMED, "")
    assert told == ["Lon"]


def test_a_failure_stays_the_failure_that_it_is():
    broken = Response(failure=Failure(FailureKind.CONNECTION, "gone"))
    assert streamed(Hasty(broken))[0] is broken
