from collections import Counter

import pytest
import torch

from bakeoff.model.hf.sampling import choose

LOGITS = torch.tensor([2.0, -1.0, 0.5, 3.0, 1.0])
GRID = [(i + 0.5) / 10_000 for i in range(10_000)]


def shares(temperature, top_p):
    """How often each token is picked when the row's number takes every value of a fine grid."""
    rows = len(GRID)
    picked = choose(LOGITS.expand(rows, -1), [temperature] * rows, [top_p] * rows, GRID)
    counts = Counter(picked)
    return [counts[token] / rows for token in range(len(LOGITS))]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_tokens_come_in_proportion_to_the_softmax_at_that_temperature(temperature):
    expected = torch.softmax(LOGITS.double() / temperature, -1).tolist()
    assert shares(temperature, 1.0) == pytest.approx(expected, abs=2e-4)


def test_top_p_keeps_the_smallest_set_that_reaches_it():
    # Softmax: .624, .229, .084, .051, .011 (tokens 3, 0, 4, 2, 1): 0.9 needs the first three.
    p = torch.softmax(LOGITS.double(), -1)
    kept = p[[3, 0, 4]].sum().item()
    expected = [p[0] / kept, 0, 0, p[3] / kept, p[4] / kept]
    assert shares(1.0, 0.9) == pytest.approx([float(x) for x in expected], abs=2e-4)


def test_a_tiny_top_p_is_greedy():
    assert shares(1.0, 1e-9) == [0, 0, 0, 1, 0]


def test_temperature_zero_is_greedy_whatever_the_number():
    assert choose(LOGITS.expand(3, -1), [0.0] * 3, [1.0] * 3, [0.0, 0.5, 0.999]) == [3, 3, 3]


def test_a_row_does_not_depend_on_its_companions():
    torch.manual_seed(1)
    logits = torch.randn(6, 500)
    settings = [
        (0.0, 1.0, 0.3),
        (1.0, 1.0, 0.7),
        (0.7, 0.9, 0.1),
        (1.5, 1.0, 0.9),
        (1.0, 0.5, 0.5),
        (2.0, 0.95, 0.2),
    ]
    alone = [choose(logits[i : i + 1], [t], [p], [u])[0] for i, (t, p, u) in enumerate(settings)]
    t, p, u = zip(*settings, strict=True)
    assert choose(logits, t, p, u) == alone


def test_a_token_of_no_mass_is_never_picked():
    logits = torch.tensor([[float("-inf"), 0.0, float("-inf"), 0.0, float("-inf")]])
    for number in (0.0, 0.25, 0.5, 0.75, 1 - 2**-53):
        assert choose(logits, [1.0], [1.0], [number])[0] in (1, 3)
