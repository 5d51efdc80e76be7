"""`bakeoff quickstart`."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def quickstart(
    *,
    model: str = "gguf:smollm2",
    limit: int | None = None,
    seed: int = 0,
    cache: bool = True,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """A small real model on small generated tasks, each under two prompts.

    Does the prompt move the score, and is the move more than noise?

    Example: bakeoff quickstart

    Parameters
    ----------
    model:
        Any model; by default SmolLM2-135M-Instruct on this machine's processor.
    limit:
        Only the first so many items of each task.
    seed:
        Seeds the sampling; the items themselves are fixed.
    cache:
        Take answers from the cache, and keep new ones there.
    out:
        Where the runs go.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stderr, stdout
    from bakeoff.cli.progress import shown_progress
    from bakeoff.cli.quickstart_view import print_quickstart
    from bakeoff.comparison.quickstart import quickstart as started

    begun = time.monotonic()
    if not json:
        stderr().print(f"{model} on four small tasks, each under two prompts. About two minutes.")
    with shown_progress(quiet=json) as watch:
        rows = started(model=model, limit=limit, seed=seed, cache=cache, out=out, watch=watch)
    if json:
        print_json(rows)
    else:
        print_quickstart(stdout(), rows, out, time.monotonic() - begun)
    return 0 if all(row.complete for row in rows) else 1
