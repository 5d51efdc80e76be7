"""`bakeoff arena simulate`."""

from typing import Annotated

from cyclopts import Parameter


def simulate(
    *scenario: str,
    replications: int = 20,
    models: int = 20,
    votes: int = 20_000,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """What cheats do to a board whose truth is known, without rules and with them, and what the rules cost.

    Example: bakeoff arena simulate best-of stuffing --votes 50000

    Parameters
    ----------
    scenario:
        stuffing, many-accounts, camouflaged, machine-pace, identity-probing, random-clickers, best-of,
        style-hacking, unequal-sampling, silent-removal; all of them by default.
    replications:
        How many arenas of each are simulated; errors of the means shrink with its root.
    models:
        Public models, with strengths at the quantiles of a normal distribution.
    votes:
        People's votes in each arena, 20 of each voter on average.
    seed:
        The same seed gives the same numbers.
    json:
        Print JSON.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from bakeoff.arena.simulate.report import scenarios_of
    from bakeoff.arena.simulate.report import simulate as simulated
    from bakeoff.arena.simulate.world import World
    from bakeoff.cli.arena_simulate_view import print_simulation
    from bakeoff.cli.output import print_json, stderr, stdout

    chosen, world, console = scenarios_of(scenario), World(models=models, votes=votes), stderr()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as drawn:
        task = drawn.add_task("", total=None)

        def told(name: str, done: int, total: int) -> None:
            drawn.update(task, description=name, completed=done, total=total)

        found = simulated(world, chosen, replications=replications, seed=seed, watch=told)
    if json:
        print_json(found)
    else:
        print_simulation(stdout(), found)
