"""`bakeoff arena policy`: adopt, show and check the rules of an arena; `give` and `daily` are beside it."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.cli.arena_daily import daily
from bakeoff.cli.arena_data import give
from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]

app = App(
    name="policy",
    help="The rules of an arena, and whether they are kept.",
    help_format="plaintext",
    result_action="return_value",
)
app.command(give)
app.command(daily)


@app.command
def adopt(file: Path, *, database: str | None = None) -> None:
    """Put the rules in a file into force, from now on. What happened before stays under the rules of then.

    Example: bakeoff arena policy adopt chat.yaml

    Parameters
    ----------
    file:
        The policy; `name: chat` alone is one, all else has defaults.
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    """
    from bakeoff.arena.policy.adopting import adopt as put_into_force
    from bakeoff.arena.policy.rules import load_policy
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    policy = load_policy(file)
    with opened(database) as engine, writing(engine) as connection:
        put_into_force(connection, policy, actor=user())
    stdout().print(
        f"{policy.name}: version {policy.version} is in force, {policy.digest[7:19]}", soft_wrap=True
    )


@app.command
def show(arena: str, *, database: str | None = None, json: Json = False) -> None:
    """The rules in force, every variant there ever was, who is shown how often, removals and releases.

    Example: bakeoff arena policy show chat

    Parameters
    ----------
    arena:
        The arena's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.arena.policy.adopting import in_force
    from bakeoff.arena.policy.ledger import read_ledger
    from bakeoff.arena.policy.report import report
    from bakeoff.cli.arena_policy_view import print_report
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        found = report(read_ledger(connection, in_force(connection, arena)))
    if json:
        print_json(found)
    else:
        print_report(stdout(), found)


@app.command
def check(
    arena: str,
    *,
    file: Path | None = None,
    published: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    database: str | None = None,
    json: Json = False,
) -> int:
    """Whether the arena keeps its rules, by its log, its rows and its counts. Exits with 1 if one is broken.

    Warnings are printed and break no rule.

    Example: bakeoff arena policy check chat --published sha256:5f2d…

    Parameters
    ----------
    arena:
        The arena's name.
    file:
        The policy to hold it to, as it was published; by default the one in force.
    published:
        The digest of an entry of the log that was kept elsewhere; several can be given. Without one nobody
        can tell a log that was written anew as a whole.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.arena.policy.adopting import in_force
    from bakeoff.arena.policy.checking import check as findings
    from bakeoff.arena.policy.rules import load_policy
    from bakeoff.cli.arena_policy_view import print_findings
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.database.log import head
    from bakeoff.errors import BakeoffError

    given = None if file is None else load_policy(file)
    if given is not None and given.name != arena:
        raise BakeoffError(f"{file} is the policy of {given.name}, not of {arena}", "name another")
    with opened(database) as engine, reading(engine) as connection:
        policy = given or in_force(connection, arena)
        found = findings(connection, policy, published=published)
        last = head(connection)
    if json:
        print_json({"arena": arena, "policy": policy.digest, "head": last, "findings": found})
    else:
        print_findings(stdout(), arena, found, last)
    return int(any(each.severity == "violation" for each in found))
