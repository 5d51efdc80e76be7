"""One turn of a battle on a server: what both models are asked, and what becomes of their answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.arena.answering.answer import Answer
from bakeoff.arena.answering.column import Limits, Side
from bakeoff.arena.answering.scrub import Scrub
from bakeoff.arena.answering.stage import Stage
from bakeoff.arena.answering.voided import Voided
from bakeoff.arena.battles.conversations import Conversation
from bakeoff.arena.battles.turns import answered, void
from bakeoff.arena.definition.definition import Arena
from bakeoff.errors import BakeoffError
from bakeoff.model.protocol import Model
from bakeoff.nouns import Generate, Message
from bakeoff.seed import item_seed


@dataclass(frozen=True, slots=True)
class Turn:
    """What both are asked, left and right, who they are, and whose battle it is."""

    sides: tuple[Side, Side]
    names: tuple[str, str]
    voter: str


def asked(
    arena: Arena,
    models: Mapping[str, Model],
    told: tuple[Conversation, Conversation],
    seed: int,
    battle: str,
    voter: str,
) -> Turn:
    """The newest turn of a battle, by what was said in it, left and right. `seed` is the arena's."""
    left, right = (_side(arena, models, each, seed, battle) for each in told)
    return Turn((left, right), (told[0].variant, told[1].variant), voter)


def staged(arena: Arena, sides: tuple[Side, Side], scrub: Scrub) -> Stage:
    """The stage of a turn."""
    deadlines = arena.deadlines
    limits = Limits(first_s=deadlines.first_token_s, whole_s=deadlines.answer_s)
    return Stage(*sides, scrub, limits)


def ended(connection: Connection, battle: str, outcome: tuple[Answer, Answer] | Voided) -> None:
    """Keep both answers, or why there are none."""
    if isinstance(outcome, Voided):
        void(connection, battle, outcome.reason)
    else:
        answered(connection, battle, outcome)


def _side(arena: Arena, models: Mapping[str, Model], told: Conversation, seed: int, battle: str) -> Side:
    candidate = next((each for each in arena.models if each.name == told.variant), None)
    if candidate is None:
        raise BakeoffError("a model of this battle has left the arena", "vote, or begin another one")
    system = (Message.of("system", candidate.system),) if candidate.system else ()
    # One seed for both sides: two variants of one model differ by what they are, not by luck.
    turn = sum(message.role == "user" for message in told.messages)
    request = Generate(
        key=f"battle {battle}",
        input=system + told.messages,
        generation=candidate.sampling.generation(arena.max_tokens),
        seed=item_seed(seed, arena.name, battle, f"turn {turn}"),
    )
    return Side(models[told.variant], request)
