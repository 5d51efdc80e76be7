"""64 bits that stand for a text: whose vote it was, which prompt, which battle."""

import hashlib
import hmac
import re

_FORM = re.compile(r"[0-9a-f]{16}")


def pseudonym(text: str, salt: str = "") -> str:
    """16 hex digits for `text`, the same wherever the salt is the same; never all zeros.

    With a secret salt nobody can find a voter by trying names or addresses; without one the digits only keep
    the text out of the file. Among two million texts the chance that any two share digits is 1e-7.
    """
    found = hmac.new(salt.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:16]
    return found if int(found, 16) else f"{1:016x}"


def is_pseudonym(text: str) -> bool:
    """Whether `text` has the form of one: 16 hex digits in lower case."""
    return _FORM.fullmatch(text) is not None


def prompt_pseudonym(text: str) -> str:
    """The pseudonym of a prompt's text, without regard to case, width of letters and white space."""
    return pseudonym(normal(text))


def normal(text: str) -> str:
    """`text` as it is compared: Unicode NFKC, case folded, white space as single spaces."""
    import unicodedata

    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
