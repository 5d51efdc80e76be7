"""`bakeoff run`."""

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.store import Manifest


def run(
    *tasks: str,
    model: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    limit: int | None = None,
    repeats: int = 1,
    variants: str | None = None,
    seed: int = 0,
    data: str | None = None,
    arg: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    where: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    set_: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    unscored_budget: float = 0.0,
    cache: bool = True,
    pmi: Annotated[bool, Parameter(negative=())] = False,
    determinism: int = 0,
    until_decided: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
    out: Path = Path("runs"),
    resume_: Annotated[str | None, Parameter(name="--resume")] = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Put tasks to models; every answer is kept, and the report says what the score can bear.

    Examples:
      bakeoff run arithmetic --model gguf:smollm2 --limit 20
      bakeoff run my-task.yaml --model http://127.0.0.1:8000/v1#my-model --variants all
      bakeoff run my-task.yaml --model openai:gpt-x --until-decided last --margin 0.02
      bakeoff run --resume last

    Parameters
    ----------
    tasks:
        Catalog names, YAML files or Python files; `NAME:VARIANT` takes one variant. A suite, by its name or
        its file, stands for all of its tasks.
    model:
        gguf:FILE, hf:ORG/NAME[@REVISION], hf:FOLDER, openai:MODEL, anthropic:MODEL, http://HOST/v1#MODEL,
        recorded:FILE[#MODEL], call:FILE.py:FUNCTION, endpoint:URL. Repeat it for several models.
    limit:
        Only the first so many items.
    repeats:
        How often each item is asked.
    variants:
        Prompt variants, separated by commas, or `all`.
    seed:
        Seeds shots, option order and sampling, item by item.
    data:
        A file to take the items from instead of the task's own source.
    arg:
        An argument of the task's generator, KEY=VALUE, such as tokens=32000; repeat it for several.
    where:
        Only the rows with this value in a column, COLUMN=VALUE, or in a range, COLUMN=FROM..TO, with either
        end left out at will: meta.contest_date=2025-01..
    set_:
        A setting of the engine, KEY=VALUE; repeat it for several.
    unscored_budget:
        The share of samples that may stay without a score before the run counts as incomplete.
    cache:
        Take answers from the cache, and keep new ones there.
    pmi:
        Also score every option without its context, so that the run can be rescored by PMI.
    determinism:
        Ask the first so many items three times more, also alone and in reverse, and report what changed.
    until_decided:
        A run of the same task to beat (its folder, the end of its id, or `last`): ask items in a shuffled
        order, only until it is known which of the two is better, or that they differ by less than --margin.
    margin:
        With --until-decided: a difference too small to matter, as a share (0.02 is two points).
    level:
        With --until-decided: 1 minus the chance of a false decision, however often one looks.
    out:
        Where the runs lie.
    resume_:
        Go on with a stopped or incomplete run: its folder, the end of its id, or `last`.
    json:
        Print JSON.
    """
    from bakeoff.cli.overlay import overlay
    from bakeoff.cli.progress import shown_progress
    from bakeoff.cli.settings import read_settings
    from bakeoff.run import planned, resume, run_jobs
    from bakeoff.store import Settings, Until, find_run, read_manifest

    if resume_ is not None:
        if tasks or model:
            raise BakeoffError("--resume takes no tasks and no models", "the run knows its own")
        folder = find_run(resume_, out)
        if read_manifest(folder).judging is not None:
            raise BakeoffError(f"{folder} is a judge's run", f"bakeoff judge run --resume {folder}")
        with shown_progress(quiet=json) as watch:
            folders = [resume(folder, watch=watch)]
        return _reported(folders, json)
    _check(tasks, model, limit, repeats, determinism, unscored_budget)
    _check_until(until_decided, margin, level, determinism)
    jobs = planned(
        tasks,
        variants=variants.split(",") if variants else None,
        data=data,
        overlay=overlay(arg, where),
        seed=seed,
    )
    until = None
    if until_decided is not None:
        if len(jobs) > 1:
            raise BakeoffError(
                f"--until-decided takes one task under one prompt, and these are {len(jobs)}",
                "run them one by one, each against a baseline of its own",
            )
        until = Until(baseline=str(find_run(until_decided, out)), level=level, margin=margin)
    settings = Settings(
        seed=seed,
        limit=limit,
        repeats=repeats,
        cache=cache,
        pmi=pmi,
        determinism=determinism,
        until=until,
        unscored_budget=unscored_budget,
    )
    folders = []
    with shown_progress(quiet=json) as watch:
        for ref in model:
            folders += run_jobs(jobs, ref, read_settings(set_), settings=settings, out=out, watch=watch)
    return _reported(folders, json, tasks)


def _check(
    tasks: tuple[str, ...],
    model: tuple[str, ...],
    limit: int | None,
    repeats: int,
    determinism: int,
    budget: float,
) -> None:
    if not tasks:
        raise BakeoffError("no task given", "bakeoff task list shows what there is")
    if not model:
        raise BakeoffError("no model given", "add --model gguf:smollm2, or see bakeoff run --help")
    for name, value in (("--limit", limit), ("--repeats", repeats)):
        if value is not None and value < 1:
            raise BakeoffError(f"{name} must be at least 1, got {value}")
    if determinism < 0:
        raise BakeoffError(f"--determinism is a number of items, got {determinism}", "0 asks nothing again")
    if not 0 <= budget <= 1:
        raise BakeoffError(f"--unscored-budget is a share between 0 and 1, got {budget}")


def _check_until(until: str | None, margin: float | None, level: float, determinism: int) -> None:
    if until is None:
        if margin is not None:
            raise BakeoffError("--margin says when to stop, and goes with --until-decided RUN")
        return
    if margin is not None and not 0 < margin < 1:
        raise BakeoffError(
            f"--margin is a share between 0 and 1, got {margin}", "two points are --margin 0.02"
        )
    if not 0 < level < 1:
        raise BakeoffError(f"--level must lie between 0 and 1, got {level}", "95 % is --level 0.95")
    if determinism:
        raise BakeoffError(
            "--determinism asks the first items again, which --until-decided may not have asked",
            "give one of them",
        )


def _reported(folders: list[Path], json: bool, asked: tuple[str, ...] = ()) -> int:
    """Print each run's report, then the table of each suite asked for; 1 if any run is incomplete."""
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.report import print_report
    from bakeoff.cli.suite_view import print_scores
    from bakeoff.run import metrics
    from bakeoff.run.suite import suite_scores
    from bakeoff.store import read_manifest
    from bakeoff.task.suite import is_suite, load_suite

    runs = [(folder, read_manifest(folder), metrics(folder)) for folder in folders]
    incomplete = [(folder, manifest) for folder, manifest, _ in runs if manifest.status != "complete"]
    if json:
        print_json(
            [
                {"folder": folder, "status": manifest.status, "metrics": found}
                for folder, manifest, found in runs
            ]
        )
        return 1 if incomplete else 0
    console = stdout()
    for folder, manifest, found in runs:
        print_report(console, folder, manifest, found)
        console.print()
    for name in asked:
        if is_suite(name):
            print_scores(console, suite_scores(load_suite(name), folders))
            console.print()
    console.print(f"bakeoff show {folders[-1]} --outcome wrong   for the samples", soft_wrap=True)
    if incomplete:
        console.print("incomplete: some samples have no score, not by the model's fault.")
        for folder, manifest in incomplete:
            console.print(f"  {_way_on(folder, manifest)}", soft_wrap=True)
    return 1 if incomplete else 0


def _way_on(folder: Path, manifest: "Manifest") -> str:
    """What gives a run its missing scores: asking again, unless its items cannot be judged here."""
    unscored = sum(manifest.counts.get(each, 0) for each in ("too_long", "model_error", "scorer_error"))
    found = manifest.preflight
    broken = len(found.reference_fails) + len(found.idle_passes) if found else 0
    if unscored and unscored <= broken * manifest.settings.repeats:
        share = ceil(1000 * unscored / manifest.counts["total"]) / 1000
        return (
            f"{folder}: {broken} items cannot be judged here; score the answers on another machine "
            f"(bakeoff rescore), or do without these items: --unscored-budget {share:g}"
        )
    return f"to ask them again: bakeoff run --resume {folder}"
