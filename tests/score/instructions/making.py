"""Does a text follow an instruction?"""

from typing import Any

from bakeoff.nouns import Item
from bakeoff.score.instructions.given import instruction


def follows(name: str, text: str, **arguments: Any) -> bool:
    return instruction("made", name, arguments).holds(text)


def item_with(*instructions: tuple[str, dict[str, Any]]) -> Item:
    listed = [{"instruction_id": name, "kwargs": arguments} for name, arguments in instructions]
    return Item("made", "a prompt", metadata={"instructions": listed})
