"""Architectures that go their own way: windows, scaled and capped logits, no positions, recurrent state."""

import pytest
import torch
import transformers

from bakeoff.model.hf.decoding import decodes
from bakeoff.model.hf.network import Network

VOCABULARY = 300
SMALL = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 1,
    "initializer_range": 0.4,
}
HEADS = SMALL | {"num_attention_heads": 4, "intermediate_size": 64, "max_position_embeddings": 64}
GROUPED = HEADS | {"num_key_value_heads": 2}
CONFIGS = {
    "sliding window": lambda: transformers.MistralConfig(**GROUPED, sliding_window=4),
    "window, capped logits": lambda: transformers.Gemma2Config(
        **GROUPED, head_dim=8, sliding_window=4, final_logit_softcapping=3.0, query_pre_attn_scalar=8
    ),
    "scaled logits": lambda: transformers.CohereConfig(**GROUPED, logit_scale=0.25),
    "alibi, no positions": lambda: transformers.BloomConfig(
        vocab_size=VOCABULARY, hidden_size=32, n_layer=2, n_head=4, initializer_range=0.4
    ),
    "output bias": lambda: transformers.PhiConfig(**HEADS),
    "positions with an offset": lambda: transformers.OPTConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        word_embed_proj_dim=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        ffn_dim=64,
        max_position_embeddings=64,
        init_std=0.4,
    ),
    "recurrent": lambda: transformers.MambaConfig(**SMALL),
    "convolution and attention": lambda: transformers.Lfm2Config(
        **GROUPED, layer_types=["conv", "full_attention"]
    ),
}
ROWS = [[5, 6, 7, 8, 9, 10, 11, 12, 13], [20, 21], [30, 31, 32, 33, 34, 35]]


def made(config):
    torch.manual_seed(0)
    return transformers.AutoModelForCausalLM.from_config(config).eval()


@pytest.fixture(params=CONFIGS, ids=str)
def model(request):
    return made(CONFIGS[request.param]())


def test_logits_at_chosen_positions_are_those_of_each_row_alone(model):
    positions = [[1, 4, 8], [1], [0, 5]]
    logits = iter(Network(model).logits_at(ROWS, positions))
    for row, chosen in zip(ROWS, positions, strict=True):
        with torch.inference_mode():
            alone = model(torch.tensor([row]), use_cache=False).logits[0]
        for position in chosen:
            assert torch.allclose(next(logits), alone[position], atol=1e-4)


def test_rows_of_unequal_length_grow_as_they_would_alone(model):
    assert decodes(Network(model))


def test_a_state_that_is_not_carried_along_is_found_out():
    config = transformers.RwkvConfig(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2)
    assert not decodes(Network(made(config)))
