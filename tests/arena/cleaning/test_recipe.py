from typing import Any

import pytest

from bakeoff.arena.cleaning.duplicates import DuplicatePrompts
from bakeoff.arena.cleaning.filter import Filter, parameters
from bakeoff.arena.cleaning.gold_pairs import GoldPairs
from bakeoff.arena.cleaning.leaks import IdentityLeaks
from bakeoff.arena.cleaning.makers import Maker
from bakeoff.arena.cleaning.recipe import DEFAULT, FILTERS, filter_named, filters_of
from bakeoff.errors import BakeoffError

NEEDED: dict[str, dict[str, Any]] = {
    "tag": {"tag": "code"},
    "duplicate-prompts": {"cap": 3},
    "daily-cap": {"cap": 9},
}


@pytest.mark.parametrize("name", FILTERS)
def test_what_a_filter_records_makes_it_again(name: str) -> None:
    made = filter_named(name, NEEDED.get(name))
    assert made.name.replace(" ", "-") == name
    assert filter_named(name, parameters(made)) == made


def test_what_the_default_records_makes_it_again() -> None:
    recorded = [{"filter": rule.name.replace(" ", "-"), **parameters(rule)} for rule in DEFAULT]
    assert filters_of(recorded) == DEFAULT


def test_a_recipe_keeps_its_order() -> None:
    expected: tuple[Filter, ...] = (GoldPairs(alpha=0.1), DuplicatePrompts(20, seed=4))
    recipe = [{"filter": "known-pairs", "alpha": 0.1}, {"filter": "duplicate-prompts", "cap": 20, "seed": 4}]
    assert filters_of(recipe) == expected


def test_makers_come_as_texts() -> None:
    made = filter_named("identity-leaks", {"more": [{"families": ["zephyr"], "names": ["acme labs"]}]})
    assert made == IdentityLeaks(more=(Maker(("zephyr",), ("acme labs",)),))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "filter 2: an entry names its filter"),
        ("faults", "filter 2: an entry names its filter"),
        ({"filter": "dedup"}, "filter 2: no filter is called 'dedup'"),
        ({"filter": "daily-cap", "max": 3}, "filter 2: daily-cap: there is no parameter 'max'"),
        ({"filter": "daily-cap"}, "filter 2: daily-cap: .*missing.*cap"),
        ({"filter": "daily-cap", "cap": 0}, "filter 2: daily-cap: cap is how many"),
        ({"filter": "daily-cap", "cap": "3"}, "filter 2: daily-cap: "),
        ({"filter": "refusals", "answers": "all"}, "filter 2: refusals: answers is either or both"),
        ({"filter": "identity-leaks", "whose": "mine"}, "filter 2: identity-leaks: whose is own or any"),
        (
            {"filter": "anomalous-voters", "method": "x"},
            "filter 2: anomalous-voters: method is one of likeness",
        ),
        ({"filter": "anomalous-voters", "alpha": None}, "filter 2: anomalous-voters: "),
    ],
)
def test_an_entry_that_cannot_be_is_named(entry: Any, message: str) -> None:
    with pytest.raises(BakeoffError, match=message):
        filters_of([{"filter": "faults"}, entry])
