"""What the lint rules look at: a prepared task and its items, read once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from bakeoff.errors import TaskError
from bakeoff.nouns import Input, Item
from bakeoff.task.prepared import Prepared
from bakeoff.task.render import Rendered, answer_text, shown_item
from bakeoff.task.task import Task

CountTokens = Callable[[Input], int]


class Remark(NamedTuple):
    """What a rule found; `item` is an id, or None for the task as a whole."""

    level: Literal["error", "warning"]
    item: str | None
    message: str


Remarks = Iterator[Remark]


@dataclass(frozen=True)
class Survey:
    """The items are held in memory: lint is for a person at a terminal, not for a run."""

    prepared: Prepared
    items: tuple[Item, ...]
    count_tokens: CountTokens | None = None
    context: int | None = None

    @property
    def task(self) -> Task:
        """The task, with the variant's overlay."""
        return self.prepared.task

    @cached_property
    def rendered(self) -> tuple[Rendered | TaskError, ...]:
        """Every item without shots, or why it cannot be rendered."""
        return tuple(self._rendered(item) for item in self.items)

    @property
    def texts(self) -> Iterator[tuple[Item, str]]:
        """The items that can be rendered, as shown, with the text of their prompt (all turns)."""
        for each in self.rendered:
            if isinstance(each, Rendered):
                yield each.item, "\n".join(input_text(turn) for turn in each.turns)

    @cached_property
    def shot_answers(self) -> tuple[tuple[str, str], ...]:
        """The id and the answer of every example that can be shown."""
        task, seed = self.task, self.prepared.seed
        return tuple(
            (each.item.id, answer_text(task, shown_item(task, each.item, seed)))
            for group in self.prepared.pool.groups.values()
            for each in group
        )

    def _rendered(self, item: Item) -> Rendered | TaskError:
        try:
            return self.prepared.render(item, shots=0)
        except TaskError as error:
            return error


def input_text(turn: Input) -> str:
    """The text of what is sent; images leave no trace in it."""
    return turn if isinstance(turn, str) else "\n".join(message.text for message in turn)
