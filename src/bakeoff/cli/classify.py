"""`bakeoff classify`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter


def classify(
    run: str,
    *,
    positive: str | None = None,
    costs: str | None = None,
    prevalence: float | Literal["sweep"] | None = None,
    threshold_from: str | None = None,
    by: str | None = None,
    no_answer: Literal["wrong", "negative", "positive"] = "wrong",
    beta: float = 1.0,
    level: float = 0.95,
    texts: Annotated[bool, Parameter(negative=())] = False,
    each: Annotated[bool, Parameter(negative=())] = False,
    html: Path | None = None,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Rare positives: what a run finds, what it flags wrongly, and what that costs.

    Examples:
      bakeoff classify last --positive spam
      bakeoff classify last --positive spam --costs fp=1,fn=20 --prevalence 0.01 --by meta.language

    Parameters
    ----------
    run:
        A run folder, the end of a run's id, or `last`; scored by choice, exact, labels or loglikelihood.
    positive:
        The label to find. By default the rarer of two.
    costs:
        What a false alarm and a missed positive cost, `fp=1,fn=20`, or a YAML or JSON file with these keys.
        With a run of log-likelihoods this also chooses a threshold, judged on items it was not chosen on.
    prevalence:
        The share of positives where the model will work: 0.01 is 1 %. `sweep` shows many.
    threshold_from:
        Choose the threshold on this run instead of by cross-validation. Items of both runs are left out
        of the choosing.
    by:
        Also by the values of a column: `meta.KEY` of the items' metadata, `group`, or `length` of the text.
    no_answer:
        What an item without a label counts as: the wrong decision, not flagged (negative), or flagged
        (positive).
    beta:
        How many times as much recall counts as precision in F.
    level:
        Confidence level of the intervals.
    texts:
        Show the texts of the confusion matrix's examples, not their ids alone; never those of a private task.
    each:
        Every label in turn, with their means: for items with several right labels, or one of many. Takes
        no_answer, beta and level.
    html:
        Also write all of it, with curves and a sweep of prevalences, to this file as one page.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.classification import classify as classified
    from bakeoff.classification import read_costs
    from bakeoff.cli.classify_view import print_classification
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.store import find_run

    if each:
        from bakeoff.classification.each import each_label
        from bakeoff.cli.classify_each_view import print_each

        found = each_label(find_run(run, out), no_answer=no_answer, beta=beta, level=level)
        if json:
            print_json(found)
        else:
            print_each(stdout(), found)
        return
    report = classified(
        find_run(run, out),
        positive=positive,
        costs=None if costs is None else read_costs(costs),
        prevalence=None if prevalence == "sweep" else prevalence,
        sweep=prevalence == "sweep" or html is not None,
        threshold_from=None if threshold_from is None else find_run(threshold_from, out),
        by=by,
        no_answer=no_answer,
        beta=beta,
        level=level,
        texts=texts,
    )
    if html is not None:
        from bakeoff.classification.page import page
        from bakeoff.store import write_atomically

        write_atomically(html, page(report).encode())
    if json:
        print_json(report)
        return
    print_classification(stdout(), report)
    if html is not None:
        stdout().print(f"as a page: {html}", soft_wrap=True)
