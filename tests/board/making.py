"""Boards and submissions for tests."""

from statistics import NormalDist

from bakeoff.board.definition import Board
from bakeoff.board.ranking.snapshot import Entrant, Snapshot, ranked
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import Model

BOARD = Board(name="small", version=1, since="2026-01-01", suites=({"suite": "core"},))


def model(number=0, **changes):
    return Model(**({"name": f"org/model-{number}", "revision": f"{number:040x}", "engine": "hf"} | changes))


def entrant(number=0, value=0.5, error=0.01, *, level=0.95, **changes):
    """A published row with this score and standard error."""
    half = NormalDist().inv_cdf(0.5 + level / 2) * error
    score = Value(None) if value is None else Value(value, value - half, value + half, 100)
    given = {
        "submission": number,
        "organisation": f"org{number}",
        "model": f"org/model-{number}",
        "revision": f"{number:040x}",
        "precision": "bfloat16",
        "licence": "apache-2.0",
        "parameters": 1.0,
        "provenance": "measured",
        "first_seen": f"2026-01-{1 + number % 28:02}T00:00:00+00:00",
        "attempt": 1,
        "attempts": 1,
        "state": "published",
        "scores": Scores(score, {"core/Maths": score}, runs={"gsm8k": f"run{number} sha256:{number}"}),
    }
    return Entrant(**(given | changes))


def snapshot(*entrants, version=1, rule="sha256:rule", **how):
    return Snapshot(
        "small", version, rule, 0.95, "2026-02-01T00:00:00+00:00", "sha256:log", ranked(entrants, **how)
    )
