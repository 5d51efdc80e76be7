"""Whether a judge says the same when the order is another or it is asked again, and what cannot be read."""

import numpy as np

from bakeoff.arena.judges.both_orders import BothOrders, distinct
from bakeoff.arena.judges.figure import Figure, share
from bakeoff.arena.judges.verdict import Verdicts


def swap_consistency(both: BothOrders, level: float = 0.95) -> Figure:
    """Share of the votes in which both orders say the same; 1 for a judge that knows no order."""
    return share(both.agreed.astype(np.float64), both.items, level)


def first_picks(both: BothOrders, level: float = 0.95) -> Figure:
    """Share of picks of the answer read first among all picks of an answer; 1/2 without a lean to a place.

    Of pairs read in both orders alone, in which every answer is first once: else an answer that is better
    and read first more often would look like a lean. Ties are no picks.
    """
    picked_first = np.concatenate([both.shown[:, 0], 1 - both.shown[:, 1]])
    items = np.concatenate([both.items, both.items])
    picks = picked_first != 0.5
    return share(picked_first[picks], items[picks], level)


def unread_share(verdicts: Verdicts, level: float = 0.95) -> Figure:
    """Share of all verdicts, repeats included, that could not be read."""
    return share((verdicts.winner < 0).astype(np.float64), verdicts.item.codes.astype(np.int64), level)


def repeat_stability(verdicts: Verdicts, level: float = 0.95) -> Figure:
    """How often two verdicts of a judge on the very same, order included, are equal: the mean over what it
    was asked more than once of the share of equal pairs. `n` counts that; unreadable verdicts are left out.
    """
    read = verdicts.where(verdicts.winner >= 0)
    questions, question = distinct(read.item.codes, read.first, read.second, read.judge.codes)
    said = np.zeros((len(questions), 3))
    np.add.at(said, (question, read.winner), 1)
    times = said.sum(axis=1)
    again = times > 1
    equal = (said * (said - 1)).sum(axis=1)[again] / (times * (times - 1))[again]
    return share(equal, questions[again, 0], level)
