"""Calls of tools, as servers separate them, become text that the function_call scorer reads."""

import json

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from tests.model.remote.asking import AnthropicModel, ask
from tests.model.remote.test_anthropic_wire import WHOLE, streamed
from tests.servers.fault_server import answer, body, events

pytestmark = pytest.mark.usefixtures("no_pauses")

ARGUMENTS = {"base": 10, "note": 'a </tool_call> <b> "quoted" ü\n'}
FUNCTIONS = [{"name": "area", "parameters": {"type": "dict", "properties": {
    "base": {"type": "integer"}, "note": {"type": "string"}}, "required": ["base"]}}]  # fmt: skip
ITEM = Item(
    "i",
    "?",
    target=(json.dumps([{"area": {"base": [10], "note": [ARGUMENTS["note"]]}}] * 2),),
    metadata={"functions": FUNCTIONS},
)


def openai_call(arguments: str) -> dict:
    return {"id": "1", "type": "function", "function": {"name": "area", "arguments": arguments}}


def openai_pieces() -> list[str]:
    text = json.dumps(ARGUMENTS)
    deltas = [
        {"role": "assistant", "content": None, "tool_calls": [{"index": 0} | openai_call("")]},
        {"tool_calls": [{"index": 0, "function": {"arguments": text[:9]}}]},
        {"tool_calls": [{"index": 1} | openai_call(text)]},
        {"tool_calls": [{"index": 0, "function": {"arguments": text[9:]}}]},
    ]
    chunks = [{"model": "m", "choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"model": "m", "choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    return [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]


def anthropic_pieces() -> list[dict]:
    text, found = json.dumps(ARGUMENTS), []
    for index in (0, 1):
        block = {"type": "tool_use", "id": f"t{index}", "name": "area", "input": {}}
        found.append({"type": "content_block_start", "index": index, "content_block": block})
        for piece in ("", text[:7], text[7:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            found.append({"type": "content_block_delta", "index": index, "delta": delta})
        found.append({"type": "content_block_stop", "index": index})
    return found


TWICE = {"tool_calls": [openai_call(json.dumps(ARGUMENTS))] * 2}
USES = [{"type": "tool_use", "id": f"t{n}", "name": "area", "input": ARGUMENTS} for n in (0, 1)]
USED = json.dumps(WHOLE | {"content": USES, "stop_reason": "tool_use", "stop_sequence": None})


@pytest.mark.parametrize(
    ("behaviour", "chosen"),
    [
        (answer(None, finish="tool_calls", message=TWICE), {"stream": "false"}),
        (events(*openai_pieces(), done=True), {"stream": "true"}),
        (body(USED), {"stream": "false", "engine": AnthropicModel}),
        (streamed(*anthropic_pieces(), stop="tool_use"), {"stream": "true", "engine": AnthropicModel}),
    ],
    ids=["openai", "openai streamed", "anthropic", "anthropic streamed"],
)
def test_native_calls_are_judged_and_never_empty(behaviour, chosen):
    response = ask(behaviour, **chosen)
    assert (response.finish, response.failure) == (FinishReason.TOOL_CALLS, None)
    score = judge(build_scorer("function_call"), ITEM, response)
    assert (score.outcome, score.value) == (Outcome.SCORED, 1.0), score.reason


def test_words_before_a_call_stay_and_arguments_that_are_no_json_are_no_answer():
    calls = {"content": "Let me see.", "tool_calls": [openai_call('{"base": ')]}
    response = ask(answer(None, finish="tool_calls", message=calls), stream="false")
    assert response.text.startswith("Let me see.\n<tool_call>")
    score = judge(build_scorer("function_call"), ITEM, response)
    assert (score.outcome, score.value) == (Outcome.NO_ANSWER, 0.0)


def test_the_older_field_of_one_call_is_read_too():
    call = {"function_call": {"name": "area", "arguments": "{}"}}
    response = ask(answer(None, finish="function_call", message=call), stream="false")
    assert response.text == '<tool_call>{"name": "area", "arguments": {}}</tool_call>'
