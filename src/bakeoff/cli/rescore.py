"""`bakeoff rescore`."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def rescore(
    run: str,
    *,
    scorer: str,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Judge a run's answers anew, without asking a model. Makes a new run that names its parent.

    Examples:
      bakeoff rescore last --scorer number:tolerance=0.01
      bakeoff rescore last --scorer my-task.yaml

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`.
    scorer:
        NAME or NAME:OPTION=VALUE,OPTION=VALUE; or a YAML or JSON file: one that holds a scorer,
        `{name: fields, fields: {total: amount}}`, or a task file, whose scorer is taken.
    out:
        Where the new run goes.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.progress import shown_progress
    from bakeoff.cli.report import print_report
    from bakeoff.run import metrics
    from bakeoff.run import rescore as rescored
    from bakeoff.store import find_run, read_manifest

    folder = find_run(run, out)
    with shown_progress(quiet=json) as watch:
        made = rescored(folder, _spec(scorer), out=out, watch=watch)
    manifest, found = read_manifest(made), metrics(made)
    if json:
        print_json({"folder": made, "manifest": manifest, "metrics": found})
    else:
        print_report(stdout(), made, manifest, found)
    return 0 if manifest.status == "complete" else 1


def _spec(text: str) -> str | dict[str, Any]:
    """A scorer's specification from what was given: a file, or `number:tolerance=0.01`."""
    if text.endswith((".yaml", ".yml", ".json")):
        return _of_file(Path(text))
    from bakeoff.task.yaml_file import read_scalar

    name, _, options = text.partition(":")
    spec: dict[str, Any] = {"name": name}
    for pair in filter(None, options.split(",")):
        key, equals, value = pair.partition("=")
        if not equals or any(mark in pair for mark in "{["):
            raise BakeoffError(
                f"--scorer takes NAME:OPTION=VALUE or a file, got {text!r:.120}",
                "options that are mappings or lists go into a file: --scorer FILE.yaml",
            )
        spec[key.strip()] = read_scalar(value)
    return spec


def _of_file(path: Path) -> str | dict[str, Any]:
    """The scorer of a task file, or of a file that is one."""
    from bakeoff.task.yaml_file import read_yaml

    what = "--scorer takes a file with a scorer in it, or a task file"
    hint = "A scorer is written {name: fields, fields: {total: amount}}."
    value, _ = read_yaml(path, what=what, hint=hint)
    found = value.get("scorer", value)
    if isinstance(found, str):
        return found
    if not isinstance(found, dict) or not isinstance(found.get("name"), str) or found.keys() >= {"data"}:
        raise BakeoffError(f"{path}: {what}; this one has neither `scorer` nor a scorer's `name`", hint)
    return found
