"""A run whose scores are a judge's: the answers as recorded, the values from the judge's own run."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bakeoff.digest import digest
from bakeoff.errors import BakeoffError
from bakeoff.judging import Rubric, rubric_of
from bakeoff.judging.scorer import NOT_SCORABLE
from bakeoff.nouns import Outcome, Sample, Score
from bakeoff.run.execute import finish
from bakeoff.store import (
    Journal,
    journal_path,
    new_run_folder,
    query,
    read_manifest,
    read_samples,
    write_manifest,
)
from bakeoff.task import digest_of_parts
from bakeoff.verdicts.cases import Shown, scorable, subject

_LONGEST_REASON = 500
_Said = tuple[float | None, str | None, str]
"""The value of a verdict, its choices, and the judge's reason or why there is none."""


def judged_run(verdicts: Path, folder: Path, *, out: Path) -> Path:
    """The run in `folder` with the values of the judge's run in `verdicts` as its scores: a new run.

    Of several verdicts on an answer the readable ones are averaged; without any it is a `scorer_error`.
    Answers that no judge was shown keep their outcomes: refused, empty, truncated, failed.

    Raises:
        BakeoffError: the verdicts are on another run.
    """
    judge, old = read_manifest(verdicts), read_manifest(folder)
    judging = judge.judging
    if judging is None or judging.runs != [old.run_id]:
        raise BakeoffError(f"{verdicts} does not hold verdicts on the answers of {folder}")
    said, rubric = _said(verdicts), rubric_of(judging.rubric)
    shown = Shown(judge.task.args["question"], judge.task.args["context"])
    scorer = f"{judge.task.scorer[:-1]},judge={digest(judging.judge)[7:19]})"
    parts = dict(old.task.parts) | {"scorer": scorer}
    target = new_run_folder(out, folder.parent.parent.name, folder.parent.name)
    manifest = old.model_copy(
        update={
            "run_id": target.name,
            "status": "running",
            "parent": old.run_id,
            "files": {},
            "judging": judging.model_copy(update={"verdicts": judge.run_id}),
            "task": old.task.model_copy(
                update={"scorer": scorer, "parts": parts, "digest": digest_of_parts(parts)}
            ),
        }
    )
    write_manifest(target, manifest)
    with Journal(journal_path(target)) as journal:
        for sample in read_samples(folder):
            verdict = said.get((sample.item_id, sample.repeat))
            score = _score(verdict, scorer) if verdict else _unasked(sample, rubric, shown, scorer)
            journal.append(replace(sample, score=score))
    finish(target, manifest)
    return target


def _said(verdicts: Path) -> dict[tuple[str, int], list[_Said]]:
    found: dict[tuple[str, int], list[_Said]] = defaultdict(list)
    sql = "SELECT metadata, value, extracted, reason FROM samples ORDER BY item_id, repeat"
    for metadata, value, extracted, reason in query(verdicts, sql):
        shown = json.loads(metadata)
        found[shown["item"], shown["repeat"]].append((value, extracted, reason[:_LONGEST_REASON]))
    return found


def _score(said: Sequence[_Said], scorer: str) -> Score:
    read = [(value, choices, why) for value, choices, why in said if value is not None]
    if not read:
        return Score(Outcome.SCORER_ERROR, None, None, said[0][2], scorer)
    value = sum(value for value, _, _ in read) / len(read)
    counted = f"{len(read)} of {len(said)} verdicts: " if len(said) > 1 else ""
    choices = "; ".join(choices or "" for _, choices, _ in read)
    return Score(Outcome.SCORED, value, choices, f"{counted}{read[0][2]}", scorer)


def _unasked(sample: Sample, rubric: Rubric, shown: Shown, scorer: str) -> Score:
    """Of an answer without a verdict: its own outcome where it is no answer, else why no judge was asked."""
    found = subject(sample, shown)
    if found is None:
        return replace(sample.score, scorer=scorer)
    why = "no judge was asked about this answer" if scorable(found, rubric) else NOT_SCORABLE
    return Score(Outcome.SCORER_ERROR, None, None, why, scorer)
