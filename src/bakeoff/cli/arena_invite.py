"""`bakeoff arena invite`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bakeoff.arena.definition.definition import Arena
    from bakeoff.arena.definition.invitations import Invitation

Flag = Annotated[bool, Parameter(negative=())]


def invite(
    arena: str,
    *labels: str,
    list_: Annotated[bool, Parameter(name="--list", negative=())] = False,
    revoke: Flag = False,
    address: str = "http://127.0.0.1:8765",
    database: str | None = None,
    json: Flag = False,
) -> None:
    """Invite people to vote in an arena whose file says `voters: invited`: a link for each.

    A link is shown this once. Whoever has it votes as that person, until it is revoked.

    Example: bakeoff arena invite chat.yaml Ann Ben --address https://arena.example.org

    Parameters
    ----------
    arena:
        The arena's file, or its name once it was live.
    labels:
        For whom the invitations are, one each. A label stays out of the log and of all pages.
    list_:
        List the invitations there are.
    revoke:
        Take back the invitations with these labels, or ids as `--list` has them.
    address:
        Where voters reach the site.
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    json:
        Print JSON.
    """
    from bakeoff.arena.definition.invitations import invitations
    from bakeoff.arena.definition.invitations import invite as make
    from bakeoff.cli.arena_invite_view import print_ended, print_invitations, print_links
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing
    from bakeoff.web.links import Links

    if not labels and not list_:
        raise BakeoffError("an invitation is for somebody", "name them, or list invitations with --list")
    if list_ and (labels or revoke):
        raise BakeoffError("--list lists all invitations", "leave the rest out")
    with opened(database) as engine, writing(engine) as connection:
        found = _arena(connection, arena, known=list_ or revoke)
        if list_:
            there = invitations(connection, found.name)
            print_json(there) if json else print_invitations(stdout(), there)
            return
        if revoke:
            ended = _ended(connection, found.name, labels)
            print_json(ended) if json else print_ended(stdout(), ended)
            return
        made = [make(connection, found.name, label, actor=user()) for label in labels]
    links = Links(address.rstrip("/"))
    told = [(each, links.to("arenas", found.name, "join", secret)) for each, secret in made]
    if json:
        print_json([asdict(each) | {"link": link} for each, link in told])
    else:
        print_links(stdout(), [(each.label, link) for each, link in told])


def _arena(connection: "Connection", arena: str, *, known: bool) -> "Arena":
    """By its file or its name; made known where it was never live, unless it has to be known."""
    from bakeoff.arena.definition.definition import load_arena
    from bakeoff.arena.definition.preparing import announce, stored

    if not arena.endswith((".yaml", ".yml")):
        found = stored(connection, arena)
    else:
        found = load_arena(Path(arena))
        if known:
            stored(connection, found.name)
    if found.voters != "invited":
        who = "anyone votes" if found.voters == "anyone" else "those with an account vote"
        raise BakeoffError(
            f"in {found.name} {who}, without an invitation",
            "write `voters: invited` in its file, and name the file here",
        )
    if not known:
        announce(connection, found, actor=user())
    return found


def _ended(connection: "Connection", arena: str, named: tuple[str, ...]) -> "list[Invitation]":
    from bakeoff.arena.definition.invitations import invitations, revoke
    from bakeoff.cli.arena_invite_view import ID

    ended = []
    for name in named:
        meant = [
            each
            for each in invitations(connection, arena)
            if each.revoked is None and name in (each.label, each.digest, each.digest[ID])
        ]
        if not meant:
            raise BakeoffError(
                f"{arena} has no invitation {name} that holds", f"bakeoff arena invite {arena} --list"
            )
        ended += [revoke(connection, arena, each.digest, actor=user()) for each in meant]
    return ended
