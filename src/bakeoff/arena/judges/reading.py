"""Verdicts from a file: what judges said, or people, one row a verdict."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from bakeoff.arena.judges.agreement import Choice
from bakeoff.arena.judges.verdict import WINNERS, Verdict, Winner
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.errors import BakeoffError

_WORDS: Mapping[str, Winner] = {word: word for word in WINNERS}
_IN_ORDER: Mapping[Winner, Choice] = {"first": "a", "second": "b", "tie": "tie"}
_TURNED: Mapping[Winner, Choice] = {"first": "b", "second": "a", "tie": "tie"}


def read_verdicts(path: Path) -> tuple[Verdict, ...]:
    """Verdicts from CSV, JSON, JSONL or Parquet with the columns item, judge, first, second and winner.

    `first` and `second` are models in the order in which their answers were read; `winner` is first, second
    or tie, empty where the verdict could not be read. `length_first`, `length_second`, `gold` (as winner) and
    `time` (how often the very same was asked before) may be missing.

    Raises:
        BakeoffError: no such file, no row, or a value that cannot be, with its line and column.
    """
    found = tuple(map(_verdict, map(Fields, rows_of(path))))
    if not found:
        raise BakeoffError(f"{path} holds no row", "there is no verdict to look at")
    return found


def read_families(path: Path) -> Mapping[str, str]:
    """Families of models and judges by name, from a file with the columns name and family.

    Raises:
        BakeoffError: no such file, a field that is missing, or a name that stands twice.
    """
    found: dict[str, str] = {}
    for row in rows_of(path):
        fields = Fields(row)
        name = fields.needed("name")
        if name in found:
            raise fields.error("name", f"{name!r} stands twice", "a model or judge has one family")
        found[name] = fields.needed("family")
    return found


def beside_people(
    verdicts: Sequence[Verdict], people: Sequence[Verdict]
) -> tuple[list[Choice | None], list[tuple[Choice, ...]], list[str]]:
    """The pairs on which there is a verdict of one judge, and people's, as `with_people` takes them: the
    judge's choice, people's choices, and the item of each.

    A judge that was asked in both orders has the choice that both name, and a tie where they differ; one that
    was asked in one order has what it said there. A pair with an unread verdict has no choice.
    """
    said, by_people = _by_pair(verdicts), _by_pair(people)
    pairs = sorted(said.keys() & by_people.keys())
    people_said = [tuple(choice for choice in by_people[pair] if choice is not None) for pair in pairs]
    kept = [at for at, choices in enumerate(people_said) if choices]
    return (
        [_one(said[pairs[at]]) for at in kept],
        [people_said[at] for at in kept],
        [pairs[at][0] for at in kept],
    )


def _verdict(fields: Fields) -> Verdict:
    sizes = [fields.number(f"length_{place}") for place in ("first", "second")]
    first, second = sizes
    lengths = None if first is None or second is None else (first, second)
    try:
        return Verdict(
            item=fields.needed("item"),
            judge=fields.needed("judge"),
            first=fields.needed("first"),
            second=fields.needed("second"),
            winner=fields.word("winner", _WORDS),
            lengths=lengths,
            gold=fields.word("gold", _WORDS),
            time=int(fields.number("time") or 0),
        )
    except ValueError as error:
        raise fields.error("the row", str(error)) from None


def _by_pair(verdicts: Sequence[Verdict]) -> dict[tuple[str, str, str], list[Choice | None]]:
    """What was said of each item and pair of models, the first by name being `a`; repeats are left out."""
    found: dict[tuple[str, str, str], list[Choice | None]] = defaultdict(list)
    for each in verdicts:
        if each.time == 0:
            low, high = sorted((each.first, each.second))
            found[each.item, low, high].append(_choice(each))
    return found


def _choice(verdict: Verdict) -> Choice | None:
    if verdict.winner is None:
        return None
    return (_IN_ORDER if verdict.first < verdict.second else _TURNED)[verdict.winner]


def _one(choices: Sequence[Choice | None]) -> Choice | None:
    """A judge's word on a pair."""
    if None in choices:
        return None
    return choices[0] if len(set(choices)) == 1 else "tie"
