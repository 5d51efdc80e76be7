import asyncio
import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from bakeoff.errors import ModelError
from bakeoff.model.hf import HfModel
from bakeoff.model.hf.loading import context_length
from bakeoff.nouns import FailureKind, Loglikelihood, Message, Part
from tests.model.hf.toy import CHAT, generate, saved, toy_gpt2, toy_llama, toy_tokenizer

CPU = {"device": "cpu"}
USER = Message.of("user", "Hi")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tokenizer):
    return saved(tmp_path_factory.mktemp("toy") / "toy-llama", toy_llama(len(tokenizer)), tokenizer)


def use(folder, action, settings=CPU):
    """What `action(model)` gives while the model of `folder` is open."""

    async def main():
        async with HfModel(str(folder), settings) as model:
            return await action(model)

    return asyncio.run(main())


def identity(folder, settings=CPU):
    async def read(model):
        return model.identity

    return use(folder, read, settings)


def test_requests_of_both_kinds_are_answered_while_in_flight_together(folder):
    async def ask(model):
        written = [model.generate(generate("The capital", max_tokens=5, seed=n)) for n in range(5)]
        scored = [model.loglikelihood(Loglikelihood("q", "The", (" a", " b"))) for _ in range(5)]
        return await asyncio.gather(*written, *scored)

    responses = use(folder, ask)
    assert all(response.failure is None for response in responses)
    assert len({response.text for response in responses[:5]}) == 1
    assert len({response.options for response in responses[5:]}) == 1
    assert len(responses[5].options) == 2


def test_the_identity_says_who_answered(folder):
    found = identity(folder)
    assert (found.engine, found.name, found.precision) == ("hf", "toy-llama", "float32")
    assert torch.__version__ in found.engine_version
    for digest in (found.revision, found.chat_template, found.tokenizer):
        assert digest.startswith("sha256:")
    assert found.settings["context_length"] == "64"
    assert found.settings["attention"] == "sdpa"
    assert found.details["device"] == "cpu"


def test_the_identity_changes_with_what_can_move_an_answer(folder, tmp_path, tokenizer):
    base = identity(folder)
    assert identity(folder) == base
    assert identity(folder, CPU | {"dtype": "bfloat16"}).precision == "bfloat16"
    changed = identity(folder, CPU | {"template.enable_thinking": "false", "attention": "eager"})
    assert changed.settings["template.enable_thinking"] == "False"
    assert changed.settings["attention"] == "eager"
    other = saved(
        tmp_path / "o", toy_llama(len(tokenizer)), toy_tokenizer(template=CHAT + " ", adds_bos=True)
    )
    assert identity(other).chat_template != base.chat_template
    assert identity(other).tokenizer != base.tokenizer
    assert identity(other).revision == base.revision


def test_the_manifest_says_how_requests_are_computed_and_how_much_that_saved(folder):
    async def read(model):
        request = Loglikelihood("q", "The capital of France is", (" Paris", " and 1 2 3"))
        responses = await asyncio.gather(*[model.loglikelihood(request) for _ in range(4)])
        return responses[0].options, model.identity

    shared, tree = use(folder, read)
    alone, rows = use(folder, read, CPU | {"sharing": "none"})
    assert tree.details["prefix_sharing"] == "tree"
    assert rows.details["prefix_sharing"] == "none: switched off"
    assert tree.details["tokens_asked"] == rows.details["tokens_asked"]
    assert int(tree.details["tokens_computed"]) < int(rows.details["tokens_computed"])
    assert [option.logprob for option in shared] == pytest.approx([o.logprob for o in alone], abs=1e-4)
    assert tree.settings == rows.settings


def test_a_template_without_a_place_for_a_system_message_is_said_in_the_identity(tmp_path, tokenizer):
    drops = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}"
    dropping = saved(tmp_path / "drops", toy_llama(len(tokenizer)), toy_tokenizer(template=drops))
    assert "first user message" in identity(dropping).settings["system_message"]


def test_a_prompt_beyond_the_context_is_a_failure_and_is_not_cut(folder):
    async def ask(model):
        just_fits = "1" * 63  # 63 tokens, and the last of two that is only predicted
        requests = [Loglikelihood("q", text, ("22",)) for text in (just_fits, just_fits + "1")]
        assert [model.count_tokens(request) for request in requests] == [64, 65]
        return [await model.loglikelihood(request) for request in requests]

    fits, one_more = use(folder, ask)
    assert fits.failure is None
    assert one_more.failure.kind is FailureKind.CONTEXT_LENGTH
    assert not one_more.options
    fits, cut = use(folder, ask_lm_eval, CPU | {"encoding": "lm-eval"})
    assert (fits.options[0].note, cut.options[0].note) == ("", "left-truncated by 1 tokens")


async def ask_lm_eval(model):
    requests = [Loglikelihood("q", "1" * length, ("22",)) for length in (63, 64)]
    assert [model.count_tokens(request) for request in requests] == [64, 64]
    return [await model.loglikelihood(request) for request in requests]


