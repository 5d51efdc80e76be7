"""What both models of a battle are asked next, for the server alone: it names them."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from bakeoff.arena.battles.prompt import Prompt, images_of
from bakeoff.arena.battles.rows import row_of
from bakeoff.database.tables import answer, turn
from bakeoff.errors import BakeoffError
from bakeoff.nouns.item import Message


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a variant was asked so far, with its own answers between."""

    variant: str
    messages: tuple[Message, ...]


def conversations(connection: Connection, battle: str) -> tuple[Conversation, Conversation]:
    """Left and right.

    Raises:
        BakeoffError: there is no such battle, or its texts were erased.
    """
    row = row_of(connection, battle)
    asked = connection.execute(select(turn).where(turn.c.battle == battle).order_by(turn.c.number)).all()
    said = connection.execute(select(answer).where(answer.c.battle == battle))
    answers = {(each.number, each.side): each.text for each in said}
    if any(each.prompt is None for each in asked):
        raise BakeoffError("the texts of this battle were erased", "begin another one")

    def of(variant: str, side: str) -> Conversation:
        messages: list[Message] = []
        for each in asked:
            messages.append(Prompt(each.prompt, images=images_of(each.images)).message)
            if (text := answers.get((each.number, side))) is not None:
                messages.append(Message.of("assistant", text))
        return Conversation(variant, tuple(messages))

    return of(row.left, "left"), of(row.right, "right")
