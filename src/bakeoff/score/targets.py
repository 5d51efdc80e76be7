"""The texts an item accepts."""

from bakeoff.errors import TaskError
from bakeoff.nouns import Item


def accepted_texts(item: Item, scorer: str) -> tuple[str, ...]:
    """The accepted texts; of an item with choices, the text of the right one.

    Raises:
        TaskError: the item accepts nothing, or only whitespace.
    """
    if isinstance(item.target, int):
        texts = item.choices[item.target : item.target + 1] if item.target >= 0 else ()
    else:
        texts = item.target
    if not texts or not all(text.strip() for text in texts):
        raise TaskError(
            f"item {item.id}: the {scorer} scorer needs a text as target, got {item.target!r:.80}",
            "Set `fields.target` to the column with the accepted text or texts.",
        )
    return texts
