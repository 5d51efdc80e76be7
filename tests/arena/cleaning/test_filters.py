"""The filters that look at one battle, and those that count."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from bakeoff.arena.cleaning.blind import NotBlind
from bakeoff.arena.cleaning.daily_cap import DailyCap
from bakeoff.arena.cleaning.duplicates import DuplicatePrompts
from bakeoff.arena.cleaning.faults import Faults
from bakeoff.arena.cleaning.filter import Filter, parameters
from bakeoff.arena.cleaning.refusals import Refusals
from bakeoff.arena.cleaning.tagged import Tagged
from tests.arena.cleaning.made import battle, shuffled, votes

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_what_is_known_not_to_be_blind_goes() -> None:
    flags = NotBlind()(votes(battle("1", blind=True), battle("2", blind=False), battle("3")))
    assert flags.mask.tolist() == [False, True, False]
    assert flags.unjudged == 1


def test_a_tag_goes() -> None:
    flags = Tagged("unsampled")(
        votes(battle("1", tags=("code", "unsampled")), battle("2", tags=("code",)), battle("3"))
    )
    assert flags.mask.tolist() == [True, False, False]
    assert flags.reasons[0] == "tagged unsampled"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "an answer is empty"),
        (" \n ", "an answer is empty"),
        ("**API REQUEST ERROR** Reason: blocked", "an answer is an error message"),
        ("API request error. Please", "an answer is an error message"),
        ("API error: 500", "an answer is an error message"),
        ("Error code: 429", "an answer is an error message"),
        ("$MODERATION$ YOUR INPUT", "an answer is an error message"),
        ("Traceback (most recent call last):\n", "an answer is an error message"),
        ("Once upon a time▌", "an answer is unfinished"),
        ("A cursor ▌ looks like this.", None),
        ("To handle a network error, retry.", None),
        ("An error is a mistake.", None),
        ("Fine.", None),
    ],
)
def test_answers_that_are_none(answer: str, reason: str | None) -> None:
    found = Faults()(votes(battle("1", answer_a=answer, answer_b="Good."), battle("2", answer_b=answer)))
    assert [found.reasons[0], found.reasons[1]] == [reason, reason]
    assert Faults()(votes(battle("1"))).unjudged == 1


NO, YES = "I'm sorry, but I can't help with that.", "Gladly: boil the water."


@pytest.mark.parametrize(
    ("fields", "either", "both"),
    [
        ({"answer_a": NO, "answer_b": YES}, "one answer declines", None),
        ({"answer_a": YES, "answer_b": NO}, "one answer declines", None),
        ({"answer_a": NO, "answer_b": NO}, "both answers decline", "both answers decline"),
        ({"answer_a": YES, "answer_b": YES}, None, None),
        ({"answer_a": YES, "answer_b": YES, "tags": ("refusal",)}, None, None),
        ({"tags": ("refusal",)}, "tagged as a refusal", None),
    ],
)
def test_battles_about_declining(fields: dict[str, Any], either: str | None, both: str | None) -> None:
    found = votes(battle("1", **fields))
    assert Refusals()(found).reasons[0] == either
    assert Refusals("both")(found).reasons[0] == both


def test_refusals_that_nobody_recorded_are_unjudged() -> None:
    found = votes(battle("1"), battle("2", tags=("refusal",)))
    assert Refusals()(found).unjudged == 1
    assert Refusals("both")(found).unjudged == 2


def test_a_prompt_keeps_so_many_battles_and_no_prompt_keeps_all() -> None:
    rows = [battle(f"p{n}", prompt="p") for n in range(50)] + [battle(f"q{n}", prompt="q") for n in range(3)]
    rows += [battle(f"n{n}") for n in range(9)]
    flags = DuplicatePrompts(5)(votes(*rows))
    assert flags.mask[:50].sum() == 45
    assert not flags.mask[50:].any()
    assert flags.unjudged == 9


def test_the_draw_among_duplicates_is_by_id_and_seed() -> None:
    rows = [battle(f"p{n}", prompt="p") for n in range(60)]
    everything = votes(*rows)
    kept = ~DuplicatePrompts(20)(everything).mask
    mixed, order = shuffled(everything)
    assert np.array_equal(~DuplicatePrompts(20)(mixed).mask, kept[order])
    assert not np.array_equal(~DuplicatePrompts(20, seed=1)(everything).mask, kept)
    # A larger cap only adds; battles of other prompts change nothing.
    assert (~DuplicatePrompts(30)(everything).mask >= kept).all()
    more = votes(*rows, *(battle(f"x{n}", prompt="x") for n in range(40)))
    assert np.array_equal(~DuplicatePrompts(20)(more).mask[:60], kept)


def test_each_duplicate_is_as_likely_to_stay() -> None:
    everything = votes(*(battle(f"p{n}", prompt="p") for n in range(40)))
    stays = np.mean([~DuplicatePrompts(10, seed=seed)(everything).mask for seed in range(400)], axis=0)
    # 400 draws of 1 in 4: a standard deviation of .022, and forty of them.
    assert stays.mean() == pytest.approx(0.25)
    assert np.abs(stays - 0.25).max() < 4.5 * 0.0217


def test_the_first_votes_of_a_day_stay() -> None:
    hours = [0, 1, 2, 11, 12, 13, 36]
    rows = [battle(str(n), voter="v", at=NOON + timedelta(hours=h)) for n, h in enumerate(hours)]
    rows += [battle("w", voter="w", at=NOON), battle("nobody", at=NOON), battle("no time", voter="v")]
    flags = DailyCap(2)(votes(*rows))
    # Noon to eleven in the evening is one day, midnight on another, noon after that a third.
    assert flags.mask.tolist() == [False, False, True, True, False, False, False, False, False, False]
    assert flags.unjudged == 2


RULES: list[Filter] = [DuplicatePrompts(2), DailyCap(2), NotBlind(), Tagged("x"), Faults(), Refusals()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_order_of_battles_changes_nothing(rule: Filter) -> None:
    rng = np.random.default_rng(5)
    rows = [
        battle(
            str(n),
            voter=f"v{rng.integers(3)}",
            prompt=f"p{rng.integers(4)}",
            at=NOON + timedelta(hours=int(rng.integers(30))),
            blind=bool(rng.integers(2)),
            tags=("x",) if rng.integers(2) else (),
            answer_a=str(rng.choice(["", NO, YES])),
        )
        for n in range(60)
    ]
    everything = votes(*rows)
    mixed, order = shuffled(everything)
    flags, again = rule(everything), rule(mixed)
    assert flags.mask.any()
    assert not flags.mask.all()
    assert flags.reasons.names == again.reasons.names
    assert np.array_equal(flags.reasons.codes[order], again.reasons.codes)
    assert flags.unjudged == again.unjudged


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_filter_records_what_it_was_told(rule: Filter) -> None:
    assert isinstance(rule, Filter)
    assert parameters(rule) == {name: getattr(rule, name) for name in parameters(rule)}
    assert rule == type(rule)(**parameters(rule))
    assert not rule(votes()).mask.any()


@pytest.mark.parametrize("rule", [DuplicatePrompts, DailyCap])
def test_a_cap_below_one_is_refused(rule: Any) -> None:
    with pytest.raises(ValueError, match="cap"):
        rule(0)
