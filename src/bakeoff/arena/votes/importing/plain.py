"""Our own layout, for votes that nobody published: the fields of a battle, most of them optional."""

from collections.abc import Iterator

from bakeoff.arena.votes.battle import OUTCOMES, Battle, Outcome
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import prompt_pseudonym, pseudonym
from bakeoff.arena.votes.style import style_of


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    words: dict[str, Outcome] = {outcome: outcome for outcome in OUTCOMES}
    a, b = fields.needed("model_a"), fields.needed("model_b")
    outcome = fields.word("outcome", words)
    if outcome is None or a == b:
        yield NO_VERDICT if outcome is None else ITSELF
        return
    share = fields.number("share")
    if share is not None and not 0 <= share <= 1:
        raise fields.error("share", f"lies between 0 and 1, got {share:g}")
    said, text = fields.text("prompt"), fields.text("prompt_text")
    answer_a, answer_b = fields.text("answer_a"), fields.text("answer_b")
    yield Battle(
        id=fields.text("id") or fields.identity(),
        model_a=a,
        model_b=b,
        outcome=outcome,
        voter=fields.voter("voter"),
        prompt=prompt_pseudonym(text) if text else pseudonym(said) if said else None,
        at=fields.moment("at"),
        language=fields.text("language"),
        tags=tuple(tag.strip() for tag in (fields.text("tags") or "").split(",") if tag.strip()),
        blind=fields.flag("blind"),
        gold=fields.word("gold", words),
        share=share,
        prompt_text=text,
        answer_a=answer_a,
        answer_b=answer_b,
        style_a=None if answer_a is None else style_of(answer_a),
        style_b=None if answer_b is None else style_of(answer_b),
    )


PLAIN = Format(
    "plain",
    f"model_a, model_b, outcome ({', '.join(OUTCOMES)}), and what else a battle has",
    frozenset({"model_a", "model_b", "outcome"}),
    _battles,
)
