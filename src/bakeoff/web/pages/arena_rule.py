"""The policy of an arena in words, and what its log says."""

from collections.abc import Iterator, Mapping

from bakeoff.arena.policy.adopting import KIND as ADOPTED
from bakeoff.arena.policy.ratings import KIND as RATED
from bakeoff.arena.policy.releases import KIND as RELEASED
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.sampling import CLOSED, as_date
from bakeoff.arena.policy.sampling import read as read_day
from bakeoff.database.log import Event

_STATES: Mapping[str, str] = {
    "registered": "registered it",
    "testing": "began to test it in private",
    "provisional": "made it public, as provisional",
    "listed": "listed it",
    "inactive": "found too few votes, and made it inactive",
    "retired": "retired it",
    "withdrawn": "withdrew it",
    "disputed": "put it in dispute",
}


def rules(policy: Policy) -> Iterator[str]:
    """What holds for every provider, a sentence each."""
    yield "Every variant is registered before its first vote, and none ever goes: what is withdrawn stays."
    yield f"A provider may have {policy.private_variants} private variants under test at the same time."
    yield (
        f"A score is provisional until {policy.preliminary.fresh_votes:,} votes were cast after the release, "
        f"and its 95 % interval is {policy.preliminary.width:g} points wide at most."
    )
    yield (
        f"With fewer than {policy.inactivity.votes:,} votes in {policy.inactivity.days} days a row is "
        "inactive, whatever its licence."
    )
    yield (
        f"A warning stands where a model, a provider or a licence class is shown {policy.sampling.factor:g} "
        "times as often as its fair share, or less often by that factor."
    )
    yield (
        f"Votes are given out {policy.releases.delay_days} days after they were cast, "
        f"{100 * policy.releases.share:g} % of them, to everyone within {policy.releases.even_days} days."
    )


def words(entry: Event) -> str:
    """What the actor of an entry did to its subject, without the reason."""
    facts = entry.facts
    match entry.kind:
        case kind if kind == ADOPTED:
            version = facts["policy"].get("version", "") if isinstance(facts.get("policy"), dict) else ""
            return f"put version {version} of the rules into force"
        case kind if kind == RATED:
            ratings = facts.get("ratings", {})
            return f"published the ratings of {len(ratings)} models, by {facts.get('method', '')}"
        case kind if kind == RELEASED:
            return f"gave votes to {facts.get('provider', '')}"
        case kind if kind == CLOSED and (day := read_day(entry)) is not None:
            return f"closed {as_date(day.day)}: {day.shown:,} pairs shown, {day.votes:,} votes"
        case kind:
            return _STATES.get(kind.removeprefix("variant "), kind)
