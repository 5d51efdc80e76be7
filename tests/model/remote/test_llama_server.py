"""Both wire formats against a real llama.cpp server with a real model."""

import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.remote import AnthropicModel, OpenAIModel
from bakeoff.nouns import FailureKind, FinishReason, Loglikelihood
from tests.model.remote.asking import chat, plain

pytestmark = pytest.mark.model


def using(url: str, use, engine=OpenAIModel, name: str = "smollm2", **settings):
    async def main():
        async with engine(name, {"base_url": url} | settings) as model:
            return await use(model)

    return asyncio.run(main())


@pytest.mark.parametrize("engine", [OpenAIModel, AnthropicModel])
def test_a_chat_answer_is_the_same_streamed_and_whole(llama_url, engine):
    def ask(stream):
        return using(
            llama_url,
            lambda model: model.generate(chat("Say hello.", max_tokens=12)),
            engine,
            stream=stream,
        )

    streamed, whole = ask("true"), ask("false")
    assert streamed.failure is None
    assert streamed.text == whole.text != ""
    assert streamed.usage.completion_tokens == whole.usage.completion_tokens == 12
    assert streamed.usage.prompt_tokens == whole.usage.prompt_tokens > 10
    assert streamed.finish is whole.finish is FinishReason.LENGTH
    assert 0 < streamed.timing.first_token_s < streamed.timing.latency_s


def test_a_completion_continues_the_text_and_stops_before_its_stop(llama_url):
    response = using(llama_url, lambda model: model.generate(plain("1, 2, 3,", max_tokens=20, stop=("6",))))
    assert response.text == " 4, 5, "
    assert response.finish is FinishReason.STOP


def test_stops_applied_by_the_server_and_by_us_give_the_same_text(llama_url):
    def ask(stops):
        request = plain("1, 2, 3,", max_tokens=20, stop=("6",))
        return using(llama_url, lambda model: model.generate(request), stops=stops)

    server, client = ask("server"), ask("client")
    assert server.text == client.text
    assert (server.stop, client.stop) == (None, "6")  # This server does not say which stop fired.


def test_a_prompt_that_does_not_fit_is_a_full_context(llama_url):
    response = using(llama_url, lambda model: model.generate(plain("a b c " * 2000, max_tokens=5)))
    assert response.failure.kind is FailureKind.CONTEXT_LENGTH


def test_the_server_and_the_weights_are_identified(llama_url):
    async def use(model):
        return model.identity, model.context_length

    identity, context = using(llama_url, use)
    assert identity.engine_version.startswith("llama.cpp")
    assert "n_params=134515008" in identity.revision
    assert identity.precision == "Q4_1"
    assert identity.chat_template.startswith("sha256:")
    assert context == 2048


def test_its_echo_is_refused_and_nothing_is_scored(llama_url):
    request = Loglikelihood("item 1", "The capital of France is", (" Paris", " Rome"))
    with pytest.raises(ModelError, match="no usable log-likelihoods"):
        using(llama_url, lambda model: model.loglikelihood(request))


def test_four_at_a_time_each_get_the_answer_to_their_own_question(llama_url):
    async def use(model):
        requests = [plain(f"{n}, {n + 1}, {n + 2},", max_tokens=3) for n in range(1, 7)]
        return [r.text for r in await asyncio.gather(*(model.generate(each) for each in requests))]

    answers = using(llama_url, use, concurrency="4")
    assert answers == [f" {n + 3}," for n in range(1, 7)]


def test_a_model_it_does_not_have_is_reported_with_the_one_it_has(llama_url):
    async def use(model):
        raise AssertionError("entered")

    with pytest.raises(ModelError) as caught:
        using(llama_url, use, name="smollm3-7b")
    assert "smollm2" in caught.value.hint
