"""People who move between places and carry things, told in a long text, made by rule."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from bakeoff.catalog.long_context.haystack import characters, filler, hide
from bakeoff.errors import TaskError
from bakeoff.seed import item_random


def stories(
    seed: int, n: int, tokens: int = 4000, facts: int = 0, events: int = 16
) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `context`, `question`, `target` (a place) and `meta`.

    A story has `events`: somebody goes to a place, picks a thing up there or puts it down. The question needs
    one of them (where is a person?), two (where is a thing?) or three (where was it before?), which is
    `facts`; 0 takes turns. In `meta`: `tokens`, `characters`, `facts`, `events`, `depths` of the events that
    are needed, in per cent, `labels`, all places, and `question`. Events are in their order, at depths drawn
    evenly. Row i depends on (seed, i, args) alone; its story does not depend on `tokens`.

    Raises:
        TaskError: an argument out of range.
    """
    if facts not in (0, 1, 2, 3):
        raise TaskError(f"facts must be 1, 2 or 3, or 0 for each in turn, got {facts}")
    if not 12 <= events <= 200:
        raise TaskError(f"events must be from 12 to 200, got {events}")
    length = characters(tokens)
    for i in range(n):
        random = item_random(seed, "long_reasoning", str(i), "story")
        needed = facts or i % 3 + 1
        story, asked = _told(random, events, needed)
        depths = sorted(round(random.uniform(0, 100), 1) for _ in story.sentences)
        room = length - sum(len(sentence) + 1 for sentence in story.sentences)
        sentences = filler(item_random(seed, "long_reasoning", str(i), "haystack"), room)
        context = hide(sentences, zip(depths, story.sentences, strict=True))
        yield {
            "id": f"story-{i}",
            "context": context,
            "question": asked.question,
            "target": asked.answer,
            "meta": {
                "tokens": tokens,
                "characters": len(context),
                "facts": needed,
                "events": events,
                "depths": [depths[index] for index in asked.needs],
                "labels": list(_PLACES),
                "question": asked.question,
            },
        }


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, its answer, and the events that are needed for it, in their order."""

    question: str
    answer: str
    needs: tuple[int, ...]


@dataclass(slots=True)
class _Story:
    """What happened so far, and which events say where everything is."""

    sentences: list[str] = field(default_factory=list)
    arrived: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Person to place, and the event that says so."""
    holder: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Thing to the person who holds it, and the event of picking it up."""
    trail: dict[str, list[tuple[str, tuple[int, ...]]]] = field(default_factory=dict)
    """Thing to the places where it was, in order, and the events that say so."""

    def go(self, person: str, place: str, how: str) -> None:
        event = self._happens(how.format(person, place))
        self.arrived[person] = (place, event)
        for thing, (holder, picked) in self.holder.items():
            if holder == person:
                self.trail[thing].append((place, (picked, event)))

    def pick_up(self, person: str, thing: str, how: str) -> None:
        event = self._happens(how.format(person, thing))
        place, went = self.arrived[person]
        self.holder[thing] = (person, event)
        trail = self.trail.setdefault(thing, [])
        if not trail or trail[-1][0] != place:
            trail.append((place, (went, event)))

    def put_down(self, person: str, thing: str, how: str) -> None:
        self._happens(how.format(person, thing))
        del self.holder[thing]

    def _happens(self, sentence: str) -> int:
        self.sentences.append(sentence)
        return len(self.sentences) - 1

    def questions(self, needed: int) -> Iterator[_Asked]:
        """All that can be asked of the story with so many facts needed."""
        if needed == 1:
            for person, (place, went) in self.arrived.items():
                yield _Asked(f"Where is {person}? {_ONLY}", place, (went,))
        for thing, trail in self.trail.items():
            place, needs = trail[-1]
            if needed == 2:
                yield _Asked(f"Where is the {thing}? {_ONLY}", place, needs)
            for before, after in pairwise(trail) if needed == 3 else ():
                facts = tuple(sorted({*before[1], *after[1]}))
                once = [where for where, _ in trail].count(after[0]) == 1
                if once and len(facts) == 3:
                    yield _Asked(
                        f"Where was the {thing} before it was in the {after[0]}? {_ONLY}", before[0], facts
                    )


def _told(random: Random, events: int, needed: int) -> tuple[_Story, _Asked]:
    """A story and a question of it. A story of which nothing can be asked is told anew."""
    while True:
        story = _story(random, events)
        if asked := list(story.questions(needed)):
            return story, random.choice(asked)


def _story(random: Random, events: int) -> _Story:
    """Everybody goes somewhere first; then whatever can happen, a thing staying where it was put down."""
    story = _Story()
    people = random.sample(_PEOPLE, 4)
    things = random.sample(_THINGS, 3)
    for person in people:
        story.go(person, random.choice(_PLACES), random.choice(_GO))
    while len(story.sentences) < events:
        person = random.choice(people)
        place = story.arrived[person][0]
        held = [thing for thing, (holder, _) in story.holder.items() if holder == person]
        here = [
            thing
            for thing in things
            if thing not in story.holder and (thing not in story.trail or story.trail[thing][-1][0] == place)
        ]
        kind = random.random()
        if kind < 0.35 and here:
            story.pick_up(person, random.choice(here), random.choice(_PICK_UP))
        elif kind < 0.45 and held:
            story.put_down(person, random.choice(held), random.choice(_PUT_DOWN))
        else:
            elsewhere = [each for each in _PLACES if each != place]
            story.go(person, random.choice(elsewhere), random.choice(_GO))
    return story


_ONLY = "Answer with the place only."
_PEOPLE = ("Anna", "Boris", "Clara", "David", "Elias", "Flora", "Greta", "Hugo")
_PLACES = ("attic", "cellar", "chapel", "greenhouse", "library", "stable")
_THINGS = ("lantern", "compass", "violin", "parcel", "medal", "teapot")
_GO = ("{} walked to the {}.", "{} went over to the {}.", "{} hurried to the {}.", "{} moved to the {}.")
_PICK_UP = ("{} picked up the {}.", "{} took the {} there.", "{} got hold of the {}.")
_PUT_DOWN = ("{} put down the {}.", "{} left the {} there.", "{} let go of the {}.")
