import asyncio

import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.generation import Writer
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.nouns import FailureKind, FinishReason
from tests.model.hf.toy import Scripted, answers, generate, toy_gpt2, toy_llama, toy_tokenizer

PROMPTS = ["The capital of France is", "Answer:", "Question: 1 2 3 4 the and the and 1", "1", "é日"]


@pytest.fixture(scope="module")
def encoder(tokenizer):
    return Encoder(tokenizer)


def writes(network, encoder, **settings):
    """Work on a batch of tickets by a writer of its own."""
    usual = {
        "ends": frozenset({1}),
        "budget": Budget(10_000),
        "prefill": Budget(128),
        "most_rows": 64,
        "context_length": 64,
        "share": True,
    }
    writer = Writer(network, encoder, **(usual | settings))
    return lambda tickets, more=list: writer.write(tickets, more)


@pytest.fixture
def work(toy_model, encoder):
    return writes(Network(toy_model), encoder)


def scripted(encoder, text, prompt="The capital", **settings):
    """Work on a model that writes `text` after `prompt`, then ends."""
    model = Scripted(encoder.encode_bare(text), len(encoder.prompt(prompt)), vocabulary=400)
    return writes(Network(model), encoder, context_length=1000, **settings)


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


def test_a_sampled_answer_depends_on_its_own_seed_and_not_on_its_batch(work, toy_model, encoder):
    def sampled(prompt, seed):
        return generate(prompt, seed=seed, max_tokens=16, temperature=1.0, top_p=0.9)

    requests = [sampled(prompt, seed) for prompt in PROMPTS for seed in (1, 2, 3)]
    together = [response.text for response in answers(work, requests)]
    backwards = [response.text for response in answers(work, requests[::-1])][::-1]
    alone = [answers(work, [request])[0].text for request in requests]
    two = writes(Network(toy_model), encoder, most_rows=2)
    small = [response.text for response in answers(two, requests)]
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
    work = scripted(encoder, "42</s>and", ends=frozenset())
    (response,) = answers(work, [generate("The capital", max_tokens=9, stop=("</s>",))])
    assert (response.text, response.finish) == ("42", FinishReason.STOP)


def test_any_of_several_end_tokens_ends_an_answer(encoder):
    seven = encoder.encode_bare("7")[0]
    work = scripted(encoder, "4273", ends=frozenset({1, seven}))
    (response,) = answers(work, [generate("The capital", max_tokens=50)])
    assert (response.text, response.finish, response.stop) == ("42", FinishReason.STOP, None)


def test_the_token_limit_is_a_finish_reason_of_its_own(encoder):
    (response,) = answers(scripted(encoder, "1 2 3 4 1 2 3 4"), [generate("The capital", max_tokens=3)])
    assert response.finish is FinishReason.LENGTH
    assert response.usage.completion_tokens == 3


def test_a_leading_space_of_the_answer_is_kept(encoder):
    (response,) = answers(scripted(encoder, " Paris."), [generate("The capital", max_tokens=30)])
    assert response.text == " Paris."


def test_an_answer_ends_where_the_context_ends(toy_model, encoder):
    prompt = "1" * 60
    assert len(encoder.prompt(prompt)) == 60
    work = writes(Network(toy_model), encoder, ends=frozenset())
    (response,) = answers(work, [generate(prompt, max_tokens=20)])
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


class Small(Network):
    """A network with memory for so many tokens, counted as its rows times their length."""

    def __init__(self, model, tokens):
        super().__init__(model)
        self.tokens = tokens
        self.passes = []

    def last_logits(self, **inputs):
        rows, width = inputs["attention_mask"].shape
        self.passes.append(rows)
        if rows * width > self.tokens:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super().last_logits(**inputs)


