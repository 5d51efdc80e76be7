"""Personal details in a text: addresses, numbers and keys that have a form, taken out and counted by kind."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_START, _END = r"(?<![\w.+/-])", r"(?![\w-])"
_LABEL = r"[^\W_](?:[^\W_]|-(?!\.)){0,62}"
_AT = r"(?:@|\s?[\[(]\s?at\s?[\])]\s?)"
_MAIL = re.compile(
    rf"(?<![\w.+~-])(?!git@)[\w.%+~-]{{1,64}}{_AT}(?:{_LABEL}(?:\.|\s?[\[(]\s?dot\s?[\])]\s?)){{1,5}}"
    r"[^\W\d_]{2,24}(?![\w-])",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----[^-]{0,20000}(?:-----END (?:[A-Z]+ ){0,3}PRIVATE KEY-----)?"
    r"|(?<![\w-])(?:sk-|[spr]k_live_|github_pat_|glpat-|bkf_|pypi-|xox[abeoprs]-)(?=[A-Za-z_-]{0,99}\d)"
    r"[A-Za-z0-9_-]{16,255}"
    r"|(?<![\w-])(?:gh[pousr]_|hf_|npm_)[A-Za-z0-9]{30,255}"
    r"|(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)"
    r"|(?<![\w-])AIza[A-Za-z0-9_-]{35}"
    r"|(?<![\w-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}"
    r"|(?<=://)[^\s/:@]{1,64}:[^\s/@]{1,256}(?=@)"
    r"|(?<=Bearer )[A-Za-z0-9._~+/-]{20,4000}=*"
)
_CARD = re.compile(rf"{_START}\d(?:[ -]?\d){{12,18}}{_END}(?!\.\d)")
_IBAN = re.compile(rf"{_START}[A-Z]{{2}}\d\d(?: ?[A-Z0-9]{{2,4}}){{3,8}}{_END}")
_IPV4 = re.compile(r"(?<![\w.+/-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-])(?![.,]\w)")
# Public addresses are all in 2000::/3; anything else with colons is a time, a path or code.
_IPV6 = re.compile(r"(?<![\w:.])[23][0-9a-f]{3}(?:::?[0-9a-f]{1,4}){1,7}(?:::)?(?![\w:])", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:\bv|\bversions?|\brelease|\bupgrade to|\b\w+[=<>~!]=|[\"']?version[\"']?\s?[:=])\s?[\"']?$",
    re.IGNORECASE,
)
_SAID = r"(?:phone|tel|telephone|mobile|cell|call me|whatsapp|fax|telefon|handy|tél|móvil|teléfono)"
# No part of a number with commas, such as 1,059,077.
_NUMBER = rf"(?<!\d,){_START}"
_PHONE = re.compile(
    # With the code of a country, but no date with a sign; with one of an area in brackets, or as North
    # America, France, and others that begin with a 0 part them; and any that is said to be one.
    rf"{_NUMBER}(?:\+(?!\d{{4}}-\d\d-\d\d)|00(?=[1-9]\d[ -]))"
    rf"[1-9](?:[ ./-]{{0,2}}\(?\d\)?){{7,14}}{_END}"
    rf"|(?<![\w.+-])\(0?[1-9]\d{{1,4}}\)[ -]?\d{{2,4}}(?:[ -]?\d{{2,4}}){{1,3}}{_END}"
    rf"|{_NUMBER}(?:1[-. ])?[2-9]\d\d(?:-[2-9]\d\d-|\.[2-9]\d\d\.|[ ][2-9]\d\d-)\d{{4}}{_END}(?!\.\d)"
    rf"|{_NUMBER}0[1-9](?P<between>[ .-])\d\d(?:(?P=between)\d\d){{3}}{_END}"
    rf"|{_NUMBER}(?=0(?:[ /-]{{0,3}}\d){{8,13}}{_END})"
    rf"0[1-9]\d{{1,3}}(?:[ ]?[/-][ ]?|[ ])\d{{3,8}}(?:[ -]?\d{{2,4}}){{0,3}}{_END}(?!\.\d)"
    rf"|{_NUMBER}(?<!ISBN )(?!0123456789|[01]+\b)(?:0[6-9]\d{{8}}|0[1-9]\d{{9}}){_END}(?!\.\d)"
    rf"|\b{_SAID}\b(?:[ .:#-]|number|no|nr|is|at|on){{0,8}}?"
    rf"(?P<said>[(+]?\d(?:[ ./()-]{{0,2}}\d){{6,14}}){_END}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text without personal details; `removed` says how many of each kind there were."""

    text: str
    removed: Mapping[str, int]


