"""The ranking of an arena: scores with what they can bear, at equal style beside, and what was cleaned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup
from sqlalchemy import Connection

from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.variant import Variant
from bakeoff.arena.policy.variants import variants
from bakeoff.arena.ranking.ranking import Effect, Ranking, Row
from bakeoff.arena.ranking.segments import SegmentRanking, SegmentRow
from bakeoff.arena.votes.votes import STYLES
from bakeoff.charts import Scale, shared, whisker
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings.standing import Status
from bakeoff.web.pages.arena_cleaning import Filtered, filtered
from bakeoff.web.pages.arena_standing import Standing, hidden, standing_of
from bakeoff.web.pages.arena_votes import is_live
from bakeoff.web.reading import Library

MOST_SEGMENTS = 12
WITHOUT_SCORE: Mapping[Status, str] = {
    "rated": "",
    "undefeated": "undefeated: it won every vote",
    "winless": "winless: it lost every vote",
    "disconnected": "disconnected: no votes link it with the others both ways",
    "unseen": "no vote yet",
}
_ORDER: Mapping[Status, int] = {name: place for place, name in enumerate(WITHOUT_SCORE)}


@dataclass(frozen=True, slots=True)
class Line:
    """A model: its `row`, the same at equal style, and in a segment. `variant` says where it stands; None for
    a name that only votes know. `gone` is one that is shown to nobody any more.
    """

    row: Row
    styled: Row | None
    segment: SegmentRow | None
    variant: Variant | None
    last: datetime | None

    @property
    def gone(self) -> bool:
        """Whether it was taken out of the arena."""
        return self.variant is not None and self.variant.state in (State.WITHDRAWN, State.RETIRED)

    @property
    def badge(self) -> str:
        """Its state, where that is more than being on the board."""
        return "" if self.variant is None or self.variant.state is State.LISTED else self.variant.state.value

    @property
    def tied(self) -> float | None:
        """The share of its votes that ended as a tie, in [0, 1]."""
        return self.row.tied / self.row.votes if self.row.votes else None

    @property
    def why(self) -> str:
        """Why it has no score."""
        return WITHOUT_SCORE[self.row.status]


@dataclass(frozen=True, slots=True)
class ArenaRankingPage:
    """`cast` votes were cast, `public` of them between public models, and `used` are between rated ones.
    `private` models are under test. `chosen` styles are held equal; `unstyled` says why none could be.
    `alone` is a segment outside of which nobody can be rated. `offered` are the segments of each kind with
    their votes.
    """

    arena: str
    live: bool
    lines: tuple[Line, ...]
    private: int
    cast: int
    public: int
    used: int
    filtered: tuple[Filtered, ...]
    ranking: Ranking | None
    styled: Ranking | None
    chosen: tuple[str, ...]
    styles: tuple[str, ...]
    unstyled: str
    segment: SegmentRanking | None
    alone: str
    offered: Mapping[str, Mapping[str, int]]
    scale: Scale
    level: int = 95

    @property
    def best(self) -> tuple[Row, ...]:
        """Those that may be the best."""
        return tuple(each.row for each in self.lines if each.row.low == 1)

    @property
    def counted(self) -> int:
        """Votes that no filter set aside."""
        return self.filtered[-1].step.after

    @property
    def style_choices(self) -> tuple[tuple[str, str, bool], ...]:
        """What can be held equal: for the address, in words, and whether it is chosen."""
        one = [(name, name, self.chosen == (name,)) for name in self.styles if len(self.styles) > 1]
        return (("", "all style", self.chosen == self.styles), *one, ("off", "nothing", not self.chosen))

    def segments(self, kind: str) -> tuple[tuple[str, int], ...]:
        """The languages or tags with the most votes."""
        return tuple(self.offered[kind].items())[:MOST_SEGMENTS]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What style is worth."""
        return self.styled.effects if self.styled else ()

    @property
    def clusters(self) -> str:
        """What the intervals count as one observation."""
        if self.ranking is None:
            return ""
        counted = [f"{number:,} {name}s" for name, number in self.ranking.clusters.items()]
        return f"Votes hang together by {' and '.join(counted)}." if counted else f"{self.ranking.note}."

    def whisker(self, row: Row | SegmentRow | None) -> Markup:
        """The interval of a score on the scale of the page."""
        if row is None or row.interval is None:
            return Markup()
        return whisker(self.scale, row.score, row.interval.low, row.interval.high)


