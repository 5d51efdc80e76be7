"""Which runs belong to one candidate, what it is called, and whether the runs may be compared at all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.store import Manifest, caveats, read_manifest
from bakeoff.task import differences

EACH_ITS_OWN = "each its own"
"""Stands for the variant where every candidate has one run, each of another variant or task."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model, or one prompt variant of the only model there is.

    `runs` and `manifests` hold one entry per variant compared, in the order of the variants.
    """

    label: str
    model: str
    runs: tuple[Path, ...]
    manifests: tuple[Manifest, ...]


@dataclass(frozen=True, slots=True)
class Lineup:
    """The candidates in the order of their labels, the variants they share, and what the reader must know."""

    task: str
    variants: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...]


_Run = tuple[Path, Manifest]
_ACROSS = "--across compares them all the same, item by item, and says so everywhere"


def lineup(folders: Sequence[Path], *, across: bool = False, incomplete: bool = False) -> Lineup:
    """Sort runs of one task into candidates.

    Runs of one model on several variants are one candidate over the variants that all candidates have. Two
    runs of a model on one variant are told apart by what differs (precision, revision, a setting, the seed),
    else by the end of the run's id. If there is one model only, its variants are the candidates.

    Raises:
        BakeoffError: fewer than two runs, one of them twice, incomplete ones without `incomplete`, tasks that
            differ without `across`, no variant that all have, or runs that cannot be told apart.
    """
    runs = sorted(((folder, read_manifest(folder)) for folder in folders), key=_order)
    _check_number(runs)
    notes = _unfinished(runs, allowed=incomplete) + _stopped(runs)
    notes += dict.fromkeys(caveat for _, manifest in runs for caveat in caveats(manifest))
    models = groups = _groups(runs)
    if len(models) == 1:
        notes.append(f"the candidates are the prompt variants of {_model(runs[0][1])}")
        groups = {run[1].task.variant: [run] for run in runs}
        variants: tuple[str, ...] = (EACH_ITS_OWN,)
    else:
        variants, left_out = _shared_variants(groups, across)
        notes += left_out
    compared = [run for runs in groups.values() for run in runs if _is_in(variants, run)]
    alike = len(models) > 1 and variants == (EACH_ITS_OWN,)
    notes += _differing_tasks(compared, across=across, alike=alike)
    candidates = tuple(_candidate(label, groups[label], variants) for label in sorted(groups))
    for candidate in candidates:
        notes += _mixture(candidate)
    names = sorted({manifest.task.name for _, manifest in runs})
    return Lineup(" / ".join(names), variants, candidates, tuple(notes))


def run_end(manifest: Manifest) -> str:
    """The end of a run's id, by which commands find it."""
    return manifest.run_id.rsplit("-", 1)[-1]


def _order(run: _Run) -> tuple[str, str]:
    return run[1].run_id, str(run[0])


def _check_number(runs: Sequence[_Run]) -> None:
    for (folder, manifest), (_, other) in pairwise(runs):
        if manifest.run_id == other.run_id:
            raise BakeoffError(f"the run {folder} is given twice", "name each run once")
    if len(runs) < 2:
        raise BakeoffError(
            f"a comparison needs two runs of a task, got {len(runs) or 'none'}"
            + (f" of {runs[0][1].task.name}" if runs else ""),
            "`bakeoff show` lists the runs there are",
        )


def _unfinished(runs: Sequence[_Run], *, allowed: bool) -> list[str]:
    unfinished = [(folder, manifest) for folder, manifest in runs if manifest.status != "complete"]
    if unfinished and not allowed:
        named = "; ".join(f"{folder} ({_state(manifest)})" for folder, manifest in unfinished)
        raise BakeoffError(
            f"not complete: {named}",
            "resume with `bakeoff run --resume RUN`, or add --incomplete to compare what there is",
        )
    return [
        f"the run {run_end(manifest)} of {_model(manifest)} is not complete: {_state(manifest)}"
        for _, manifest in unfinished
    ]


