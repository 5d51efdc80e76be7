"""Judgments of MT-bench: experts and GPT-4 on pairs of answers, one turn each."""

from collections.abc import Iterator, Mapping

from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.importing.conversation import turns
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import style_of

# A judge that contradicts itself when the order is swapped counts as undecided.
_WINNERS: Mapping[str, Outcome] = {
    "model_a": "a",
    "model_b": "b",
    "tie": "tie",
    "tie (inconsistent)": "tie",
    "tie (bothbad)": "both_bad",
}


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    a, b = fields.needed("model_a"), fields.needed("model_b")
    question, turn = fields.needed("question_id"), fields.needed("turn")
    outcome = fields.word("winner", {**_WINNERS, "error": None})
    if outcome is None or a == b:
        yield NO_VERDICT if outcome is None else ITSELF
        return
    (prompt, answer_a), (_, answer_b) = turns(fields, "conversation_a"), turns(fields, "conversation_b")
    yield Battle(
        id=fields.identity(("question_id", "turn", "model_a", "model_b", "judge", "winner")),
        model_a=a,
        model_b=b,
        outcome=outcome,
        voter=fields.voter("judge"),
        prompt=pseudonym(f"mt-bench/{question}/{turn}"),
        tags=("multiturn",) if turn != "1" else (),
        prompt_text=prompt,
        answer_a=answer_a,
        answer_b=answer_b,
        style_a=None if answer_a is None else style_of(answer_a),
        style_b=None if answer_b is None else style_of(answer_b),
    )


MT_BENCH = Format(
    "mt-bench",
    "MT-bench judgments by people or a judge: question_id, model_a, model_b, winner, judge, turn",
    frozenset({"question_id", "model_a", "model_b", "winner", "judge", "turn"}),
    _battles,
)
