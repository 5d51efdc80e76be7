"""Rows that join, grow and leave in any order, against each row computed whole."""

import random

import pytest
import torch
import transformers

from bakeoff.model.hf.cache import RowCache
from bakeoff.model.hf.decoding import Decoding
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.prefixes import Prefixes
from tests.model.hf.test_network import CONFIGS, GROUPED, VOCABULARY, made

MORE = {
    "windows beside full layers": lambda: transformers.Gemma3TextConfig(
        **GROUPED,
        head_dim=8,
        query_pre_attn_scalar=8,
        sliding_window=4,
        layer_types=["sliding_attention", "full_attention"],
    ),
    "attention and state in one layer": lambda: transformers.FalconH1Config(
        **GROUPED, mamba_d_ssm=32, mamba_n_heads=4, mamba_d_head=8, mamba_d_state=8, mamba_chunk_size=4
    ),
    "sinks": lambda: transformers.GptOssConfig(
        **GROUPED, head_dim=8, sliding_window=4, num_local_experts=4, num_experts_per_tok=2
    ),
}
STATEFUL = ("recurrent", "convolution and attention", "attention and state in one layer")
ALL = CONFIGS | MORE


@pytest.fixture(scope="module", params=ALL, ids=str)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def network(kind):
    return Network(made(ALL[kind]()))


def whole(network, row):
    with torch.inference_mode():
        return network.model(torch.tensor([row]), use_cache=False).logits[0, -1]


def reordered(rng, count):
    """Some of `count` places; the gaps between those that stay are filled by the others."""
    kept = sorted(rng.sample(range(count), rng.randint(0, count)))
    movers = [place for place in kept if place >= len(kept)]
    return [place if place in kept else movers.pop() for place in range(len(kept))]


@pytest.mark.parametrize("seed", range(3))
def test_logits_are_those_of_each_row_computed_whole(kind, network, seed):
    rng = random.Random(seed)
    decoding = Decoding(network, Prefixes(0 if kind in STATEFUL else 100, worth=2))
    trunk = tuple(rng.choices(range(VOCABULARY), k=12))
    rows = []
    for _ in range(24):
        action = rng.random() if rows else 0
        if action < 0.4:
            new = [
                trunk[: rng.randint(0, 12)] + tuple(rng.choices(range(VOCABULARY), k=rng.randint(1, 9)))
                for _ in range(rng.randint(1, 3))
            ]
            rows += new
            logits, seen = decoding.join(new), rows[-len(new) :]
        elif action < 0.6 or max(map(len, rows)) > 40:
            places = reordered(rng, len(rows))
            decoding.keep(places)
            rows = [rows[place] for place in places]
            continue
        else:
            tokens = rng.choices(range(VOCABULARY), k=len(rows))
            rows = [(*row, token) for row, token in zip(rows, tokens, strict=True)]
            logits, seen = decoding.step(tokens), rows
        for row, line in zip(seen, logits, strict=True):
            assert torch.allclose(line, whole(network, row), atol=2e-4)


def test_a_cache_of_an_unknown_kind_is_refused():
    config = transformers.LlamaConfig(num_hidden_layers=1, layer_types=["indexed_attention"])
    with pytest.raises(TypeError, match="DynamicIndexedLayer"):
        RowCache(config)