def _stopped(runs: Sequence[_Run]) -> list[str]:
    return [
        f"the run {run_end(manifest)} of {_model(manifest)} stopped when it was decided, so its items are a "
        "selection, and intervals and p for a fixed number of items promise too much: quote its own verdict"
        for _, manifest in runs
        if manifest.decision is not None and manifest.decision.verdict != "cannot tell"
    ]


def _state(manifest: Manifest) -> str:
    counts = manifest.counts
    unscored = sum(counts.get(name, 0) for name in ("too_long", "model_error", "scorer_error"))
    if not unscored:
        return manifest.status
    return f"{unscored:,} of {counts['total']:,} samples without a score"


def _groups(runs: Sequence[_Run]) -> dict[str, list[_Run]]:
    """Runs by the label of their candidate."""
    by_model: dict[str, list[_Run]] = {}
    for run in runs:
        by_model.setdefault(_model(run[1]), []).append(run)
    groups: dict[str, list[_Run]] = {}
    for model, members in by_model.items():
        for label, part in _told_apart(model, members).items():
            # A model may be named just as the runs of another are told apart.
            groups[f"{label} #{run_end(part[0][1])}" if label in groups else label] = part
    return groups


def _told_apart(model: str, runs: Sequence[_Run]) -> dict[str, list[_Run]]:
    """The runs of one model, apart where two are of one variant: by the first fact that does it, or all."""
    if _one_each(runs):
        return {model: list(runs)}
    facts = [dict(_facts(manifest)) for _, manifest in runs]
    names = dict.fromkeys(name for each in facts for name in each)
    varying = [name for name in names if len({each.get(name) for each in facts}) > 1]
    for chosen in (*([name] for name in varying), varying):
        parts: dict[str, list[_Run]] = {}
        for run, each in zip(runs, facts, strict=True):
            said = ", ".join(f"{name} {_short(each.get(name, 'none'))}" for name in chosen)
            parts.setdefault(f"{model} ({said})", []).append(run)
        if all(map(_one_each, parts.values())):
            return parts
    if len({manifest.task.variant for _, manifest in runs}) == 1:
        return {f"{model} #{run_end(run[1])}": [run] for run in runs}
    variant = next(run[1].task.variant for run in runs if not _one_each([r for r in runs if _same(r, run)]))
    twice = " and ".join(str(folder) for folder, manifest in runs if manifest.task.variant == variant)
    raise BakeoffError(
        f"several runs of {model} on the variant {variant}, and nothing says which go together: {twice}",
        "name one of them, or one variant alone",
    )


def _one_each(runs: Sequence[_Run]) -> bool:
    """Whether no variant is there twice."""
    return len({manifest.task.variant for _, manifest in runs}) == len(runs)


def _same(run: _Run, other: _Run) -> bool:
    return run[1].task.variant == other[1].task.variant


