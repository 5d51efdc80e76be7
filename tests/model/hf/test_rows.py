import math

import pytest
import torch

from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.rows import plan, row_scores, score_rows
from bakeoff.model.hf.scored import Tally
from bakeoff.model.pair import Pair
from tests.model.hf.toy import toy_llama


def needed():
    return True


class Bigram(torch.nn.Module):
    """A model whose logits we write ourselves: those after token t are row t of a table."""

    def __init__(self, table) -> None:
        super().__init__()
        self.device = torch.device("cpu")
        self.head = torch.nn.Linear(*table.shape, bias=False)
        self.head.weight = torch.nn.Parameter(table.T.contiguous())

    def get_output_embeddings(self):
        return self.head

    def forward(self, input_ids, use_cache=False):
        hidden = torch.nn.functional.one_hot(input_ids, self.head.in_features).float()
        return type("Output", (), {"logits": self.head(hidden)})


PAIRS = [
    Pair((7, 1), (2, 3, 4)),
    Pair((1,), (2, 3, 5)),
    Pair((9, 9, 9), (5, 3)),
    Pair((1, 2, 3, 4), (5,)),
]


def test_token_i_is_read_from_the_logits_after_token_i_minus_1():
    # The token after t is t + 1 with probability 0.9, any of the 9 others with probability 0.1 / 9.
    table = torch.full((10, 10), math.log(0.1 / 9))
    for token in range(10):
        table[token, (token + 1) % 10] = math.log(0.9)
    rows = plan(PAIRS, 10, needed)
    found = {}
    for row, scores in zip(rows, row_scores(Network(Bigram(table)), rows), strict=True):
        found |= dict(zip(row.wanted.values(), scores, strict=True))
    likely, unlikely = math.log(0.9), math.log(0.1 / 9)
    expected = [(3 * likely, True), (2 * likely + unlikely, False), (2 * unlikely, False), (likely, True)]
    for pair, (logprob, greedy) in zip(PAIRS, expected, strict=True):
        assert found[pair].logprob == pytest.approx(logprob, abs=1e-5)
        assert found[pair].greedy == greedy


def test_one_token_continuations_of_one_context_share_a_row():
    assert len(plan([Pair((1, 2), (letter,)) for letter in (3, 4, 5)], 10, needed)) == 1


def test_requests_that_only_look_alike_joined_do_not_share_a_row():
    # context + continuation[:-1] is (1, 2, 3) for both, but the parts scored differ.
    rows = plan([Pair((1, 2), (3, 4)), Pair((1, 2, 3), (5,))], 10, needed)
    assert [(row.context, row.head) for row in rows] == [((1, 2), (3,)), ((1, 2, 3), ())]


def small_network(model, most):
    """A network that runs out of memory where a batch has more than `most` tokens, padding included."""
    network = Network(model)
    enough = network.logits_at

    def small(rows, positions):
        if len(rows) * max(map(len, rows)) > most:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return enough(rows, positions)

    network.logits_at = small
    return network


def scores(network, budget):
    found = {}
    score_rows(network, None, PAIRS, budget, Tally(), needed, found.__setitem__)
    return found


def test_running_out_of_memory_halves_the_budget_and_changes_no_score():
    model = toy_llama(10)
    expected = scores(Network(model), Budget(500))
    budget = Budget(500)
    found = scores(small_network(model, 8), budget)
    assert budget.tokens <= 8
    for pair in PAIRS:
        assert found[pair].logprob == pytest.approx(expected[pair].logprob, abs=1e-5)


def test_a_row_that_fits_nowhere_is_given_up_alone():
    found = scores(small_network(toy_llama(10), 3), Budget(500))
    assert [pair for pair in PAIRS if found[pair] is None] == [pair for pair in PAIRS if pair.length - 1 > 3]
