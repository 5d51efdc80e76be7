"""A small live arena, and what voters, models and the server do in it, one transaction each."""

import secrets

import pytest
from sqlalchemy import insert, update

from bakeoff.arena.answering.answer import Answer
from bakeoff.arena.battles import as_votes, ballots, opening, seen, turns
from bakeoff.arena.battles.limits import Limits
from bakeoff.arena.battles.live_arena import live_arena, voter
from bakeoff.arena.battles.prompt import Prompt
from bakeoff.arena.pairing.draw import Draw
from bakeoff.database import reading, writing
from bakeoff.database.clock import now
from bakeoff.database.tables import battle
from bakeoff.database.tables import live_arena as table
from bakeoff.nouns.response import FinishReason
from tests.arena.policy.making import Arena

__all__ = ["live"]

MODELS = ("Nautilus-7", "orca é (preview)", "Zebrafish")


@pytest.fixture
def live(engine):
    """A live arena with three public models."""
    return made(engine)


def made(engine):
    rules = Arena(engine)
    rules.adopt()
    for name in MODELS:
        rules.public(name, provider=f"Maker of {name}", family=f"family of {name}")
    with writing(engine) as connection:
        connection.execute(
            insert(table).values(
                arena="chat", definition="{}", digest="sha256:d", salt="pepper", seed=7, created=now()
            )
        )
    return Live(engine)


class Live:
    def __init__(self, engine):
        self.engine = engine

    def voter(self, name="ann"):
        with reading(self.engine) as connection:
            return voter(live_arena(connection, "chat"), "cookie", name)

    def open(self, by="ann", prompt="How deep is the lake?", pair=MODELS[:2], limits=None, **other):
        """The id of a new battle."""
        battle, prompt = secrets.token_urlsafe(16), prompt if isinstance(prompt, Prompt) else Prompt(prompt)
        draw = Draw(*pair, 0.25, "uniform@1")
        limits = Limits(open=100) if limits is None else limits
        with writing(self.engine) as connection:
            opening.open_battle(
                connection, "chat", self.voter(by), draw, battle, prompt, limits=limits, **other
            )
        return battle

    def answered(self, battle, left="Ten *metres*.", right="**Deep**, deep."):
        sides = tuple(each if isinstance(each, Answer) else said(each) for each in (left, right))
        with writing(self.engine) as connection:
            turns.answered(connection, battle, sides)

    def ready(self, **other):
        """The id of a new battle that waits for its vote."""
        battle = self.open(**other)
        self.answered(battle)
        return battle

    def next_turn(self, battle, prompt="And how wide?", by="ann", **other):
        with writing(self.engine) as connection:
            turns.next_turn(connection, battle, self.voter(by), Prompt(prompt), **other)

    def void(self, battle, reason):
        with writing(self.engine) as connection:
            turns.void(connection, battle, reason)

    def leave(self, battle, by="ann"):
        with writing(self.engine) as connection:
            turns.leave(connection, battle, self.voter(by))

    def cast(self, battle, outcome="a", by="ann", **other):
        with writing(self.engine) as connection:
            return ballots.cast(connection, battle, self.voter(by), outcome, **other)

    def seen(self, battle, by="ann"):
        with reading(self.engine) as connection:
            return seen.seen(connection, battle, self.voter(by))

    def battles(self, **other):
        with reading(self.engine) as connection:
            return list(as_votes.battles(connection, "chat", **other))

    def pair_counts(self):
        with reading(self.engine) as connection:
            return as_votes.pair_counts(connection, "chat")

    def served(self):
        """Shown, votes and the sum of propensities, of all pairs and days."""
        from bakeoff.arena.policy.sampling import days_with_counts, pairs_of

        with reading(self.engine) as connection:
            found = [
                each
                for day in days_with_counts(connection, "chat")
                for each in pairs_of(connection, "chat", day)
            ]
        return tuple(sum(getattr(each, name) for each in found) for name in ("shown", "votes", "propensity"))

    def later(self, seconds):
        """Let so much time pass since the last thing that happened in each battle."""
        with writing(self.engine) as connection:
            connection.execute(update(battle).values(changed=battle.c.changed - seconds))


def said(text, **other):
    values = {
        "finish": FinishReason.STOP,
        "refused": False,
        "first_token_s": 0.25,
        "total_s": 2.5,
        "tokens": 9,
        "scrubbed": 0,
    }
    return Answer(text=text, **values | other)
