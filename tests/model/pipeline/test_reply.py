import json
import math
from collections import OrderedDict

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.pipeline.reply import DEEPEST, KEYS, LONGEST, ReplyError, read_reply
from bakeoff.nouns import FinishReason, Response, Usage
from tests.model.pipeline.asking import SAID

_text = st.text(max_size=20)
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text, inner, max_size=3),
    max_leaves=8,
)
_passage = st.builds(
    lambda extra, name, text, score: {**extra, "id": name, "text": text} | score,
    st.dictionaries(_text.filter(lambda key: key not in ("id", "text", "score")), _json, max_size=2),
    _text.filter(lambda name: name.strip()),
    _text,
    st.just({}) | st.builds(lambda score: {"score": score}, st.floats(-1e6, 1e6)),
)
_reply = st.fixed_dictionaries(
    {"answer": _text},
    optional={
        "passages": st.lists(_passage, max_size=3),
        "usage": st.fixed_dictionaries({}, optional={"prompt_tokens": st.integers(0, 9**9)}),
        "cost": st.floats(0, 10),
        "finish_reason": st.sampled_from([reason.value for reason in FinishReason]),
        "stages": st.dictionaries(
            _text.filter(lambda key: key not in ("passages", "cost")), _json, max_size=3
        ),
    },
)


def test_a_text_is_the_answer():
    assert read_reply("Paris") == Response(text="Paris")
    assert read_reply("") == Response(text="")


def test_every_part_of_a_mapping_finds_its_place():
    read = read_reply(SAID)
    assert (read.text, read.finish) == ("Paris", FinishReason.STOP)
    assert read.usage == Usage(11, 3)
    assert read.stages == {
        "passages": [
            {"id": "b", "text": "Paris is the capital of France.", "score": 2.5},
            {"id": "7", "text": "Lyon is not.", "title": "Lyon"},
        ],
        "cost": 0.002,
        "rewritten": ["capital of France?"],
    }


def test_a_retriever_alone_answers_with_its_ranking():
    read = read_reply({"passages": [{"id": "b", "text": ""}, {"id": 7, "text": "x"}]})
    assert json.loads(read.text) == ["b", "7"]
    assert json.loads(read_reply({"passages": []}).text) == []
    assert read_reply({"passages": []}).stages == {"passages": []}
    assert "passages" not in read_reply({"answer": "x", "passages": None}).stages


@given(_reply)
def test_a_reply_of_the_right_shape_is_read_whole(reply):
    read = read_reply(reply)
    assert read.text == reply["answer"]
    expected = dict(reply.get("stages", {}))
    if "cost" in reply:
        expected["cost"] = reply["cost"]
    if "passages" in reply:
        expected["passages"] = [each | {"id": each["id"].strip()} for each in reply["passages"]]
    assert read.stages == expected
    assert orjson.loads(orjson.dumps(read.stages)) == read.stages


# Whatever comes: a response, or an error of this one kind; and what was read can always be stored.
@given(
    _json
    | st.dictionaries(st.sampled_from(KEYS), _json)
    | st.recursive(
        st.none()
        | st.integers()
        | st.floats()
        | st.text(st.characters(), max_size=5)
        | st.binary(max_size=3),
        lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.integers() | _text, inner),
        max_leaves=5,
    )
)
def test_anything_else_is_refused_with_its_reason(value):
    try:
        read = read_reply(value)
    except ReplyError:
        return
    assert isinstance(value, str) or set(value) <= set(KEYS)
    orjson.dumps([read.text, dict(read.stages)])


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (None, "the reply is null"),
        (["Paris"], "the reply is a list"),
        (7, "not a text or a mapping"),
        (b"Paris", "bytes, which JSON does not know"),
        (object(), "object, which JSON does not know"),
        ({}, "no key 'answer'"),
        ({"answer": None}, "'answer' is null"),
        ({"answer": ["Paris"]}, "'answer' is a list"),
        ({"answr": "Paris"}, "did you mean 'answer'?"),
        ({"answer": "x", "passage": []}, "did you mean 'passages'?"),
        ({"answer": "x", "passages": {"a": "b"}}, "'passages' is a mapping"),
        ({"answer": "x", "passages": ["a text"]}, "passage 1 is a text"),
        ({"answer": "x", "passages": [{"id": "a", "text": "b"}, {"text": "c"}]}, "passage 2 has no 'id'"),
        ({"answer": "x", "passages": [{"id": " ", "text": "b"}]}, "passage 1 has no 'id'"),
        ({"answer": "x", "passages": [{"id": True, "text": "b"}]}, "passage 1 has no 'id'"),
        ({"answer": "x", "passages": [{"id": "a"}]}, "'text' is null"),
        ({"answer": "x", "passages": [{"id": "a", "text": "b", "score": "high"}]}, "'score' is not a number"),
        ({"answer": "x", "passages": [{"id": "a", "text": "b", "score": math.nan}]}, "nan"),
        ({"answer": "x", "usage": {"tokens": 3}}, "prompt_tokens"),
        ({"answer": "x", "usage": {"prompt_tokens": -3}}, "a whole number from 0"),
        ({"answer": "x", "usage": {"prompt_tokens": 3.5}}, "a whole number from 0"),
        ({"answer": "x", "usage": {"prompt_tokens": True}}, "a whole number from 0"),
        ({"answer": "x", "cost": -0.1}, "cost is not a number from 0"),
        ({"answer": "x", "cost": math.inf}, "inf"),
        ({"answer": "x", "finish_reason": "done"}, "one of stop, length"),
        ({"answer": "x", "finish_reason": ["stop"]}, "one of stop, length"),
        ({"answer": "x", "stages": ["a"]}, "'stages' is a list"),
        ({"answer": "x", "stages": {"passages": []}}, "stands beside the answer"),
        ({"answer": "x", "stages": {1: 2}}, "a key that is a value of the type int"),
        ({"answer": "x", "stages": {"when": object()}}, "object"),
        ({"answer": "x", "stages": {"n": 2**63}}, "64 bits"),
        ("x" * (LONGEST + 1), "more than"),
        ({"answer": "x", "stages": {"many": [0] * (LONGEST + 1)}}, "more than"),
    ],
)
def test_a_wrong_reply_says_what_is_wrong(reply, says):
    with pytest.raises(ReplyError) as caught:
        read_reply(reply)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 200


def test_what_goes_round_in_circles_or_very_deep_ends():
    ring: dict = {}
    ring["again"] = ring
    wide = ["x"]
    for _ in range(40):
        wide = [wide] * 10  # small in memory, 10^40 when written out
    for stages in (ring, {"wide": wide}):
        with pytest.raises(ReplyError):
            read_reply({"answer": "x", "stages": stages})
    deep: object = "x"
    for _ in range(DEEPEST - 2):
        deep = [deep]
    assert read_reply({"answer": "x", "stages": {"deep": deep}}).stages["deep"]


def test_numpys_numbers_and_half_characters_become_plain():
    said = OrderedDict(
        answer="a\ud800b", passages=({"id": np.int64(3), "text": "t", "score": np.float32(0.5)},)
    )
    read = read_reply(said)
    assert read.text == "a\\ud800b"
    assert read.stages["passages"] == [{"id": "3", "text": "t", "score": 0.5}]
