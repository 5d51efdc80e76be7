"""Battles of Chatbot Arena and LMArena: cleaned logs, and the samples of 33k, 100k and 140k with texts."""

from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.importing.conversation import turns
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import ITSELF, NO_VERDICT, Format, Untaken
from bakeoff.arena.votes.pseudonym import prompt_pseudonym
from bakeoff.arena.votes.style import Style, style_of

WINNERS: Mapping[str, Outcome] = {
    "model_a": "a",
    "model_b": "b",
    "tie": "tie",
    "tie (bothbad)": "both_bad",
    "both_bad": "both_bad",
}
# A prompt that meets so many of the seven criteria is hard, in the words of the arena.
_HARD = 6
_CATEGORIES = (("creative_writing", "creative_writing"), ("if", "instructions"), ("math", "math"))


def _battles(fields: Fields) -> Iterator[Battle | Untaken]:
    a, b = fields.needed("model_a"), fields.needed("model_b")
    outcome = fields.word("winner", WINNERS)
    if outcome is None or a == b:
        yield NO_VERDICT if outcome is None else ITSELF
        return
    (prompt, answer_a), (_, answer_b) = turns(fields, "conversation_a"), turns(fields, "conversation_b")
    yield Battle(
        id=fields.text("question_id") or fields.text("id") or fields.identity(),
        model_a=a,
        model_b=b,
        outcome=outcome,
        # The 140k name no voters; a session is one visit of somebody.
        voter=fields.voter("judge_hash", "judge", "evaluation_session_id"),
        prompt=prompt_pseudonym(prompt) if prompt else None,
        at=fields.moment("tstamp") or fields.moment("timestamp"),
        language=fields.text("language"),
        tags=tuple(_tags(fields)),
        blind=fields.flag("anony"),
        prompt_text=prompt,
        answer_a=answer_a,
        answer_b=answer_b,
        style_a=_style(fields, "a", answer_a),
        style_b=_style(fields, "b", answer_b),
    )


def _tags(fields: Fields) -> Iterator[str]:
    """The arena's own categories, and `unsampled` for what its own removal of duplicates left out."""
    if fields.flag("is_code"):
        yield "code"
    categories = fields.mapping("category_tag")
    said = [tag for tag in categories.values() if isinstance(tag, dict)]
    true = {name for tag in said for name, value in tag.items() if value is True}
    yield from (tag for name, tag in _CATEGORIES if name in true)
    criteria = categories.get("criteria_v0.1")
    if isinstance(criteria, dict) and sum(value is True for value in criteria.values()) >= _HARD:
        yield "hard"
    if (fields.number("turn") or 1) > 1:
        yield "multiturn"
    if fields.flag("is_refusal"):
        yield "refusal"
    if fields.mapping("dedup_tag").get("sampled") is False:
        yield "unsampled"


def _style(fields: Fields, side: str, answer: str | None) -> Style | None:
    """As the arena counted it, in tokens; in words, as we count, where it has not counted both answers."""
    counted = fields.mapping("conv_metadata")
    if any(counted.get(f"sum_assistant_{each}_tokens") is None for each in "ab"):
        return None if answer is None else style_of(answer)
    try:
        parts = (_total(counted.get(f"{name}_count_{side}")) for name in ("header", "list", "bold"))
        return Style(int(counted[f"sum_assistant_{side}_tokens"]), *parts)
    except (TypeError, ValueError) as error:
        raise fields.error("conv_metadata", f"its counts must be numbers, none negative: {error}") from None


def _total(counts: Any) -> int:
    """A count, or the sum over its kinds: six depths of headers, two kinds of lists."""
    return int(sum(each or 0 for each in counts.values()) if isinstance(counts, dict) else counts or 0)


ARENA = Format(
    "arena",
    "Chatbot Arena and LMArena: cleaned logs, chatbot_arena_conversations, human-preference 100k and 140k",
    frozenset({"model_a", "model_b", "winner"}),
    _battles,
    one_of=frozenset({"anony", "tstamp", "evaluation_session_id", "conv_metadata"}),
)
