"""A user's own endpoint, on a real server of the loopback: well behaved, hostile, slow and gone."""

import asyncio
import json
import logging

import pytest
from aiohttp import web

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.model.pipeline.reply import read_reply
from bakeoff.nouns import Failure, FailureKind, FinishReason, Loglikelihood, Message, Timing
from tests.model.pipeline.asking import SAID, body, chat, post, says, serving, silence


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("bakeoff.model.remote.retry.BASE_S", 0.001)


def failed(response) -> Failure:
    assert response.failure is not None
    assert response.text == ""
    return response.failure


def test_the_question_goes_out_and_the_reply_is_read_as_that_of_a_function():
    async def main():
        async with serving(says(SAID)) as (url, calls), open_model(f"endpoint:{url}") as model:
            request = chat("Where?", Message.of("system", "Be brief."), key="item 1#2")
            return await model.generate(request), model.cost, calls

    response, cost, calls = asyncio.run(main())
    assert [sent for sent, _ in calls] == [
        {
            "question": "Where?",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}],
            "id": "item 1",
        }
    ]
    assert response.timing.latency_s > 0
    from dataclasses import replace

    assert replace(response, timing=Timing()) == read_reply(SAID)
    assert cost(response) == 0.002


def test_a_text_is_a_reply_too_and_stop_strings_cut_it():
    assert post(says("Paris")).text == "Paris"
    assert post(says("one. two"), request=chat(stop=(".",))).text == "one"


@pytest.mark.parametrize("path", ["/", "/ask", "/ask/", "/a/b/ask"])
def test_the_address_is_posted_to_as_it_is_written(path):
    async def main():
        async with serving(says("x"), path=path) as (url, _), open_model(f"endpoint:{url}?k=3") as model:
            assert (await model.generate(chat())).text == "x"
            return model.identity, url

    identity, url = asyncio.run(main())
    assert identity.endpoint == url
    assert identity.name == url.removeprefix("http://").rstrip("/")
    assert identity.settings == {"query": "k=3"}


def test_a_name_behind_the_address_tells_two_configurations_apart():
    model = open_model("endpoint:http://127.0.0.1:1/ask?k=3#small", {"version": "7"})
    assert (model.identity.name, model.identity.settings) == ("small", {"query": "k=3", "version": "7"})
    assert model.capabilities.cacheable
    assert not open_model("endpoint:http://127.0.0.1:1/ask").capabilities.cacheable


@pytest.mark.parametrize(
    ("settings", "header", "value"),
    [
        ({}, "Authorization", "Bearer s3cret-of-ours"),
        ({"api_key_header": "X-Api-Key"}, "X-Api-Key", "s3cret-of-ours"),
    ],
)
def test_a_key_is_sent_in_a_header_and_stands_nowhere_else(settings, header, value, monkeypatch, caplog):
    monkeypatch.setenv("OUR_KEY", "s3cret-of-ours")
    caplog.set_level(logging.DEBUG)

    async def echo(request: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": f"you sent {dict(request.headers)}"}}, status=400)

    async def unknown_key(request: web.Request) -> web.StreamResponse:
        return web.json_response({"answer": "x", request.headers[header]: 1})

    async def main():
        settings_ = {"api_key_env": "OUR_KEY"} | settings
        async with (
            serving(echo, unknown_key) as (url, calls),
            open_model(f"endpoint:{url}", settings_) as model,
        ):
            responses = [await model.generate(chat()) for _ in range(2)]
            return responses, repr(model), model.identity, calls

    responses, shown, identity, calls = asyncio.run(main())
    assert calls[0][1][header] == value
    for response in responses:
        assert failed(response)
    assert "s3cret" not in f"{responses} {shown} {identity} {caplog.text}"


def test_no_key_is_sent_unasked(monkeypatch):
    for name in ("OPENAI_API_KEY", "BAKEOFF_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-not-for-you")

    async def main():
        async with serving(says("x")) as (url, calls), open_model(f"endpoint:{url}") as model:
            await model.generate(chat())
            return calls

    assert "sk-not" not in str(asyncio.run(main()))
    with pytest.raises(ModelError, match="NOT_SET is not set"):
        open_model("endpoint:http://127.0.0.1:1/ask", {"api_key_env": "NOT_SET"})


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (body(b"<html>Welcome</html>", "text/html"), "not JSON"),
        (body(b'{"answer": "Par'), "not JSON"),
        (body(b""), "not JSON"),
        (body(b"null"), "not JSON"),
        (body(b"[" * 10_000 + b"]" * 10_000), "not JSON"),
        (body(b'{"answer": NaN}'), "not JSON"),
        (body(b'{"answer": "\\ud800"}'), "not JSON"),
        (body(b"\xff\xfe"), "not JSON"),
        (body(b'data: {"answer": "x"}\n\n', "text/event-stream"), "stream"),
        (says(["Paris"]), "a list"),
        (says({"answers": "Paris"}), "did you mean 'answer'?"),
        (says({"answer": None}), "'answer' is null"),
        (says({"answer": "x", "passages": [{"id": "a"}]}), "'text' is null"),
        (says({"answer": "x", "\x1b[2J" * 9999: 1}), "the reply has the key"),
        (says({"answer": "x" * 10 * 2**20}), "more than 8,388,608 characters"),
        (body(b'"' + b"x" * 65 * 2**20 + b'"'), "bytes"),
    ],
)
def test_a_hostile_reply_is_malformed_and_never_an_answer(behaviour, message):
    failure = failed(post(behaviour))
    assert failure.kind is FailureKind.MALFORMED
    assert message in failure.message
    assert len(failure.message) < 300


