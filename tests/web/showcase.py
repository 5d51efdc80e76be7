"""A made board that has everything: intervals, prices, licences, remarks, rows without a rank, history."""

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert

from bakeoff.board.definition import Board
from bakeoff.board.ranking.snapshot import Snapshot, ranked
from bakeoff.board.registry import register
from bakeoff.board.scores import Scores, Value
from bakeoff.database.tables import snapshot as table
from bakeoff.digest import canonical_json
from bakeoff.stats import Interval
from bakeoff.stats.board.combined import combined
from tests.board.making import entrant

BOARD = Board(
    name="general",
    version=1,
    title="General capability",
    about="Three abilities of 500 items each, on public data.",
    since="2026-01-01",
    suites=({"suite": "core"},),
    columns=("cost", "latency", "parameters", "licence", "provenance", "first_seen"),
)
TASKS = ("core/Reasoning", "core/Code", "core/Knowledge")
SIZES = {"nano": 1.5, "mini": 4, "small": 8, "base": 14, "plus": 32, "large": 70, "max": 235, "ultra": 405}
ORGANISATIONS = ("Aurora", "Borealis", "Cobalt", "Dune", "Ember", "Fjord", "Granite", "Heron")
LICENCES = ("apache-2.0", "mit", "proprietary", "")


def entrants(many=60, *, names=None, seed=7):
    """`many` rows of made-up models, the last few of which have no rank for one reason each."""
    draw = random.Random(seed)
    found = [_entrant(draw, number) for number in range(1, many + 1)]
    for number, name in enumerate(names or ()):
        found[number] = replace(found[number], model=name, organisation=name, licence=name, flags=(name,))
    if many >= 12:
        found[3] = replace(found[3], flags=("measured again as submission 9, with another result",))
        found[-1] = replace(found[-1], removed="contamination: it was trained on items of the board")
        found[-2] = replace(found[-2], duplicate_of=4)
        found[-3] = replace(found[-3], state="withdrawn")
        lost = Scores(Value(None), {}, incomplete="core: ifeval is missing")
        found[-4] = replace(found[-4], scores=lost)
    return found


def publish(connection, board=BOARD, rows=None, *, made="2026-03-01T12:00:00+00:00", **changes):
    """Keep a snapshot of these entrants under a board, which is registered."""
    register(connection, board, actor="ann")
    ranked_rows = ranked(rows if rows is not None else entrants(), level=board.level)
    found = Snapshot(
        board.name, board.version, board.digest, board.level, made, "sha256:log", ranked_rows, **changes
    )
    connection.execute(
        insert(table).values(
            digest=found.digest,
            board=board.name,
            version=board.version,
            made=datetime.fromisoformat(made).timestamp(),
            content=canonical_json(found.as_json()).decode(),
        )
    )
    return found


def publish_history(connection, board=BOARD, many=60, states=6):
    """Several snapshots, a month apart, to each of which some rows came."""
    rows = entrants(many)
    start = datetime(2025, 10, 1, 12, tzinfo=UTC)
    share = [math.ceil(many * (0.5 + 0.5 * (each + 1) / states)) for each in range(states)]
    return [
        publish(connection, board, rows[-count:], made=(start + timedelta(days=30 * each)).isoformat())
        for each, count in enumerate(share)
    ]


def _entrant(draw, number):
    (size, billions), organisation = list(SIZES.items())[(number - 1) // 8 % 8], ORGANISATIONS[number % 8]
    quality = (34 + 8.2 * math.log(billions) + draw.gauss(0, 4.5)) / 100
    columns = {name: _value(min(0.97, max(0.05, quality + draw.gauss(0, 0.05)))) for name in TASKS}
    truncated = max(0.0, draw.gauss(0.02, 0.02))
    refused = max(0.0, draw.gauss(0.01, 0.01))
    again = f"-{(number - 1) // 64 + 1}" if number > 64 else ""
    return entrant(
        number,
        organisation=organisation,
        model=f"{organisation}/{organisation}-{size}{again}",
        licence=LICENCES[draw.randrange(4)],
        parameters=billions,
        provenance=("measured", "measured", "reproduced", "records")[draw.randrange(4)],
        attempt=1 + (number - 1) // 8,
        attempts=1 + (number - 1) // 8,
        scores=Scores(
            _mean(list(columns.values())),
            columns,
            outcomes={
                "empty": 0.0,
                "no_answer": 0.01,
                "refused": refused,
                "scored": 0.99 - refused - truncated,
                "truncated": truncated,
            },
            latency_p50=round(0.2 + billions**0.5 / 9 * math.exp(draw.gauss(0, 0.2)), 2),
            cost=None if number % 17 == 0 else round(0.03 * billions**0.85 * math.exp(draw.gauss(0, 0.5)), 3),
            runs={"ifeval": f"20260101T000000Z-{number:06x} sha256:{number:064x}"},
            tasks={"ifeval": "sha256:asked"},
        ),
    )


def _value(share, n=500):
    half = 1.96 * math.sqrt(share * (1 - share) / n)
    return Value(share, max(0.0, share - half), min(1.0, share + half), n)


def _mean(values):
    limits = [Interval(each.low, each.high, 0.95, "wald") for each in values]
    found = combined([each.value for each in values], limits, [1 / len(values)] * len(values))
    value = sum(each.value for each in values) / len(values)
    return Value(value, found.low, found.high, sum(each.n for each in values))
