"""Annotations of AlpacaEval: one judge, its preference between the baseline's answer and a model's."""

from collections.abc import Iterator

from bakeoff.arena.votes.battle import Battle, nearer
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import prompt_pseudonym
from bakeoff.arena.votes.style import Style

_TIE = 1.5


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    a, b = fields.needed("generator_1"), fields.needed("generator_2")
    preference = fields.number("preference")
    if preference is None or a == b:
        yield NO_VERDICT if preference is None else ITSELF
        return
    if preference == 0:  # how older files say that neither is better
        preference = _TIE
    if not 1 <= preference <= 2:
        raise fields.error("preference", f"lies between 1 and 2, or is 0 for a tie, got {preference:g}")
    instruction = fields.text("instruction")
    answer_a, answer_b = fields.text("output_1"), fields.text("output_2")
    yield Battle(
        id=fields.identity(("generator_1", "generator_2", "annotator", "instruction", "dataset")),
        model_a=a,
        model_b=b,
        outcome=nearer(2 - preference),
        share=2 - preference,
        voter=fields.voter("annotator"),
        prompt=prompt_pseudonym(instruction) if instruction else None,
        tags=tuple(tag.replace(",", " ") for tag in (fields.text("dataset"),) if tag),
        prompt_text=instruction,
        answer_a=answer_a,
        answer_b=answer_b,
        style_a=Style(len(answer_a or "")),
        style_b=Style(len(answer_b or "")),
    )


ALPACAEVAL = Format(
    "alpacaeval",
    "AlpacaEval annotations: preference from 1 (output_1, the baseline) to 2 (output_2, the model)",
    frozenset({"generator_1", "generator_2", "preference"}),
    _battles,
)
