"""Vision-language models: that images reach the model, each in its place, whatever stands beside them."""

import asyncio
import base64
import io

import pytest
import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

from bakeoff.errors import ModelError
from bakeoff.model.hf import HfModel
from bakeoff.model.probe import probe
from bakeoff.nouns import FailureKind, FinishReason, Loglikelihood, Message, Part
from tests.model.hf.seeing import TINY, asked, picture, tiny_llava
from tests.model.hf.toy import generate, saved, toy_llama

CPU = {"device": "cpu"}
RED, BLUE = picture("red"), picture("blue")
SPLIT = picture("red", (90, 40), half="blue")
PROMPTS = [
    asked(RED, "What is it?"),
    asked(BLUE, "What is it?"),
    asked("Look: ", SPLIT, " and say what you see in this picture."),
    asked("Left ", RED, " right ", BLUE, "?"),
    asked(picture("green", (31, 64)), "?"),
    (*asked(RED, "One?"), Message.of("assistant", "Yes."), *asked(BLUE, "Two?")),
]


@pytest.fixture(scope="module", params=TINY)
def folder(request, tmp_path_factory):
    return TINY[request.param](tmp_path_factory.mktemp("vision"))


def use(folder, action, settings=CPU):
    async def main():
        async with HfModel(str(folder), settings) as model:
            return await action(model)

    return asyncio.run(main())


def written(folder, prompts, settings=CPU, **generation):
    async def ask(model):
        return await asyncio.gather(*[model.generate(generate(p, **generation)) for p in prompts])

    return use(folder, ask, settings)


def scored(folder, prompts, continuations=("A", "B", " a longer one"), **more):
    async def ask(model):
        requests = [Loglikelihood("q", prompt, continuations, **more) for prompt in prompts]
        return await asyncio.gather(*[model.loglikelihood(request) for request in requests])

    return use(folder, ask)


def logprobs(response):
    assert response.failure is None, response.failure
    return [option.logprob for option in response.options]


def reference(folder, prompt):
    """transformers' own way from a conversation with images to inputs: (model, processor, inputs)."""
    processor = AutoProcessor.from_pretrained(folder)
    model = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32).eval()
    conversation = [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part.data}
                if part.kind == "text"
                else {"type": "image", "image": Image.open(io.BytesIO(base64.b64decode(part.data)))}
                for part in message.parts
            ],
        }
        for message in prompt
    ]
    inputs = processor.apply_chat_template(
        conversation, tokenize=True, add_generation_prompt=True, return_dict=True, return_tensors="pt"
    )
    return model, processor, inputs


def test_it_says_that_it_takes_images_and_by_which_processor(folder):
    async def read(model):
        report = await probe(model, ask="generate", images=True)
        return model.capabilities, model.identity, report

    capabilities, identity, report = use(folder, read)
    assert capabilities.images
    assert identity.settings["images"].endswith("ImageProcessorPil")
    assert report.same_twice == 1


@pytest.mark.parametrize("place", range(len(PROMPTS)))
def test_a_greedy_answer_is_transformers_own(folder, place):
    model, processor, inputs = reference(folder, PROMPTS[place])
    expected = model.generate(**inputs, max_new_tokens=12, do_sample=False, pad_token_id=0)
    expected = expected[0, inputs["input_ids"].shape[1] :]
    (response,) = written(folder, PROMPTS[place : place + 1], max_tokens=12)
    assert response.failure is None
    assert response.text == processor.tokenizer.decode(expected, skip_special_tokens=True)
    assert response.usage.prompt_tokens == inputs["input_ids"].shape[1]


def test_answers_do_not_depend_on_what_stands_beside_them(folder):
    together = written(folder, PROMPTS, max_tokens=16)
    alone = written(folder, PROMPTS, CPU | {"batch_rows": "1"}, max_tokens=16)
    assert [each.text for each in together] == [each.text for each in alone]
    assert len({each.text for each in together}) > 1


def test_sampled_answers_go_by_their_own_seed(folder):
    async def ask(model):
        def sampled(seed):
            return model.generate(generate(PROMPTS[0], seed=seed, temperature=1.0, top_p=0.9, max_tokens=12))

        return [each.text for each in await asyncio.gather(*map(sampled, (1, 2, 1, 3)))], (
            await sampled(1)
        ).text

    beside, alone = use(folder, ask)
    assert beside[0] == beside[2] == alone
    assert len(set(beside)) == 3


def test_the_score_of_an_option_is_the_models_own(folder):
    """Against one pass over prompt and continuation, encoded by transformers."""
    for prompt, response in zip(PROMPTS, scored(folder, PROMPTS), strict=True):
        model, processor, inputs = reference(folder, prompt)
        for continuation, option in zip(("A", "B", " a longer one"), response.options, strict=True):
            tokens = processor.tokenizer.encode(continuation, add_special_tokens=False)
            longer = dict(inputs)
            for name in ("input_ids", "attention_mask", "token_type_ids", "mm_token_type_ids"):
                if name in longer:
                    more = {"input_ids": tokens, "attention_mask": [1] * len(tokens)}.get(
                        name, [0] * len(tokens)
                    )
                    longer[name] = torch.cat([longer[name], torch.tensor([more])], dim=1)
            with torch.inference_mode():
                logits = model(**longer).logits[0, -len(tokens) - 1 : -1].double().log_softmax(-1)
            expected = sum(float(logits[place, token]) for place, token in enumerate(tokens))
            assert option.logprob == pytest.approx(expected, abs=1e-4)
            assert option.tokens == len(tokens)


