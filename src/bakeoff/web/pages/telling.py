"""What the log, the queue and lengths of time say, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from bakeoff.database.log import Event
from bakeoff.jobs import Fault

STATES = {
    "draft": "a draft",
    "validating": "waits for a first look, or is being looked at",
    "queued": "waits for its evaluation",
    "running": "is being evaluated",
    "preempted": "was put back, and goes on later",
    "scoring": "is being scored",
    "review": "was evaluated, and waits for a moderator",
    "published": "is published",
    "rejected": "was rejected",
    "failed": "failed",
    "withdrawn": "was withdrawn",
    "superseded": "was superseded by a newer one",
}
FAULTS = {
    Fault.OURS: "by no fault of the submission",
    Fault.MODEL: "the model could not do what was asked",
    Fault.SUBMITTER: "what was handed in is wrong",
}
_MOVES = {
    "validating": "sent it to a first look",
    "queued": "looked at it, and queued it",
    "running": "began to evaluate it",
    "preempted": "put it back",
    "scoring": "asked everything, and scored it",
    "review": "gave it to the moderators",
    "published": "published it",
    "rejected": "rejected it",
    "failed": "gave it up",
    "withdrawn": "withdrew it",
    "superseded": "had it step back for a newer one",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """An entry of the log in words; `at` is in seconds since 1970, `digest` names it and all before it."""

    number: int
    at: float
    actor: str
    words: str
    subject: str
    reason: str
    digest: str


def happening(entry: Event) -> Happening:
    """An entry of the log, for people."""
    return Happening(
        entry.number, entry.at, entry.actor, words(entry), entry.subject, entry.reason, entry.digest
    )


def words(entry: Event) -> str:
    """What the actor of an entry did to its subject, without the reason."""
    facts = entry.facts
    match entry.kind:
        case "submitted":
            return f"handed in {_model(facts)}" + _same(facts)
        case "identified":
            return f"found that it is {_model(facts)}" + _same(facts)
        case "scored":
            return "kept its scores"
        case "key lent":
            return f"lent a key for {facts.get('address', '')}, sealed"
        case "key destroyed":
            return "destroyed the key that was lent"
        case "board version":
            return f"registered version {facts.get('version', '')} of the board"
        case "board said anew":
            return "changed what the board says of itself, and nothing that moves scores"
        case "snapshot":
            return f"published a snapshot of {facts.get('rows', 0)} rows"
        case "method change":
            return "published the same submissions by the old rule and by the new one"
        case "voted":
            return "voted for it"
        case "flag raised":
            return f"raised flag {facts.get('flag', '')} under the rule {facts.get('rule', '')}"
        case "flag replied to":
            return f"replied to flag {facts.get('flag', '')}"
        case "flag upheld" | "flag dismissed":
            urgent = ", as urgent" if facts.get("urgent") else ""
            return f"{entry.kind.removeprefix('flag ')} flag {facts.get('flag', '')}{urgent}"
        case "post added":
            for_ = f" for {facts['organisation']}" if facts.get("organisation") else ""
            return f"wrote post {facts.get('post', '')}{for_}"
        case "post hidden" | "post shown" | "post erased":
            again = {"hidden": "hid", "shown": "showed again", "erased": "erased the text of"}
            return f"{again[entry.kind.removeprefix('post ')]} post {facts.get('post', '')}"
        case kind:
            return _MOVES.get(kind.removeprefix("submission "), kind)


def length(seconds: float) -> str:
    """A time that is roughly known: `40 s`, `12 min`, `3.5 h`, `2 days`."""
    if seconds < 90:
        return f"{max(1.0, seconds):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 36 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86_400:.0f} days"


def error_and_remedy(text: str) -> tuple[str, str]:
    """What went wrong, and what to do about it: errors are kept as a message, and its hint below."""
    message, _, hint = text.partition("\n")
    return message, hint


def _model(facts: Mapping[str, Any]) -> str:
    said = facts.get("model", "{}")
    known = orjson.loads(said) if isinstance(said, str) else said
    revision = str(known.get("revision", "")).removeprefix("sha256:")
    return str(known.get("name", "a model")) + (f" at {revision[:12]}" if revision else "")


def _same(facts: Mapping[str, Any]) -> str:
    return f", the same as submission {facts['duplicate_of']}" if "duplicate_of" in facts else ""
