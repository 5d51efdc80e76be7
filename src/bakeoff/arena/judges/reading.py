"""Verdicts from a file: what judges said, or people, one row a verdict."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bakeoff.arena.judges.agreement import Choice
from bakeoff.arena.judges.constant import Constancy, constancy
from bakeoff.arena.judges.ranking import Judge
from bakeoff.arena.judges.verdict import WINNERS, Verdict, Winner
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.digest import digest_bytes
from bakeoff.errors import BakeoffError

NO_VERSION = "version not told"
NO_PROMPT = "not told"
"""In the place of what the verdicts do not say of their judge."""

_WORDS: Mapping[str, Winner] = {word: word for word in WINNERS}
_IN_ORDER: Mapping[Winner, Choice] = {"first": "a", "second": "b", "tie": "tie"}
_TURNED: Mapping[Winner, Choice] = {"first": "b", "second": "a", "tie": "tie"}
_POINTS: Mapping[Choice | None, float] = {"a": 1.0, "b": 0.0, "tie": 0.5, None: float("nan")}
_DIGEST = re.compile(r"sha256:[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """The pairs (k) that one judge judged, as `corrected_win_rates` takes them.

    `judge` is what the judge gave `first`, NaN where its verdict could not be read, and `people` the mean of
    what people gave it, NaN where nobody was asked. `left_out` counts the pairs with a word of people's that
    the judge was not asked about.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    judge: tuple[float, ...]
    people: tuple[float, ...]
    items: tuple[str, ...]
    left_out: int


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


def read_judges(path: Path, families: Mapping[str, str] | None = None) -> tuple[Judge, ...]:
    """The judges of a file of verdicts, by name, with the families that `families` names.

    `judge_version` and `judge_prompt`, columns that may be missing, say which judge it was: its exact
    version, and the template that it was asked with, its text or its sha256 digest. What is not told is
    called so.

    Raises:
        BakeoffError: no such file, or two versions or prompts of one judge, which are two judges.
    """
    told: dict[str, dict[str, str]] = {}
    for row in rows_of(path):
        fields = Fields(row)
        now = {name: fields.text(name) or "" for name in ("judge_version", "judge_prompt")}
        name = fields.needed("judge")
        before = told.setdefault(name, now)
        for column, value in now.items():
            if value != before[column]:
                raise fields.error(
                    column,
                    f"{value!r:.60} where {name} has {before[column]!r:.60} in rows before",
                    "another version or prompt is another judge: give it a name of its own",
                )
    return tuple(
        Judge(
            name,
            each["judge_version"] or NO_VERSION,
            _digest(each["judge_prompt"]) or NO_PROMPT,
            (families or {}).get(name),
        )
        for name, each in sorted(told.items())
    )


def read_answers(path: Path) -> Mapping[str, Constancy]:
    """How constant the answers of each model are, from a file with the columns model and answer.

    Raises:
        BakeoffError: no such file, a model that is missing, or not one answer.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows_of(path):
        fields = Fields(row)
        found[fields.needed("model")].append(fields.text("answer") or "")
    if not any(map(any, found.values())):
        raise BakeoffError(f"{path} holds no answer", "answers are in the column `answer`, models in `model`")
    return {model: constancy(answers) for model, answers in sorted(found.items())}


def labelled_pairs(verdicts: Sequence[Verdict], people: Sequence[Verdict]) -> LabelledPairs:
    """All pairs on which there is a verdict of one judge, with what people said of some of them.

    What a judge says of a pair in both orders, or in one, is as for `beside_people`.
    """
    said, by_people = _by_pair(verdicts), _by_pair(people)
    labels = {
        pair: [_POINTS[choice] for choice in choices if choice is not None]
        for pair, choices in by_people.items()
    }
    pairs = sorted(said)
    given = [labels.get(pair) for pair in pairs]
    return LabelledPairs(
        first=tuple(low for _, low, _ in pairs),
        second=tuple(high for *_, high in pairs),
        judge=tuple(_POINTS[_one(said[pair])] for pair in pairs),
        people=tuple(fmean(points) if points else _POINTS[None] for points in given),
        items=tuple(item for item, *_ in pairs),
        left_out=sum(1 for pair, points in labels.items() if points and pair not in said),
    )


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


def _digest(prompt: str) -> str:
    """The digest of a prompt that is told as one, or as its text; empty where it is not told."""
    return prompt if not prompt or _DIGEST.fullmatch(prompt) else digest_bytes(prompt.encode())


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
