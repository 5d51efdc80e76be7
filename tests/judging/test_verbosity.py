import numpy as np
import pytest

from bakeoff.judging.verbosity import verbosity_bias


def pairs(right_longer, longer, right_shorter, shorter):
    """Pairs whose answer 0 people prefer; it is the longer one in `longer` of them."""
    verdicts = [[int(k >= right_longer)] for k in range(longer)]
    verdicts += [[int(k >= right_shorter)] for k in range(shorter)]
    return verdicts, [0] * (longer + shorter), [(20, 10)] * longer + [(10, 20)] * shorter


# Newcombe 1998, Stat. Med. 17:873, table II, method 10.
@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
    ],
)
def test_the_interval_is_the_published_one_of_two_proportions(counts, low, high):
    found = verbosity_bias(*pairs(*counts))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=6e-5)
    assert found.bias == pytest.approx(counts[0] / counts[1] - counts[2] / counts[3])
    assert (found.pairs_with, found.pairs_without) == counts[1::2]


def test_a_judge_that_takes_the_longer_has_the_bias_1_and_one_that_takes_the_shorter_minus_1():
    better = [0, 1, 0, 1]
    lengths = [(9, 1), (9, 1), (1, 9), (1, 9)]
    longest = [[int(other > one)] for one, other in lengths]
    assert verbosity_bias(longest, better, lengths).bias == 1
    assert verbosity_bias([[1 - each] for (each,) in longest], better, lengths).bias == -1


def test_a_judge_that_errs_whatever_the_length_has_no_bias_though_length_goes_with_quality():
    random = np.random.default_rng(0)
    n = 20_000
    better = random.integers(0, 2, n)
    longer = np.where(random.random(n) < 0.8, better, 1 - better)
    won = np.where(random.random(n) < 0.7, better, 1 - better)
    lengths = [(1, 2) if each else (2, 1) for each in longer]
    found = verbosity_bias([[int(each)] for each in won], better.tolist(), lengths)
    assert abs(found.bias) < 0.03
    assert (won == longer).mean() > 0.6  # what a bare count of the longer would call a bias


def test_more_verdicts_on_the_same_pairs_make_no_interval_narrower():
    verdicts, better, lengths = pairs(30, 40, 20, 40)
    once = verbosity_bias(verdicts, better, lengths)
    assert verbosity_bias([each * 5 for each in verdicts], better, lengths) == once


def test_pairs_that_say_nothing_are_counted_as_left_out():
    verdicts, better, lengths = pairs(3, 4, 2, 4)
    found = verbosity_bias(
        [*verdicts, [None, None], [], [0], [1]],
        [*better, 0, 1, None, 0],
        [*lengths, (1, 2), (1, 2), (1, 2), (5, 5)],
    )
    assert found.left_out == 4
    assert found.bias == verbosity_bias(verdicts, better, lengths).bias
    assert verbosity_bias([[0]], [0], [(2, 1)]) is None


def test_what_is_no_table_of_pairs_is_refused():
    with pytest.raises(ValueError, match="each pair needs"):
        verbosity_bias([[0]], [0], [])
    with pytest.raises(ValueError, match="0, 1 or None"):
        verbosity_bias([[2]], [0], [(1, 2)])
    with pytest.raises(ValueError, match="0, 1 or None"):
        verbosity_bias([[0]], ["a"], [(1, 2)])
