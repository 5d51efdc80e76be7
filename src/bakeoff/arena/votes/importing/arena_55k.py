"""The 55k battles with texts that LMSYS gave to a Kaggle competition: a column for each outcome."""

from collections.abc import Iterator

from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import prompt_pseudonym
from bakeoff.arena.votes.style import style_of

_COLUMNS: tuple[tuple[str, Outcome], ...] = (
    ("winner_model_a", "a"),
    ("winner_model_b", "b"),
    ("winner_tie", "tie"),
)


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    a, b = fields.needed("model_a"), fields.needed("model_b")
    outcomes = [outcome for name, outcome in _COLUMNS if fields.flag(name)]
    if len(outcomes) > 1:
        raise fields.error("winner_model_a", f"the row names {len(outcomes)} outcomes: {', '.join(outcomes)}")
    if not outcomes or a == b:
        yield ITSELF if outcomes else NO_VERDICT
        return
    prompt, answer_a, answer_b = (_joined(fields, name) for name in ("prompt", "response_a", "response_b"))
    yield Battle(
        id=fields.text("id") or fields.identity(),
        model_a=a,
        model_b=b,
        outcome=outcomes[0],
        prompt=prompt_pseudonym(prompt) if prompt else None,
        prompt_text=prompt,
        answer_a=answer_a,
        answer_b=answer_b,
        style_a=None if answer_a is None else style_of(answer_a),
        style_b=None if answer_b is None else style_of(answer_b),
    )


def _joined(fields: Fields, name: str) -> str | None:
    """Its turns, a JSON list of texts in which an answer that never came is null."""
    listed = fields.structure(name)
    if listed is None:
        return None
    if not isinstance(listed, list) or any(each is not None and not isinstance(each, str) for each in listed):
        raise fields.error(name, "must be a list of texts")
    return "\n\n".join(each or "" for each in listed)


ARENA_55K = Format(
    "arena-55k",
    "arena-human-preference 55k: winner_model_a, winner_model_b and winner_tie are 0 or 1",
    frozenset({"model_a", "model_b", *(name for name, _ in _COLUMNS)}),
    _battles,
)