@pytest.mark.parametrize("tokens", [150, 90, 62, 47])
def test_running_out_of_memory_loses_no_answer_and_changes_none(toy_model, encoder, tokens):
    requests = [
        generate(p, seed=i, max_tokens=8 + i, temperature=1.0) for i, p in enumerate([*PROMPTS, *PROMPTS])
    ]
    expected = answers(writes(Network(toy_model), encoder), requests)
    network, budget = Small(toy_model, tokens), Budget(10_000)
    found = answers(writes(network, encoder, budget=budget), requests)
    assert [response.text for response in found] == [response.text for response in expected]
    assert budget.tokens < 10_000
    # What was written before memory ran out is not written again.
    assert sum(network.passes) < 1.5 * sum(response.usage.completion_tokens for response in expected)


def test_an_answer_that_there_is_no_memory_for_is_a_failure_and_its_companions_are_answered(
    toy_model, encoder
):
    short, long = generate("1", max_tokens=9), generate("The capital of France is", max_tokens=50)
    work = writes(Small(toy_model, 30), encoder, ends=frozenset())
    first, failed, last = answers(work, [short, long, short])
    assert failed.failure.kind is FailureKind.OUT_OF_MEMORY
    assert first.text == last.text
    assert first.usage.completion_tokens == last.usage.completion_tokens == 9


class Counted(Network):
    """A network that notes the rows and tokens of each pass."""

    def __init__(self, model):
        super().__init__(model)
        self.passes = []

    def last_logits(self, **inputs):
        self.passes.append(tuple(inputs["input_ids"].shape))
        return super().last_logits(**inputs)


def test_an_answer_that_nobody_waits_for_is_no_longer_written(encoder, toy_model):
    network = Counted(toy_model)

    async def put():
        tickets = [Ticket(Rendered(generate(p, max_tokens=30), p)) for p in PROMPTS[:2]]

        def more():
            if len(network.passes) == 3:
                tickets[0].future.cancel()
            return []

        await asyncio.to_thread(writes(network, encoder, ends=frozenset()), tickets, more)
        return await tickets[1].future

    assert asyncio.run(put()).usage.completion_tokens == 30
    assert [rows for rows, _ in network.passes[1:]] == [2, 2] + [1] * 27


def arriving(work, arrivals):
    """What `work` answers to (number of the call for more, request)s: 0 comes with the first batch."""

    async def put():
        tickets = [(at, Ticket(Rendered(request, request.input))) for at, request in arrivals]
        calls = 0

        def more():
            nonlocal calls
            calls += 1
            return [ticket for at, ticket in tickets if at == calls]

        await asyncio.to_thread(work, [ticket for at, ticket in tickets if at == 0], more)
        late = [ticket for at, ticket in tickets if at > calls]
        await asyncio.to_thread(work, late)
        return await asyncio.gather(*[ticket.future for _, ticket in tickets])

    return asyncio.run(put())


def test_the_place_of_an_answer_that_ends_goes_to_the_next_at_once(encoder, toy_model):
    network = Counted(toy_model)
    work = writes(network, encoder, ends=frozenset(), most_rows=2)
    requests = [generate("1 2", max_tokens=n) for n in (3, 12, 4, 5)]
    responses = arriving(work, [(0, requests[0]), (0, requests[1]), (0, requests[2]), (2, requests[3])])
    assert [response.usage.completion_tokens for response in responses] == [3, 12, 4, 5]
    # Twelve tokens of the longest, one by its prompt; beside it the other three, each one by its prompt.
    assert len([rows for rows, tokens in network.passes if (rows, tokens) == (2, 1)]) == 2 + 3 + 4
    assert len(network.passes) == 11 + 3


def test_rows_times_their_length_stay_within_the_budget(encoder, toy_model):
    class Widest(Network):
        tokens = 0

        def last_logits(self, **inputs):
            rows, width = inputs["attention_mask"].shape
            Widest.tokens = max(Widest.tokens, rows * width)
            return super().last_logits(**inputs)

    work = writes(Widest(toy_model), encoder, budget=Budget(100))
    answers(work, [generate(p, max_tokens=n, seed=n) for n in range(1, 20) for p in PROMPTS])
    assert 50 < Widest.tokens <= 100


