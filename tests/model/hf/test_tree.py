"""The tree's scores are those of each sequence alone: by hand, in float64, for every kind of architecture."""

import math

import pytest
import torch
import transformers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.rows import score_rows
from bakeoff.model.hf.scored import Tally
from bakeoff.model.hf.sharing import sharing_of
from bakeoff.model.hf.tree import Windows, score_tree
from bakeoff.model.hf.trie import grow
from bakeoff.model.pair import Pair
from tests.model.hf.test_network import CONFIGS, GROUPED, VOCABULARY, made
from tests.model.hf.toy import toy_gpt2, toy_llama

SHARE = {
    "llama": lambda: toy_llama(VOCABULARY),
    "gpt2": lambda: toy_gpt2(VOCABULARY),
    "qwen2": lambda: made(transformers.Qwen2Config(**GROUPED)),
    "qwen2, windows above": lambda: made(
        transformers.Qwen2Config(**GROUPED, use_sliding_window=True, sliding_window=3, max_window_layers=1)
    ),
    "qwen3": lambda: made(transformers.Qwen3Config(**GROUPED, head_dim=8)),
    "gemma3": lambda: made(
        transformers.Gemma3TextConfig(
            **GROUPED, head_dim=8, sliding_window=4, layer_types=["sliding_attention", "full_attention"]
        )
    ),
    "gpt-oss": lambda: made(
        transformers.GptOssConfig(
            **GROUPED, head_dim=8, sliding_window=4, num_local_experts=2, num_experts_per_tok=1
        )
    ),
    "phi3": lambda: made(transformers.Phi3Config(**GROUPED)),
    "mistral": lambda: made(CONFIGS["sliding window"]()),
    "gemma2": lambda: made(CONFIGS["window, capped logits"]()),
    "cohere": lambda: made(CONFIGS["scaled logits"]()),
    "opt": lambda: made(CONFIGS["positions with an offset"]()),
}
# What cannot share, and a word of the reason the manifest gives.
REFUSE = {
    "alibi": (lambda: made(CONFIGS["alibi, no positions"]()), "no positions"),
    "mamba": (lambda: made(CONFIGS["recurrent"]()), "no positions"),
    "lfm2": (lambda: made(CONFIGS["convolution and attention"]()), "state"),
    "rwkv": (
        lambda: made(transformers.RwkvConfig(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2)),
        "no positions",
    ),
    "dynamic rope": (
        lambda: made(
            transformers.LlamaConfig(
                **GROUPED, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}
            )
        ),
        "length of the whole text",
    ),
}


def by_hand(model, pair):
    """Σ log p in float64: the sequence alone, the whole vocabulary normalised."""
    # torch multiplies the experts of a mixture in float32 at most.
    precise = model.float() if model.config.model_type == "gpt_oss" else model.double()
    with torch.inference_mode():
        ids = torch.tensor([pair.context + pair.continuation])
        logprobs = precise(ids, use_cache=False).logits[0].double().log_softmax(-1)
    model.float()
    start = len(pair.context) - 1
    found = [logprobs[start + place, token] for place, token in enumerate(pair.continuation)]
    likeliest = [logprobs[start + place].argmax() == token for place, token in enumerate(pair.continuation)]
    return float(sum(found)), all(likeliest)


def scores(network, windows, pairs, tokens, tally=None):
    found = {}
    score_tree(network, windows, pairs, Budget(tokens), tally or Tally(), lambda: True, found.__setitem__)
    return found


@pytest.fixture(scope="module", params=SHARE, ids=str)
def sharer(request):
    model = SHARE[request.param]()
    network = Network(model)
    return model, network, sharing_of(model, network)


# Few distinct tokens, so that sequences share beginnings and branch at every depth.
token = st.sampled_from([7, 100, 290])
trees = st.lists(
    st.builds(
        Pair,
        st.lists(token, min_size=1, max_size=9).map(tuple),
        st.lists(token, min_size=1, max_size=5).map(tuple),
    ),
    min_size=1,
    max_size=10,
    unique=True,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=trees, tokens=st.integers(1, 40))
def test_any_tree_in_any_packs_scores_what_each_sequence_scores_alone(sharer, pairs, tokens):
    model, network, sharing = sharer
    assert sharing.reason == ""
    tally = Tally()
    found = scores(network, sharing.windows, pairs, tokens, tally)
    assert set(found) == set(pairs)
    for pair, scored in found.items():
        logprob, greedy = by_hand(model, pair)
        assert scored.logprob == pytest.approx(logprob, abs=1e-4)
        assert scored.greedy == greedy
    assert tally.computed == len(grow(pairs).tokens)


@pytest.mark.parametrize("name", REFUSE)
def test_an_architecture_that_cannot_share_says_why_and_is_scored_in_rows(name):
    build, reason = REFUSE[name]
    model = build()
    network = Network(model)
    sharing = sharing_of(model, network)
    assert sharing.windows is None
    assert reason in sharing.reason
    pairs = [Pair((7, 100), (290, 7)), Pair((7, 100), (100,)), Pair((290,), (7,))]
    found = {}
    rows = 1 if sharing.alone else None
    score_rows(network, rows, pairs, Budget(100), Tally(), lambda: True, found.__setitem__)
    for pair in pairs:
        assert found[pair].logprob == pytest.approx(by_hand(model, pair)[0], abs=1e-4)


