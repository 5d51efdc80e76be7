"""`bakeoff rag`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def rag(
    run: str,
    *,
    judged: tuple[str, ...] = (),
    nli: str | None = None,
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """A run that answers from passages: retrieval, groundedness, abstention, and what a rule would say.

    Examples:
      bakeoff rag last
      bakeoff judge run last --rubric rag/groundedness --model openai:MODEL
      bakeoff rag RUN --judged JUDGED_RUN

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`.
    judged:
        A judged run of the same answers; again for each further one.
    nli:
        A model of entailment: a folder, or a name on the Hugging Face hub. Code that comes with it is not
        run.
    level:
        Confidence level of the intervals.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.rag_view import print_rag
    from bakeoff.rag import rag_report
    from bakeoff.store import find_run

    folders = [find_run(each, out) for each in judged]
    report = rag_report(find_run(run, out), folders, out=out, nli=nli, level=level)
    if json:
        print_json(report)
    else:
        print_rag(stdout(), report)
