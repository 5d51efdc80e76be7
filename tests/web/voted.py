"""Votes in a live arena, many at once: what voters and models did in it, as rows of the database."""

import time

from sqlalchemy import insert

from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import style_of
from bakeoff.database import writing
from bakeoff.database.tables import answer, ballot, battle, guess, live_arena, turn

DAY_S = 86_400.0


def go_live(engine, models, *, arena="chat", **changes):
    """Let people vote in an arena whose policy is in force."""
    with writing(engine) as connection:
        candidates = [
            {"name": name, "model": "gguf:x", "provider": "Acme", "family": "x", "licence": "open_weights"}
            for name in models
        ]
        policy = in_force(connection, arena)
        definition = Arena.model_validate({"name": arena, "models": candidates, "policy": policy} | changes)
        connection.execute(
            insert(live_arena).values(
                arena=arena,
                definition=definition.model_dump_json(),
                digest=definition.digest,
                salt="pepper",
                seed=7,
                created=time.time(),
            )
        )


def vote(engine, votes, *, arena="chat", start=0):
    """Each vote is (left, right, outcome) and a mapping of what is not as usual: `voter`, `prompt`,
    `answers`, `ago` in days, `language`, `tags`, `held_back`, `guesses` (left, right), `seconds`, `erased`.
    """
    rows = {each: [] for each in (battle, turn, answer, ballot, guess)}
    now = time.time()  # one for all: between two looks at the clock there may be more than what orders them
    for number, (left, right, outcome, *rest) in enumerate(votes, start):
        for table, values in _rows(arena, number, left, right, outcome, now, **(rest[0] if rest else {})):
            rows[table].append(values)
    with writing(engine) as connection:
        for table, values in rows.items():
            if values:
                connection.execute(insert(table), values)


def _rows(
    arena,
    number,
    left,
    right,
    outcome,
    now,
    *,
    voter=None,
    prompt="How deep is the lake?",
    answers=("Ten **metres**.", "- Deep\n- deeper, and then some more"),
    ago=20.0,
    language="en",
    tags="",
    held_back=False,
    guesses=(),
    seconds=20.0,
    erased=False,
):
    key, at = f"battle-{number}", now - ago * DAY_S - number / 1000
    usual = {"battle": key}
    yield (
        battle,
        {
            "id": key,
            "arena": arena,
            "voter": pseudonym(voter or f"voter {number % 40}"),
            "left": left,
            "right": right,
            "propensity": 0.25 + (number % 2) / 4,
            "rule": "uniform@1",
            "state": "voted",
            "outcome": outcome,
            "turns": 1,
            "language": language,
            "held_back": held_back,
            "opened": at - 60,
            "changed": at,
        },
    )
    asked = {"number": 1, "prompt": None if erased else prompt, "pseudonym": pseudonym(prompt)}
    yield turn, usual | asked | {"tags": tags, "asked": at - 60}
    for side, text in zip(("left", "right"), answers, strict=True):
        style = style_of(text)
        counts = {name: getattr(style, name) for name in ("length", "headers", "lists", "bold")}
        done = {"finish": "stop", "refused": False, "total_s": 2.0, "scrubbed": 0}
        yield (
            answer,
            usual
            | counts
            | done
            | {
                "number": 1,
                "side": side,
                "text": None if erased else text,
            },
        )
    yield ballot, usual | {"reasons": "[]", "at": at, "seconds": seconds}
    for side, named in zip(("left", "right"), guesses, strict=False):
        yield guess, usual | {"side": side, "named": named, "at": at}
