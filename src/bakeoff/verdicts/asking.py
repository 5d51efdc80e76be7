"""Ask a judge about the answers of runs. What it is asked is a task, and what it says is a run of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.judging import Order, Rubric, mark_of, orders, render, rubric_of, verdict_constraint
from bakeoff.judging.units import numbering_of
from bakeoff.run import Job, Watch, run_jobs
from bakeoff.run.execute import resume_prepared
from bakeoff.store import JudgingRecord, Manifest, Settings, read_manifest
from bakeoff.task import Prepared, Task, prepare
from bakeoff.verdicts.cases import Shown, Subject, paired_subjects, subjects
from bakeoff.verdicts.scoring import judged_run


@dataclass(frozen=True, slots=True)
class Asking:
    """Whom to ask, and how.

    `constrain` holds the judge to the form of a verdict, on engines that can. Each case is put to it
    `repeats` times (in either order, for pairs); at a `temperature` of 0 most judges only say the same again.
    """

    model: str
    settings: Mapping[str, str] = field(default_factory=dict)
    repeats: int = 1
    temperature: float = 0.0
    max_tokens: int = 1024
    constrain: bool = False
    shown: Shown = field(default_factory=Shown)
    seed: int = 0
    limit: int | None = None
    cache: bool = True


def judge_run(
    folder: Path,
    rubric: Rubric,
    asking: Asking,
    *,
    out: Path,
    watch: Watch | None = None,
) -> tuple[Path, Path]:
    """Have every answer of the run in `folder` judged by itself.

    Returns the judge's own run, and the judged run: the answers of `folder` with the judge's values as their
    scores. `asking.limit` keeps to the first so many answers; the others stay without a score.

    Raises:
        BakeoffError: the rubric is for pairs, the run has not ended, or holds no answer to judge.
        Stopped: the judge's run ended early, and can be resumed.
    """
    if rubric.kind == "pairwise":
        raise BakeoffError(
            "the rubric compares two answers", "name two runs, or take a rubric of kind: grades"
        )
    verdicts = _ask([folder], rubric, asking, out, watch)
    return verdicts, judged_run(verdicts, folder, out=out)


def judge_pairs(
    first: Path, second: Path, rubric: Rubric, asking: Asking, *, out: Path, watch: Watch | None = None
) -> Path:
    """Have the answers of two runs judged side by side, item by item and in both orders; the judge's run.

    Its score is the share of verdicts for the first run's answers, ties counting half. `pairs` says more.

    Raises:
        BakeoffError: the rubric is for single answers, or the runs are not of the same items.
        Stopped: the judge's run ended early, and can be resumed.
    """
    if rubric.kind != "pairwise":
        raise BakeoffError(
            f"the rubric, of kind {rubric.kind}, judges answers one by one",
            "name one run at a time, or take a rubric of kind: pairwise",
        )
    return _ask([first, second], rubric, asking, out, watch)


def resume(verdicts: Path, *, out: Path, watch: Watch | None = None) -> tuple[Path, Path | None]:
    """Go on with a judge's run that was stopped; of single answers also make the judged run.

    Raises:
        StoreError: the runs it judged, or the rubric, have changed since.
        Stopped: as before.
    """
    manifest = read_manifest(verdicts)
    judging = _judging(manifest)
    rubric = rubric_of(judging.rubric)
    resume_prepared(verdicts, _prepared(judging, manifest.task.args, manifest.settings.seed), watch=watch)
    if rubric.kind == "pairwise":
        return verdicts, None
    return verdicts, judged_run(verdicts, Path(judging.folders[0]), out=out)


def rows(
    seed: int, _n: int, *, folders: Sequence[str], rubric: Mapping[str, Any], **how: Any
) -> Iterator[Any]:
    """One row for each text that the judge is to read: an answer, or a pair in one of its orders."""
    read = rubric_of(rubric)
    shown = Shown(how["question"], how["context"])
    paths = [Path(folder) for folder in folders]
    if read.kind == "pairwise":
        for subject in paired_subjects(paths[0], paths[1], shown):
            for order in orders(seed, read.digest, subject.case.id):
                yield _row(subject, order, read, seed)
    else:
        for subject in subjects(paths[0], read, shown):
            yield _row(subject, (0,), read, seed)


def _ask(folders: Sequence[Path], rubric: Rubric, asking: Asking, out: Path, watch: Watch | None) -> Path:
    manifests = [_ended(folder) for folder in folders]
    judging = JudgingRecord(
        rubric=rubric.model_dump(mode="json", exclude_defaults=True),
        rubric_digest=rubric.digest,
        judge={},
        runs=[manifest.run_id for manifest in manifests],
        folders=[str(folder.resolve()) for folder in folders],
    )
    how = {
        "task": f"judge-{_named(manifests)}",
        "max_tokens": asking.max_tokens,
        "temperature": asking.temperature,
        "constrain": asking.constrain,
        **asdict(asking.shown),
    }
    made = run_jobs(
        [Job(_prepared(judging, how, asking.seed), "", judging=judging, args=how)],
        asking.model,
        asking.settings,
        settings=Settings(
            seed=asking.seed,
            limit=asking.limit,
            repeats=asking.repeats,
            cache=asking.cache,
            unscored_budget=1.0,
        ),
        out=out,
        watch=watch,
    )
    return made[0]


def _prepared(judging: JudgingRecord, how: Mapping[str, Any], seed: int) -> Prepared:
    """The task of a judge's run, as `how` in its manifest says."""
    args = {"folders": judging.folders, "rubric": judging.rubric} | {
        key: how[key] for key in ("question", "context")
    }
    number = sum(1 for _ in rows(seed, 0, **args))
    if number == 0:
        raise BakeoffError(
            f"{' and '.join(judging.folders)}: no answer that can be judged",
            "answers that are empty, cut off, refused or failed are not shown to a judge",
        )
    task = Task(
        name=how["task"],
        description="A judge's verdicts on recorded answers.",
        data={"generator": rows, "n": number, "seed": seed, "args": args},
        scorer={"name": "verdict", "rubric": judging.rubric},
        private=any(read_manifest(Path(folder)).task.private for folder in judging.folders),
        generation={
            "max_tokens": how["max_tokens"],
            "temperature": how["temperature"],
            "constrain": {"json_schema_column": "schema"} if how["constrain"] else None,
        },
    )
    return prepare(task, seed=seed)


