"""Filters by name, as a file or a command line gives them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from bakeoff.arena.cleaning.anomalous_voters import AnomalousVoters
from bakeoff.arena.cleaning.blind import NotBlind
from bakeoff.arena.cleaning.daily_cap import DailyCap
from bakeoff.arena.cleaning.duplicates import DuplicatePrompts
from bakeoff.arena.cleaning.faults import Faults
from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.gold_pairs import GoldPairs
from bakeoff.arena.cleaning.leaks import IdentityLeaks
from bakeoff.arena.cleaning.machine_pace import MachinePace
from bakeoff.arena.cleaning.makers import Maker
from bakeoff.arena.cleaning.newcomer_crowd import NewcomerCrowd
from bakeoff.arena.cleaning.refusals import Refusals
from bakeoff.arena.cleaning.tagged import Tagged
from bakeoff.errors import BakeoffError

FILTERS: Mapping[str, Any] = MappingProxyType(
    {
        each.name.replace(" ", "-"): each
        for each in (
            NotBlind,
            Tagged,
            Faults,
            IdentityLeaks,
            Refusals,
            DuplicatePrompts,
            DailyCap,
            GoldPairs,
            MachinePace,
            AnomalousVoters,
            NewcomerCrowd,
        )
    }
)
"""In the order in which they are best asked: those that look at one battle first, those that count last."""
DEFAULT: tuple[Filter, ...] = (
    NotBlind(),
    Faults(),
    IdentityLeaks(),
    MachinePace(),
    AnomalousVoters(),
    NewcomerCrowd(),
)
"""What needs no number that only the arena itself can choose."""


def filter_named(name: str, told: Mapping[str, Any] | None = None) -> Filter:
    """The filter of a name, with its parameters.

    Raises:
        BakeoffError: no such filter, a parameter that it does not have or that is missing, or a value that
            cannot be.
    """
    kind = FILTERS.get(name)
    if kind is None:
        raise BakeoffError(f"no filter is called {name!r}", f"there are {', '.join(FILTERS)}")
    known = {each.name for each in fields(kind)}
    told = dict(told or {})
    if unknown := sorted(told.keys() - known):
        raise BakeoffError(
            f"{name}: there is no parameter {unknown[0]!r}", f"it has {', '.join(sorted(known)) or 'none'}"
        )
    try:
        if "more" in told:
            told["more"] = tuple(_maker(each) for each in told["more"])
        made: Filter = kind(**told)
    except (TypeError, ValueError) as error:
        raise BakeoffError(f"{name}: {error}") from None
    return made


def filters_of(recipe: Iterable[Mapping[str, Any]]) -> tuple[Filter, ...]:
    """The filters of a list such as `[{"filter": "duplicate-prompts", "cap": 20}]`, in its order.

    Raises:
        BakeoffError: an entry without `filter`, and as in `filter_named`, with the number of the entry.
    """
    found = []
    for number, entry in enumerate(recipe, 1):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("filter"), str):
            raise BakeoffError(
                f"filter {number}: an entry names its filter, got {entry!r}", f"one of {', '.join(FILTERS)}"
            )
        told = {key: value for key, value in entry.items() if key != "filter"}
        try:
            found.append(filter_named(entry["filter"], told))
        except BakeoffError as error:
            raise BakeoffError(f"filter {number}: {error.message}", error.hint) from None
    return tuple(found)


def _maker(told: Mapping[str, Sequence[str]]) -> Maker:
    return Maker(
        tuple(told["families"]) if "families" in told else (),
        tuple(told["names"]) if "names" in told else (),
        tuple(told["ordinary"]) if "ordinary" in told else (),
    )
