"""Votes given out: a file, its manifest, and an entry in the register of what was given to whom."""

import hashlib
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import orjson
from sqlalchemy import ColumnElement, Connection, Engine, func, select

from bakeoff.arena.battles.as_votes import Chosen, battles
from bakeoff.arena.battles.live_arena import LiveArena, live_arena
from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.policy.life import UNRELEASED
from bakeoff.arena.policy.releases import EVERYONE, give, given
from bakeoff.arena.policy.rules import Releases
from bakeoff.arena.policy.sampling import as_date, day_of
from bakeoff.arena.policy.variants import variants
from bakeoff.arena.sharing.held_back import is_given
from bakeoff.arena.sharing.scrubbing import scrubbed
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.table import write_votes
from bakeoff.database import reading, writing
from bakeoff.database.clock import current
from bakeoff.database.tables import ballot, battle
from bakeoff.errors import BakeoffError
from bakeoff.store.files import unwritable

Form = Literal["parquet", "jsonl"]
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was given out to `provider`: votes of the days `since` to `until` (dates in UTC, both included).

    Of `total` votes that the arena has, `earlier` and `too_young` are of other days, `held_back` ones are
    never given, those on a variant that was not released yet are `under_test`, and of the rest the `share`
    of the policy was drawn: `not_drawn` was left, `given` is in the file. The texts of `without_texts` of
    them were erased; `removed` counts personal details that were taken out, by kind. `data` is the digest
    of the file.
    """

    arena: str
    provider: str
    since: str
    until: str
    share: float
    policy_version: int
    total: int
    earlier: int
    too_young: int
    held_back: int
    under_test: int
    not_drawn: int
    given: int
    without_texts: int
    removed: Mapping[str, int]
    data: str
    file: str


def give_out(
    engine: Engine,
    arena: str,
    folder: Path,
    *,
    actor: str,
    provider: str = EVERYONE,
    since: int | None = None,
    until: int | None = None,
    form: Form = "parquet",
) -> Manifest:
    """Write a release into a new folder, `votes.parquet` or `votes.jsonl` and `manifest.json`, and register
    it. Images are not given out.

    Days are days since 1970. Without `since` it goes on where the last release to this provider ended,
    without `until` it goes to the last day that the policy allows. Voters have pseudonyms that no other
    release has, and nobody keeps what they are made with. The register has its entry before the folder is
    there: a crash between the two leaves an entry too many, never one too few.

    Raises:
        BakeoffError: the folder is there, there is nothing to give, or the policy does not allow it.
        StoreError: it cannot be written.
    """
    if folder.exists():
        raise BakeoffError(
            f"{folder} is there already", "name a new folder: what was given out stays as it was"
        )
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        with reading(engine) as connection:
            days = _days(connection, arena, provider, since, until)
            made = _write(connection, arena, part, provider, days, form)
        with writing(engine) as connection:
            first, last = days
            give(
                connection,
                arena,
                provider,
                since=first,
                until=last,
                share=made.share,
                data=made.data,
                actor=actor,
            )
        part.rename(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return made


def _days(
    connection: Connection, arena: str, provider: str, since: int | None, until: int | None
) -> tuple[int, int]:
    rule = in_force(connection, arena).releases
    if until is None:
        until = day_of(current(connection)) - rule.delay_days - 1
    if since is None:
        ends = [each.until for each in given(connection, arena) if each.provider == provider]
        first = _first(connection, arena)
        since = max(ends) + 1 if ends else until if first is None else day_of(first)
    if since > until:
        raise BakeoffError(
            f"there is nothing to give out: votes of {as_date(since)} and later are too young, or not there",
            _allowed(rule),
        )
    if until + rule.delay_days + 1 > day_of(current(connection)):
        raise BakeoffError(f"votes of {as_date(until)} are too young to be given out", _allowed(rule))
    return since, until


def _allowed(rule: Releases) -> str:
    return f"the policy says {rule.delay_days} whole days"


def _write(
    connection: Connection, arena: str, part: Path, provider: str, days: tuple[int, int], form: Form
) -> Manifest:
    live, policy = live_arena(connection, arena), in_force(connection, arena)
    hidden = {each.name for each in variants(connection, arena) if (each.before or each.state) in UNRELEASED}
    since, until = days[0] * _DAY_S, (days[1] + 1) * _DAY_S
    counts: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    found = battles(connection, arena, Chosen(since, until, held_back=False), "shown")
    drawn = _drawn(found, live, policy.releases.share, hidden, counts)
    file = part / f"votes.{form}"
    rows = scrubbed(drawn, secrets.token_hex(32), removed)
    number = write_votes(file, rows) if form == "parquet" else _write_lines(file, rows)
    if number == 0:
        raise BakeoffError(
            f"of {as_date(days[0])} to {as_date(days[1])} there is no vote to give out", "wait for more"
        )
    within = (ballot.c.at >= since) & (ballot.c.at < until)
    made = Manifest(
        arena=arena,
        provider=provider,
        since=as_date(days[0]).isoformat(),
        until=as_date(days[1]).isoformat(),
        share=policy.releases.share,
        policy_version=policy.version,
        total=_count(connection, arena),
        earlier=_count(connection, arena, ballot.c.at < since),
        too_young=_count(connection, arena, ballot.c.at >= until),
        held_back=_count(connection, arena, within & battle.c.held_back),
        under_test=counts["under test"],
        not_drawn=counts["not drawn"],
        given=number,
        without_texts=counts["without texts"],
        removed=dict(sorted(removed.items())),
        data=_digest(file),
        file=file.name,
    )
    (part / "manifest.json").write_bytes(orjson.dumps(asdict(made), option=orjson.OPT_INDENT_2) + b"\n")
    return made


def _drawn(
    found: Iterable[Battle], live: LiveArena, share: float, hidden: set[str], counts: Counter[str]
) -> Iterator[Battle]:
    for each in found:
        if {each.model_a, each.model_b} & hidden:
            counts["under test"] += 1
        elif not is_given(live, each.id, share):
            counts["not drawn"] += 1
        else:
            counts["without texts"] += each.prompt_text is None
            yield each


def _write_lines(path: Path, rows: Iterable[Battle]) -> int:
    """One object a line, in the layout that `bakeoff arena import` calls plain."""
    count = 0
    with path.open("wb") as file:
        for count, each in enumerate(rows, 1):  # noqa: B007 (how many there were)
            styled = {"style_a", "style_b", "gold", "share"}
            told = {name: value for name, value in asdict(each).items() if name not in styled}
            file.write(orjson.dumps(told | {"tags": ",".join(each.tags)}) + b"\n")
    return count


def _first(connection: Connection, arena: str) -> float | None:
    """When the first vote was cast, in seconds since 1970."""
    query = select(func.min(ballot.c.at)).join(battle, battle.c.id == ballot.c.battle)
    return connection.execute(query.where(battle.c.arena == arena)).scalar()


def _count(connection: Connection, arena: str, *which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(ballot).join(battle, battle.c.id == ballot.c.battle)
    return connection.execute(query.where(battle.c.arena == arena, *which)).scalar_one()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