def test_a_reply_that_deep_cannot_be_more_than_an_outcome():
    deep = json.loads("[" * 500 + "]" * 500)
    assert "nested" in failed(post(says({"answer": "x", "stages": {"deep": deep}}))).message


@pytest.mark.parametrize(
    ("behaviours", "text"),
    [
        ([says({"error": "index is loading"}, 503), says("x")], "x"),
        ([says({"detail": "boom"}, 500), says("x")], "x"),
        ([body(b"{"), says("x")], "x"),
        ([says({"error": "index is loading"}), says("x")], "x"),
    ],
)
def test_what_may_pass_is_tried_again(behaviours, text):
    response = post(*behaviours)
    assert (response.text, response.attempts) == (text, 2)


@pytest.mark.parametrize(
    ("behaviour", "kind", "message"),
    [
        (says({"error": "no index"}, 500), FailureKind.SERVER, "HTTP 500: no index (3 attempts)"),
        (says({"detail": "no such route"}, 404), FailureKind.REJECTED, "HTTP 404"),
        (says({"detail": [{"loc": ["body"]}]}, 422), FailureKind.REJECTED, "HTTP 422"),
    ],
)
def test_what_remains_is_a_failure_with_what_the_server_said(behaviour, kind, message):
    failure = failed(post(behaviour))
    assert failure.kind is kind
    assert message in failure.message


def test_silence_ends_with_the_deadline():
    assert failed(post(silence, deadline_s="1")).kind is FailureKind.TIMEOUT


def test_a_key_that_is_not_taken_ends_the_run():
    with pytest.raises(ModelError, match="401"):
        post(says({"error": "who are you?"}, 401))


def test_an_address_where_nobody_is_is_refused_before_anything_is_asked():
    async def main():
        async with serving(says("x")) as (url, _):
            pass
        async with open_model(f"endpoint:{url}"):
            pass

    with pytest.raises(ModelError, match="cannot reach"):
        asyncio.run(main())


def test_twenty_replies_of_the_wrong_shape_end_the_run():
    async def main():
        async with serving(says({"text": "x"})) as (url, _), open_model(f"endpoint:{url}") as model:
            for _ in range(20):
                await model.generate(chat())

    with pytest.raises(ModelError, match=r"(?s)20 times in a row.*'text'"):
        asyncio.run(main())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stream": "true"}, "no setting 'stream'"),
        ({"concurrency": "0"}, "at least 1"),
        ({"api_key_env": "OUR_KEY", "api_key_header": "X: Y\r\nZ"}, "no name of a header"),
    ],
)
def test_wrong_settings_are_refused(settings, message, monkeypatch):
    monkeypatch.setenv("OUR_KEY", "k")
    with pytest.raises(ModelError, match=message):
        open_model("endpoint:http://127.0.0.1:1/ask", settings)


def test_a_pipeline_scores_no_options():
    model = open_model("endpoint:http://127.0.0.1:1/ask")
    with pytest.raises(ModelError, match="log-probabilities"):
        asyncio.run(model.loglikelihood(Loglikelihood("a#0", "x", ("y",))))


def test_a_cut_answer_says_so():
    assert post(says({"answer": "x", "finish_reason": "length"})).finish is FinishReason.LENGTH
