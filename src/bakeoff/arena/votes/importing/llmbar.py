"""Verdicts of judges on LLMBar: two outputs, one of them better beyond dispute, shown in both orders."""

from collections.abc import Iterator

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import pseudonym

BETTER, WORSE = "the better output", "the worse output"


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    """Two battles a row. The first shows output 1 first, the second output 2; a verdict names an output."""
    named = {"1": 1, "2": 2, "1.0": 1, "2.0": 2}
    gold = fields.word("gold", named)
    if gold is None:
        raise fields.error("gold", "is empty", "each pair of LLMBar has a known better output")
    item = "/".join(fields.needed(name) for name in ("subset", "item"))
    judge = "/".join(fields.needed(name) for name in ("judge", "method"))
    for first, name in ((1, "winner_order1"), (2, "winner_order2")):
        winner = fields.word(name, named)
        if winner is None:
            yield NO_VERDICT
            continue
        yield Battle(
            id=f"{item}/{judge}/{first}",
            model_a=BETTER if gold == first else WORSE,
            model_b=WORSE if gold == first else BETTER,
            outcome="a" if winner == first else "b",
            gold="a" if gold == first else "b",
            voter=pseudonym(judge),
            prompt=pseudonym(f"llmbar/{item}"),
            tags=(fields.needed("subset").replace(",", " "),),
        )


LLMBAR = Format(
    "llmbar",
    "LLMBar verdicts in both orders: subset, item, judge, method, gold, winner_order1, winner_order2",
    frozenset({"subset", "item", "judge", "method", "gold", "winner_order1", "winner_order2"}),
    _battles,
)