def test_a_base_model_has_no_chat(tmp_path, tokenizer):
    base = saved(tmp_path / "base", toy_gpt2(len(tokenizer)), toy_tokenizer(template=None))

    async def ask(model):
        assert not model.capabilities.chat
        with pytest.raises(ModelError, match="no chat template"):
            await model.generate(generate((USER,)))
        return (await model.generate(generate("The", max_tokens=3))).usage.completion_tokens

    assert use(base, ask) <= 3
    assert identity(base).chat_template == ""


def test_tokens_are_counted_as_they_are_sent(folder):
    async def ask(model):
        chat, plain = generate((USER,), max_tokens=1), generate("The capital", max_tokens=1)
        for request in (chat, plain):
            sent = (await model.generate(request)).usage.prompt_tokens
            assert model.count_tokens(request) == sent
        scored = Loglikelihood("q", "The", (" a", " and 1 2 3"))
        (_, long) = (await model.loglikelihood(scored)).options
        # The last token of a continuation is only predicted.
        assert model.count_tokens(scored) == model.count_tokens(generate("The")) + long.tokens - 1

    use(folder, ask)


def test_the_context_length_is_the_models_own_unless_set(folder):
    async def read(model):
        long = await model.generate(generate("1" * 20, max_tokens=1))
        return model.context_length, long.failure

    assert use(folder, read) == (64, None)
    length, failure = use(folder, read, CPU | {"context_length": "16"})
    assert length == 16
    assert failure.kind is FailureKind.CONTEXT_LENGTH


@pytest.mark.parametrize(
    ("config", "limit", "length"),
    [
        ({"n_positions": 7, "max_position_embeddings": 9}, 5, 7),
        ({"max_position_embeddings": 9, "n_ctx": 3}, 5, 9),
        ({"n_ctx": 3}, 5, 3),
        ({}, 5, 5),
        ({}, 10**30, 2048),
    ],
)
def test_the_context_length_is_looked_for_where_lm_eval_looks(config, limit, length):
    inner = type("Config", (), config)
    outer = type("Outer", (), {"get_text_config": lambda self: inner()})()
    assert context_length(outer, type("Tokenizer", (), {"model_max_length": limit})()) == length


def test_images_are_a_failure_of_their_request(folder):
    message = Message("user", (Part("image", "aGk=", "image/png"),))

    async def ask(model):
        return (
            await model.generate(generate((message,))),
            await model.loglikelihood(Loglikelihood("q", (message,), (" a",))),
        )

    assert all(response.failure.kind is FailureKind.UNSUPPORTED for response in use(folder, ask))


def test_one_refused_conversation_does_not_harm_its_companions(tmp_path, tokenizer):
    picky = "{% if messages|length > 1 %}{{ raise_exception('one message only') }}{% endif %}" + CHAT
    folder = saved(tmp_path / "picky", toy_llama(len(tokenizer)), toy_tokenizer(template=picky))

    async def ask(model):
        return await asyncio.gather(
            model.generate(generate((USER,), max_tokens=2)),
            model.generate(generate((USER, USER), max_tokens=2)),
            return_exceptions=True,
        )

    fine, refused = use(folder, ask)
    assert fine.failure is None
    assert isinstance(refused, ModelError)
    assert "one message only" in str(refused)


def test_leaving_in_the_middle_gives_up_what_is_in_flight(folder):
    async def main():
        async with HfModel(str(folder), CPU | {"context_length": "100000"}) as model:
            task = asyncio.create_task(model.generate(generate("The", max_tokens=90_000)))
            await asyncio.sleep(0.1)
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(RuntimeError, match="not open"):
            model.identity  # noqa: B018

    asyncio.run(main())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dtyp": "float32"}, "no setting 'dtyp'"),
        ({"dtype": "int4"}, "dtype must be one of"),
        ({"window": "0"}, "window must be a whole number"),
        ({"encoding": "guess"}, "encoding must be one of"),
        ({"sharing": "perhaps"}, "sharing must be one of"),
    ],
)
def test_a_wrong_setting_is_refused_before_anything_is_loaded(settings, message):
    with pytest.raises(ModelError, match=message):
        HfModel("any/model", settings)


def test_a_device_that_is_not_there_is_an_error(folder):
    with pytest.raises(ModelError, match="device 'cuda:77' cannot be used"):
        identity(folder, {"device": "cuda:77"})


def test_a_checkpoint_that_lacks_weights_is_refused_not_filled_with_noise(tmp_path, tokenizer):
    folder = saved(tmp_path / "part", toy_llama(len(tokenizer)), tokenizer)
    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"lacks 1 weights.*up_proj"):
        identity(folder)


def test_a_damaged_checkpoint_is_an_error(tmp_path, tokenizer):
    folder = saved(tmp_path / "cut", toy_llama(len(tokenizer)), tokenizer)
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match="cannot be loaded"):
        identity(folder)


def test_code_that_comes_with_a_model_never_runs(tmp_path, tokenizer):
    folder = saved(tmp_path / "own-code", toy_llama(len(tokenizer)), tokenizer)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.C", "AutoModelForCausalLM": "mine.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "mine.py").write_text("import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n")
    with pytest.raises(ModelError, match="code of its own"):
        identity(folder)
    assert not (folder / "ran").exists()
