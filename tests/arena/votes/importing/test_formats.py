"""What each published layout becomes."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.importing.importing import read_battles
from bakeoff.arena.votes.importing.llmbar import BETTER, WORSE
from bakeoff.arena.votes.pseudonym import prompt_pseudonym, pseudonym
from bakeoff.arena.votes.style import Style
from tests.arena.votes.importing import rows
from tests.arena.votes.importing.rows import written


def taken(folder: Path, row: dict[str, Any], kind: str) -> tuple[Battle, ...]:
    battles, found = read_battles(written(folder, row))
    assert found.format == kind
    assert found.taken == found.total == len(battles)
    return battles


def test_cleaned_logs_of_the_arena(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.CLEAN, "arena")
    assert battle == Battle(
        id=battle.id,
        model_a="m",
        model_b="n",
        outcome="b",
        voter=pseudonym("arena_user_973"),
        at=datetime(2023, 4, 24, 15, 53, 11, 132200, tzinfo=UTC),
        language="English",
        tags=("code", "math", "hard", "multiturn", "unsampled"),
        blind=True,
        style_a=Style(205, headers=3, lists=9, bold=4),
        style_b=Style(0),
    )
    assert battle.id.startswith("row-")


def test_arena_conversations_33k(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.OF_33K, "arena")
    assert battle == Battle(
        id="58210e39",
        model_a="m",
        model_b="n",
        outcome="both_bad",
        voter=pseudonym("arena_user_1"),
        prompt=prompt_pseudonym("hi"),
        at=datetime(2023, 4, 24, 15, 53, 11, tzinfo=UTC),
        language="English",
        blind=False,
        prompt_text="Hi",
        answer_a="**Hello** to you",
        answer_b="**Hello** to you",
        style_a=Style(3, bold=1),
        style_b=Style(3, bold=1),
    )


def test_lengths_of_the_two_answers_have_one_unit(tmp_path: Path) -> None:
    """Tokens of one answer beside words of the other would compare nothing."""
    one = {"sum_assistant_a_tokens": 205, "header_count_a": {"h1": 9}}
    (battle,) = taken(tmp_path, rows.OF_33K | {"conv_metadata": one}, "arena")
    assert (battle.style_a, battle.style_b) == (Style(3, bold=1), Style(3, bold=1))
    (battle,) = taken(tmp_path, rows.CLEAN | {"conv_metadata": one}, "arena")
    assert (battle.style_a, battle.style_b) == (None, None)


def test_arena_human_preference_100k_names_voters_by_hash(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.OF_100K, "arena")
    assert battle.voter == pseudonym("d41d")
    assert battle.outcome == "a"


def test_arena_human_preference_140k_has_parts_and_sessions(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.OF_140K, "arena")
    assert battle == Battle(
        id="c4b9",
        model_a="m",
        model_b="n",
        outcome="both_bad",
        voter=pseudonym("e-1"),
        prompt=prompt_pseudonym("Hi\n\nAnd now?"),
        at=datetime(2025, 6, 4, 10, tzinfo=UTC),
        language="pl",
        tags=("creative_writing",),
        prompt_text="Hi\n\nAnd now?",
        answer_a="Good day\n\nNow this",
        answer_b="Good day\n\nNow this",
        style_a=Style(4),
        style_b=Style(4),
    )


@pytest.mark.parametrize(
    ("flags", "outcome"), [((1, 0, 0), "a"), ((0, 1, 0), "b"), ((0, 0, 1), "tie"), (("1", "0", "0"), "a")]
)
def test_arena_human_preference_55k(flags: tuple[Any, ...], outcome: str, tmp_path: Path) -> None:
    columns = ("winner_model_a", "winner_model_b", "winner_tie")
    (battle,) = taken(tmp_path, rows.OF_55K | dict(zip(columns, flags, strict=True)), "arena-55k")
    assert battle == Battle(
        id="30192",
        model_a="m",
        model_b="n",
        outcome=outcome,  # type: ignore[arg-type]
        prompt=prompt_pseudonym("hi and now?"),
        prompt_text="Hi\n\nAnd now?",
        answer_a="# Hello\n\n",
        answer_b="Good day\n\nNow this",
        style_a=Style(2, headers=1),
        style_b=Style(4),
    )


@pytest.mark.parametrize(
    ("winner", "outcome"), [("model_a", "a"), ("model_b", "b"), ("tie", "tie"), ("tie (inconsistent)", "tie")]
)
def test_mt_bench_judgments(winner: str, outcome: str, tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.MT | {"winner": winner}, "mt-bench")
    assert (battle.outcome, battle.voter) == (outcome, pseudonym("author_2"))
    assert battle.prompt == pseudonym("mt-bench/81/1")
    assert battle.tags == ()


def test_the_second_turn_of_mt_bench_is_another_prompt(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.MT | {"turn": 2, "judge": ["gpt-4", "pair-v2"]}, "mt-bench")
    assert battle.prompt == pseudonym("mt-bench/81/2")
    assert battle.tags == ("multiturn",)
    assert battle.voter == pseudonym('["gpt-4","pair-v2"]')


def test_llmfao_comparisons(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.CROWD, "llmfao")
    assert battle == Battle("0-58", "m", "n", "b", voter=pseudonym("58"), prompt=pseudonym("llmfao/8"))


@pytest.mark.parametrize(
    ("preference", "outcome", "share"),
    [(1, "a", 1.0), (2, "b", 0.0), (1.5, "tie", 0.5), (0, "tie", 0.5), (1.75, "b", 0.25), (1.25, "a", 0.75)],
)
def test_alpacaeval_prefers_the_model_above_one_and_a_half(
    preference: float, outcome: str, share: float, tmp_path: Path
) -> None:
    (battle,) = taken(tmp_path, rows.ALPACA | {"preference": preference}, "alpacaeval")
    assert (battle.model_a, battle.model_b) == ("baseline", "m")
    assert (battle.outcome, battle.share) == (outcome, share)
    assert (battle.style_a, battle.style_b) == (Style(5), Style(12)), "lengths are in characters"


def test_a_verdict_in_both_orders_is_two_battles_with_a_known_outcome(tmp_path: Path) -> None:
    first, second = taken(tmp_path, rows.BAR, "llmbar")
    # Output 2 is the better one. Shown second it won; shown first it lost.
    assert (first.model_a, first.model_b, first.outcome, first.gold) == (WORSE, BETTER, "b", "b")
    assert (second.model_a, second.model_b, second.outcome, second.gold) == (BETTER, WORSE, "b", "a")
    assert first.prompt == second.prompt
    assert first.voter == second.voter == pseudonym("GPT-4/Vanilla")


def test_our_own_layout_with_everything(tmp_path: Path) -> None:
    row = rows.PLAIN | {
        "id": "7",
        "voter": "anna",
        "prompt": "p1",
        "at": "2026-01-02T03:04:05+02:00",
        "language": "de",
        "tags": "code, math",
        "blind": "true",
        "gold": "a",
        "share": "0.5",
        "answer_a": "x",
    }
    (battle,) = taken(tmp_path, row, "plain")
    assert battle == Battle(
        id="7",
        model_a="m",
        model_b="n",
        outcome="tie",
        voter=pseudonym("anna"),
        prompt=pseudonym("p1"),
        at=datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC),
        language="de",
        tags=("code", "math"),
        blind=True,
        gold="a",
        share=0.5,
        answer_a="x",
        style_a=Style(1),
    )


def test_our_own_layout_with_three_columns(tmp_path: Path) -> None:
    (battle,) = taken(tmp_path, rows.PLAIN, "plain")
    assert battle == Battle(battle.id, "m", "n", "tie")


@pytest.mark.parametrize("row", [rows.OF_33K, rows.CROWD, rows.PLAIN | {"voter": "anna"}])
def test_a_salt_hides_voters_and_nothing_else(row: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, row)
    ((plain,), _), ((salted,), _) = read_battles(path), read_battles(path, salt="secret")
    assert plain.voter != salted.voter
    assert (plain.prompt, plain.model_a, plain.outcome) == (salted.prompt, salted.model_a, salted.outcome)
