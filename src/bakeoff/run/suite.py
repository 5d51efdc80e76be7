"""What runs say of a suite: a score for each column, and one for all."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bakeoff.run.cell import Cell, cells
from bakeoff.stats import Interval
from bakeoff.stats.board.combined import combined
from bakeoff.store import Manifest, caveats, find_runs, read_manifest
from bakeoff.store.privacy import of_private_board
from bakeoff.task.suite import Column, Part, Suite


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """The mean of a column's parts, over `n` items. Without a `value`, `missing` names what is not there."""

    name: str
    value: float | None
    interval: Interval | None
    n: int
    cells: tuple[Cell, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """A model's row.

    `value` is None while a column is missing: a missing score is neither 0 nor left out, which would compare
    models on different tasks. `notes` say what was not asked whole, how many samples have no score, and
    which scores a judge gave that nobody calibrated.
    """

    suite: str
    version: str
    model: str
    value: float | None
    interval: Interval | None
    columns: tuple[ColumnScore, ...]
    runs: Mapping[str, str]
    notes: tuple[str, ...]


def suite_runs(suite: Suite, out: Path) -> list[Path]:
    """The complete runs of the suite's tasks under `out`, oldest first."""
    read = ((folder, read_manifest(folder)) for folder in find_runs(out) if not of_private_board(folder))
    return [
        folder for folder, manifest in read if manifest.status == "complete" and _ref(manifest) in suite.refs
    ]


def suite_scores(suite: Suite, folders: Iterable[Path], level: float = 0.95) -> list[SuiteScore]:
    """One row for each model that was run on a task of the suite; the best first, those without a score last.

    Of several runs of a model on a task the newest counts, one that a language model judged only where there
    is no other. The same weights at another precision or revision,
    in another engine or with other settings have a row of their own.

    Raises:
        BakeoffError: an item lacks a metadata column that the suite needs, or has a value without a floor.
    """
    models: dict[tuple[str, ...], dict[str, Path]] = {}
    read = [(folder, read_manifest(folder)) for folder in folders]
    for folder, manifest in sorted(read, key=lambda run: (run[1].judging is None, run[0].name)):
        if _ref(manifest) in suite.refs:
            models.setdefault(_model(manifest), {})[_ref(manifest)] = folder
    names = Counter(name for name, *_ in models)
    rows = [
        _row(suite, ", ".join(filter(None, model)) if names[model[0]] > 1 else model[0], runs, level)
        for model, runs in models.items()
    ]
    return sorted(rows, key=lambda row: (row.value is None, -(row.value or 0.0), row.model))


def _model(manifest: Manifest) -> tuple[str, ...]:
    """The model's name, then what tells it from others of that name."""
    identity = manifest.model.identity
    # The revision of recorded answers is the digest of a file, which each task may have its own of.
    facts = ["precision", "revision", "engine"] if identity.get("engine") != "recorded" else []
    settings = identity.get("settings") or {}
    return (
        str(identity.get("name") or manifest.model.ref),
        *(str(identity.get(fact) or "") for fact in facts),
        ", ".join(f"{name} {value}" for name, value in sorted(settings.items())),
    )


def _row(suite: Suite, model: str, runs: Mapping[str, Path], level: float) -> SuiteScore:
    columns = tuple(_column(column, runs, level, clip=suite.clip) for column in suite.columns)
    total = sum(column.weight for column in suite.columns)
    value, interval = _mean(
        [
            (cell, column.weight / total * share)
            for column, score in zip(suite.columns, columns, strict=True)
            for cell, share in _shares(score.cells)
        ],
        whole=not any(column.missing for column in columns),
    )
    manifests = {ref: read_manifest(folder) for ref, folder in runs.items()}
    return SuiteScore(
        suite=suite.name,
        version=str(suite.version),
        model=model,
        value=value,
        interval=interval,
        columns=columns,
        runs={ref: str(folder) for ref, folder in runs.items()},
        notes=tuple(note for ref, manifest in manifests.items() if (note := _note(ref, manifest))),
    )


def _column(column: Column, runs: Mapping[str, Path], level: float, *, clip: bool) -> ColumnScore:
    missing = [ref for part in column.parts for ref in part.tasks if ref not in runs]
    found: list[Cell] = []
    for part in column.parts:
        if all(ref in runs for ref in part.tasks):
            made = cells(part, runs, level, clip=clip)
            found += made
            missing += _absent(part, made)
    value, interval = _mean(_shares(tuple(found)), whole=not missing)
    n = sum(cell.score.n for cell in found)
    return ColumnScore(column.name, value, interval, n, tuple(found), tuple(missing))


def _absent(part: Part, found: list[Cell]) -> list[str]:
    """The values of `by` that a floor is given for, and that no item has."""
    there, floors = {cell.name for cell in found}, part.floor
    known = floors if isinstance(floors, dict) else ()
    return [f"{part.by} = {name}" for name in known if name not in there]


def _shares(found: tuple[Cell, ...]) -> list[tuple[Cell, float]]:
    """Each cell with its weight in the column: parts count the same, and so do the cells of a part."""
    parts: dict[str, list[Cell]] = {}
    for cell in found:
        parts.setdefault(cell.part, []).append(cell)
    return [(cell, 1 / len(parts) / len(each)) for each in parts.values() for cell in each]


def _mean(found: list[tuple[Cell, float]], *, whole: bool) -> tuple[float | None, Interval | None]:
    values = [cell.value for cell, _ in found]
    if not whole or not found or None in values:
        return None, None
    known = [value for value in values if value is not None]
    intervals = [cell.interval for cell, _ in found if cell.interval is not None]
    weights = [weight for _, weight in found]
    value = sum(weight * each for weight, each in zip(weights, known, strict=True))
    if len(intervals) < len(found):
        return value, None
    return value, combined(known, intervals, weights, [cell.sharing for cell, _ in found])


def _ref(manifest: Manifest) -> str:
    task = manifest.task
    return task.name if task.variant == "default" else f"{task.name}:{task.variant}"


def _note(ref: str, manifest: Manifest) -> str:
    asked, there = manifest.settings.limit, manifest.task.n_items
    parts = [f"only the first {asked:,} of {there:,} items"] if asked is not None and asked < there else []
    unscored = sum(manifest.counts.get(each, 0) for each in ("too_long", "model_error", "scorer_error"))
    parts += [f"{unscored:,} samples without a score"] if unscored else []
    parts += caveats(manifest)
    return f"{ref}: {', '.join(parts)}" if parts else ""
