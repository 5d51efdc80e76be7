"""Every variant is registered once, before anybody is shown it or votes on it."""

from collections.abc import Iterator

from bakeoff.arena.policy.finding import Finding
from bakeoff.arena.policy.ledger import Ledger
from bakeoff.arena.policy.life import State
from bakeoff.arena.policy.sampling import as_date, day_of


def registration(ledger: Ledger) -> Iterator[Finding]:
    """Variants shown or voted on before their registration or without one, and double registrations."""
    for name, days in sorted(ledger.shown.items()):
        day = days[0].day
        history = ledger.histories.get(name)
        if history is None or history.registered.state is not State.REGISTERED:
            yield Finding(
                "registration",
                name,
                f"was shown from {as_date(day)} on, and never registered",
                "register it, leave its votes so far out of every rating, and say so",
                None if history is None else history.registered.entry,
            )
        elif day < day_of(history.registered.at) or ledger.first_votes.get(name, history.registered.at) < (
            history.registered.at
        ):
            yield Finding(
                "registration",
                name,
                f"was shown from {as_date(day)} on, before it was registered",
                "leave its votes before the registration out of every rating, and say so",
                history.registered.entry,
            )
    for name, history in ledger.histories.items():
        for again in (each for each in history.steps[1:] if each.state is State.REGISTERED):
            yield Finding(
                "registration",
                name,
                f"was registered a second time, after entry {history.registered.entry}",
                "register what is another model under another name",
                again.entry,
            )
