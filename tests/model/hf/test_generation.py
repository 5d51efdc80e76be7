import asyncio
from functools import partial

import pytest
import torch

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.generation import write
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Decoding, Network
from bakeoff.nouns import FailureKind, FinishReason
from tests.model.hf.toy import Scripted, answers, generate

PROMPTS = ["The capital of France is", "Answer:", "Question: 1 2 3 4 the and the and 1", "1", "é日"]


@pytest.fixture(scope="module")
def encoder(tokenizer):
    return Encoder(tokenizer)


@pytest.fixture
def work(toy_model, encoder):
    return partial(
        write,
        network=Network(toy_model),
        encoder=encoder,
        ends=frozenset({1}),
        budget=Budget(10_000),
        most_rows=64,
        context_length=64,
    )


def scripted(encoder, text, prompt="The capital"):
    """Work on a model that writes `text` after `prompt`, then ends."""
    model = Scripted(encoder.encode_bare(text), len(encoder.prompt(prompt)), vocabulary=400)
    return partial(
        write,
        network=Network(model),
        encoder=encoder,
        ends=frozenset({1}),
        budget=Budget(10_000),
        most_rows=64,
        context_length=1000,
    )


def by_transformers(model, encoder, prompt, tokens):
    """What transformers' own `generate` writes to a prompt alone."""
    ids = torch.tensor([encoder.prompt(prompt)])
    with torch.inference_mode():
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=tokens,
            do_sample=False,
            eos_token_id=[1],
            pad_token_id=1,
        )
    new = out[0, ids.shape[1] :].tolist()
    return encoder.decode(new), len(new)


def test_a_padded_batch_writes_what_transformers_writes_to_each_prompt_alone(work, toy_model, encoder):
    responses = answers(work, [generate(prompt, max_tokens=20) for prompt in PROMPTS])
    for prompt, response in zip(PROMPTS, responses, strict=True):
        text, count = by_transformers(toy_model, encoder, prompt, 20)
        assert (response.text, response.usage.completion_tokens) == (text, count)
        assert response.usage.prompt_tokens == len(encoder.prompt(prompt))


def test_step_by_step_logits_equal_those_of_the_whole_text(toy_model):
    rows = [[5, 6, 7], [8], [9, 10]]
    more = [[20, 21, 22], [23, 24, 25], [26, 27, 28]]
    decoding = Decoding(Network(toy_model), rows)
    for step in range(3):
        decoding.step([row[step] for row in more])
    decoding.keep([0, 2])
    decoding.step([30, 31])
    for line, (row, new, last) in enumerate([(rows[0], more[0], 30), (rows[2], more[2], 31)]):
        with torch.inference_mode():
            whole = toy_model(torch.tensor([[*row, *new, last]])).logits[0, -1]
        assert torch.allclose(decoding.logits[line], whole, atol=1e-4)


def test_a_sampled_answer_depends_on_its_own_seed_and_not_on_its_batch(work):
    def sampled(prompt, seed):
        return generate(prompt, seed=seed, max_tokens=16, temperature=1.0, top_p=0.9)

    requests = [sampled(prompt, seed) for prompt in PROMPTS for seed in (1, 2, 3)]
    together = [response.text for response in answers(work, requests)]
    backwards = [response.text for response in answers(work, requests[::-1])][::-1]
    alone = [answers(work, [request])[0].text for request in requests]
    small = [response.text for response in answers(partial(work, most_rows=2), requests)]
    assert together == backwards == alone == small
    assert len(set(together)) > len(PROMPTS)


def test_greedy_and_sampled_rows_share_a_batch_without_harm(work):
    greedy = generate("The capital", max_tokens=12)
    hot = generate("The capital", seed=3, max_tokens=12, temperature=3.0)
    together = answers(work, [greedy, hot, greedy])
    assert together[0].text == together[2].text == answers(work, [greedy])[0].text
    assert together[1].text == answers(work, [hot])[0].text


@pytest.mark.parametrize(
    ("text", "stops", "answer", "reasoning", "stop"),
    [
        ("x = 12.25 and", (), "x = 12.25 and", "", None),
        ("x = 12.25\nQuestion: 1", ("Question:",), "x = 12.25\n", "", "Question:"),
        (
            "<think>Question: 1</think>\n\n42\n\nQuestion: 2",
            ("Question:", "\n\n"),
            "42",
            "Question: 1",
            "\n\n",
        ),
        ("<think>Question: 1", ("Question:",), "<think>Question: 1", "", None),
    ],
)
def test_an_answer_ends_at_the_first_stop_string_behind_its_reasoning(
    encoder, text, stops, answer, reasoning, stop
):
    (response,) = answers(scripted(encoder, text), [generate("The capital", max_tokens=200, stop=stops)])
    assert (response.text, response.reasoning, response.stop) == (answer, reasoning, stop)
    assert response.finish is FinishReason.STOP


