"""`bakeoff arena judges`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]


def judges(
    file: Path,
    *,
    families: Path | None = None,
    people: Path | None = None,
    level: float = 0.95,
    json: Json = False,
) -> None:
    """How far to believe models that judge pairs of answers: biases, and agreement with people.

    Example: bakeoff arena judges verdicts.jsonl --families families.csv --people crowd.csv

    Parameters
    ----------
    file:
        Verdicts, with the columns item, judge, first, second (models in the order read) and winner (first,
        second, tie, or empty where it could not be read); length_first, length_second, gold and time if
        known. Ask each pair in both orders.
    families:
        Families of models and judges, with the columns name and family: does a judge prefer its own?
    people:
        What people said of the same items and pairs, with the columns of verdicts; judge is who it was.
    level:
        The confidence of intervals.
    json:
        Print JSON.
    """
    from bakeoff.arena.judges.agreement import with_people
    from bakeoff.arena.judges.bias import biases
    from bakeoff.arena.judges.reading import beside_people, read_families, read_verdicts
    from bakeoff.arena.judges.verdict import verdicts_of
    from bakeoff.cli.arena_judges_view import print_agreement, print_biases
    from bakeoff.cli.output import print_json, stdout

    if not 0 < level < 1:
        raise BakeoffError(f"a level lies between 0 and 1, got {level}", "write 0.95 for 95 %")
    rows = read_verdicts(file)
    found = biases(verdicts_of(rows), read_families(families) if families else None, level=level)
    agreement = {}
    if people is not None:
        said = read_verdicts(people)
        for judge in found:
            choices = beside_people([each for each in rows if each.judge == judge], said)
            if not choices[0]:
                raise BakeoffError(
                    f"{file} and {people} share no item and pair of models that {judge} judged",
                    "items and models must be called the same in both",
                )
            agreement[judge] = with_people(*choices, level=level)
    if json:
        print_json({"biases": found, "agreement": agreement})
        return
    print_biases(stdout(), found)
    if agreement:
        print_agreement(stdout(), agreement)
