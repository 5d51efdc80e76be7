"""Samples of every shape, for properties."""

import math

from hypothesis import strategies as st

from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Message,
    OptionScore,
    Outcome,
    Part,
    Response,
    Sample,
    Score,
    Timing,
    Turn,
    Usage,
)

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
_count = st.none() | st.integers(0, 10**9)
_seconds = st.none() | st.floats(0, 1e6)
_numbers = st.floats(-1e6, 0) | st.just(-math.inf)
_part = st.builds(Part, st.just("text"), _text) | st.builds(
    Part, st.just("image"), st.just("sha256:" + "0" * 64), st.just("image/png")
)
_message = st.builds(Message, st.sampled_from(["system", "user", "assistant"]), st.tuples(_part))
_input = _text | st.lists(_message, min_size=1, max_size=3).map(tuple)
_response = st.builds(
    Response,
    text=_text,
    reasoning=_text,
    finish=st.sampled_from(FinishReason),
    stop=st.none() | _text,
    refusal=_text,
    options=st.lists(
        st.builds(
            OptionScore,
            _numbers,
            st.integers(0, 99),
            st.none() | st.booleans(),
            st.none() | _numbers,
            _text,
            st.none() | _numbers,
        ),
        max_size=3,
    ).map(tuple),
    usage=st.builds(Usage, _count, _count, _count, _count),
    timing=st.builds(Timing, _seconds, _seconds),
    failure=st.none() | st.builds(Failure, st.sampled_from(FailureKind), _text, st.none() | st.just(500)),
    attempts=st.integers(0, 9),
    served_by=st.none() | _text,
    fingerprint=st.none() | _text,
    stages=st.dictionaries(
        _text, _text | st.lists(st.dictionaries(_text, _text | st.floats(-9, 9)), max_size=2), max_size=2
    ),
)
_score = st.builds(
    Score, st.sampled_from(Outcome), st.none() | st.floats(0, 1), st.none() | _text, _text, st.just("exact@1")
)
samples = st.builds(
    Sample,
    item_id=_text.filter(bool),
    repeat=st.integers(0, 5),
    group=st.none() | _text,
    choices=st.lists(_text, max_size=4).map(tuple),
    target=st.integers(0, 3) | st.lists(_text, max_size=3).map(tuple),
    continuations=st.lists(_text, max_size=4).map(tuple),
    shots=st.lists(_text, max_size=3).map(tuple),
    seed=st.integers(0, 2**31 - 1),
    turns=st.lists(st.builds(Turn, _input, _response), min_size=1, max_size=3).map(tuple),
    score=_score,
    cached=st.booleans(),
    cost=st.none() | st.floats(0, 100),
    leads=st.lists(_text, max_size=4).map(tuple),
    item_digest=_text,
    metadata=st.dictionaries(_text, _text | st.integers(0, 9), max_size=2),
)


def sample(item_id: str = "a", *, repeat: int = 0, text: str = "4", value: float | None = 1.0) -> Sample:
    """A plain sample."""
    outcome = Outcome.MODEL_ERROR if value is None else Outcome.SCORED
    failure = Failure(FailureKind.SERVER, "500") if value is None else None
    return Sample(
        item_id=item_id,
        repeat=repeat,
        group=None,
        choices=(),
        target=("4",),
        continuations=(),
        shots=(),
        seed=1,
        turns=(Turn("2+2=", Response(text=text, failure=failure)),),
        score=Score(outcome, value, text, "", "exact@1"),
    )
