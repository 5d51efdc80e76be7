"""A battle as its voter sees it, from the first prompt to the names."""

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection

from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.ballots import nameable
from bakeoff.arena.battles.life import State
from bakeoff.arena.battles.seen import Seen, SeenAnswer, seen
from bakeoff.arena.moderation.bare_image.taking import MOST_BYTES, TAKEN
from bakeoff.arena.votes.battle import Outcome
from bakeoff.web.pages.typed import NOTHING, Typed
from bakeoff.web.text.markdown import markdown

if TYPE_CHECKING:
    from markupsafe import Markup

    from bakeoff.arena.definition.definition import Arena

CHOICES: dict[Outcome, str] = {
    "a": "A is better",
    "b": "B is better",
    "tie": "Equally good",
    "both_bad": "Both are bad",
}
REASONS = ("more correct", "more helpful", "follows the instructions", "better written", "safer", "shorter")
"""What a voter may give as reasons."""
_NO_WORDS = "The text was erased, as the arena said it would be."
_OFFERED = 6
"""Prompts of the arena that are offered at once."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked, with the numbers of its images, and both answers, ready for a page; None while models
    are answering.
    """

    prompt: str
    images: tuple[int, ...]
    left: "Markup | None"
    right: "Markup | None"
    cut: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Names:
    """After the vote: who was left and right, what was voted, and what was guessed ("" for nothing)."""

    left: str
    right: str
    voted: str
    guessed: tuple[str, str]


@dataclass(frozen=True, slots=True)
class BattlePage:
    """`arena` is live. Without a `battle` the page is to begin one. `known` says that the voter was here
    before, and has agreed to what is kept. `may` says whether they may vote here at all; `choices` and
    `guesses` are for the vote, `offered` are prompts of the arena. Where `images` may be sent, they are of
    the types `accept` and have `most_mb` MiB at most.
    """

    arena: "Arena"
    known: bool
    may: bool
    battle: str = ""
    state: Literal["", "answering", "answered", "voted", "void", "abandoned"] = ""
    sentence: str = ""
    turns: tuple[Turn, ...] = ()
    more: bool = False
    names: Names | None = None
    choices: tuple[tuple[Outcome, str], ...] = tuple(CHOICES.items())
    reasons: tuple[str, ...] = REASONS
    guesses: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    images: bool = False
    accept: str = ",".join(TAKEN)
    most_mb: str = f"{MOST_BYTES / 2**20:g}"
    typed: Typed = NOTHING


def new_battle(arena: "Arena", *, known: bool, may: bool, typed: Typed = NOTHING) -> BattlePage:
    """The page to begin a battle."""
    return BattlePage(
        arena,
        known,
        may,
        offered=arena.prompts.texts if arena.prompts.only else arena.prompts.texts[:_OFFERED],
        images=sum(each.images for each in arena.models) > 1 and not arena.prompts.only,
        typed=typed,
    )


def battle_page(
    connection: Connection, arena: "Arena", battle: str, voter: str, typed: Typed = NOTHING
) -> BattlePage:
    """The page of a voter's own battle.

    Raises:
        BakeoffError: the voter has no such battle.
    """
    found, numbers = seen(connection, battle, voter), count()
    return BattlePage(
        arena,
        known=True,
        may=True,
        battle=battle,
        state=found.state.value,
        sentence=_sentence(found),
        turns=tuple(
            Turn(
                _NO_WORDS if each.prompt is None else each.prompt,
                tuple(next(numbers) for _ in each.images),
                _shown(each.left, blind=found.revealed is None),
                _shown(each.right, blind=found.revealed is None),
                (each.left is not None and each.left.cut, each.right is not None and each.right.cut),
            )
            for each in found.turns
        ),
        more=found.state is State.ANSWERED and len(found.turns) < arena.turns and not arena.prompts.only,
        names=_names(found),
        guesses=nameable(connection, arena.name) if found.state is State.ANSWERED else (),
        typed=typed,
    )


def _shown(answer: SeenAnswer | None, *, blind: bool) -> "Markup | None":
    if answer is None:
        return None
    return markdown(_NO_WORDS if answer.text is None else answer.text, blind=blind)


def _sentence(found: Seen) -> str:
    if found.void is not None:
        return Voided(found.void).sentence
    return "This battle ended without a vote." if found.state is State.ABANDONED else ""


def _names(found: Seen) -> Names | None:
    if (told := found.revealed) is None:
        return None
    guessed = (told.guesses.get("left", ""), told.guesses.get("right", ""))
    return Names(told.left, told.right, CHOICES[told.outcome], guessed)
