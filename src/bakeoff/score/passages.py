"""What a pipeline says it retrieved."""

from collections.abc import Mapping
from typing import NamedTuple

from bakeoff.nouns import Response


class Passage(NamedTuple):
    """A piece of text under its id."""

    id: str
    text: str


def passages_of(response: Response) -> tuple[Passage, ...] | None:
    """The passages behind an answer, best first; None where it comes from no pipeline that names them."""
    found = response.stages.get("passages")
    if not isinstance(found, list | tuple):
        return None
    return tuple(
        Passage(str(each.get("id", "")), str(each.get("text", "")))
        for each in found
        if isinstance(each, Mapping)
    )
