"""A real model: SmolLM2-135M-Instruct, dequantised to float32."""

import asyncio
import math

import pytest
import torch

from bakeoff.model.hf import HfModel
from bakeoff.model.hf.dequantise import dequantised
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.stops import Watch
from bakeoff.nouns import FinishReason, Loglikelihood, Message
from tests.model.hf.toy import generate

pytestmark = pytest.mark.model

PROMPTS = [
    "Once upon a time",
    "The three largest cities of Japan are",
    "def fibonacci(n):\n",
    (Message.of("user", "What is the capital of France?"),),
    (Message.of("user", "Name three colours."),),
]


@pytest.fixture(scope="module")
def use(smollm2_path, smollm2_folder):
    """Run `action(model)` with one model for all tests: opening it takes a second or two."""
    with asyncio.Runner() as runner:
        model = HfModel(str(smollm2_path), {"device": "cpu", "threads": "1"})
        runner.run(model.__aenter__())
        try:
            yield lambda action: runner.run(action(model))
        finally:
            runner.run(model.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def transformers_own(smollm2_folder):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(smollm2_folder, dtype=torch.float32).eval()
    return model, AutoTokenizer.from_pretrained(smollm2_folder)


def test_paris_has_its_known_log_probability(use):
    async def ask(model):
        return await model.loglikelihood(Loglikelihood("q", "The capital of France is", (" Paris", " Rome")))

    paris, rome = use(ask).options
    assert paris.logprob == pytest.approx(-0.258, abs=0.01)
    assert paris.greedy
    assert rome.logprob < paris.logprob
    assert not rome.greedy


def test_it_knows_the_capital_of_france(use):
    async def ask(model):
        return await model.generate(generate(PROMPTS[3], max_tokens=32))

    response = use(ask)
    assert response.text == "The capital of France is Paris."
    assert response.finish is FinishReason.STOP
    assert response.usage.prompt_tokens == 37


def test_a_mixed_batch_writes_what_transformers_writes_alone(use, transformers_own):
    model, tokenizer = transformers_own

    async def ask(ours):
        return await asyncio.gather(*[ours.generate(generate(p, max_tokens=16)) for p in PROMPTS])

    for prompt, response in zip(PROMPTS, use(ask), strict=True):
        if isinstance(prompt, str):
            inputs = tokenizer(prompt, return_tensors="pt")
        else:
            messages = [{"role": m.role, "content": m.text} for m in prompt]
            inputs = tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        with torch.inference_mode():
            out = model.generate(**inputs, max_new_tokens=16, do_sample=False)
        new = out[0, inputs["input_ids"].shape[1] :]
        assert response.text == tokenizer.decode(new, skip_special_tokens=True)
        assert response.usage.completion_tokens == len(new)
        assert response.usage.prompt_tokens == inputs["input_ids"].shape[1]


def test_log_probabilities_in_a_batch_are_those_of_a_float64_run(use, transformers_own):
    model, tokenizer = transformers_own
    cases = [
        ("The capital of France is", (" Paris", " London", " a city on the Seine")),
        ("Question: What do plants need to make food?\nAnswer:", (" sunlight", " darkness and cold", " A")),
        ("2 + 2 =", (" 4", " 5")),
    ]

    async def ask(ours):
        return await asyncio.gather(*[ours.loglikelihood(Loglikelihood("q", c, o)) for c, o in cases])

    responses = use(ask)
    double = model.double()
    for (context, options), response in zip(cases, responses, strict=True):
        for text, option in zip(options, response.options, strict=True):
            start = len(tokenizer(context).input_ids)
            ids = tokenizer(context + text, return_tensors="pt").input_ids
            with torch.inference_mode():
                logprobs = double(ids).logits[0, start - 1 : -1].log_softmax(-1)
            expected = logprobs.gather(1, ids[0, start:, None]).sum().item()
            assert option.logprob == pytest.approx(expected, abs=5e-5)
    model.float()


def test_text_watched_token_by_token_is_the_text_decoded_at_once(transformers_own):
    encoder = Encoder(transformers_own[1])
    text = "naïve café — 東京 🙂🙃 don't  stop\n\tx = 1.5e-3; مرحبا"
    watch = Watch(encoder.decode, encoder.prompt("Once upon a time"), (), False)
    for token in encoder.encode_bare(text):
        watch.push(token)
    assert watch.finish() == text


def test_the_same_seed_writes_the_same_story_in_any_company(use):
    story = generate("Once upon a time", seed=11, max_tokens=12, temperature=1.0, top_p=0.95)
    others = [generate(prompt, seed=n, max_tokens=8, temperature=1.0) for n, prompt in enumerate(PROMPTS)]

    async def ask(model):
        alone = await model.generate(story)
        crowd = await asyncio.gather(*[model.generate(request) for request in (*others, story)])
        return alone, crowd[-1]

    alone, crowded = use(ask)
    assert alone.text == crowded.text


def test_an_unpacked_file_is_used_again(smollm2_path, smollm2_folder):
    before = (smollm2_folder / "model.safetensors").stat().st_mtime_ns
    folder, sha256 = dequantised(smollm2_path)
    assert (folder, folder.name) == (smollm2_folder, sha256)
    assert (folder / "model.safetensors").stat().st_mtime_ns == before


def test_unconditional_log_probabilities_come_after_the_beginning_of_text(use, transformers_own):
    model, tokenizer = transformers_own

    async def ask(ours):
        return await ours.loglikelihood(Loglikelihood("q", "The capital of France is", (" Paris",), True))

    (option,) = use(ask).options
    (paris,) = tokenizer(" Paris").input_ids
    with torch.inference_mode():
        expected = model(torch.tensor([[tokenizer.bos_token_id]])).logits[0, -1].log_softmax(-1)[paris].item()
    assert option.unconditional == pytest.approx(expected, abs=1e-4)
    assert not math.isclose(option.unconditional, option.logprob)