def _facts(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """What can tell two runs of one model apart, the most telling first."""
    identity, settings = manifest.model.identity, manifest.settings
    yield from (("task", manifest.task.name), ("scorer", manifest.task.scorer))
    yield from _identity(identity)
    yield from (("seed", str(settings.seed)), ("repeats", str(settings.repeats)))
    yield from (("limit", str(settings.limit or "none")), ("version", str(manifest.task.version)))


def _identity(identity: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    names = ["precision", "revision", "engine", "engine_version", "endpoint", "chat_template", "tokenizer"]
    if identity.get("engine") == "recorded":
        names.remove("revision")  # the digest of a file of answers, which tells a reader nothing
    for name in names:
        if identity.get(name):
            yield name.replace("_", " "), str(identity[name])
    for name, value in sorted(identity.get("settings", {}).items()):
        yield name, str(value)


def _short(text: str) -> str:
    text = text.removeprefix("sha256:")
    if len(text) >= 40 and text.isalnum():  # a digest or a commit
        return text[:8]
    return text if len(text) <= 40 else f"{text[:39]}…"


def _model(manifest: Manifest) -> str:
    return str(manifest.model.identity.get("name") or manifest.model.ref)


def _shared_variants(groups: Mapping[str, list[_Run]], across: bool) -> tuple[tuple[str, ...], list[str]]:
    """The variants that all candidates have, `default` first, and a note for each that is left out."""
    of = {label: [manifest.task.variant for _, manifest in runs] for label, runs in sorted(groups.items())}
    shared = set.intersection(*map(set, of.values()))
    if not shared:
        if across and all(len(variants) == 1 for variants in of.values()):
            return (EACH_ITS_OWN,), []
        has = "; ".join(f"{label} has {', '.join(variants)}" for label, variants in of.items())
        raise BakeoffError(f"there is no prompt variant that all candidates have: {has}", _ACROSS)
    notes = [
        f"left out: {label} on the variant {variant}, which not every candidate has"
        for label, variants in of.items()
        for variant in sorted(set(variants) - shared)
    ]
    return tuple(sorted(shared, key=lambda name: (name != "default", name))), notes


def _is_in(variants: Sequence[str], run: _Run) -> bool:
    return variants == (EACH_ITS_OWN,) or run[1].task.variant in variants


def _candidate(label: str, runs: Sequence[_Run], variants: Sequence[str]) -> Candidate:
    by_variant = {manifest.task.variant: (folder, manifest) for folder, manifest in runs}
    chosen = list(runs) if variants == (EACH_ITS_OWN,) else [by_variant[name] for name in variants]
    return Candidate(
        label=label,
        model=_model(chosen[0][1]),
        runs=tuple(folder for folder, _ in chosen),
        manifests=tuple(manifest for _, manifest in chosen),
    )


def _differing_tasks(runs: Sequence[_Run], *, across: bool, alike: bool) -> list[str]:
    """A note for each difference between tasks that should be one: of any kind within a variant, and, unless
    all are to be `alike`, of the data alone between variants.

    Raises:
        BakeoffError: there are any, and `across` was not asked for.
    """
    by_variant: dict[str, list[_Run]] = {}
    for run in runs:
        by_variant.setdefault(run[1].task.variant, []).append(run)
    checks = [(group, _difference) for group in by_variant.values()]
    checks.append((list(runs), _difference if alike else _data_difference))
    found: dict[str, None] = {}
    for group, difference in checks:
        (first_folder, first), *others = group
        for folder, manifest in others:
            said = difference(first, manifest)
            if said and not across:
                raise BakeoffError(
                    f"the runs {first_folder} and {folder} are of tasks that differ: {said}", _ACROSS
                )
            if said and not any(said in note for note in found):
                found[f"across tasks that differ: {said}"] = None
    return list(found)


def _difference(first: Manifest, second: Manifest) -> str:
    one, two = first.task, second.task
    names = [f"name: {one.name} → {two.name}"] if one.name != two.name else []
    if one.digest == two.digest:
        return "; ".join(names)
    parts = differences(one.parts, two.parts) or [f"digest: {one.digest[:19]}… → {two.digest[:19]}…"]
    return "; ".join(names + parts)


def _data_difference(first: Manifest, second: Manifest) -> str:
    one, two = first.task.parts.get("data"), second.task.parts.get("data")
    return "; ".join(differences({"data": one}, {"data": two}))


def _mixture(candidate: Candidate) -> list[str]:
    """A note where the runs of one candidate, on its variants, are not of the very same model."""
    facts = [dict(_identity(manifest.model.identity)) for manifest in candidate.manifests]
    names = dict.fromkeys(name for each in facts for name in each)
    varying = [name for name in names if len({each.get(name) for each in facts}) > 1]
    if not varying:
        return []
    return [f"the runs of {candidate.label} on its variants differ in {', '.join(varying)}"]
