"""Nothing is taken back: rows are as the log left them, and who was rated stays rated."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.history import History
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import PUBLIC
from bakeoff.digest import canonical_json, digest_bytes

_TODO = "put the row back as the log says"


def retraction(ledger: Ledger) -> Iterator[Finding]:
    """Rows that are gone, unknown to the log or other than it says; ratings that ceased to be published."""
    for name, history in ledger.histories.items():
        row = ledger.rows.get(name)
        if row is None:
            text = f"is {history.last.state} by the log, and its row is gone"
            yield Finding("retraction", name, text, _TODO, history.last.entry)
        elif differing := [*_differing(row, history), *_rating(row, ledger)]:
            text = f"has another {', '.join(differing)} than the log says"
            yield Finding("retraction", name, text, _TODO, history.last.entry)
    for name in sorted(ledger.rows.keys() - ledger.histories.keys()):
        yield Finding("retraction", name, "has a row of which the log knows nothing", "register it openly")
    for place, name in vanished([each.ratings for each in ledger.rated]):
        publication = ledger.rated[place]
        step = ledger.histories[name].by(publication.entry) if name in ledger.histories else None
        if step is not None and step.state in PUBLIC:
            yield Finding(
                "retraction",
                name,
                f"was rated before, and left out here though it was {step.state}",
                "publish the ratings again with it",
                publication.entry,
            )


def vanished(publications: Sequence[Collection[str]]) -> Iterator[tuple[int, str]]:
    """Who was in a publication and is not in the next: the place of that one, and the name."""
    for place in range(1, len(publications)):
        for name in sorted(set(publications[place - 1]) - set(publications[place])):
            yield place, name


def _differing(row: Row[Any], history: History) -> Iterator[str]:
    before = history.last.before
    said = {
        "provider": history.provider,
        "family": history.family,
        "licence": history.licence,
        "access": history.access,
        "state": history.last.state.value,
        "before": None if before is None else before.value,
    }
    yield from (column for column, value in said.items() if row._mapping[column] != value)  # noqa: SLF001
    if digest_bytes(row.artefact.encode()) != history.artefact:
        yield "artefact"


def _rating(row: Row[Any], ledger: Ledger) -> Iterator[str]:
    last = ledger.rating(row.name, ledger.entries[-1].number + 1)
    if row.rating != (None if last is None else canonical_json(asdict(last)).decode()):
        yield "rating"