class Table(torch.nn.Module):
    """A model whose logits we write ourselves: those after token t at position p are row [p, t] of a table.

    It has one layer of keys that are the tokens themselves, and refuses a mask by which a token would not see
    exactly the `positions` 0, 1, ... up to its own.
    """

    def __init__(self, table) -> None:
        super().__init__()
        self.device, self.dtype = torch.device("cpu"), torch.float32
        positions, size, _ = table.shape
        self.head = torch.nn.Linear(positions * size, size, bias=False)
        self.head.weight = torch.nn.Parameter(table.reshape(positions * size, size).T.contiguous())
        self.size = size

    def get_output_embeddings(self):
        return self.head

    def forward(self, input_ids, position_ids, attention_mask, past_key_values, use_cache=True):
        own = position_ids.float()[:, None, :, None]
        keys, _ = past_key_values.update(own, own, 0)
        for row, position in zip(attention_mask[0, 0] == 0, position_ids[0], strict=True):
            assert keys[0, 0, row, 0].sort().values.tolist() == list(range(int(position) + 1))
        width = self.head.in_features
        hidden = torch.nn.functional.one_hot(position_ids * self.size + input_ids, width).float()
        return type("Output", (), {"logits": self.head(hidden)})


def test_token_i_is_read_from_the_logits_after_token_i_minus_1_at_its_position():
    # After token t at position p comes (t + p + 1) mod 10 with probability 0.9, others with 0.1 / 9 each.
    table = torch.full((6, 10, 10), math.log(0.1 / 9))
    for position in range(6):
        for last in range(10):
            table[position, last, (last + position + 1) % 10] = math.log(0.9)
    likely, unlikely = math.log(0.9), math.log(0.1 / 9)
    expected = {
        Pair((7,), (8, 0, 3)): (3 * likely, True),  # 7 → 8 at 0, 8 → 0 at 1, 0 → 3 at 2
        Pair((7, 8), (0, 4)): (likely + unlikely, False),
        Pair((7, 8, 0), (3,)): (likely, True),
        Pair((9, 9), (9, 9, 9)): (3 * unlikely, False),
        Pair((1,), (3,)): (unlikely, False),
        Pair((1,), (2,)): (likely, True),
    }
    for tokens in (1, 2, 3, 100):
        found = scores(Network(Table(table)), Windows(), list(expected), tokens)
        for pair, (logprob, greedy) in expected.items():
            assert found[pair].logprob == pytest.approx(logprob, abs=1e-6)
            assert found[pair].greedy == greedy


def test_of_equally_likely_tokens_the_first_is_the_greedy_one():
    table = torch.zeros(2, 4, 4)
    found = scores(Network(Table(table)), Windows(), [Pair((1,), (0,)), Pair((1,), (2,))], 8)
    assert [scored.greedy for scored in found.values()] == [True, False]
    assert all(scored.logprob == pytest.approx(math.log(0.25)) for scored in found.values())


def test_letters_cost_one_position_of_the_output_layer():
    model = toy_llama(VOCABULARY)
    seen = []
    model.get_output_embeddings().register_forward_hook(
        lambda module, inputs, output: seen.append(tuple(output.shape[:2]))
    )
    scores(Network(model), Windows(), [Pair((5, 6, 7), (letter,)) for letter in (1, 2, 3, 4)], 64)
    assert seen == [(1, 1)]


LONG = Pair((5, 6, 7, 8, 9, 10, 11, 12), (13,))
SHORT = [Pair((5, 6), (8,)), Pair((5, 6), (7, 9)), Pair((20, 21, 22), (23, 24))]


def forgetful(model, most):
    """A network that runs out of memory where pack and trunk have more than `most` tokens."""
    network = Network(model)
    enough = network.tree_logits

    def small(tokens, positions, sight, trunk, chosen):
        if sight.shape[1] > most:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return enough(tokens, positions, sight, trunk, chosen)

    network.tree_logits = small
    return network


def test_running_out_of_memory_halves_the_budget_and_changes_no_score():
    model = toy_llama(VOCABULARY)
    expected = scores(Network(model), Windows(), [LONG, *SHORT], 100)
    budget, found = Budget(100), {}
    score_tree(
        forgetful(model, 9),
        Windows(),
        [LONG, *SHORT],
        budget,
        Tally(),
        lambda: True,
        found.__setitem__,
    )
    assert budget.tokens < 10
    for pair, scored in expected.items():
        assert found[pair].logprob == pytest.approx(scored.logprob, abs=1e-5)


def test_what_fits_nowhere_is_given_up_alone():
    model = toy_llama(VOCABULARY)
    found = scores(forgetful(model, 6), Windows(), [LONG, *SHORT], 100)
    assert found[LONG] is None
    assert all(found[pair].logprob == pytest.approx(by_hand(model, pair)[0], abs=1e-4) for pair in SHORT)


def test_nothing_more_is_computed_once_nobody_waits():
    model, tally, found = toy_llama(VOCABULARY), Tally(), {}
    answers = iter([True, False])
    score_tree(
        Network(model), Windows(), [LONG, *SHORT], Budget(3), tally, lambda: next(answers), found.__setitem__
    )
    assert tally.computed == 3


def test_logits_that_are_not_numbers_are_an_error_not_a_score():
    from bakeoff.errors import ModelError

    model = toy_llama(VOCABULARY)
    model.model.norm.weight.data[:] = float("nan")
    with pytest.raises(ModelError, match="not numbers"):
        scores(Network(model), Windows(), SHORT, 100)