LONG = " and the capital of France is Paris. Question: 1 2 3 4" * 3
VOCABULARY = len(toy_tokenizer())
GROUPED = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "initializer_range": 0.4,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 1,
}


def made(config):
    torch.manual_seed(0)
    return transformers.AutoModelForCausalLM.from_config(config).eval()


MODELS = {
    "gpt2": lambda: toy_gpt2(VOCABULARY, context=256),
    "llama": lambda: toy_llama(VOCABULARY, context=256),
    "qwen2": lambda: made(transformers.Qwen2Config(**GROUPED)),
    "gemma3": lambda: made(
        transformers.Gemma3TextConfig(
            **GROUPED,
            head_dim=8,
            query_pre_attn_scalar=8,
            sliding_window=5,
            layer_types=["sliding_attention", "full_attention"],
        )
    ),
}


@pytest.fixture(scope="module", params=MODELS)
def network(request):
    return Network(MODELS[request.param]())


requests = st.builds(
    generate,
    st.builds(lambda shared, own: LONG * shared + own, st.booleans(), st.text("1 aé", max_size=12)),
    seed=st.integers(0, 99),
    max_tokens=st.integers(1, 12),
    temperature=st.sampled_from([0.0, 0.0, 1.0]),
    top_p=st.sampled_from([1.0, 0.9]),
    stop=st.sampled_from([(), (" ",), ("a", "the")]),
)


# Derandomised: a random number can lie on the edge between two tokens, where rounding decides.
@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    arrivals=st.lists(st.tuples(st.integers(0, 8), requests), min_size=1, max_size=8),
    most_rows=st.sampled_from([2, 3, 64]),
    tokens=st.sampled_from([200, 10_000]),
    prefill=st.sampled_from([16, 128]),
)
def test_an_answer_is_what_it_would_be_alone_whatever_comes_and_goes_beside_it(
    network, arrivals, most_rows, tokens, prefill
):
    encoder = Encoder(toy_tokenizer())
    work = writes(
        network,
        encoder,
        budget=Budget(tokens),
        prefill=Budget(prefill),
        most_rows=most_rows,
        context_length=256,
    )
    alone = writes(network, encoder, context_length=256, share=False)
    found = arriving(work, arrivals)
    for (_, request), response in zip(arrivals, found, strict=True):
        (expected,) = answers(alone, [request])
        assert (response.text, response.finish, response.stop, response.usage) == (
            expected.text,
            expected.finish,
            expected.stop,
            expected.usage,
        )


@pytest.mark.parametrize("share", [True, False])
def test_what_prompts_begin_with_is_computed_once(encoder, share):
    network = Counted(MODELS["llama"]())
    work = writes(network, encoder, prefill=Budget(10_000), context_length=256, share=share)
    trunk, own = len(encoder.prompt(LONG)), 4
    arriving(work, [(0, generate(LONG + str(n) * own, max_tokens=1)) for n in range(1, 5)])
    arriving(work, [(0, generate(LONG + "7" * own, max_tokens=1))])
    if share:
        assert network.passes == [(1, trunk + own), (3, own), (1, own)]
    else:
        assert network.passes == [(4, trunk + own), (1, trunk + own)]


@pytest.mark.parametrize(("opening", "closing"), [("[THINK]", "[/THINK]"), ("<|channel>", "<channel|>")])
def test_a_reasoning_block_is_seen_though_its_marks_are_special_tokens(opening, closing):
    tokenizer = toy_tokenizer()
    tokenizer.add_special_tokens({"additional_special_tokens": [opening, closing, "<|end|>"]})
    encoder = Encoder(tokenizer)
    work = scripted(encoder, f"{opening}1 2{closing}<|end|>42 Question:")
    (response,) = answers(work, [generate("The capital", max_tokens=50, stop=("Question:",))])
    assert (response.text, response.reasoning) == ("42 ", "1 2")
    assert 3 <= response.usage.reasoning_tokens < response.usage.completion_tokens
