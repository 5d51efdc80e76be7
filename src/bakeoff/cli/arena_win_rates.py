"""`bakeoff arena win-rates`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.errors import BakeoffError


def win_rates(
    *files: Path,
    difficulty: Path | None = None,
    level: float = 0.95,
    draws: int = 1_000,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """AlpacaEval's win rates: how often a judge prefers models to a baseline, plain and at equal length.

    Example: bakeoff arena win-rates annotations/*.json --difficulty difficulty.csv

    Parameters
    ----------
    files:
        Annotations as AlpacaEval publishes them (CSV, JSON, JSONL or Parquet), of one judge against one
        baseline: generator_1 (the baseline), generator_2, preference (1 to 2, 0 for a tie), instruction,
        annotator, output_1 and output_2, or length_1 and length_2 in characters where answers were not kept.
    difficulty:
        How hard each instruction is, a file with the columns instruction (its text) and difficulty. Without
        it all count as equally hard.
    level:
        The confidence of intervals.
    draws:
        How often instructions are drawn again for the intervals of length-controlled rates.
    seed:
        For these draws.
    json:
        Print JSON.
    """
    from bakeoff.arena.judges.preferences import read_difficulty, read_preferences
    from bakeoff.arena.judges.win_rates import win_rates as rates_of
    from bakeoff.cli.arena_win_rates_view import print_win_rates
    from bakeoff.cli.output import print_json, stdout

    if not 0 < level < 1:
        raise BakeoffError(f"a level lies between 0 and 1, got {level}", "write 0.95 for 95 %")
    if draws < 1:
        raise BakeoffError(f"--draws is at least 1, got {draws}", "1000 are enough")
    if not files:
        raise BakeoffError("no file was named", "name files of annotations")
    found = read_preferences(files)
    hard = read_difficulty(difficulty) if difficulty else None
    rates = rates_of(found, hard, level=level, draws=draws, seed=seed)
    if json:
        head = {"judge": found.judge, "baseline": found.baseline, "untaken": found.untaken}
        print_json(head | {"difficulty": difficulty is not None, "win_rates": rates})
        return
    print_win_rates(stdout(), found, rates, by_difficulty=difficulty is not None)
