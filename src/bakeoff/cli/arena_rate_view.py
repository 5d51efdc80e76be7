"""A ranking by votes in the terminal."""

from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from bakeoff.arena.ranking.cleaned import CleanRanking, Stage
    from bakeoff.arena.ranking.ranking import Ranking, Row
    from bakeoff.arena.ranking.segments import SegmentRanking


def print_ranking(out: "Console", ranking: "Ranking", used: "Mapping[str, float]") -> None:
    """The table, and below it what the numbers can bear; `used` are shares of use by model, in [0, 1]."""
    percent = f"{100 * ranking.method.level:g} %"
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("ranks", "model", "score", f"{percent} interval", "wins", "votes", "ties"):
        table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
    if used:
        table.add_column("use", justify="right")
    for row in ranking.rows:
        part = used.get(row.model)
        table.add_row(*_cells(row), *(["–" if part is None else f"{100 * part:.1f} %"] if used else []))
    out.print(table)
    rated = [row for row in ranking.rows if row.score is not None]
    first = [row.model for row in rated if row.low == 1]
    names = ", ".join(visible(each) for each in first[:5]) + (
        f" and {len(first) - 5} more" if len(first) > 5 else ""
    )
    out.print(f"\nMay be the best: {names}.", soft_wrap=True)
    if (hangs := ranking.first_place) is not None:
        out.print(
            f"The first place changes hands if {hangs.votes:,} of {hangs.of:,} votes "
            f"({100 * hangs.votes / hangs.of:.2g} %) are dropped: then {visible(hangs.other)} is above "
            f"{visible(hangs.model)}. Fewer may do.",
            soft_wrap=True,
        )
    share = f"{100 * ranking.tied / ranking.votes:.1f} %"
    out.print(
        f"{ranking.used:,} of {ranking.votes:,} votes are between rated models; {share} are ties.",
        soft_wrap=True,
    )
    if ranking.clusters:
        kinds = " and ".join(f"{number:,} {name}s" for name, number in ranking.clusters.items())
        out.print(f"Intervals count votes of one voter or prompt as one: {kinds}.", soft_wrap=True)
    if ranking.note:
        out.print(f"{ranking.note[:1].upper()}{ranking.note[1:]}.", soft_wrap=True)
    for effect in ranking.effects:
        low, high = effect.interval.low, effect.interval.high
        out.print(
            f"One standard difference in {effect.style} is worth {effect.points:+.1f} points "
            f"[{low:+.1f}, {high:+.1f}].",
            soft_wrap=True,
        )
    out.print(f"Ranges of ranks hold for all models at once, with {percent} confidence.", soft_wrap=True)


def print_segment(out: "Console", found: "SegmentRanking") -> None:
    """The board of one segment, with how much of each score is its own."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("model", "score", "interval", "elsewhere", "own", "votes"):
        table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
    for row in found.rows:
        if row.score is None or row.interval is None:
            table.add_row(visible(row.model), row.status, "", "", "", f"{row.votes:,}")
            continue
        table.add_row(
            visible(row.model),
            f"{row.score:.1f}",
            f"[{row.interval.low:.1f}, {row.interval.high:.1f}]",
            f"{row.elsewhere:.1f}",
            f"{100 * (row.own or 0):.0f} %",
            f"{row.votes:,}",
        )
    out.print(table)
    out.print(
        f"\n{found.votes:,} votes of {found.kind} {visible(found.value)}, drawn towards "
        f"{found.others:,} others. Scores of {found.learnt_from:,} such segments lie {found.apart:.0f} "
        "points from the others' (a standard deviation). Own is the share of a score that is from these "
        "votes.",
        soft_wrap=True,
    )


def print_stages(out: "Console", found: "CleanRanking") -> None:
    """What each filter set aside, and what that moved."""
    table = Table(title="From raw votes to used ones", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("filter", "set aside", "left", "cannot say", "moved most"):
        table.add_column(name, justify="left" if name in ("filter", "moved most") else "right")
    for stage in found.stages:
        step = stage.step
        unjudged = f"{step.unjudged:,}" if step.unjudged else ""
        table.add_row(step.name, f"{step.flagged:,}", f"{step.after:,}", unjudged, _moved(stage))
    out.print(table)
    for stage in found.stages:
        for reason, number in list(stage.step.reasons.items())[:5]:
            out.print(f"  {stage.step.name}: {visible(reason)}: {number:,}", soft_wrap=True)
    out.print()


def _moved(stage: "Stage") -> str:
    parts = [f"{visible(each.model)} {each.points:+.1f}" for each in stage.moved[:2]]
    if stage.lost:
        parts.append(f"{len(stage.lost)} not rated any more")
    return ", ".join(parts)


def _cells(row: "Row") -> tuple[str, ...]:
    ties = f"{100 * row.tied / row.votes:.0f} %"
    if row.score is None or row.interval is None:
        return ("–", visible(row.model), row.status, "", "", f"{row.votes:,}", ties)
    ranks = f"{row.low}" if row.low == row.high else f"{row.low}–{row.high}"
    return (
        ranks,
        visible(row.model),
        f"{row.score:.1f}",
        f"[{row.interval.low:.1f}, {row.interval.high:.1f}]",
        f"{100 * (row.expected or 0):.1f} %",
        f"{row.votes:,}",
        ties,
    )
