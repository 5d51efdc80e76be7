"""`bakeoff arena rate`."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bakeoff.arena.cleaning.filter import Filter
    from bakeoff.arena.ranking.method import Method
    from bakeoff.arena.votes.importing.importing import Imported
    from bakeoff.arena.votes.pair_counts import PairCounts
    from bakeoff.arena.votes.votes import Votes

Json = Annotated[bool, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]
Repeated = Annotated[tuple[str, ...], Parameter(negative=())]


def rate(
    file: Path | None = None,
    *,
    arena: str = "",
    format: str | None = None,  # noqa: A002
    clean: Flag = False,
    filter_: Annotated[tuple[str, ...], Parameter(name="--filter", negative=())] = (),
    ties: Literal["half", "davidson", "rao-kupper"] = "half",
    style: Repeated = (),
    clusters: Literal["recorded", "voter", "prompt", "both", "none"] = "recorded",
    even: Flag = False,
    anchor: str = "",
    only: Repeated = (),
    for_: Annotated[str, Parameter(name="--for")] = "",
    usage: Path | None = None,
    unit: Literal["tokens", "requests"] = "tokens",
    level: float = 0.95,
    seed: int = 0,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Rank models by votes: scores with intervals, and ranges of ranks that hold for all models at once.

    Examples:
      bakeoff arena rate votes.parquet --clean --style length --anchor gpt-4=1000
      bakeoff arena rate --arena chat --clean

    Parameters
    ----------
    file:
        Votes (of `bakeoff arena import`, or in a published format), or counts of pairs.
    arena:
        In place of a file, the name of a live arena: all its votes, straight from the database.
    format:
        The published format, where the columns fit several.
    clean:
        Set aside votes that were not blind, faulty answers, models that name themselves, voters who vote like
        a bot, and newcomers who together differ on a model. What each filter does to the ranking is shown.
    filter_:
        Set aside what this filter flags, NAME or NAME:PARAMETER=VALUE,…: duplicate-prompts:cap=20, daily-cap,
        known-pairs, refusals, tag and those of --clean; repeatable, in their order.
    ties:
        Ties as half a win each, or as an outcome of their own.
    style:
        What to hold equal between answers: length, headers, lists, bold; repeatable, or `all`.
    clusters:
        Which votes count as one observation for the intervals: those of one voter, on one prompt, both.
    even:
        Count each pair of models alike, however often it met.
    anchor:
        MODEL=SCORE pins the scale; by default the mean of all scores is 1000.
    only:
        Votes of a kind: language=LANGUAGE, tag=TAG or voter=PSEUDONYM (several with commas between them, a
        team); repeatable, all must hold.
    for_:
        A board for one voter, team, language or tag, as for --only: its few votes, drawn towards all the
        others as far as such votes usually agree with them.
    usage:
        How much models are used, a file with the columns day, model, and tokens or requests: each model's
        share is shown beside its score, and enters none.
    unit:
        What usage is counted in.
    level:
        The confidence of intervals and ranks.
    seed:
        For the draws behind the ranges of ranks.
    database:
        The address of that arena's database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    json:
        Print JSON.
    """
    from bakeoff.arena.cleaning.recipe import DEFAULT
    from bakeoff.arena.live.cleaning import LIVE
    from bakeoff.arena.ranking.cleaned import rank_cleaned
    from bakeoff.arena.ranking.method import Method
    from bakeoff.arena.ranking.ranking import rank_counts
    from bakeoff.arena.votes.pair_counts import PairCounts
    from bakeoff.arena.votes.usage import read_usage, shares
    from bakeoff.arena.votes.votes import STYLES
    from bakeoff.cli.arena_rate_view import print_ranking, print_stages
    from bakeoff.cli.output import print_json, stdout

    method = Method(
        ties=ties,
        style=STYLES if "all" in style else style,
        together=clusters,
        even=even,
        anchor=read_anchor(anchor),
        level=level,
        seed=seed,
    )
    usual: tuple[Filter, ...] = (LIVE if arena else DEFAULT) if clean else ()
    filters = (*usual, *map(_filter, filter_))
    out = stdout()
    with votes_of(file, format, arena, database) as (votes, imported, _):
        if imported is not None and imported.untaken and not json:
            for reason, number in imported.untaken.items():
                out.print(f"not taken, {reason}: {number:,} of {imported.total:,}", soft_wrap=True)
        if isinstance(votes, PairCounts):
            if filters or only or for_:
                raise BakeoffError("counts of pairs cannot be filtered", "rate the votes themselves")
            ranking, stages = rank_counts(votes, method), None
        else:
            votes = _chosen(votes, only)
            if for_:
                _for_one(votes, for_, filters, method, json=json)
                return
            stages = rank_cleaned(votes, filters, method)
            ranking = stages.ranking
    used = shares(read_usage(usage), unit) if usage else ()
    if json:
        told = {"imported": imported, "ranking": ranking, "stages": stages.stages if stages else ()}
        print_json(told | ({"usage": used} if usage else {}))
        return
    if stages and stages.stages:
        print_stages(out, stages)
    print_ranking(out, ranking, {each.model: each.share for each in used})


