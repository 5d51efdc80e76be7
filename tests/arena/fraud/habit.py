"""Guesses of voters of whom some know a habit of one model, such as a phrase that ends its answers."""

import numpy as np

from bakeoff.arena.battles.guessing import Guess


def guessed(seed, *, knows, voters=60, battles=5, models=10):
    """Each voter guesses both sides of their battles. A share of voters `knows` the habit of model 0: they
    name it where it is and nowhere else. All other guesses are any of the names.
    """
    rng = np.random.default_rng(seed)
    names = [f"model {number}" for number in range(models)]
    found = []
    for voter in range(voters):
        knowing = rng.random() < knows
        for number in range(battles):
            pair = rng.choice(models, 2, replace=False)
            for truth in pair.tolist():
                free = int(rng.integers(1, models) if knowing else rng.integers(0, models))
                named = 0 if knowing and truth == 0 else free
                found.append(Guess(f"{voter}.{number}", f"{voter}", names[named], names[truth]))
    return found
