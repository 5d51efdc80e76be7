"""No fault of a server ever becomes an answer: it is retried away, or becomes the failure that it is."""

import json

import pytest

from bakeoff.errors import ModelError
from bakeoff.nouns import FailureKind, FinishReason
from tests.model.remote.asking import AnthropicModel, ask, chat, plain
from tests.servers import fault_server as fault
from tests.servers.fault_server import answer

pytestmark = pytest.mark.usefixtures("no_pauses")

BUSY = {
    "429 that asks for no pause": (fault.rate_limited(), FailureKind.RATE_LIMIT),
    "429 with a pause": (fault.rate_limited("0.05"), FailureKind.RATE_LIMIT),
    "503": (fault.status(503), FailureKind.SERVER),
    "529": (fault.status(529, type="overloaded_error"), FailureKind.SERVER),
}
BROKEN = {
    "500": (fault.status(500), FailureKind.SERVER),
    "502 page": (fault.body("<html>Bad Gateway</html>", "text/html", 502), FailureKind.SERVER),
    "408": (fault.status(408), FailureKind.SERVER),
    "409": (fault.status(409), FailureKind.SERVER),
    "connection reset": (fault.reset, FailureKind.CONNECTION),
    "half a stream, cut off": (fault.half_stream(closed=False), FailureKind.CONNECTION),
    "half a stream, properly closed": (fault.half_stream(closed=True), FailureKind.MALFORMED),
    "a stream that stalls": (fault.stall, FailureKind.STALLED),
    "a server that says nothing": (fault.silence, FailureKind.STALLED),
    "malformed JSON": (fault.body('{"choices": [{"mess'), FailureKind.MALFORMED),
    "malformed event": (fault.events('data: {"choi\n\n', done=True), FailureKind.MALFORMED),
    "invalid UTF-8": (fault.events(b'data: {"a": "\xff"}\n\n', done=True), FailureKind.MALFORMED),
    "HTML with status 200": (fault.body("<html>log in</html>", "text/html"), FailureKind.MALFORMED),
    "JSON that is a list": (fault.body("[]"), FailureKind.MALFORMED),
    "content that is a number": (
        fault.body('{"choices":[{"message":{"content":5}}]}'),
        FailureKind.MALFORMED,
    ),
    "no choices": (fault.body('{"choices": []}'), FailureKind.NO_CHOICES),
    "no choices, streamed": (fault.events(done=True), FailureKind.NO_CHOICES),
    "null content": (answer(None), FailureKind.NO_CHOICES),
    "an endless line": (fault.huge_line(), FailureKind.MALFORMED),
    "an error in the stream": (
        fault.events('data: {"error": {"message": "engine died", "code": 500}}\n\n'),
        FailureKind.SERVER,
    ),
    "an error with status 200": (
        fault.body('{"error": {"message": "upstream", "code": 502}}'),
        FailureKind.SERVER,
    ),
    "an aborted answer": (answer("Par", finish="abort"), FailureKind.SERVER),
}


@pytest.mark.parametrize("name", BUSY | BROKEN)
def test_a_passing_fault_is_retried_away(name):
    behaviour, _ = (BUSY | BROKEN)[name]
    response = ask(behaviour, answer("Paris"))
    assert response.failure is None
    assert (response.text, response.attempts) == ("Paris", 2)


@pytest.mark.parametrize("name", BROKEN)
def test_a_lasting_fault_is_a_failure_of_its_kind_and_never_an_answer(name):
    behaviour, kind = BROKEN[name]
    response = ask(behaviour, attempts="2", deadline_s="60")
    assert response.failure is not None
    assert response.failure.kind is kind
    assert response.text == ""
    assert response.attempts == 2


@pytest.mark.parametrize("name", BUSY)
def test_a_server_that_stays_busy_is_asked_until_the_deadline(name):
    behaviour, kind = BUSY[name]
    response = ask(behaviour, attempts="1", deadline_s="0.3")
    # The deadline may fall into the very milliseconds of an attempt.
    assert response.failure.kind in (kind, FailureKind.TIMEOUT)
    assert response.text == ""
    assert response.attempts > 1


def test_an_answer_that_drips_for_ever_ends_at_the_deadline():
    response = ask(fault.drip, deadline_s="0.3")
    assert response.failure.kind is FailureKind.TIMEOUT
    assert response.text == ""


def test_a_server_that_asks_to_wait_past_the_deadline_is_not_waited_for():
    response = ask(fault.rate_limited("3600"))
    assert response.failure.kind is FailureKind.RATE_LIMIT
    assert response.attempts == 1


