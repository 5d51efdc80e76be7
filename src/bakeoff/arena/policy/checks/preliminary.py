"""A row is listed with enough fresh votes and a narrow enough interval, and provisional until then."""

from collections.abc import Iterator

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.sampling import day_of

_TODO = "put it back to provisional until it has them"


def preliminary(ledger: Ledger) -> Iterator[Finding]:
    """Rows that were listed too early, by the counts and the publications, whatever the entry says."""
    for name, history in ledger.histories.items():
        for step in history.steps:
            if step.state is not State.LISTED or history.released is None:
                continue
            rule = ledger.rules(step.entry).preliminary
            fresh = ledger.votes(name, day_of(history.released.at) + 1, day_of(step.at))
            if fresh < rule.fresh_votes:
                text = f"was listed with {fresh:,} fresh votes, and needs {rule.fresh_votes:,}"
                yield Finding("preliminary", name, text, _TODO, step.entry)
            rating = ledger.rating(name, step.entry)
            if rating is None:
                text = "was listed without a published rating"
                yield Finding("preliminary", name, text, _TODO, step.entry)
            elif rating.width > rule.width:
                text = f"was listed with an interval of {rating.width:.1f} points, wider than {rule.width:g}"
                yield Finding("preliminary", name, text, _TODO, step.entry)
