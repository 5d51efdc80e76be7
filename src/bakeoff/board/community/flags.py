"""Flags: how a row can lose its rank. Under a rule that the board states, in public, after an answer.

    open → upheld → dismissed
         ↘ dismissed

A moderator rules on a flag, who is no party to it. A ruling that upheld it can be turned by a second one; a
flag that was dismissed stays so, and can be raised anew, which gives the organisation its answer again. The
row stays whatever is ruled, with its score. Reasons, replies and rulings are in the log, for good.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, or_, select

from bakeoff.board.community.attested import added, changed, disagreements, row
from bakeoff.board.community.discussion import belongs
from bakeoff.board.community.people import check_moderator, members, reasoned
from bakeoff.board.registry import known
from bakeoff.board.submissions import get
from bakeoff.database.clock import current, now
from bakeoff.database.log import Event, events, lock
from bakeoff.database.tables import flag as table
from bakeoff.database.tables import submission as submissions
from bakeoff.errors import BakeoffError

REPLY_DAYS = 7
"""So long a flag waits for the organisation's reply before it can be upheld without one."""
_DAY_S = 86_400.0

Ruling = Literal["uphold", "dismiss"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag on a submission under a rule of its board, with what came of it.

    `created` and `ruled` are seconds since 1970; `urgent` says that it was upheld before the organisation had
    its time to reply.
    """

    id: int
    submission: int
    rule: str
    reason: str
    raised_by: str
    created: float
    reply: str | None
    replied_by: str | None
    state: Literal["open", "upheld", "dismissed"]
    ruling: str | None
    ruled_by: str | None
    ruled: float | None
    urgent: bool

    @property
    def removed(self) -> str:
        """Why the row has no rank: the rule, the ruling, and whether it was urgent. Empty unless upheld."""
        if self.state != "upheld":
            return ""
        urgent = " (urgent: before the organisation's time to reply was over)" if self.urgent else ""
        return f"{self.rule}: {self.ruling}{urgent}"

    @property
    def text(self) -> str:
        """The flag, or what was ruled, in one line with the organisation's reply."""
        said = {
            "open": f"flagged under {self.rule}: {self.reason}",
            "upheld": f"removed under {self.removed}",
            "dismissed": f"flagged under {self.rule}, and dismissed: {self.ruling}",
        }[self.state]
        return f"{said}; the organisation replies: {self.reply}" if self.reply else said


def raise_flag(connection: Connection, submission: int, rule: str, reason: str, *, actor: str) -> Flag:
    """Flag a submission under a rule of its board.

    Raises:
        BakeoffError: there is no such submission, the board states no such rule, there is no reason, the same
            person's flag under the rule is open, or one under it was upheld already.
    """
    lock(connection)
    found = get(connection, submission)
    _check_stated(connection, found.board, rule)
    reason = reasoned(reason)
    there = connection.execute(
        select(table)
        .where(
            table.c.submission == submission,
            table.c.rule == rule,
            or_(table.c.state == "upheld", (table.c.state == "open") & (table.c.raised_by == actor)),
        )
        .limit(1)
    ).one_or_none()
    if there is not None:
        whose = "was upheld" if there.state == "upheld" else f"of {actor} is open"
        raise BakeoffError(
            f"a flag on submission {submission} under {rule} {whose}: flag {there.id}",
            f"what there is to add belongs into its thread: bakeoff board discuss submission {submission}",
        )
    values = {
        "submission": submission,
        "rule": rule,
        "reason": reason,
        "raised_by": actor,
        "created": now(),
        "state": "open",
    }
    number = added(
        connection,
        table,
        values,
        subject=f"submission {submission}",
        actor=actor,
        kind="flag raised",
        reason=reason,
        facts={"rule": rule},
    )
    return get_flag(connection, number)


def reply(connection: Connection, number: int, text: str, *, actor: str) -> Flag:
    """Answer a flag, once, for the organisation whose row it is on.

    For it speaks who had handed something in for it by the time it was raised; but not who raised the flag,
    who could otherwise cut short the time that the organisation has.

    Raises:
        BakeoffError: there is no such flag, it has a reply or was dismissed, there is nothing in the text, or
            the actor does not speak for the organisation.
    """
    lock(connection)
    found = row(connection, table, number)
    organisation = get(connection, found.submission).organisation
    if actor not in members(connection, organisation, before=found.created):
        raise BakeoffError(
            f"{actor} does not speak for {organisation}, having handed in nothing for it before the flag",
            f"everybody can write to its thread: bakeoff board discuss submission {found.submission}",
        )
    if actor == found.raised_by:
        raise BakeoffError(f"{actor} raised flag {number}, and cannot reply to it", "let somebody else reply")
    if found.reply is not None:
        raise BakeoffError(
            f"{found.replied_by} has replied to flag {number}",
            f"more belongs into its thread: bakeoff board discuss submission {found.submission}",
        )
    if found.state == "dismissed":
        raise BakeoffError(f"flag {number} was dismissed", "there is nothing left to reply to")
    text = reasoned(text, "reply")
    _change(connection, found, {"reply": text, "replied_by": actor}, "flag replied to", actor, text)
    return get_flag(connection, number)


def rule_on(
    connection: Connection, number: int, ruling: Ruling, *, actor: str, reason: str, urgent: bool = False
) -> Flag:
    """Uphold or dismiss a flag, or dismiss one that was upheld.

    `urgent` upholds it though the organisation neither replied nor had `REPLY_DAYS` days to; that is told on
    the row and in the log, and the organisation may still reply.

    Raises:
        BakeoffError: there is no such flag, it was ruled so already or dismissed, there is no reason, the
            actor is no moderator or a party to it, the board does not state its rule any more, or it is too
            early to uphold it.
    """
    lock(connection)
    found = row(connection, table, number)
    submission = get(connection, found.submission)
    check_moderator(known(connection, submission.board), actor)
    parties = {
        found.replied_by: "replied to it",
        submission.submitter: "handed in the row",
        found.raised_by: "raised it",
    }
    if actor in parties:
        raise BakeoffError(f"{actor} {parties[actor]}, and cannot rule on flag {number}", "let somebody else")
    reason = reasoned(reason)
    if found.state == "dismissed":
        raise BakeoffError(f"flag {number} was dismissed", "it can be raised anew, with what is new")
    if ruling == "dismiss":
        if urgent:
            raise BakeoffError("only upholding a flag can be urgent")
        state, early = "dismissed", False
    else:
        if found.state == "upheld":
            raise BakeoffError(f"flag {number} was upheld already, by {found.ruled_by}")
        _check_stated(connection, submission.board, found.rule)
        state, early = "upheld", _early(connection, found)
        if early and not urgent:
            days = REPLY_DAYS - (current(connection) - found.created) / _DAY_S
            raise BakeoffError(
                f"{submission.organisation} has not replied to flag {number}, and has {days:.1f} days more",
                "wait, or state that it is urgent, which is shown on the row",
            )
    facts = {"urgent": True} if early else None
    values = {"state": state, "ruling": reason, "ruled_by": actor}
    _change(connection, found, values, f"flag {state}", actor, reason, facts)
    return get_flag(connection, number)


def get_flag(connection: Connection, number: int) -> Flag:
    """One flag.

    Raises:
        BakeoffError: there is none of that number.
    """
    found = row(connection, table, number)
    return _flag(found, _rulings(connection, found.submission).get(number))


def flags(connection: Connection, board: str) -> Mapping[int, tuple[Flag, ...]]:
    """All flags on the submissions to a board, by submission, the oldest first; those dismissed too."""
    query = (
        select(table)
        .join(submissions, submissions.c.id == table.c.submission)
        .where(submissions.c.board == board)
        .order_by(table.c.submission, table.c.id)
    )
    rows: dict[int, list[Row[Any]]] = {}
    for each in connection.execute(query):
        rows.setdefault(each.submission, []).append(each)
    return {number: _with_rulings(connection, number, found) for number, found in rows.items()}


def problems(connection: Connection, board: str) -> Iterator[str]:
    """Flags on rows of a board that are not as the log says; nothing where all are."""
    return disagreements(
        connection, table, lambda found: f"submission {found.submission}", belongs(connection, board)
    )


def _check_stated(connection: Connection, board: str, rule: str) -> None:
    stated = known(connection, board).policy.removal
    if rule not in stated:
        there = "; ".join(f"{name}: {what}" for name, what in stated.items()) or "none"
        raise BakeoffError(
            f"{board} states no rule {rule} under which a row loses its rank", f"it states {there}"
        )


def _early(connection: Connection, found: Row[Any]) -> bool:
    return found.reply is None and current(connection) - found.created < REPLY_DAYS * _DAY_S


def _change(
    connection: Connection,
    found: Row[Any],
    values: Mapping[str, Any],
    kind: str,
    actor: str,
    reason: str,
    facts: Mapping[str, Any] | None = None,
) -> None:
    changed(
        connection,
        table,
        found.id,
        values,
        subject=f"submission {found.submission}",
        actor=actor,
        kind=kind,
        reason=reason,
        facts=facts,
    )


def _with_rulings(connection: Connection, submission: int, rows: list[Row[Any]]) -> tuple[Flag, ...]:
    ruled = any(each.state != "open" for each in rows)
    rulings = _rulings(connection, submission) if ruled else {}
    return tuple(_flag(each, rulings.get(each.id)) for each in rows)


def _rulings(connection: Connection, submission: int) -> dict[int, Event]:
    """The last ruling on each flag of a submission."""
    return {
        each.facts["flag"]: each
        for each in events(connection, f"submission {submission}")
        if each.kind in ("flag upheld", "flag dismissed")
    }


def _flag(found: Row[Any], ruling: Event | None) -> Flag:
    return Flag(
        **found._asdict(),
        ruled=ruling.at if ruling else None,
        urgent=bool(ruling and ruling.facts.get("urgent")),
    )
