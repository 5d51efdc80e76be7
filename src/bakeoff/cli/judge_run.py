"""`bakeoff judge run`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def run(
    *runs: str,
    rubric: str | None = None,
    model: str | None = None,
    question: str | None = None,
    context: str | None = None,
    repeats: int = 1,
    temperature: float | None = None,
    constrain: Annotated[bool, Parameter(negative=())] = False,
    max_tokens: int = 1024,
    limit: int | None = None,
    seed: int = 0,
    set_: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    calibration: Path | None = None,
    cache: bool = True,
    resume: str | None = None,
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Have a model judge the answers of a run, or of two runs side by side.

    Its verdicts are a run of their own: they can be shown, resumed and audited. Answers judged one by one
    also become a judged run, with the judge's values as scores, for `show`, `compare` and `gate`.

    Examples:
      bakeoff judge run last --rubric rag/groundedness --model openai:gpt-x
      bakeoff judge run RUN OTHER --rubric better.yaml --model http://127.0.0.1:8000/v1#judge

    Parameters
    ----------
    runs:
        Run folders, ends of runs' ids, or `last`. With a rubric for pairs, two runs of the same items.
    rubric:
        A YAML or JSON file, or the name of a built-in rubric.
    model:
        The judge: a model reference as for `bakeoff run`.
    question:
        The key of the items' metadata that holds the question. By default the judge is shown what was asked.
    context:
        The key of the items' metadata that holds the context. By default the passages that the answer came
        from, or the item's `passages` or `context`.
    repeats:
        How often the judge is asked about each answer, or each pair in each order.
    temperature:
        How freely the judge writes. By default 0, and 0.7 where it is asked more than once.
    constrain:
        Hold the judge to the form of a verdict, on engines that can.
    max_tokens:
        The longest verdict.
    limit:
        Only the first so many answers.
    seed:
        Draws the marks of the fences, which order comes first, and sampling.
    set_:
        A setting of the judge's engine, KEY=VALUE; repeat it for several.
    calibration:
        A file of `bakeoff judge calibrate` for this judge, rubric and task: the scores are then not marked
        uncalibrated until it expires.
    cache:
        Take verdicts from the cache, and keep new ones there.
    resume:
        Go on with a judge's run that was stopped: its folder, the end of its id, or `last`.
    level:
        Confidence level of the intervals.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.progress import shown_progress
    from bakeoff.cli.settings import read_settings
    from bakeoff.judging.calibration import fitting, read_calibration
    from bakeoff.judging.library import read_rubric
    from bakeoff.store import find_run
    from bakeoff.verdicts import Asking, Shown, judge_pairs, judge_run
    from bakeoff.verdicts import resume as resumed
    from bakeoff.verdicts.calibrate import apply, fitting_record

    if resume is not None:
        if runs or model or rubric:
            raise BakeoffError("--resume takes no runs, rubric or model", "the judge's run knows its own")
        with shown_progress(quiet=json) as watch:
            return _reported([resumed(find_run(resume, out), out=out, watch=watch)], level, json)
    if not runs or rubric is None or model is None:
        raise BakeoffError(
            "bakeoff judge run needs runs, a --rubric and a --model",
            "bakeoff judge run last --rubric rubric.yaml --model openai:MODEL",
        )
    for name, value in (("--repeats", repeats), ("--max-tokens", max_tokens), ("--limit", limit)):
        if value is not None and value < 1:
            raise BakeoffError(f"{name} must be at least 1, got {value}")
    asking = Asking(
        model,
        read_settings(set_),
        repeats=repeats,
        temperature=temperature if temperature is not None else 0.7 if repeats > 1 else 0.0,
        max_tokens=max_tokens,
        constrain=constrain,
        shown=Shown(question, context),
        seed=seed,
        limit=limit,
        cache=cache,
    )
    by, folders = read_rubric(rubric), [find_run(each, out) for each in runs]
    if by.kind == "pairwise" and len(folders) != 2:
        raise BakeoffError(
            f"the rubric compares the answers of two runs, and the runs named are {len(folders)}",
            "bakeoff judge run RUN OTHER --rubric …",
        )
    if calibration is not None:
        # What does not fit is better found before verdicts are paid for.
        fitting(read_calibration(calibration), rubric=by.digest)
    made: list[tuple[Path, Path | None]] = []
    with shown_progress(quiet=json) as watch:
        if by.kind == "pairwise":
            made.append((judge_pairs(folders[0], folders[1], by, asking, out=out, watch=watch), None))
        else:
            made += [judge_run(each, by, asking, out=out, watch=watch) for each in folders]
    if calibration is not None:
        for verdicts, judged in made:
            apply(fitting_record(calibration, verdicts, out=out), judged or verdicts, out=out)
    return _reported(made, level, json)


def _reported(made: list[tuple[Path, Path | None]], level: float, json: bool) -> int:
    """Print what came of each judge's run; 1 if some answer has no verdict."""
    from bakeoff.cli.judge_run_view import print_judged, print_pairs
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.store import read_manifest
    from bakeoff.verdicts import pairs

    incomplete = False
    shown: list[dict[str, object]] = []
    for verdicts, judged in made:
        if judged is not None:
            incomplete |= read_manifest(judged).status != "complete"
            shown.append({"verdicts": verdicts, "judged": judged})
            if not json:
                print_judged(stdout(), verdicts, judged)
            continue
        found = pairs(verdicts, level=level)
        incomplete |= found.unreadable > 0
        shown.append({"verdicts": verdicts, "pairs": found})
        if not json:
            print_pairs(stdout(), verdicts, found)
    if json:
        print_json(shown)
    return int(incomplete)