def test_writing_ends_with_the_token_that_completes_the_stop_string(encoder):
    (response,) = answers(
        scripted(encoder, "12;34567"), [generate("The capital", max_tokens=50, stop=(";",))]
    )
    assert response.text == "12"
    assert response.usage.completion_tokens == len(encoder.encode_bare("12;"))


def test_a_block_that_the_prompt_opened_is_reasoning(encoder):
    prompt = "The capital<think>\n"
    work = scripted(encoder, "Question: 1</think>\n\n42", prompt)
    (response,) = answers(work, [generate(prompt, max_tokens=200, stop=("Question:",))])
    assert (response.text, response.reasoning) == ("42", "Question: 1")
    assert response.usage.reasoning_tokens >= len(encoder.encode_bare("Question: 1"))
    assert response.usage.reasoning_tokens < response.usage.completion_tokens


def test_a_thought_cut_by_the_token_limit_is_not_an_answer(encoder):
    work = scripted(encoder, "<think>Question: 1 2 3 4</think>42")
    (response,) = answers(work, [generate("The capital", max_tokens=12)])
    assert response.finish is FinishReason.LENGTH
    assert response.text.startswith("<think>")
    assert response.reasoning == ""


def test_a_stop_string_that_is_a_special_token_stops(encoder):
    work = partial(scripted(encoder, "42</s>and"), ends=frozenset())
    (response,) = answers(work, [generate("The capital", max_tokens=9, stop=("</s>",))])
    assert (response.text, response.finish) == ("42", FinishReason.STOP)


def test_any_of_several_end_tokens_ends_an_answer(encoder):
    seven = encoder.encode_bare("7")[0]
    work = partial(scripted(encoder, "4273"), ends=frozenset({1, seven}))
    (response,) = answers(work, [generate("The capital", max_tokens=50)])
    assert (response.text, response.finish, response.stop) == ("42", FinishReason.STOP, None)


def test_the_token_limit_is_a_finish_reason_of_its_own(encoder):
    (response,) = answers(scripted(encoder, "1 2 3 4 1 2 3 4"), [generate("The capital", max_tokens=3)])
    assert response.finish is FinishReason.LENGTH
    assert response.usage.completion_tokens == 3


def test_a_leading_space_of_the_answer_is_kept(encoder):
    (response,) = answers(scripted(encoder, " Paris."), [generate("The capital", max_tokens=30)])
    assert response.text == " Paris."


def test_an_answer_ends_where_the_context_ends(work, encoder):
    prompt = "1" * 60
    assert len(encoder.prompt(prompt)) == 60
    (response,) = answers(partial(work, ends=frozenset()), [generate(prompt, max_tokens=20)])
    assert response.finish is FinishReason.LENGTH
    assert response.usage.completion_tokens == 4


def test_a_prompt_that_fills_the_context_is_a_failure_and_is_not_cut(work):
    full, fine = answers(work, [generate("1" * 64, max_tokens=1), generate("1", max_tokens=1)])
    assert full.failure.kind is FailureKind.CONTEXT_LENGTH
    assert full.text == ""
    assert fine.failure is None


def test_timing_counts_the_first_token_and_the_whole(encoder):
    short, long = answers(
        scripted(encoder, "1 2 3 4 1 2 3 4"),
        [generate("The capital", max_tokens=1), generate("The capital", max_tokens=9)],
    )
    for response in (short, long):
        assert 0 < response.timing.first_token_s <= response.timing.latency_s
    assert short.timing.latency_s < long.timing.latency_s


def test_running_out_of_memory_on_the_way_begins_the_unfinished_answers_again(work, toy_model):
    requests = [generate(p, seed=i, max_tokens=8 + i, temperature=1.0) for i, p in enumerate(PROMPTS)]
    expected = [response.text for response in answers(work, requests)]
    network = Network(toy_model)
    whole = network.last_logits
    calls = []

    def small(**inputs):
        calls.append(len(inputs["input_ids"]))
        if len(calls) > 5 and calls[-1] > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(**inputs)

    network.last_logits = small
    assert [r.text for r in answers(partial(work, network=network), requests)] == expected


def test_an_answer_that_nobody_waits_for_is_no_longer_written(encoder, toy_model):
    network = Network(toy_model)
    widths = []

    async def put():
        tickets = [Ticket(Rendered(generate(p, max_tokens=30), p)) for p in PROMPTS[:2]]
        whole = network.last_logits

        def counted(**inputs):
            widths.append(len(inputs["input_ids"]))
            if len(widths) == 3:
                tickets[0].future.cancel()
            return whole(**inputs)

        network.last_logits = counted
        await asyncio.to_thread(
            write,
            tickets,
            network=network,
            encoder=encoder,
            ends=frozenset(),
            budget=Budget(1000),
            most_rows=8,
            context_length=64,
        )
        return await tickets[1].future

    assert asyncio.run(put()).usage.completion_tokens == 30
    assert widths == [2, 2, 2] + [1] * 27
