"""A small arena, what is done in it, and time that passes: what was done is moved into the past."""

import pytest
from sqlalchemy import update

from bakeoff.arena.policy.adopting import adopt
from bakeoff.arena.policy.checking import check
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.ratings import rate
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.sampling import Tally, count, days_with_counts, in_all, pairs_of
from bakeoff.arena.policy.variant import Artefact, Rating
from bakeoff.arena.policy.variants import get, move, register, release, variants
from bakeoff.database import reading, writing
from bakeoff.database.log import START, Event, events
from bakeoff.database.tables import event, served, variant
from bakeoff.digest import canonical_json

__all__ = ["arena"]

DAY_S = 86_400.0
RULES = {
    "name": "chat",
    "private_variants": 2,
    "preliminary": {"fresh_votes": 20, "width": 30.0},
    "inactivity": {"votes": 5, "days": 3},
    "releases": {"delay_days": 10, "share": 0.2, "even_days": 5},
    "sampling": {"factor": 3.0, "appearances": 1000},
}


@pytest.fixture
def arena(engine):
    """An arena whose policy is in force."""
    made = Arena(engine)
    made.adopt()
    return made


class Arena:
    """Does one thing in one transaction, as `ann`."""

    def __init__(self, engine):
        self.engine = engine

    def adopt(self, **changes):
        with writing(self.engine) as connection:
            adopt(connection, policy(**changes), actor="ann")

    def register(
        self, name, provider="Acme", family="orca", licence="proprietary", access="private", **other
    ):
        artefact = other.get("artefact", weights(name))
        with writing(self.engine) as connection:
            return register(
                connection,
                "chat",
                name,
                provider=provider,
                family=family,
                licence=licence,
                access=access,
                artefact=artefact,
                actor="ann",
            )

    def move(self, name, then, reason="", rule=""):
        with writing(self.engine) as connection:
            return move(connection, "chat", name, State(then), actor="ann", reason=reason, rule=rule)

    def release(self, name, public=None, verified=True):
        with writing(self.engine) as connection:
            public = weights(name) if public is None else public
            return release(connection, "chat", name, public, verified=verified, actor="ann")

    def public(self, name, **other):
        """Registered and released, as a model that everybody has already."""
        self.register(name, access="public", **other)
        return self.release(name)

    def count(self, *tallies, at=None):
        with writing(self.engine) as connection:
            count(connection, "chat", [Tally(*each) for each in tallies], at=at)

    def rate(self, **ratings):
        with writing(self.engine) as connection:
            found = {name: Rating(each, each - 10, each + 10, 100) for name, each in ratings.items()}
            rate(connection, "chat", found, data="sha256:v", method="bradley-terry", actor="ann")

    def get(self, name):
        with reading(self.engine) as connection:
            return get(connection, "chat", name)

    def names(self):
        with reading(self.engine) as connection:
            return [each.name for each in variants(connection, "chat")]

    def check(self, published=(), **changes):
        with reading(self.engine) as connection:
            return check(connection, policy(**changes), published=published)

    def broken(self, **changes):
        """The rules of violations, with their subjects."""
        return [(each.rule, each.subject) for each in self.check(**changes) if each.severity == "violation"]

    def log(self):
        with reading(self.engine) as connection:
            return list(events(connection))

    def today(self):
        with reading(self.engine) as connection:
            from bakeoff.arena.policy.sampling import day_of
            from bakeoff.database.clock import current

            return day_of(current(connection))

    def later(self, by):
        """Let so many days pass: all that there is was done so much earlier."""
        with writing(self.engine) as connection:
            # Backwards in two steps, so that no day is there twice on the way.
            for step in (by + 100_000, -100_000):
                connection.execute(update(served).values(day=served.c.day - step))
            connection.execute(update(served).values(first_vote=served.c.first_vote - by * DAY_S))
            connection.execute(
                update(variant).values(
                    created=variant.c.created - by * DAY_S, changed=variant.c.changed - by * DAY_S
                )
            )
            there = days_with_counts(connection, "chat")
            counts = {day: in_all(day, pairs_of(connection, "chat", day)).digest for day in there}
            rewrite(connection, lambda each: _earlier(each, by, counts))


def policy(**changes):
    return Policy(**RULES | changes)


def weights(name):
    return Artefact(weights=f"sha256:{name}")


def rewrite(connection, change):
    """Write the whole log anew, each entry as `change` makes it, with a chain that is whole."""
    previous = START
    for old in list(events(connection)):
        new = change(old)
        made = Event(
            old.number, new.at, new.actor, new.kind, new.subject, new.reason, dict(new.facts), previous
        )
        connection.execute(
            update(event)
            .where(event.c.number == old.number)
            .values(
                at=made.at,
                actor=made.actor,
                kind=made.kind,
                subject=made.subject,
                reason=made.reason,
                facts=canonical_json(dict(made.facts)).decode(),
                previous=made.previous,
                digest=made.digest,
            )
        )
        previous = made.digest


def _earlier(each, by, counts):
    facts = dict(each.facts)
    for name in {"day", "since", "until"} & facts.keys():
        facts[name] -= by
    if "day" in facts:
        facts["digest"] = counts[facts["day"]]
    return Event(each.number, each.at - by * DAY_S, each.actor, each.kind, each.subject, each.reason, facts)
