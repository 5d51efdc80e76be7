"""An amount of money: a number and, where it is stated, a currency."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from bakeoff.score.extract.characters import plain
from bakeoff.score.fields.decimals import Mark, number_of, read_decimal

# A sign stands for every currency that is written with it: $ is met by USD and by CAD, US$ by USD alone.
_SIGNS: Mapping[str, frozenset[str]] = {
    "$": frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "ARS", "CLP", "COP", "TWD"}),
    "US$": frozenset({"USD"}),
    "C$": frozenset({"CAD"}),
    "CA$": frozenset({"CAD"}),
    "A$": frozenset({"AUD"}),
    "AU$": frozenset({"AUD"}),
    "NZ$": frozenset({"NZD"}),
    "HK$": frozenset({"HKD"}),
    "S$": frozenset({"SGD"}),
    "NT$": frozenset({"TWD"}),
    "R$": frozenset({"BRL"}),
    "€": frozenset({"EUR"}),
    "£": frozenset({"GBP"}),
    "¥": frozenset({"JPY", "CNY"}),
    "₹": frozenset({"INR"}),
    "₩": frozenset({"KRW"}),
    "₽": frozenset({"RUB"}),
    "₺": frozenset({"TRY"}),
    "₪": frozenset({"ILS"}),
    "₴": frozenset({"UAH"}),
    "zł": frozenset({"PLN"}),
}
# ISO 4217: a unit, as in "5 pcs", is no currency.
_CODES = (
    "AED|ARS|AUD|BDT|BGN|BHD|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|GBP|GEL|GHS|HKD|HUF|IDR|"
    "ILS|INR|ISK|JOD|JPY|KES|KRW|KWD|KZT|LKR|MAD|MXN|MYR|NGN|NOK|NPR|NZD|OMR|PEN|PHP|PKR|PLN|"
    "QAR|RON|RSD|RUB|SAR|SEK|SGD|THB|TND|TRY|TWD|TZS|UAH|UGX|USD|UYU|UZS|VND|XAF|XOF|ZAR"
)
_CURRENCY = "|".join((*map(re.escape, sorted(_SIGNS, key=len, reverse=True)), _CODES))
_AMOUNT = re.compile(
    rf"([-+]?)\s?({_CURRENCY})?\s?([-+]?)\s?(\d(?:[\d.,' \u00a0]*\d)?)\s?({_CURRENCY})?", re.IGNORECASE
)
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Money:
    """A value, and the currencies (ISO 4217) that its sign or code can mean; none where it states none."""

    value: Fraction
    currencies: frozenset[str]


def money_of(value: Any, mark: Mark = ".") -> Money | None:
    """The amount that a JSON value states; None if it is none.

    A number; a text, "EUR 1,204.50", "1.204,50 €" or "-$5"; or an object of `value` (or `amount`) and
    `currency`. A text that says more than the amount is none.
    """
    if isinstance(value, Mapping):
        return _of_parts(value, mark)
    if not isinstance(value, str):
        number = number_of(value)
        return None if number is None else Money(number, frozenset())
    return _of_text(value, mark) if len(value) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _of_text(text: str, mark: Mark) -> Money | None:
    match = _AMOUNT.fullmatch(plain(text.strip()))
    if match is None:
        return None
    sign, before, inner, digits, after = match.groups()
    number = read_decimal(digits, mark)
    stated = [_currencies(each) for each in (before, after) if each]
    currencies = frozenset.intersection(*stated) if stated else frozenset()
    if number is None or (sign and inner) or (stated and not currencies):
        return None
    return Money(-number if "-" in (sign, inner) else number, currencies)


def _of_parts(parts: Mapping[str, Any], mark: Mark) -> Money | None:
    names = sorted(parts)
    if names not in (["amount"], ["value"], ["amount", "currency"], ["currency", "value"]):
        return None
    number = number_of(parts["value" if "value" in parts else "amount"], mark)
    currency = parts.get("currency")
    if number is None or not (currency is None or isinstance(currency, str)):
        return None
    if currency is None or not currency.strip():
        return Money(number, frozenset())
    known = re.fullmatch(_CURRENCY, currency.strip(), re.IGNORECASE)
    return Money(number, _currencies(known.group())) if known else None


def _currencies(written: str) -> frozenset[str]:
    return _SIGNS.get(written) or _SIGNS.get(written.upper()) or frozenset({written.upper()})
