"""Battles of every shape."""

from datetime import UTC

from hypothesis import strategies as st

from bakeoff.arena.votes.battle import OUTCOMES, Battle
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import Style

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_names = st.sampled_from(["gpt", "claude", "llama 2", "o'hara", 'with "quotes"', "模型", "a,b"])
_counts = st.integers(0, 2**20)
_styles = st.none() | st.builds(Style, _counts, _counts, _counts, _counts)


@st.composite
def battles(draw: st.DrawFn, min_size: int = 0, max_size: int = 8) -> list[Battle]:
    """Battles whose ids differ."""
    n = draw(st.integers(min_size, max_size))
    return [draw(_battle(f"battle {number}")) for number in range(n)]


@st.composite
def _battle(draw: st.DrawFn, name: str) -> Battle:
    a, b = draw(st.lists(_names, min_size=2, max_size=2, unique=True))
    return Battle(
        id=name,
        model_a=a,
        model_b=b,
        outcome=draw(st.sampled_from(OUTCOMES)),
        voter=draw(st.none() | st.sampled_from("xyz").map(pseudonym)),
        prompt=draw(st.none() | st.sampled_from("pqr").map(pseudonym)),
        at=draw(st.none() | st.datetimes(timezones=st.just(UTC))),
        language=draw(st.sampled_from([None, "en", "de", "中文"])),
        tags=tuple(draw(st.lists(st.sampled_from(["code", "math", "hard"]), unique=True))),
        blind=draw(st.none() | st.booleans()),
        gold=draw(st.sampled_from([None, *OUTCOMES])),
        share=draw(st.none() | st.floats(0, 1)),
        prompt_text=draw(st.none() | _texts),
        answer_a=draw(st.none() | _texts),
        answer_b=draw(st.none() | _texts),
        style_a=draw(_styles),
        style_b=draw(_styles),
    )
