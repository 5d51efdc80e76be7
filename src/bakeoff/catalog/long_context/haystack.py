"""Text to hide things in: plain sentences about invented towns, made by rule, none of them there twice."""

from collections.abc import Iterable, Sequence
from random import Random

from bakeoff.errors import TaskError
from bakeoff.seed import item_random

CHARACTERS_PER_TOKEN = 4.25
"""An estimate for this text: 4.26 with the 49,152 tokens of SmolLM2; larger vocabularies give more. What a
model's own tokenizer makes of a prompt is in each sample."""
SHORTEST = 500
"""Tokens. In less, one sentence more or less is over 2 % of the length."""

DEPTHS = tuple(range(0, 101, 10))
"""Where in a text something stands, in per cent of the sentences before it."""


def characters(tokens: int) -> int:
    """The length of a text of so many tokens, by the estimate.

    Raises:
        TaskError: fewer than `SHORTEST`.
    """
    if tokens < SHORTEST:
        raise TaskError(f"tokens must be {SHORTEST} or more, got {tokens}", "shorter texts hide nothing")
    return round(tokens * CHARACTERS_PER_TOKEN)


def filler(random: Random, length: int) -> list[str]:
    """Distinct sentences that, each with a space after it, have `length` characters but for 20 or so."""
    found: dict[str, None] = {}
    left = length
    while left > _ENDING:
        sentence = _sentence(random)
        if sentence not in found:
            found[sentence] = None
            left -= len(sentence) + 1
    # The end is chosen among many: one sentence that fits, or two where none is as long.
    for goal in (left / 2, None) if left > _LONG else (None,):
        candidates = [each for each in (_sentence(random) for _ in range(60)) if each not in found]
        best = min(candidates, key=lambda each: abs((goal or left) - len(each) - 1))
        if abs(left - len(best) - 1) < abs(left):
            found[best] = None
            left -= len(best) + 1
    return list(found)


def hide(sentences: Sequence[str], hidden: Iterable[tuple[float, str]]) -> str:
    """The sentences as one text, with each hidden one after its share of them, in per cent.

    Where several have the same place they keep their order.
    """
    at = [(round(depth / 100 * len(sentences)), text) for depth, text in hidden]
    at.sort(key=lambda each: each[0])
    parts: list[str] = []
    done = 0
    for place, text in at:
        parts += sentences[done:place]
        parts.append(text)
        done = place
    return " ".join([*parts, *sentences[done:]])


def depth_of(seed: int, task: str, i: int) -> int:
    """The depth of the i-th row of a kind: of eleven, from a multiple of eleven on, each of `DEPTHS` once."""
    depths = list(DEPTHS)
    item_random(seed, task, f"block {i // len(depths)}", "depth").shuffle(depths)
    return depths[i % len(depths)]


def _sentence(random: Random) -> str:
    pick = random.choice
    who, town = pick(_WHO), pick(_FIRST) + pick(_LAST)
    thing = f"{pick(_LOOKS)} {pick(_THINGS)}"
    kind = random.randrange(8)
    if kind == 0:
        return f"The {who} of {town} {pick(_DID)} the {thing} {pick(_WHEN)}."
    if kind == 1:
        return f"{pick(_WHEN).capitalize()}, the {who} {pick(_DID)} a {thing} near {town}."
    if kind == 2:
        return f"In {town} every {who} knows that the {thing} {pick(_STATE)}."
    if kind == 3:
        return f"Nobody in {town} {pick(_DID)} the {thing}, not even the {who}."
    if kind == 4:
        return f"A {thing} {pick(_STATE)} behind the mill at {town} {pick(_WHEN)}."
    if kind == 5:
        return f"Two {pick(_LOOKS)} {pick(_THINGS)}s and one {thing} were sold in {town}."
    if kind == 6:
        return f"The {who} said that the {thing} {pick(_STATE)}, and {town} agreed."
    return f"Between {town} and {pick(_FIRST)}{pick(_LAST)} a {who} {pick(_DID)} the {thing}."


_ENDING = 170
"""Characters: two long sentences. One has 53 to 92, its space included."""
_LONG = 99
_WHO = (
    "baker", "miller", "weaver", "potter", "smith", "tailor", "fisher", "carter", "mason", "glazier",
    "cooper", "tanner", "ferrier", "shepherd", "gardener", "painter", "printer", "sailor", "clockmaker",
    "beekeeper", "surveyor", "ropemaker", "basket maker", "lamplighter", "ferryman", "thatcher",
    "saddler", "chandler",
)  # fmt: skip
_FIRST = (
    "Tar", "Vel", "Osk", "Bram", "Lun", "Kest", "Mor", "Hald", "Pel", "Rin", "Quor", "Sel", "Dun", "Fen",
    "Gar", "Ith", "Jor", "Nar", "Umb", "Wes",
)  # fmt: skip
_LAST = (
    "now", "burg", "holm", "mere", "stead", "vale", "wick", "ford", "by", "dal", "mar", "ton", "ley",
    "rath", "gate", "fell", "haven", "moor", "sund", "ness",
)  # fmt: skip
_DID = (
    "mended", "painted", "carried", "polished", "measured", "borrowed", "counted", "sketched", "repaired",
    "forgot", "praised", "oiled", "covered", "lifted", "rented", "traded", "weighed", "washed", "turned",
    "described",
)  # fmt: skip
_LOOKS = (
    "brass", "narrow", "heavy", "pale", "round", "dusty", "curved", "hollow", "striped", "wooden",
    "crooked", "shiny", "broad", "quiet", "faded", "sturdy", "velvet", "copper", "slender", "speckled",
    "grey", "tall", "smooth", "rusty",
)  # fmt: skip
_THINGS = (
    "gate", "ladder", "wagon", "barrel", "kettle", "sail", "bell", "plough", "chest", "loom", "anchor",
    "wheel", "stool", "cart", "bridge", "roof", "oven", "net", "saddle", "fence", "chimney", "anvil",
    "rope", "table", "boat", "cask", "pump", "spindle", "window", "trough",
)  # fmt: skip
_WHEN = (
    "before dawn", "after the rain", "on market day", "during the harvest", "in late autumn",
    "at low tide", "one spring morning", "when the snow melted", "a week later", "on the longest day",
    "in a dry summer", "around noon", "toward evening", "under a full moon", "the day after",
    "in the cold months",
)  # fmt: skip
_STATE = (
    "leans to the left", "creaks in the wind", "smells of tar", "needs new nails", "has no owner",
    "was built twice", "looks older than it is", "stands in the way", "came from the coast",
    "costs too much", "dries slowly", "rattles at night", "never quite fits", "is kept under straw",
    "was a gift", "lies under the stairs",
)  # fmt: skip
