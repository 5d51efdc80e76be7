"""`bakeoff doctor`."""

from typing import Annotated

from cyclopts import Parameter


def doctor(*, json: Annotated[bool, Parameter(negative=())] = False) -> None:
    """What this machine can do, and what to install for the rest.

    Example: bakeoff doctor
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.run.readiness import readiness

    checks = readiness()
    if json:
        print_json([{"name": check.name, "ready": check.ready, "says": check.says} for check in checks])
        return
    console = stdout()
    for check in checks:
        console.print(f"{'yes' if check.ready else ' no'}  {check.name:<22} {check.says}")