@contextmanager
def votes_of(
    file: Path | None, kind: str | None, arena: str, database: str | None
) -> "Iterator[tuple[Votes | PairCounts, Imported | None, str]]":
    """The votes of a file, or of a live arena, with the digest that names them. Filters read the texts of
    those of an arena from the database, which is open for as long.

    Raises:
        BakeoffError: both or neither are asked for, there is no vote, or the file is none of votes.
    """
    if (file is None) == (not arena):
        raise BakeoffError("rate the votes of a file, or of one live arena", "a FILE, or --arena NAME")
    if file is not None:
        if database is not None:
            raise BakeoffError("--database is where a live arena is", "name it with --arena, and no file")
        from bakeoff.arena.votes.opening import open_votes
        from bakeoff.board.entry.predictions import file_digest

        votes, imported = open_votes(file, kind=kind)
        yield votes, imported, f"sha256:{file_digest(file)}"
        return
    if kind is not None:
        raise BakeoffError("--format is of a file, and a live arena has none", "leave it out")
    from bakeoff.arena.battles.as_votes import votes as votes_in
    from bakeoff.arena.battles.as_votes import votes_digest
    from bakeoff.cli.board_database import opened
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        found = votes_in(connection, arena)
        if not len(found):
            raise BakeoffError(f"nobody has voted in {arena} yet", "bakeoff arena serve FILE has its address")
        yield found, None, votes_digest(connection, arena)


def _for_one(
    votes: "Votes", text: str, filters: "tuple[Filter, ...]", method: "Method", *, json: bool
) -> None:
    from bakeoff.arena.cleaning.steps import clean
    from bakeoff.arena.ranking.segments import rank_segment
    from bakeoff.cli.arena_rate_view import print_segment
    from bakeoff.cli.output import print_json, stdout

    kind, value = _told(text, "--for")
    cleaned = clean(votes, filters)
    found = rank_segment(votes.where(cleaned.used), kind, value, method)
    if json:
        print_json({"steps": cleaned.steps, "segment": found})
    else:
        print_segment(stdout(), found)


def _told(text: str, option: str) -> tuple[str, str]:
    kind, equals, value = text.partition("=")
    if not equals:
        raise BakeoffError(f"{option} takes KIND=VALUE, got {text!r}", "language=English, say")
    return kind, value


def _filter(text: str) -> "Filter":
    from bakeoff.arena.cleaning.recipe import filter_named

    name, _, rest = text.partition(":")
    told = dict[str, object]()
    for each in filter(None, rest.split(",")):
        key, equals, value = each.partition("=")
        if not equals:
            raise BakeoffError(
                f"--filter takes NAME:PARAMETER=VALUE, got {text!r}", "duplicate-prompts:cap=20"
            )
        told[key] = _value(value)
    return filter_named(name, told)


def _value(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def read_anchor(text: str) -> tuple[str, float] | None:
    """The model and score of MODEL=SCORE; None for nothing.

    Raises:
        BakeoffError: it is not of that form.
    """
    if not text:
        return None
    model, equals, score = text.rpartition("=")
    try:
        return model, float(score if equals and model else "")
    except ValueError:
        raise BakeoffError(f"--anchor takes MODEL=SCORE, got {text!r}") from None


def _chosen(votes: "Votes", only: tuple[str, ...]) -> "Votes":
    """The votes that all of `only` hold for."""
    from bakeoff.arena.ranking.segments import chosen

    for each in only:
        kind, value = _told(each, "--only")
        mask = chosen(votes, kind, value)
        if not mask.any():
            raise BakeoffError(f"no vote has the {kind} {value!r}", "look at what the votes have recorded")
        votes = votes.where(mask)
    return votes