def test_another_image_another_score_and_the_same_image_the_same(folder):
    red, blue, again = scored(folder, [asked(RED, "?"), asked(BLUE, "?"), asked(RED, "?")])
    assert logprobs(red) == logprobs(again)
    assert logprobs(red) != logprobs(blue)


def test_images_and_texts_keep_their_order(folder):
    prompts = [
        asked("a", RED, "b", BLUE),
        asked("a", BLUE, "b", RED),
        asked("a", "b", RED, BLUE),
        asked(RED, BLUE, "a", "b"),
    ]
    found = [tuple(logprobs(each)) for each in scored(folder, prompts)]
    assert len(set(found)) == 4


def test_a_lead_stands_before_its_option(folder):
    texts = ("x", "y")
    (led,) = scored(folder, [asked(RED, "?")], texts, leads=("one ", "two "))
    assert led.options[0].logprob != led.options[1].logprob
    closed = asked(RED, "?one ")
    (whole,) = scored(folder, [closed], texts)
    assert led.options[0].logprob == pytest.approx(whole.options[0].logprob, abs=1e-5)


def test_texts_alone_are_read_too_by_a_template_that_wants_parts(folder):
    one, two, seen = map(logprobs, scored(folder, [asked("One?"), asked("Two?"), asked(RED, "One?")]))
    assert one != two
    assert one != seen
    (first,) = written(folder, [asked("One?")], max_tokens=10)
    model, processor, inputs = reference(folder, asked("One?"))
    expected = model.generate(**inputs, max_new_tokens=10, do_sample=False, pad_token_id=0)
    expected = expected[0, inputs["input_ids"].shape[1] :]
    assert first.text == processor.tokenizer.decode(expected, skip_special_tokens=True)


def test_a_stop_string_and_the_limit_end_an_answer(folder):
    (whole,) = written(folder, PROMPTS[:1], max_tokens=12)
    assert whole.finish is FinishReason.LENGTH
    assert whole.usage.completion_tokens == 12
    stop = next(letter for letter in whole.text[1:] if letter != "\ufffd" and letter not in whole.text[:1])
    (stopped,) = written(folder, PROMPTS[:1], max_tokens=12, stop=(stop,))
    assert (stopped.finish, stopped.stop) == (FinishReason.STOP, stop)
    assert stopped.text == whole.text[: whole.text.index(stop)]


def test_what_cannot_be_shown_fails_alone(folder):
    broken = Part("image", base64.b64encode(base64.b64decode(RED.data)[:60]).decode(), "image/png")
    bad, good = written(folder, [asked(broken, "?"), asked(RED, "?")], max_tokens=3)
    assert bad.failure.kind is FailureKind.REJECTED
    assert "cannot be decoded" in bad.failure.message
    assert good.failure is None
    (unscored,) = scored(folder, [asked(broken, "?")])
    assert unscored.failure.kind is FailureKind.REJECTED


def test_a_prompt_longer_than_the_context_is_too_long(folder):
    settings = CPU | {"context_length": "20"}
    (response,) = written(folder, PROMPTS[2:3], settings, max_tokens=3)
    assert response.failure.kind is FailureKind.CONTEXT_LENGTH


def test_a_transparent_image_is_shown_on_white(folder):
    file = io.BytesIO()
    Image.new("RGBA", (40, 40), (255, 0, 0, 0)).save(file, "PNG")
    clear = Part("image", base64.b64encode(file.getvalue()).decode(), "image/png")
    one, white, red = scored(folder, [asked(each, "?") for each in (clear, picture("white"), RED)])
    assert logprobs(one) == logprobs(white)
    assert logprobs(one) != logprobs(red)


def test_a_model_that_does_not_see_is_not_shown_images(tmp_path):
    folder = tiny_llava(tmp_path)
    model = AutoModelForImageTextToText.from_pretrained(folder)
    with torch.no_grad():
        for weight in model.model.multi_modal_projector.parameters():
            weight.zero_()
    model.save_pretrained(folder)

    async def ask(model):
        with pytest.raises(ModelError, match="takes no images"):
            await probe(model, ask="generate", images=True)
        return await model.generate(generate(asked(RED, "?"))), model.identity.settings["images"]

    response, said = use(folder, ask)
    assert response.failure.kind is FailureKind.UNSUPPORTED
    assert "two different images give the same answer" in response.failure.message
    assert said.startswith("none: ")


def test_a_text_model_refuses_images_and_says_why(tmp_path, tokenizer):
    folder = saved(tmp_path / "text", toy_llama(len(tokenizer)), tokenizer)
    (response,) = written(folder, [asked(RED, "?")])
    assert response.failure.kind is FailureKind.UNSUPPORTED
    assert "reads text only" in response.failure.message
    (unscored,) = scored(folder, [asked(RED, "?")])
    assert unscored.failure.kind is FailureKind.UNSUPPORTED


def test_a_vision_model_without_its_processor_says_what_is_missing(tmp_path):
    folder = tiny_llava(tmp_path)
    for file in folder.glob("*processor_config.json"):
        file.write_text("{}")
    with pytest.raises(ModelError, match="tiny-llava"):
        written(folder, [asked("Hi")])
