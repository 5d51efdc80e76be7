"""The filters of an arena, as its file declares them."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from bakeoff.arena.moderation.details import Details
from bakeoff.arena.moderation.filter import Filter
from bakeoff.arena.moderation.invisible import Invisible
from bakeoff.arena.moderation.judged import Judged
from bakeoff.arena.moderation.length import Length
from bakeoff.arena.moderation.probing import Probing
from bakeoff.arena.moderation.words import Words
from bakeoff.task.spec import mistake, nearest

FILTERS = {each.name: each for each in (Length, Invisible, Words, Details, Probing, Judged)}
"""By the name under which a file asks for them."""


def _known(value: Any) -> Any:
    """A filter alone is its name; a name that there is not gets the nearest that there is."""
    value = {"filter": value} if isinstance(value, str) else value
    if isinstance(value, Mapping) and value.get("filter") not in FILTERS:
        told = value.get("filter")
        problem = "is missing" if told is None else f"there is no filter {told!r}"
        raise mistake(problem, nearest(str(told), FILTERS, "there are"), at=("filter",))
    return value


Declared = Annotated[
    Annotated[Length | Invisible | Words | Details | Probing | Judged, Field(discriminator="filter")],
    BeforeValidator(_known),
]
"""A filter as a file declares it."""
DEFAULT = (Length(), Invisible(), Details(), Probing())
"""What needs no list and no model."""


@asynccontextmanager
async def opened(declared: Iterable[Filter | Judged]) -> AsyncIterator[tuple[Filter, ...]]:
    """The filters of an arena, with the models that some of them ask.

    Raises:
        ModelError: a model cannot be reached.
    """
    from bakeoff.model.open import open_model

    async with AsyncExitStack() as stack:
        filters: list[Filter] = []
        for each in declared:
            if isinstance(each, Judged):
                model = await stack.enter_async_context(open_model(each.model, each.settings))
                filters.append(each.asking(model))
            else:
                filters.append(each)
        yield tuple(filters)
