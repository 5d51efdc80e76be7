"""From the names a person types to prepared jobs, with every mistake found before a model is loaded."""

from collections.abc import Sequence

from bakeoff.errors import BakeoffError
from bakeoff.run.execute import Job
from bakeoff.task import load_task, prepare


def planned(
    refs: Sequence[str], *, variants: Sequence[str] | None = None, data: str | None = None, seed: int = 0
) -> list[Job]:
    """One job per task and variant, in the order given.

    A ref may name its variant (`mmlu:letters`); else `variants` chooses (`all`, or names), else the default.

    Raises:
        TaskError: a task, its data or a variant is wrong.
        BakeoffError: `data` was given for more than one task.
    """
    if data is not None and len(refs) > 1:
        raise BakeoffError("--data replaces the data of one task", f"run the {len(refs)} tasks one by one")
    jobs = []
    for ref in refs:
        task, named = load_task(ref, data=data)
        if named != "default" or not variants:
            chosen: Sequence[str] = [named]
        elif list(variants) == ["all"]:
            chosen = ["default", *task.variants]
        else:
            chosen = variants
        jobs += [
            Job(prepare(task, variant, seed=seed), _without_variant(ref, named), data) for variant in chosen
        ]
    return jobs


def _without_variant(ref: str, variant: str) -> str:
    return ref.removesuffix(f":{variant}")
