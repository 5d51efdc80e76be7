"""`bakeoff rescore`."""

from pathlib import Path
from typing import Annotated

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
      bakeoff rescore last --scorer loglikelihood:norm=chars

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`.
    scorer:
        NAME or NAME:OPTION=VALUE,OPTION=VALUE.
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


def _spec(text: str) -> dict[str, object]:
    """`number:tolerance=0.01` as a scorer's specification; values are read as YAML does."""
    import yaml

    name, _, options = text.partition(":")
    spec: dict[str, object] = {"name": name}
    for pair in filter(None, options.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise BakeoffError(f"--scorer takes NAME:OPTION=VALUE, got {text!r}")
        spec[key.strip()] = yaml.safe_load(value)
    return spec
