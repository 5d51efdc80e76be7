"""`bakeoff judge calibrate`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def calibrate(
    run: str,
    *,
    labels: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    calibration: Path | None = None,
    expires: str = "90d",
    file: Path | None = None,
    apply: bool = True,
    level: float = 0.95,
    seed: int = 0,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Say how far to believe a judge, by people's labels of what it judged, and until when that holds.

    Writes calibration-ID.json, and the calibration into the run's manifest: until then, and after it has
    expired, its scores are marked uncalibrated everywhere. It holds for this judge, rubric and task alone.

    Examples:
      bakeoff judge calibrate last --labels people.jsonl
      bakeoff judge calibrate OTHER --calibration calibration-1a2b3c4d5e6f.json

    Parameters
    ----------
    run:
        A run that a judge judged, or the judge's own.
    labels:
        A file of people's labels; `bakeoff judge sample` makes one to fill in. 30 items are the least.
    calibration:
        Instead of labels, a calibration that was made before: it is written into the run if it fits.
    expires:
        After how many days it counts no more.
    file:
        Where to write the calibration.
    apply:
        Write it into the manifests of the run and of the judge's own.
    level:
        Confidence level of the intervals.
    seed:
        Draws the order in which each pair counts, and one of several people.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.judge_calibration_view import print_calibration
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.judging.calibration import read_calibration, write_calibration
    from bakeoff.store import find_run
    from bakeoff.verdicts import calibrate as calibrating

    if bool(labels) == (calibration is not None):
        raise BakeoffError(
            "a calibration needs --labels FILE, or --calibration FILE to apply one that was made before",
            "bakeoff judge sample RUN --n 100 --file people.jsonl draws items to label",
        )
    folder = find_run(run, out)
    if calibration is not None:
        made, file = read_calibration(calibration), calibration
        record = calibrating.fitting_record(calibration, folder, out=out)
    else:
        days = calibrating.days_of(expires)
        made = calibrating.calibrate(folder, labels, days=days, out=out, level=level, seed=seed)
        record = made.record
        file = file or Path(f"calibration-{made.id}.json")
        write_calibration(file, made)
    applied = calibrating.apply(record, folder, out=out) if apply else ()
    if json:
        print_json({"file": file, "applied_to": applied, "calibration": made})
        return
    print_calibration(stdout(), made, file, applied)
