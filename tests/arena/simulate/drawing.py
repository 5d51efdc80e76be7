"""Random numbers of one replication, as scenarios get them."""

from functools import partial

from bakeoff.arena.simulate.crowd import generator


def draws(scenario="test", replication=0, seed=0):
    return partial(generator, seed, scenario, replication)