def arena_ranking_page(
    library: Library,
    connection: Connection,
    arena: str,
    *,
    style: str = "all",
    language: str = "",
    tag: str = "",
) -> ArenaRankingPage:
    """The page's data. `style` is `all`, `off`, or names with commas between.

    Raises:
        BakeoffError: there is no such arena, style, language or tag.
    """
    found = standing_of(library, connection, arena)
    there = tuple(variants(connection, arena))
    chosen = chosen_styles(style, found.styles)
    styled, unstyled = _styled(found, chosen)
    offered = {"language": found.used.language.counts(), "tag": found.tags}
    segment = _segment(found, offered, language, tag)
    lines = _lines(found, there, styled, segment)
    return ArenaRankingPage(
        arena=arena,
        live=is_live(connection, arena),
        lines=lines,
        private=len(hidden(there)),
        cast=len(found.all),
        public=found.public,
        used=found.ranking.used if found.ranking else 0,
        filtered=filtered(found.steps, found.stages),
        ranking=found.ranking,
        styled=styled,
        chosen=chosen,
        styles=found.styles,
        unstyled=unstyled,
        segment=segment,
        alone="" if segment else language or tag,
        offered=offered,
        scale=shared(_ends(lines)),
    )


def chosen_styles(style: str, there: Sequence[str]) -> tuple[str, ...]:
    """The styles that are meant, in the order of `STYLES`.

    Raises:
        BakeoffError: a name is none.
    """
    if style in ("", "all"):
        return tuple(there)
    if style == "off":
        return ()
    names = style.split(",")
    for name in names:
        if name not in STYLES:
            raise BakeoffError(f"there is no style {name!r:.60}", f"all, off, or some of {', '.join(STYLES)}")
    return tuple(name for name in STYLES if name in names)


def _styled(found: Standing, chosen: tuple[str, ...]) -> tuple[Ranking | None, str]:
    if not chosen or found.ranking is None:
        return None, ""
    try:
        return found.at_equal_style(chosen), ""
    except BakeoffError:
        return None, f"the votes do not tell what {' and '.join(chosen)} of the answers are worth"


def _segment(
    found: Standing, offered: Mapping[str, Mapping[str, int]], language: str, tag: str
) -> SegmentRanking | None:
    if not (language or tag):
        return None
    if language and tag:
        raise BakeoffError("a language or a tag can be looked at, and not both at once", "leave one out")
    kind, value = ("language", language) if language else ("tag", tag)
    if value not in offered[kind]:
        raise BakeoffError(
            f"there is no vote with the {kind} {value!r:.100}", "the ranking lists all there are"
        )
    try:
        return found.of_segment(kind, value)
    except BakeoffError:
        return None


def _lines(
    found: Standing, there: Sequence[Variant], styled: Ranking | None, segment: SegmentRanking | None
) -> tuple[Line, ...]:
    """Every model that is or was public, in the order of scores; those without a score last."""
    known = {each.name: each for each in there}
    rows = {row.model: row for row in found.rows}
    secret = hidden(there)
    for name in known.keys() - rows.keys() - secret:
        rows[name] = Row(name, "unseen", 0, 0)
    beside = {row.model: row for row in styled.rows} if styled else {}
    inside = {row.model: row for row in segment.rows} if segment else {}
    lines = [
        Line(row, beside.get(name), inside.get(name), known.get(name), found.last.get(name))
        for name, row in rows.items()
    ]
    # Only a segment's lines have one.
    return tuple(sorted(lines, key=lambda each: _place(each.segment or each.row)))


def _place(row: Row | SegmentRow) -> tuple[int, float, str]:
    without = row.score is None
    return (1 + _ORDER[row.status] if without else 0, -(row.score or 0.0), row.model)


def _ends(lines: Sequence[Line]) -> Iterator[float]:
    for line in lines:
        for row in (line.row, line.styled, line.segment):
            if row is not None and row.interval is not None:
                yield from (row.interval.low, row.interval.high)
