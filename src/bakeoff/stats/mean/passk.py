"""What k answers would do, from n >= k recorded ones of an item. Each estimator is exactly unbiased.

Plugging the share of right answers into 1 - (1 - p)^k or p^k is biased, by .07 at n = 10, say. With
fewer than k recorded answers there is no unbiased estimator, and the result is None.
"""

from collections.abc import Sequence
from math import comb


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The probability that one of k answers or more is right, 1 - C(n-c, k)/C(n, k) (Chen et al. 2021,
    arXiv 2107.03374), from `c` right ones of `n`; None where n < k.

    Raises:
        ValueError: k < 1, or c outside [0, n].
    """
    _check(n, c, k)
    if n < k:
        return None
    all_ways = comb(n, k)
    return (all_ways - comb(n - c, k)) / all_ways


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """The probability that k answers are all right, pass^k = C(c, k)/C(n, k) (Yao et al. 2024,
    arXiv 2406.12045), from `c` right ones of `n`; None where n < k.

    Raises:
        ValueError: k < 1, or c outside [0, n].
    """
    _check(n, c, k)
    if n < k:
        return None
    return comb(c, k) / comb(n, k)


def majority_at_k(counts: Sequence[int], k: int) -> float | None:
    """The probability that the most frequent of k answers is the right one, ties broken at random.

    `counts[0]` is the number of recorded answers that are right, the others those of each wrong answer. Over
    all C(n, k) choices of k of the n = Σ counts answers, the mean of 1/(1 + answers tied with the right one)
    where none is more frequent. None where n < k.

    Raises:
        ValueError: no counts, a count that is negative or not whole, or k < 1.
    """
    if len(counts) == 0:
        raise ValueError("counts must hold that of the right answer, got none")
    for count in counts:
        _check_whole("a count of answers", count, least=0)
    _check_whole("k", k, least=1)
    right, *wrong = (int(count) for count in counts)
    n = right + sum(wrong)
    if n < k:
        return None
    won = 0.0
    all_ways = comb(n, k)
    for votes in range(1, min(right, k) + 1):
        by_ties = _ways_with_ties(wrong, votes, k - votes)
        ways = comb(right, votes)
        won += sum(ways * others / all_ways / (1 + ties) for ties, others in enumerate(by_ties))
    return won


def _ways_with_ties(counts: Sequence[int], most: int, k: int) -> list[int]:
    """In how many ways k answers come from classes of `counts`, none more than `most` times; by the number
    of classes that come exactly that often.
    """
    if k < most:
        return [comb(sum(counts), k)]
    # ways[ties][taken]: so far, with `taken` answers chosen.
    ways = [[1] + [0] * k]
    for count in counts:
        takes = [(take, comb(count, take)) for take in range(min(count, most, k) + 1)]
        longer = [[0] * (k + 1) for _ in range(min(len(ways) + 1, k // most + 1))]
        for ties, row in enumerate(ways):
            for taken, so_far in enumerate(row):
                if not so_far:
                    continue
                for take, choices in takes:
                    if taken + take <= k:
                        longer[ties + (take == most)][taken + take] += so_far * choices
        ways = longer
    return [row[k] for row in ways]


def _check(n: int, c: int, k: int) -> None:
    _check_whole("n", n, least=0)
    _check_whole("c", c, least=0)
    _check_whole("k", k, least=1)
    if c > n:
        raise ValueError(f"c counts right answers and cannot exceed n={n}, got {c}")


def _check_whole(name: str, value: int, least: int) -> None:
    if not value >= least or value != int(value):
        raise ValueError(f"{name} must be a whole number from {least}, got {value}")
