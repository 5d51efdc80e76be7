"""A judge's preferences between a baseline's answers and those of models, from AlpacaEval's annotations."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.importing.alpacaeval import ALPACAEVAL
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.format import Untaken
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.arena.votes.pseudonym import prompt_pseudonym
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ModelPreferences:
    """n preferences for a model's answers over the baseline's.

    `preference` (n,) is how sure the judge is of the model's answer, in [0, 1]. `instructions` are pseudonyms
    of the instructions; one that was not told is alone. `lengths` (n, 2) are characters of the baseline's
    answer and the model's, None where they are not known of all. `answers` are the model's; none where they
    were not kept.
    """

    preference: FloatArray
    instructions: tuple[str, ...]
    lengths: FloatArray | None
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences of one `judge` against one `baseline`, by model; `untaken` counts the other rows by reason.

    `judge` is what the annotations call it, judge and prompt in one name; empty where they do not.
    """

    judge: str
    baseline: str
    models: Mapping[str, ModelPreferences]
    untaken: Mapping[str, int]


def read_preferences(paths: Iterable[Path]) -> Preferences:
    """Preferences from files of AlpacaEval's annotations, a model or several a file.

    Where answers were not kept, `length_1` and `length_2` may say how many characters they had.

    Raises:
        BakeoffError: no such file, a file of another format, a value that cannot be, no preference, several
            judges, or several baselines; each with its file and line.
    """
    told: dict[str, str] = {}
    untaken: Counter[str] = Counter()
    rows: dict[str, list[tuple[Battle, tuple[float, float] | None]]] = defaultdict(list)
    for path in paths:
        for row in rows_of(path):
            fields = Fields(row)
            for column in ("generator_1", "generator_2"):
                if not fields.has(column):
                    raise fields.error(column, "is missing", "give annotations as AlpacaEval publishes them")
            for battle in ALPACAEVAL.battles(fields):
                if isinstance(battle, Untaken):
                    untaken[battle.reason] += 1
                    continue
                for column, what in (("generator_1", "baseline"), ("annotator", "judge")):
                    _check_same(told, fields, column, what)
                rows[battle.model_b].append((battle, _lengths(fields, battle)))
    if not rows:
        raise BakeoffError("the files hold no preference", "there is no win rate to tell")
    return Preferences(
        judge=told["annotator"],
        baseline=told["generator_1"],
        models={model: _of_model(found) for model, found in sorted(rows.items())},
        untaken=dict(sorted(untaken.items())),
    )


def read_difficulty(path: Path) -> Mapping[str, float]:
    """How hard instructions are, by pseudonym, from a file with the columns instruction and difficulty.

    The instruction is its text: its place in a list would be another one wherever rows are left out.

    Raises:
        BakeoffError: no such file, a field that is missing, or an instruction with two difficulties.
    """
    found: dict[str, float] = {}
    for row in rows_of(path):
        fields = Fields(row)
        instruction, value = prompt_pseudonym(fields.needed("instruction")), fields.number("difficulty")
        if value is None:
            raise fields.error("difficulty", "is missing", "each instruction needs one, on any scale")
        if found.setdefault(instruction, value) != value:
            raise fields.error("instruction", "stands twice, with different difficulties")
    return found


def _check_same(told: dict[str, str], fields: Fields, column: str, what: str) -> None:
    value = fields.text(column) or ""
    if value != told.setdefault(column, value):
        raise fields.error(
            column,
            f"another {what}, {value!r:.60} where rows before have {told[column]!r:.60}",
            f"win rates are by one judge against one baseline: give the files of one {what} alone",
        )


def _lengths(fields: Fields, battle: Battle) -> tuple[float, float] | None:
    one, other = fields.number("length_1"), fields.number("length_2")
    if one is not None and other is not None:
        if min(one, other) < 0:
            raise fields.error("length_1 and length_2", f"count characters, got {one:g} and {other:g}")
        return one, other
    if battle.answer_a is None and battle.answer_b is None:
        return None
    # An empty answer is one of no character.
    return float(len(battle.answer_a or "")), float(len(battle.answer_b or ""))


def _of_model(rows: list[tuple[Battle, tuple[float, float] | None]]) -> ModelPreferences:
    known = [lengths for _, lengths in rows if lengths is not None]
    answers = tuple(battle.answer_b or "" for battle, _ in rows)
    return ModelPreferences(
        preference=np.array([1 - (battle.share or 0.0) for battle, _ in rows]),
        instructions=tuple(battle.prompt or f"row {at}" for at, (battle, _) in enumerate(rows)),
        lengths=np.array(known) if len(known) == len(rows) else None,
        answers=answers if any(answers) else (),
    )
