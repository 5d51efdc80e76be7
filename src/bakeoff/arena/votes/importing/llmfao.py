"""Comparisons of LLMFAO: a crowd of workers, and judges on the same pairs."""

from collections.abc import Iterator, Mapping

from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import pseudonym

_WINNERS: Mapping[str, Outcome] = {"left": "a", "right": "b", "tie": "tie"}


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    left, right = fields.needed("left"), fields.needed("right")
    outcome = fields.word("winner", _WINNERS)
    if outcome is None or left == right:
        yield NO_VERDICT if outcome is None else ITSELF
        return
    prompt, pair, worker = (fields.text(name) for name in ("prompt", "id", "worker"))
    yield Battle(
        id=fields.identity() if pair is None else pair if worker is None else f"{pair}-{worker}",
        model_a=left,
        model_b=right,
        outcome=outcome,
        voter=fields.voter("worker"),
        prompt=None if prompt is None else pseudonym(f"llmfao/{prompt}"),
    )


LLMFAO = Format(
    "llmfao",
    "LLMFAO comparisons: left, right, winner, and the worker where people voted",
    frozenset({"left", "right", "winner"}),
    _battles,
)