def _row(subject: Subject, order: Order, rubric: Rubric, seed: int) -> dict[str, Any]:
    mark = mark_of(subject.case, order, seed=seed, task=rubric.digest)
    numbering = numbering_of(rubric, subject.case)
    place = "" if rubric.kind != "pairwise" else f" {list(order)}"
    # A column of these values alone keeps the digest of the items small: the schema follows from the mark.
    return {
        "id": f"{subject.case.id}{place}",
        "messages": [
            {"role": message.role, "content": message.text}
            for message in render(rubric, subject.case, order, mark)
        ],
        "group": subject.group or subject.item,
        "schema": verdict_constraint(rubric, mark, numbering).text,
        "metadata": {
            "item": subject.item,
            "repeat": subject.repeat,
            "order": list(order),
            "mark": mark,
        }
        | ({"numbering": numbering.as_metadata()} if numbering else {}),
    }


def _ended(folder: Path) -> Manifest:
    manifest = read_manifest(folder)
    if "samples.parquet" not in manifest.files:
        raise BakeoffError(f"{folder} has not ended", f"finish it first: bakeoff run --resume {folder}")
    return manifest


def _judging(manifest: Manifest) -> JudgingRecord:
    if manifest.judging is None or manifest.judging.verdicts is not None:
        raise BakeoffError(f"{manifest.run_id} is not the run of a judge")
    return manifest.judging


def _named(manifests: Sequence[Manifest]) -> str:
    return "-".join(dict.fromkeys(manifest.task.name for manifest in manifests))