@pytest.mark.parametrize("code", [400, 404 + 1, 413, 422])
def test_a_rejected_request_is_not_repeated(code):
    response = ask(fault.status(code, "I will not"), answer())
    assert response.failure.kind is FailureKind.REJECTED
    assert response.failure.status == code
    assert "I will not" in response.failure.message
    assert response.attempts == 1


# As the servers word it, in order: OpenAI, vLLM (three versions), llama.cpp, llama-cpp-python, SGLang, TGI,
# Anthropic (two), Gemini.
@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("This model's maximum context length is 8192 tokens. However, your messages have 9001 tokens.",
         {"code": "context_length_exceeded"}),
        ("This model's maximum context length is 2048 tokens. However, you asked for 2100", {"code": 400}),
        ("The decoder prompt (length 9001) is longer than the maximum model length of 2048.", {}),
        ("'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is "
         "2048 tokens and your request has 10 input tokens", {}),
        ("request (9001 tokens) exceeds the available context size (2048 tokens), try increasing it",
         {"type": "exceed_context_size_error"}),
        ("Requested tokens (2100) exceed context window of 2048", {}),
        ("The input (9001 tokens) is longer than the model's context length (2048 tokens).", {}),
        ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens", {}),
        ("prompt is too long: 210000 tokens > 200000 maximum", {"type": "invalid_request_error"}),
        ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", {}),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", {}),
    ],
)  # fmt: skip
def test_a_prompt_that_does_not_fit_is_told_from_other_rejections(message, error):
    response = ask(fault.status(400, message, **error), answer())
    assert response.failure.kind is FailureKind.CONTEXT_LENGTH
    assert response.attempts == 1


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        "messages: at least one message is required",
        "the image is longer than allowed",
    ],
)
def test_other_rejections_are_not_taken_for_a_full_context(message):
    assert ask(fault.status(400, message)).failure.kind is FailureKind.REJECTED


def test_an_answer_of_another_model_is_a_failure():
    response = ask(answer("Paris", model="m-mini"))
    assert response.failure.kind is FailureKind.WRONG_MODEL
    assert "'m-mini'" in response.failure.message
    assert response.text == ""


def test_a_dated_snapshot_of_the_model_is_the_model():
    response = ask(answer("Paris", model="m-2024-08-06"))
    assert (response.text, response.served_by) == ("Paris", "m-2024-08-06")


def test_served_as_says_what_the_server_calls_the_model():
    assert ask(answer("Paris", model="gpt-4o-2024-08-06"), served_as="gpt-4o").text == "Paris"
    assert ask(answer("Paris", model="m"), served_as="gpt-4o").failure.kind is FailureKind.WRONG_MODEL


@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_reasoning_model_out_of_tokens_is_cut_off_and_no_failure(stream):
    thought = {"reasoning_content": "hm hm"}
    response = ask(answer(None, finish="length", message=thought), stream=stream)
    assert response.failure is None
    assert (response.text, response.reasoning, response.finish) == ("", "hm hm", FinishReason.LENGTH)


def test_an_end_mark_as_the_only_token_is_an_empty_answer_and_no_failure():
    response = ask(answer(None, usage={"prompt_tokens": 5, "completion_tokens": 1}))
    assert response.failure is None
    assert (response.text, response.finish) == ("", FinishReason.STOP)


def test_an_empty_text_is_an_empty_answer():
    response = ask(answer(""))
    assert response.failure is None
    assert response.text == ""


def test_a_stream_without_its_done_mark_is_whole_once_it_gave_a_finish_reason():
    response = ask(answer("Paris", done=False))
    assert (response.text, response.finish, response.failure) == ("Paris", FinishReason.STOP, None)


@pytest.mark.parametrize("stream", ["true", "false"])
def test_usage_that_the_server_does_not_give_stays_unknown(stream):
    usage = ask(answer("Paris", usage=None), stream=stream).usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (None, None)


def test_a_server_that_cannot_stream_answers_in_one_piece():
    whole = {"model": "m", "choices": [{"message": {"content": "Paris"}, "finish_reason": "stop"}]}
    response = ask(fault.body(json.dumps(whole)), stream="true")
    assert response.text == "Paris"
    assert response.timing.first_token_s is None


@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_content_filter_ends_an_answer_and_is_no_failure(stream):
    response = ask(answer("Par", finish="content_filter"), stream=stream)
    assert (response.finish, response.failure) == (FinishReason.CONTENT_FILTER, None)


