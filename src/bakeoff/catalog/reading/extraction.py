"""Short notes about an invoice and four questions on each, made by rule."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from bakeoff.seed import item_random


def questions(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `group` and `note` (shared by four rows), `facts`, `asked`, `question` and `answer`.

    `answer` is the fact as the note writes it. Row i depends on (seed, i) alone.
    """
    for i in range(n):
        note = i // len(_QUESTIONS)
        facts, text = _note(item_random(seed, "extraction", str(note), "note"))
        asked, question = _QUESTIONS[i % len(_QUESTIONS)]
        yield {
            "id": f"extraction-{i}",
            "group": f"note-{note}",
            "note": text,
            "facts": facts,
            "asked": asked,
            "question": question,
            "answer": facts[asked],
        }


def _note(random: Random) -> tuple[dict[str, str], str]:
    """The facts, and a note that states each of them once."""
    first, other = random.sample(_FIRST, 2)
    facts = {
        "number": f"{random.choice('ABCDEFGHKLMNPRSTVWXZ')}-{random.randint(1000, 9999)}",
        "date": f"{random.randint(1, 28)} {random.choice(_MONTHS)}",
        "amount": f"${random.randint(20, 980)}.{random.randint(10, 99)}",
        "person": f"{first} {random.choice(_LAST)}",
    }
    return facts, random.choice(_NOTES).format(
        thing=random.choice(_THINGS), other=other, count=random.randint(2, 9), **facts
    )


_QUESTIONS = (
    ("number", "What is the invoice number?"),
    ("date", "On which date is the payment due?"),
    ("amount", "How much has to be paid?"),
    ("person", "What is the full name of the person who sent the invoice?"),
)
_NOTES = (
    "Hi {other}, invoice {number} came in from {person} for the {count} {thing}. "
    "It is {amount}, due on {date}.",
    "{person} has sent invoice {number}: {amount} for {count} {thing}. Please pay by {date}. Thanks, {other}",
    "To do by {date}: pay {amount} to {person} for {count} {thing} (invoice {number}). "
    "{other} has approved it.",
    "{other} ordered {count} {thing} from {person}. "
    "The bill, invoice {number}, is {amount} and due on {date}.",
)
_THINGS = ("chairs", "lamps", "tables", "printers", "shelves", "banners", "cables", "keyboards")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_FIRST = (
    "Ada", "Bruno", "Clara", "David", "Elif", "Felix",
    "Gita", "Henrik", "Irene", "Joana", "Karim", "Lucia",
)  # fmt: skip
_LAST = (
    "Alvarez", "Brandt", "Costa", "Dubois", "Eriksen",
    "Fischer", "Gupta", "Haddad", "Ivanova", "Jansen",
)  # fmt: skip
