"""Invoices as text, with the facts they state: made by rule, so that every fact is known and none is private.

Four layouts, two languages of numbers and dates, names with variants, and facts that some invoices leave out.
Replace this file by your own documents once the task does what you want: rows with the same columns.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

SCHEMA = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an invoice; `price` is for one piece, in cents."""

    item: str
    quantity: int
    price: int


@dataclass(frozen=True, slots=True)
class Invoice:
    """What an invoice states. `due` and `order` are None where it does not."""

    number: str
    supplier: str
    day: date
    due: date | None
    order: str | None
    currency: str
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """In cents."""
        return sum(line.quantity * line.price for line in self.lines)


def invoices(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `text`, `facts` and `meta` (layout, what is left out, the schema).

    Row i depends on (seed, i) alone.
    """
    for i in range(n):
        random = Random(f"{seed} {i}")  # noqa: S311 (made data, not a secret)
        invoice, (layout, write) = _drawn(random), random.choice([*LAYOUTS.items()])
        yield {
            "id": f"invoice-{seed}-{i}",
            "text": write(invoice),
            "facts": facts(invoice),
            "meta": {
                "layout": layout,
                "left_out": [name for name in ("due", "order") if getattr(invoice, name) is None],
                "schema": SCHEMA,
            },
        }


def facts(invoice: Invoice) -> Mapping[str, Any]:
    """The right answer."""
    return {
        "number": invoice.number,
        "supplier": invoice.supplier,
        "date": invoice.day.isoformat(),
        "due": invoice.due.isoformat() if invoice.due else None,
        "order": invoice.order,
        "total": f"{invoice.currency} {_decimal(invoice.total)}",
        "lines": [
            {"item": line.item, "quantity": line.quantity, "price": _decimal(line.price)}
            for line in invoice.lines
        ],
    }


def _drawn(random: Random) -> Invoice:
    day = date(random.randint(2021, 2025), random.randint(1, 12), random.randint(1, 28))
    return Invoice(
        number=f"{random.choice('ABCEFHKR')}{random.randint(100, 999)}-{random.randint(10, 99)}",
        supplier=f"{random.choice(_NAMES)} {random.choice(_TRADES)} {random.choice(_FORMS)}",
        day=day,
        due=day + timedelta(days=random.choice((14, 30, 45))) if random.random() < 0.6 else None,
        order=f"PO-{random.randint(1000, 9999)}" if random.random() < 0.4 else None,
        currency=random.choice(("EUR", "EUR", "USD", "GBP")),
        lines=tuple(
            Line(item, random.randint(1, 24), random.randint(150, 50_000))
            for item in random.sample(_ITEMS, random.randint(1, 2))
        ),
    )


def _form(invoice: Invoice) -> str:
    """Names and values, ISO dates."""
    head = [
        ("Supplier", invoice.supplier),
        ("Invoice no.", invoice.number),
        ("Invoice date", invoice.day.isoformat()),
        ("Payment due", invoice.due.isoformat() if invoice.due else None),
        ("Your order", invoice.order),
    ]
    rows = [f"{name}: {value}" for name, value in head if value]
    rows += [f"{line.quantity} x {line.item} at {_english(line.price)}" for line in invoice.lines]
    return "\n".join([*rows, f"Total {invoice.currency}: {_english(invoice.total)}"])


def _table(invoice: Invoice) -> str:
    """Columns, months by name, the supplier in capitals."""
    rows = [f"INVOICE {invoice.number}", invoice.supplier.upper(), _month_first(invoice.day), ""]
    rows += ["Item | Qty | Unit price | Amount"]
    for line in invoice.lines:
        amount = _english(line.quantity * line.price)
        rows.append(f"{line.item} | {line.quantity} | {_english(line.price)} | {amount}")
    rows += ["", f"TOTAL {_SIGNS[invoice.currency]}{_english(invoice.total)}"]
    rows += [f"Reference: {invoice.order}"] if invoice.order else []
    rows += [f"Please pay by {_month_first(invoice.due)}."] if invoice.due else []
    return "\n".join(rows)


def _letter(invoice: Invoice) -> str:
    """Running text."""
    bought = ", ".join(
        f"{line.quantity} {line.item} at {_english(line.price)} each" for line in invoice.lines
    )
    order = f" for your order {invoice.order}" if invoice.order else ""
    due = f" We expect payment by {_day_first(invoice.due)}." if invoice.due else ""
    return (
        f"{_day_first(invoice.day)}\n\nDear customer,\n\n"
        f"please find below our invoice {invoice.number}{order}: {bought}. "
        f"The sum is {invoice.currency} {_english(invoice.total)}.{due}\n\n"
        f"Kind regards\n{invoice.supplier.replace(' and ', ' & ')}"
    )


def _german(invoice: Invoice) -> str:
    """In German: day first, comma for the cents."""
    rows = [invoice.supplier, f"Rechnung Nr. {invoice.number} vom {_dots(invoice.day)}"]
    rows += [f"Ihre Bestellung: {invoice.order}"] if invoice.order else []
    rows += [f"{line.quantity} Stück {line.item} zu je {_continental(line.price)}" for line in invoice.lines]
    rows += [f"Gesamtbetrag: {_continental(invoice.total)} {_SIGNS[invoice.currency]}"]
    rows += [f"Zahlbar bis {_dots(invoice.due)}"] if invoice.due else []
    return "\n".join(rows)


LAYOUTS: Mapping[str, Callable[[Invoice], str]] = {
    "form": _form,
    "table": _table,
    "letter": _letter,
    "german": _german,
}


def _decimal(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def _english(cents: int) -> str:
    return f"{cents // 100:,}.{cents % 100:02d}"


def _continental(cents: int) -> str:
    return f"{cents // 100:,}".replace(",", ".") + f",{cents % 100:02d}"


def _day_first(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _month_first(day: date) -> str:
    return f"{_MONTHS[day.month - 1][:3]} {day.day}, {day.year}"


def _dots(day: date) -> str:
    return f"{day.day:02d}.{day.month:02d}.{day.year}"


_SIGNS = {"EUR": "€", "USD": "US$", "GBP": "£"}
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NAMES = ("Hansen and Daughters", "Okafor", "Brook and Vale", "Lindqvist", "Marchetti", "Two Rivers")
_TRADES = ("Paper", "Tools", "Catering", "Logistics", "Lighting", "Printing")
_FORMS = ("Ltd", "Inc.", "GmbH", "Cooperative")
_ITEMS = (
    "desk lamp", "box of paper", "extension cable", "lunch menu", "pallet", "toner cartridge",
    "shelf board", "work light", "drill bit", "roll of tape",
)  # fmt: skip
