"""`bakeoff arena variant rate`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError

Flag = Annotated[bool, Parameter(negative=())]


def rate(
    arena: str,
    file: Path | None = None,
    *,
    format: str | None = None,  # noqa: A002
    clean: Flag = False,
    style: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    anchor: str = "",
    database: str | None = None,
    json: Flag = False,
) -> None:
    """Rate all variants by votes, and publish their scores with 95 % intervals.

    The log keeps the digest of the votes and the method, so that anybody with both can do it again. Private
    variants are rated like all others: what the choice among them is worth is known by their ratings. Who had
    a rating and is public cannot be left out.

    Example: bakeoff arena variant rate chat votes.parquet --clean --anchor orca-1=1000

    Parameters
    ----------
    arena:
        The arena's name.
    file:
        Votes, as for `bakeoff arena rate`, each model of which is a variant of the arena. Without one: the
        votes of the live arena of that name.
    format:
        The published format, where the columns fit several.
    clean:
        Set aside what `bakeoff arena rate --clean` sets aside.
    style:
        What to hold equal between answers: length, headers, lists, bold; repeatable, or `all`.
    anchor:
        MODEL=SCORE pins the scale; by default the mean of all scores is 1000, and moves with who is rated.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.arena.cleaning.recipe import DEFAULT
    from bakeoff.arena.live.cleaning import LIVE
    from bakeoff.arena.policy.ratings import rate as publish
    from bakeoff.arena.policy.variant import Rating
    from bakeoff.arena.policy.variants import get, variants
    from bakeoff.arena.ranking.cleaned import rank_cleaned
    from bakeoff.arena.ranking.method import Method
    from bakeoff.arena.votes.pair_counts import PairCounts
    from bakeoff.arena.votes.votes import STYLES
    from bakeoff.cli.arena_rate import read_anchor, votes_of
    from bakeoff.cli.arena_rate_view import print_stages
    from bakeoff.cli.arena_variant_view import print_rated
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing
    from bakeoff.digest import canonical_json

    method = Method(style=STYLES if "all" in style else style, anchor=read_anchor(anchor))
    live = arena if file is None else ""
    with votes_of(file, format, live, database if live else None) as (votes, imported, data):
        if isinstance(votes, PairCounts):
            raise BakeoffError(
                f"{file} holds counts of pairs, and ratings are published by the votes themselves",
                "counts do not say which votes are one voter's: intervals would be too narrow",
            )
        found = rank_cleaned(votes, (LIVE if live else DEFAULT) if clean else (), method)
    rows = {row.model: row for row in found.ranking.rows}
    ratings = {
        name: Rating(row.score, row.interval.low, row.interval.high, row.votes)
        for name, row in rows.items()
        if row.score is not None and row.interval is not None
    }
    filters = [
        {"name": each.step.name, "version": each.step.version, "parameters": each.step.parameters}
        for each in found.stages
    ]
    how = canonical_json({"method": asdict(method), "filters": filters}).decode()
    with opened(database) as engine, writing(engine) as connection:
        for row in found.raw.rows:
            get(connection, arena, row.model)  # nobody votes on what is not registered, rated or not
        publish(connection, arena, ratings, data=data, method=how, actor=user())
        there = [each.name for each in variants(connection, arena)]
    unrated = {
        name: rows[name].status if name in rows else "no votes that count"
        for name in dict.fromkeys((*there, *rows))
        if name not in ratings
    }
    if json:
        print_json(
            {"data": data, "method": how, "imported": imported, "ratings": ratings, "unrated": unrated}
        )
        return
    out = stdout()
    for reason, number in imported.untaken.items() if imported else ():
        out.print(f"not taken, {reason}: {number:,}", soft_wrap=True)
    if found.stages:
        print_stages(out, found)
    print_rated(out, ratings, unrated, data)
