"""How long after the end of the answers people vote, by published speeds of eyes and hands.

Silent reading: 238 words a minute, most adults between 175 and 300 (Brysbaert 2019, "How many words do we
read per minute?"). Skimming: 450, scanning for a word: 600 (Carver 1990, "Reading Rate"). To point with a
mouse takes 1.1 s, and a press 0.2 (Card, Moran & Newell 1980, "The keystroke-level model"); to press a
button on which the hand lies takes 0.24 s (Card, Moran & Newell 1983, "The Psychology of Human-Computer
Interaction").
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from bakeoff.stats.arrays import FloatArray, IntArray

_APART = 0.25
"""Standard deviation of the logarithm of a person's speed: five in six lie between 175 and 300."""
_LETTERS = 6.0
"""Of a word, with the space behind it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads both answers, as they are written, at `words_per_min`, and then votes within `hand_s` or so.
    Who reads at no speed has made up their mind when the answers end.
    """

    name: str
    words_per_min: float = float("inf")
    hand_s: float = 1.3


READS, SKIMS, SCANS = Reader("reads", 238.0), Reader("skims", 450.0), Reader("scans", 600.0)
GLANCES, WAITS = Reader("glances"), Reader("hand on the button", hand_s=0.24)
QUICK = (SKIMS, SCANS, GLANCES)
"""Honest people who are in a hurry."""


def pauses(
    rng: Generator, reader: Reader, voter: IntArray, words: FloatArray, letters_per_s: float
) -> FloatArray:
    """(n,) Seconds from the end of both answers, of `words` (n, 2), to the votes. Each `voter` (n,), numbered
    from 0, has a speed of their own, and each vote a luck of its own. `letters_per_s` is how fast either
    answer is written: until then nobody has read it.
    """
    own = np.exp(rng.normal(0, _APART, int(voter.max(initial=-1)) + 1))[voter]
    hand = reader.hand_s * own * np.exp(rng.normal(0, _APART, len(voter)))
    reading = words.sum(axis=1) * 60 / reader.words_per_min * own
    written = words.max(axis=1) * _LETTERS / letters_per_s
    return np.asarray(np.maximum(0.0, reading - written) + hand)


def lengths(rng: Generator, votes: int, median: float = 150.0, spread: float = 0.8) -> FloatArray:
    """(votes, 2) Made-up lengths of answers in words, at least 1: log-normal, `spread` in logarithms."""
    return np.maximum(1.0, np.rint(median * np.exp(rng.normal(0, spread, (votes, 2)))))
