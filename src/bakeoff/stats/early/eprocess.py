"""Evidence that may be looked at after every item: e-values.

An e-value is what one unit of money has become in a game that is fair if the null hypothesis is true. It
exceeds 1/α with probability α at most, at any time at all (Ville 1939), so a run may stop as soon as it
does.
"""

from collections.abc import Sequence
from math import comb, inf


def mcnemar_e(wins: int, losses: int) -> float:
    """The e-value that neither of two models is better, from the items that only one of them got right.

    2^m · wins! · losses! / (m+1)! with m = wins + losses: the likelihood of "any share of wins, each as
    likely" over that of "a half" (the beta-binomial mixture, Robbins 1970). At α = 0.05 the quickest
    decision is eight wins and no loss. Without any such item, 1; too large for a float, infinity.

    Raises:
        ValueError: a count is negative or not whole.
    """
    for name, count in (("wins", wins), ("losses", losses)):
        if not count >= 0 or count != int(count):
            raise ValueError(f"{name} counts items and cannot be {count}")
    wins, losses = int(wins), int(losses)  # NumPy's integers would overflow
    m = wins + losses
    try:
        return (1 << m) / ((m + 1) * comb(m, wins))
    except OverflowError:
        return inf


def anytime_p(e_values: Sequence[float]) -> float:
    """The p-value of one process's e-values so far: 1 over the largest of them, at most 1.

    Raises:
        ValueError: none, or one is negative or not a number.
    """
    if not e_values:
        raise ValueError("a p-value needs at least one e-value, got none")
    for each in e_values:
        if not each >= 0:
            raise ValueError(f"an e-value is at least 0, got {each}")
    return 1 / max(1.0, *e_values)