def test_a_prompt_that_the_filter_refuses_is_a_refusal_and_no_failure():
    response = ask(fault.status(400, "The prompt was filtered", code="content_filter"))
    assert response.failure is None
    assert response.finish is FinishReason.CONTENT_FILTER
    assert response.refusal == "The prompt was filtered"


@pytest.mark.parametrize("code", [401, 403])
def test_a_wrong_key_ends_the_run(code):
    with pytest.raises(ModelError, match="BAKEOFF_API_KEY"):
        ask(fault.status(code, "invalid key"), answer())


def test_a_moderated_prompt_is_one_rejected_request():
    assert ask(fault.status(403, "your input was flagged")).failure.kind is FailureKind.REJECTED


@pytest.mark.parametrize(
    "behaviour",
    [fault.status(429, "You exceeded your current quota", code="insufficient_quota"), fault.status(402)],
)
def test_an_account_without_credit_ends_the_run(behaviour):
    with pytest.raises(ModelError, match="credit"):
        ask(behaviour, answer())


# In the words of OpenAI (twice) and of a server built on FastAPI and pydantic.
@pytest.mark.parametrize(
    ("error", "mend"),
    [
        (fault.status(400, "Unsupported value: 'temperature' does not support 0.0 with this model.",
                      code="unsupported_value", param="temperature"), "omit=temperature"),
        (fault.status(400, "Unsupported parameter: 'max_tokens' is not supported with this model. "
                      "Use 'max_completion_tokens' instead.", code="unsupported_parameter"),
         "max_tokens_field=max_completion_tokens"),
        (fault.body('{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}',
                    code=422), "omit=seed"),
    ],
)  # fmt: skip
def test_a_field_the_model_does_not_take_ends_the_run_with_what_to_do(error, mend):
    with pytest.raises(ModelError) as caught:
        ask(error, answer())
    assert mend in caught.value.hint


def test_a_rejection_that_only_mentions_a_field_is_one_rejected_request():
    response = ask(fault.status(400, "unsupported image type; please stop sending it"))
    assert response.failure.kind is FailureKind.REJECTED


def test_a_model_that_vanishes_ends_the_run():
    with pytest.raises(ModelError, match="has no model 'm'"):
        ask(fault.status(404, "The model `m` does not exist"), answer())


def sse(*events: dict) -> list[str]:
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]


START = {"type": "message_start", "message": {"model": "m", "content": [], "usage": {"input_tokens": 4}}}
TEXT = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Paris"}}
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
WHOLE = sse(START, {"type": "ping"}, TEXT, END, {"type": "message_stop"})


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (fault.status(529, "Overloaded", type="overloaded_error"), FailureKind.SERVER),
        (fault.events(*sse(START, {"type": "error", "error": {"type": "overloaded_error", "message": "x"}})),
         FailureKind.SERVER),
        (fault.events(*sse(START, {"type": "error", "error": {"type": "rate_limit_error", "message": "x"}})),
         FailureKind.RATE_LIMIT),
        (fault.events(*sse(START, {"type": "error", "error": {"type": "api_error", "message": "x"}})),
         FailureKind.SERVER),
        (fault.events(*sse(START, TEXT)), FailureKind.MALFORMED),
        (fault.body('{"type": "message", "content": null}'), FailureKind.MALFORMED),
        (fault.reset, FailureKind.CONNECTION),
    ],
)  # fmt: skip
def test_the_other_wire_format_fares_the_same(broken, kind):
    healed = ask(broken, fault.events(*WHOLE), engine=AnthropicModel)
    assert (healed.text, healed.attempts, healed.failure) == ("Paris", 2, None)
    assert (healed.usage.prompt_tokens, healed.usage.completion_tokens) == (4, 2)
    lasting = ask(broken, engine=AnthropicModel, attempts="2", deadline_s="0.5")
    assert lasting.failure.kind in (kind, FailureKind.TIMEOUT)
    assert lasting.text == ""


@pytest.mark.parametrize("stream", ["true", "false"])
def test_plain_completions_meet_the_same_faults(stream):
    assert ask(answer("Paris"), request=plain(), stream=stream).text == "Paris"
    null = ask(answer(None), request=plain(), stream=stream, attempts="2")
    assert null.failure.kind is FailureKind.NO_CHOICES
    assert ask(fault.reset, answer(" 4"), request=plain(), stream=stream).text == " 4"


def test_an_answer_cut_at_its_token_limit_keeps_its_text():
    response = ask(answer("Par", finish="length"), request=chat(max_tokens=1))
    assert (response.text, response.finish) == ("Par", FinishReason.LENGTH)
