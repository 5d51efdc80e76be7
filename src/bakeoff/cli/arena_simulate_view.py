"""What simulated boards show, for people."""

from rich.console import Console
from rich.table import Table

from bakeoff.arena.simulate.report import Line, Report


def print_simulation(console: Console, found: Report) -> None:
    """For each scenario a sentence, and a line for each of its boards."""
    world = found.world
    console.print(
        f"{world.models:,} models, {world.votes:,} votes by {world.voters:,} people, "
        f"{found.replications:,} replications, seed {found.seed}\n",
        soft_wrap=True,
    )
    for each in found.played:
        console.print(f"{each.scenario.name}: {each.sentence}", soft_wrap=True)
        _lines(console, each.lines)
        console.print()
    console.print(
        "Error: score less truth in points, ± Monte Carlo standard error. Holds, range: in how many % the "
        "95 % interval and the range of ranks hold the truth. Width: of the interval; others: of all other "
        "models' intervals. Lost, caught: % of people's votes and of what is wrong that the rules find.",
        soft_wrap=True,
    )


def _lines(console: Console, lines: tuple[Line, ...]) -> None:
    rules = any(line.mean.lost or line.mean.caught == line.mean.caught for line in lines)
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="")
    for head in ("votes", "rules"):
        table.add_column(head, no_wrap=True)
    for head in ("error", "rank", "true", "holds", "range", "width", "others"):
        table.add_column(head, justify="right", no_wrap=True)
    for head in ("lost", "caught") if rules else ():
        table.add_column(head, justify="right", no_wrap=True)
    for line in lines:
        shown = line.mean
        cells = (
            "attack" if line.attacked else "honest",
            line.rules,
            f"{_number(shown.error, '+.1f')} ±{_number(line.error_se, '.1f')}",
            _number(shown.rank, ".1f"),
            _number(shown.true_rank, ".1f"),
            _number(100 * shown.holds, ".0f"),
            _number(100 * shown.range_holds, ".0f"),
            _number(shown.width, ".1f"),
            _number(shown.others_width, ".1f"),
            _number(100 * shown.lost, ".1f"),
            _number(100 * shown.caught, ".0f"),
        )
        table.add_row(*cells[: len(table.columns)])
    console.print(table, crop=False)
    if (least := min(line.rated for line in lines)) < 1:
        console.print(
            f"  In up to {100 * (1 - least):.0f} % of replications the votes cannot rate the model.",
            soft_wrap=True,
        )


def _number(value: float, form: str) -> str:
    return "–" if value != value else format(value, form)
