"""The ranking of an arena to take away: what its page says, a row a model."""

import csv
import io
from typing import Any

from bakeoff.arena.ranking.ranking import Row
from bakeoff.board.table.downloads import disarmed
from bakeoff.web.pages.arena_ranking import ArenaRankingPage, Line


def told(page: ArenaRankingPage) -> dict[str, Any]:
    """Everything as plain data. Scores are in Elo points, shares in [0, 1]; what is not known is None."""
    ranking = page.ranking
    return {
        "arena": page.arena,
        "cast": page.cast,
        "public": page.public,
        "used": page.used,
        "clusters": dict(ranking.clusters) if ranking else {},
        "style": list(page.chosen if page.styled else ()),
        "effects": [
            {"style": each.style, "points": each.points, "low": each.interval.low, "high": each.interval.high}
            for each in page.effects
        ],
        "set_aside": [
            {
                "filter": each.step.name,
                "version": each.step.version,
                "parameters": dict(each.step.parameters),
                "before": each.step.before,
                "flagged": each.step.flagged,
                "unjudged": each.step.unjudged,
            }
            for each in page.filtered
        ],
        "segment": _segment(page),
        "rows": [_row(line) for line in page.lines],
    }


def as_csv(page: ArenaRankingPage) -> bytes:
    """A header and a row a model, as RFC 4180 has it, in UTF-8; what is not known is empty.

    Text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    out = io.StringIO()
    rows = [_flat(_row(line)) for line in page.lines]
    writer = csv.DictWriter(out, _flat(_row(_NOBODY)), lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: disarmed(each) if isinstance(each, str) else each for name, each in row.items()}
        )
    return out.getvalue().encode()


_NOBODY = Line(Row("", "unseen", 0, 0), None, None, None, None)


def _segment(page: ArenaRankingPage) -> dict[str, Any] | None:
    found = page.segment
    if found is None:
        return None
    return {"kind": found.kind, "value": found.value, "votes": found.votes, "apart": found.apart}


def _row(line: Line) -> dict[str, Any]:
    row, variant, inside = line.row, line.variant, line.segment
    return {
        "model": row.model,
        "provider": variant.provider if variant else None,
        "licence": variant.licence if variant else None,
        "state": variant.state.value if variant else None,
        "status": row.status,
        "votes": row.votes,
        "tied": row.tied,
        "plain": _score(row),
        "equal_style": _score(line.styled),
        "expected": row.expected,
        "in_segment": None
        if inside is None
        else {"votes": inside.votes, "score": inside.score, "own": inside.own, "elsewhere": inside.elsewhere},
        "last_vote": line.last.isoformat(timespec="seconds") if line.last else None,
    }


def _score(row: Row | None) -> dict[str, float | int | None]:
    if row is None or row.interval is None:
        return dict.fromkeys(("score", "low", "high", "best_rank", "worst_rank"))
    return {
        "score": row.score,
        "low": row.interval.low,
        "high": row.interval.high,
        "best_rank": row.low,
        "worst_rank": row.high,
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Without objects in it."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "in_segment":
            names = ("votes", "score", "own", "elsewhere")
            flat |= {f"segment_{each}": None if value is None else value[each] for each in names}
        elif isinstance(value, dict):
            prefix = "" if name == "plain" else f"{name}_"
            flat |= {f"{prefix}{each}": found for each, found in value.items()}
        else:
            flat[name] = value
    return flat