def without_personal(text: str) -> Scrubbed:
    """`text` with `[mail removed]` and its like in place of what has the form of a personal detail.

    Kinds: keys and tokens (`key`), mail addresses, bank accounts (`iban`, check digits of ISO 13616), payment
    cards (`card`, prefixes of issuers and the check digit of ISO/IEC 7812-1), public network addresses (`ip`)
    and phone numbers. Names of people, streets and birthdays have no form, and stay.
    """
    removed: Counter[str] = Counter()
    for kind, find in _KINDS.items():
        text, found = _without(text, kind, find)
        if found:
            removed[kind] = found
    return Scrubbed(text, dict(removed))


def luhn(digits: str) -> bool:
    """Whether the last of the digits is the check digit of those before it (ISO/IEC 7812-1, annex B)."""
    doubled = (int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits)))
    return sum(each - 9 * (each > 9) for each in doubled) % 10 == 0


_Span = tuple[int, int]


def _without(text: str, kind: str, find: Callable[[str], Iterator[_Span]]) -> tuple[str, int]:
    pieces, end, count = [], 0, 0
    for start, stop in find(text):
        pieces += [text[end:start], f"[{kind} removed]"]
        end, count = stop, count + 1
    return "".join([*pieces, text[end:]]), count


def _matches(pattern: re.Pattern[str]) -> Callable[[str], Iterator[_Span]]:
    return lambda text: (found.span() for found in pattern.finditer(text))


def _cards(text: str) -> Iterator[_Span]:
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if _ISSUED.fullmatch(digits) and luhn(digits):
            yield found.span()


# Visa; Mastercard; American Express; Diners Club; Discover; JCB; UnionPay.
_ISSUED = re.compile(
    r"4(?:\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
)


def _accounts(text: str) -> Iterator[_Span]:
    """IBANs: what is 1 modulo 97 once the country and the check digits stand last."""
    for found in _IBAN.finditer(text):
        # A word in capitals may follow an account: the longest beginning that is one counts.
        groups = [each.end() for each in re.finditer(r"\S+", found[0])]
        ends = [stop for stop in groups if _checked(found[0][:stop].replace(" ", ""))]
        if ends:
            yield found.start(), found.start() + ends[-1]


def _checked(plain: str) -> bool:
    return (
        15 <= len(plain) <= 34
        and int("".join(str(int(each, 36)) for each in plain[4:] + plain[:4])) % 97 == 1
    )


def _addresses(text: str) -> Iterator[_Span]:
    """Public addresses: those of a home network, and four numbers of a version, are nobody's."""
    found = [each.span() for each in _IPV4.finditer(text) if _public_v4(text, each)]
    found += [each.span() for each in _IPV6.finditer(text) if _public_v6(each[0])]
    yield from sorted(found)


def _public_v4(text: str, found: re.Match[str]) -> bool:
    try:
        address = IPv4Address(found[0])
    except AddressValueError:
        return False
    public = address.is_global and not address.is_multicast
    return public and not _VERSION.search(text[max(0, found.start() - 24) : found.start()])


def _public_v6(written: str) -> bool:
    try:
        return IPv6Address(written).is_global
    except AddressValueError:
        return False


def _phones(text: str) -> Iterator[_Span]:
    for found in _PHONE.finditer(text):
        yield found.span("said") if found["said"] else found.span()


_KINDS: Mapping[str, Callable[[str], Iterator[_Span]]] = {
    "key": _matches(_KEY),
    "mail": _matches(_MAIL),
    "iban": _accounts,
    "card": _cards,
    "ip": _addresses,
    "phone": _phones,
}
"""In this order: a card could be read as a phone number, and a password in an address as a mail address."""
