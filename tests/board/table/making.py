"""Snapshots of every shape, for tests of what is seen of them."""

import string
from dataclasses import replace

from hypothesis import strategies as st

from bakeoff.board.ranking.snapshot import Snapshot, ranked
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Scores, Value
from tests.board.making import entrant

HOSTILE = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "a\nb",
    'say "x", then\r\nleave',
    "\u202egpj.exe",
    "\x1b[31mred",
    "\x00nul",
    "'); DROP TABLE snapshot; --",
    "a" * 300,
)
NAMES = st.sampled_from((*HOSTILE, "org/model-7b", "org/model-13b", "plain", "Plain", "ÄÖ-ß", ""))
SAID = st.sampled_from(("", "-", "mit", "MIT", "apache-2.0", "llama3", *HOSTILE[:5]))
AMOUNT = st.none() | st.sampled_from((0.0, 1.0, 2.5, 2.5, 100.0)) | st.floats(0, 1e6)


def scored(number, value=0.5, error=0.01, *, cost=None, latency=None, columns=None, outcomes=None, **changes):
    """A published row; without an `error` its score has no interval."""
    score = entrant(number, value, error or 0.0).scores.score
    if error is None:
        score = replace(score, low=None, high=None)
    scores = Scores(
        score, columns or {}, outcomes=outcomes or {}, cost=cost, latency_p50=latency, incomplete=""
    )
    return entrant(number, **({"scores": scores} | changes))


def snapshot(*entrants, notes=(), unit="share"):
    """As it is published, or for what others report with their notes."""
    rows = ranked(entrants)
    if LOWER in notes:
        rows = _turned(entrants)
    return Snapshot(
        "small",
        1,
        "sha256:rule",
        0.95,
        "2026-02-01T00:00:00+00:00",
        "sha256:log",
        rows,
        notes=tuple(notes),
        unit=unit,
    )


def _turned(entrants):
    """The rows of a board on which a lower score is better."""
    own = {each.submission: each for each in entrants}
    minus = []
    for each in entrants:
        value = each.scores.score
        turned = Value(
            *(None if end is None else -end for end in (value.value, value.high, value.low)), value.n
        )
        minus.append(replace(each, scores=replace(each.scores, score=turned)))
    return tuple(replace(row, entrant=own[row.entrant.submission]) for row in ranked(minus))


@st.composite
def entrants(draw, number):
    value = draw(st.none() | st.sampled_from((0.2, 0.5, 0.5)) | st.floats(0, 1))
    columns = {"core/Maths": Value(draw(st.none() | st.floats(0, 1))), "core/Code": Value(value, 0.0, 1.0, 9)}
    return scored(
        number,
        value,
        draw(st.none() | st.sampled_from((0.0, 0.01, 0.1))),
        cost=draw(AMOUNT),
        latency=draw(AMOUNT),
        columns=columns,
        outcomes=draw(st.sampled_from(({}, {"scored": 1.0, "truncated": 0.0}))),
        model=draw(NAMES) or "unnamed",
        organisation=draw(NAMES),
        licence=draw(SAID),
        precision=draw(st.sampled_from(("", "bfloat16", "4bit"))),
        parameters=draw(st.none() | st.sampled_from((-1.0, 0.0, 3.0, 7.0, 9.0, 70.0, 400.0))),
        provenance=draw(st.sampled_from(("measured", "reproduced", "reported"))),
        state=draw(st.sampled_from(("published", "published", "withdrawn"))),
        flags=draw(st.sampled_from(((), ("said otherwise",), HOSTILE[:2]))),
    )


@st.composite
def snapshots(draw, most=12):
    """Boards of a few rows, some of which say little, with hostile text in every field."""
    size = draw(st.integers(0, most))
    rows = [draw(entrants(number)) for number in range(1, size + 1)]
    return snapshot(*rows, notes=draw(st.sampled_from(((), (LOWER,)))))


WORDS = st.text(string.ascii_letters + "éß <>&\"'%=;\u202e/", min_size=1, max_size=12)
