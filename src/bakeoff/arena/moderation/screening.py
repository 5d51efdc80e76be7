"""A prompt before all filters of an arena, in their order."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.arena.moderation.filter import Filter, Verdict
from bakeoff.arena.moderation.judged import Judged
from bakeoff.arena.policy.adopting import subject
from bakeoff.database.log import record

KIND = "arena moderation"


@dataclass(frozen=True, slots=True)
class Screened:
    """What the filters said of a prompt: each that was asked, by name and version, and its verdict. After a
    refusal no further one is asked.
    """

    verdicts: tuple[tuple[str, Verdict], ...]

    @property
    def allowed(self) -> bool:
        """Whether the prompt is taken."""
        return all(each.allowed for _, each in self.verdicts)

    @property
    def reason(self) -> str:
        """Why it is not; empty where it is."""
        return next((each.reason for _, each in self.verdicts if not each.allowed), "")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What its writer is asked to look at."""
        return tuple(each.warning for _, each in self.verdicts if each.warning)

    @property
    def tags(self) -> tuple[str, ...]:
        """What is kept with the battle."""
        return tuple(dict.fromkeys(tag for _, each in self.verdicts for tag in each.tags))

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """The filters that could not judge, and why."""
        return tuple((name, each.failure) for name, each in self.verdicts if each.failure)


async def screen(filters: Sequence[Filter], prompt: str) -> Screened:
    """Ask filters about a prompt, up to the first that does not take it."""
    verdicts: list[tuple[str, Verdict]] = []
    for each in filters:
        verdict = await each.judge(prompt)
        verdicts.append((label(each), verdict))
        if not verdict.allowed:
            break
    return Screened(tuple(verdicts))


def label(asked: Filter | Judged) -> str:
    """How a filter is recorded: `length@1`."""
    return f"{asked.name}@{asked.version}"


def counted(screened: Iterable[Screened]) -> dict[str, Counter[str]]:
    """How often each filter allowed, refused, warned, tagged and failed; by name and version."""
    counts: dict[str, Counter[str]] = {}
    for each in screened:
        for name, verdict in each.verdicts:
            counts.setdefault(name, Counter()).update(_said(verdict))
    return counts


def tell(connection: Connection, arena: str, counts: Mapping[str, Mapping[str, int]], *, actor: str) -> None:
    """Put such counts into the log; nothing where nothing was judged."""
    if facts := {name: dict(sorted(each.items())) for name, each in sorted(counts.items()) if each}:
        record(connection, actor=actor, kind=KIND, subject=subject(arena), facts=facts)


def _said(verdict: Verdict) -> list[str]:
    words = ["allowed" if verdict.allowed else "refused"]
    words += ["warned"] * bool(verdict.warning) + ["failed"] * bool(verdict.failure)
    return words + [f"tagged {tag}" for tag in verdict.tags]
