"""Constraints on the wire, and a real llama.cpp server that takes them, refuses them or ignores them."""

import asyncio
import json

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import probe
from bakeoff.model.remote import AnthropicModel, OpenAIModel
from bakeoff.nouns import Constraint, FailureKind, FinishReason
from tests.model.constraints import PERSON, held_to, violation
from tests.model.remote.asking import ask, bodies, chat, plain, serving
from tests.model.remote.test_anthropic_wire import WHOLE
from tests.servers.fault_server import answer, body, status

pytestmark = pytest.mark.usefixtures("no_pauses")

SCHEMA = {"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "string"}}}
HELD = held_to(SCHEMA)
YES = Constraint("regex", "yes|no")
FORMAT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}


@pytest.mark.parametrize(
    ("settings", "constraint", "fields"),
    [
        ({}, HELD, {"response_format": FORMAT}),
        ({"constrain": "structured_outputs"}, HELD, {"structured_outputs": {"json": SCHEMA}}),
        ({"constrain": "structured_outputs"}, YES, {"structured_outputs": {"regex": "yes|no"}}),
        ({"constrain": "guided"}, HELD, {"guided_json": SCHEMA}),
        ({"constrain": "guided"}, YES, {"guided_regex": "yes|no"}),
        ({"constrain": "json_schema"}, HELD, {"json_schema": SCHEMA}),
    ],
)
@pytest.mark.parametrize("request_of", [chat, plain])
def test_a_constraint_is_one_field_more(settings, constraint, fields, request_of):
    (free,) = bodies(answer(), request=request_of(), **settings)
    (held,) = bodies(answer(), request=request_of(constraint=constraint), **settings)
    assert held == free | fields


def test_the_properties_keep_their_order_on_the_wire():
    (sent,) = bodies(answer(), request=chat(constraint=HELD))
    assert list(sent["response_format"]["json_schema"]["schema"]["properties"]) == ["b", "a"]


def test_what_a_user_lays_over_the_body_does_not_free_an_answer():
    overlaid = {"body": '{"response_format": {"type": "text"}, "top_k": 5}'}
    (sent,) = bodies(answer(), request=chat(constraint=HELD), **overlaid)
    assert (sent["response_format"], sent["top_k"]) == (FORMAT, 5)


def test_anthropic_takes_a_schema_beside_what_else_says_how_it_answers():
    settings = {"stream": "false", "body": '{"output_config": {"effort": "low"}}'}
    (sent,) = bodies(
        body(json.dumps(WHOLE)), request=chat(constraint=HELD), engine=AnthropicModel, **settings
    )
    assert sent["output_config"] == {
        "effort": "low",
        "format": {"type": "json_schema", "schema": SCHEMA},
    }
    (free,) = bodies(body(json.dumps(WHOLE)), request=chat(), engine=AnthropicModel, stream="false")
    assert "output_config" not in free


def test_a_schema_that_the_server_refuses_is_a_failure_that_says_why():
    said = "Invalid schema for response_format 'answer': 'uniqueItems' is not permitted."
    refusal = status(400, said, type="invalid_request_error")
    refused = ask(refusal, request=chat(constraint=held_to({"uniqueItems": True})))
    assert refused.failure.kind is FailureKind.REJECTED
    assert "'uniqueItems' is not permitted" in refused.failure.message


@pytest.mark.parametrize(
    ("engine", "settings", "kinds"),
    [
        (OpenAIModel, {}, {"json_schema"}),
        (OpenAIModel, {"constrain": "json_schema"}, {"json_schema"}),
        (OpenAIModel, {"constrain": "structured_outputs"}, {"json_schema", "regex"}),
        (OpenAIModel, {"constrain": "guided"}, {"json_schema", "regex"}),
        (AnthropicModel, {}, {"json_schema"}),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_sent(engine, settings, kinds):
    async def main():
        async with serving(engine=engine, **settings) as (server, model):
            can = {kind for kind in ("json_schema", "regex") if getattr(model.capabilities, kind)}
            for kind in {"json_schema", "regex"} - can:
                with pytest.raises(ModelError, match=f"cannot hold its answers to a {kind}"):
                    await probe(model, ask="generate", constraint=kind)
            return can, server.calls

    assert asyncio.run(main()) == (kinds, [])


def test_the_field_is_part_of_who_answers():
    async def main(**settings):
        async with serving(**settings) as (_, model):
            return model.identity.settings

    assert asyncio.run(main(constrain="guided")) == {"constrain": "guided"}
    assert asyncio.run(main()) == {}


def with_llama(url, use, **settings):
    async def main():
        async with OpenAIModel("smollm2", {"base_url": url} | settings) as model:
            return await use(model)

    return asyncio.run(main())


@pytest.mark.model
def test_a_real_server_holds_the_answers_of_a_chat(llama_url):
    constraint = held_to(PERSON)
    request = chat("Describe Anna, 30, in JSON.", constraint=constraint, max_tokens=120)
    got = with_llama(llama_url, lambda model: model.generate(request))
    assert got.finish is FinishReason.STOP
    assert violation(constraint, got) == ""
    seen = with_llama(llama_url, lambda model: probe(model, ask="generate", constraint="json_schema"))
    assert seen.constraint == "holds"


@pytest.mark.model
def test_a_real_server_that_ignores_the_field_is_found_out(llama_url):
    """llama-server takes `response_format` for chats, and for plain texts goes on as if it were not there."""

    def use(model):
        return probe(model, ask="generate", constraint="json_schema", plain=True)

    with pytest.raises(ModelError, match="does not hold its answers to a json_schema"):
        with_llama(llama_url, use)
    assert with_llama(llama_url, use, constrain="json_schema").constraint == "holds"
