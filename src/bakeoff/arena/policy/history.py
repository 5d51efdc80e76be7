"""What the log says of each variant, step by step: the truth to which rows of the database are held."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bakeoff.arena.policy.life import PUBLIC, UNRELEASED, State
from bakeoff.database.log import Event

_STATES = frozenset(State)


@dataclass(frozen=True, slots=True)
class Step:
    """The entry by which a variant came into a state. `before` is the state that a dispute interrupted."""

    entry: int
    at: float
    state: State
    actor: str
    reason: str
    facts: Mapping[str, Any]
    before: State | None = None

    @property
    def standing(self) -> State:
        """The state, or that which a dispute interrupted."""
        return self.before or self.state


@dataclass(frozen=True, slots=True)
class History:
    """A variant as it was registered, and its steps, the first of which is its registration."""

    name: str
    provider: str
    family: str
    licence: str
    access: str
    artefact: str
    steps: tuple[Step, ...]

    @property
    def registered(self) -> Step:
        """Its registration."""
        return self.steps[0]

    @property
    def last(self) -> Step:
        """The step into the state that it is in now."""
        return self.steps[-1]

    @property
    def released(self) -> Step | None:
        """The step by which it became public for the first time; None for one that never was."""
        return next((each for each in self.steps if each.state in PUBLIC), None)

    @property
    def tested(self) -> Step | None:
        """The step from which on it could be shown; None for one that never was."""
        return next((each for each in self.steps if each.state is State.TESTING), self.released)

    def by(self, entry: int) -> Step | None:
        """The step that held when that entry of the log was written; None before its registration."""
        return next((each for each in reversed(self.steps) if each.entry <= entry), None)

    def under_test(self, step: Step) -> bool:
        """Whether it counts towards its provider's cap after a step: as private from its registration to its
        release, and whatever it is called while it is tested.
        """
        return step.standing is State.TESTING or (self.access == "private" and step.standing in UNRELEASED)


def histories(entries: Iterable[Event], arena: str) -> dict[str, History]:
    """The history of each variant of an arena, by its name, in the order of registration.

    A second registration of a name is a step like others; steps without a registration are a variant of which
    nothing is known but its name.
    """
    prefix = f"variant {arena}/"
    steps: dict[str, list[Step]] = {}
    registered: dict[str, Mapping[str, Any]] = {}
    for each in entries:
        word = each.kind.removeprefix("variant ")
        if not each.subject.startswith(prefix) or word == each.kind or word not in _STATES:
            continue
        name, state = each.subject.removeprefix(prefix), State(word)
        told = steps.setdefault(name, [])
        before = told[-1].standing if state is State.DISPUTED and told else None
        told.append(Step(each.number, each.at, state, each.actor, each.reason, each.facts, before))
        if state is State.REGISTERED:
            registered.setdefault(name, each.facts)
    return {name: _history(name, registered.get(name, {}), tuple(told)) for name, told in steps.items()}


def _history(name: str, facts: Mapping[str, Any], steps: tuple[Step, ...]) -> History:
    told = {
        word: str(facts.get(word, "")) for word in ("provider", "family", "licence", "access", "artefact")
    }
    return History(name=name, steps=steps, **told)
