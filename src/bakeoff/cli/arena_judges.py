"""`bakeoff arena judges`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

Flag = Annotated[bool, Parameter(negative=())]


def judges(
    file: Path,
    *,
    families: Path | None = None,
    people: Path | None = None,
    rank: Flag = False,
    answers: Path | None = None,
    level: float = 0.95,
    seed: int = 0,
    json: Flag = False,
) -> None:
    """How far to believe models that judge pairs of answers: biases, agreement with people, rankings.

    Examples:
      bakeoff arena judges verdicts.jsonl --families families.csv --people crowd.csv
      bakeoff arena judges verdicts.jsonl --families families.csv --rank --answers answers.jsonl

    Parameters
    ----------
    file:
        Verdicts, with the columns item, judge, first, second (models in the order read) and winner (first,
        second, tie, or empty where it could not be read); length_first, length_second, gold, time,
        judge_version and judge_prompt if known. Ask each pair in both orders.
    families:
        Families of models and judges, with the columns name and family: does a judge prefer its own? It does
        not rank its own.
    people:
        What people said of the same items and pairs, with the columns of verdicts; judge is who it was. Win
        rates are put right by it, if the pairs that people were asked about were drawn at random.
    rank:
        Each judge's ranking, under a label that says whose it is. judge_version is the judge's exact version,
        judge_prompt the template that it was asked with (its text, or its sha256 digest).
    answers:
        The answers that were judged, with the columns model and answer: a model that answers nearly the same
        to everything is not ranked.
    level:
        The confidence of intervals and ranks.
    seed:
        For the draws behind the ranges of ranks.
    json:
        Print JSON.
    """
    from bakeoff.arena.judges.agreement import with_people
    from bakeoff.arena.judges.bias import biases
    from bakeoff.arena.judges.board import judge_board
    from bakeoff.arena.judges.corrected import corrected_win_rates
    from bakeoff.arena.judges.reading import (
        beside_people,
        labelled_pairs,
        read_answers,
        read_families,
        read_judges,
        read_verdicts,
    )
    from bakeoff.arena.judges.verdict import verdicts_of
    from bakeoff.cli.arena_judges_view import print_agreement, print_biases, print_boards, print_corrected
    from bakeoff.cli.output import print_json, stdout

    if not 0 < level < 1:
        raise BakeoffError(f"a level lies between 0 and 1, got {level}", "write 0.95 for 95 %")
    if answers and not rank:
        raise BakeoffError("--answers says whom a judge must not rank", "add --rank")
    rows = read_verdicts(file)
    verdicts = verdicts_of(rows)
    named = read_families(families) if families else None
    found = biases(verdicts, named, level=level)
    agreement, corrected, not_judged = {}, {}, {}
    if people is not None:
        said = read_verdicts(people)
        for judge in found:
            own = [each for each in rows if each.judge == judge]
            choices = beside_people(own, said)
            if not choices[0]:
                raise BakeoffError(
                    f"{file} and {people} share no item and pair of models that {judge} judged",
                    "items and models must be called the same in both",
                )
            agreement[judge] = with_people(*choices, level=level)
            pairs = labelled_pairs(own, said)
            corrected[judge] = corrected_win_rates(
                pairs.first, pairs.second, pairs.judge, pairs.people, pairs.items, level=level
            )
            not_judged[judge] = pairs.left_out
    given = read_answers(answers) if answers else None
    boards = [
        judge_board(verdicts, judge, families=named, answers=given, level=level, seed=seed)
        for judge in (read_judges(file, named) if rank else ())
    ]
    if json:
        told: dict[str, object] = {"biases": found, "agreement": agreement}
        if corrected:
            told |= {"win_rates": corrected, "not_judged": not_judged}
        print_json(told | ({"boards": boards} if boards else {}))
        return
    out = stdout()
    print_biases(out, found)
    if agreement:
        print_agreement(out, agreement)
    if corrected:
        print_corrected(out, corrected, not_judged)
    if boards:
        print_boards(out, boards)
