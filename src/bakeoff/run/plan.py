"""From the names a person types to prepared jobs, with every mistake found before a model is loaded."""

from collections.abc import Sequence

from bakeoff.errors import BakeoffError
from bakeoff.run.execute import Job
from bakeoff.task import DataOverlay, load_task, prepare
from bakeoff.task.suite import is_suite, load_suite


def planned(
    refs: Sequence[str],
    *,
    variants: Sequence[str] | None = None,
    data: str | None = None,
    overlay: DataOverlay | None = None,
    seed: int = 0,
) -> list[Job]:
    """One job per task and variant, in the order given.

    A ref may name its variant (`mmlu:letters`); else `variants` chooses (`all`, or names), else the default.
    A suite's name stands for its tasks; each job is there once.

    Raises:
        TaskError: a task, its data or a variant is wrong.
        BakeoffError: `data` was given for more than one task.
    """
    refs = _tasks(refs)
    if data is not None and len(refs) > 1:
        raise BakeoffError("--data replaces the data of one task", f"run the {len(refs)} tasks one by one")
    jobs = []
    for ref in refs:
        task, named = load_task(ref, data=data, overlay=overlay)
        if named != "default" or not variants:
            chosen: Sequence[str] = [named]
        elif list(variants) == ["all"]:
            chosen = ["default", *task.every_variant]
        else:
            chosen = variants
        jobs += [
            Job(prepare(task, variant, seed=seed), _without_variant(ref, named), data, overlay)
            for variant in chosen
        ]
    return jobs


def _tasks(refs: Sequence[str]) -> list[str]:
    """The refs with each suite's tasks in its place; with a suite, each once."""
    if not any(map(is_suite, refs)):
        return list(refs)
    found = [each for ref in refs for each in (load_suite(ref).asked if is_suite(ref) else (ref,))]
    return list(dict.fromkeys(found))


def _without_variant(ref: str, variant: str) -> str:
    return ref.removesuffix(f":{variant}")
