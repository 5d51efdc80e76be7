"""What accounts and the things of an account may be called."""

import re

from bakeoff.errors import BakeoffError
from bakeoff.visible import visible

LONGEST_NAME = 64
"""Characters of a name that an operator gives."""
_LOCAL = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")


def local_name(text: str) -> str:
    """The name of an account that an operator makes, in lower case: what differs in case alone is the same.

    No such name has an `@`, which those from a provider of identities have.

    Raises:
        BakeoffError: it is empty or too long, or has other characters than ASCII letters, digits, `.`, `_`
            and `-`, or begins or ends with one of those signs.
    """
    name = as_kept(text)
    if len(name) > LONGEST_NAME or not _LOCAL.fullmatch(name):
        raise BakeoffError(
            f"{visible(text)!r} is no name for an account",
            f"use up to {LONGEST_NAME} letters (a-z), digits, '.', '_' and '-', and no sign at either end",
        )
    return name


def as_kept(text: str) -> str:
    """How a name that somebody typed is kept, were it one; "" for what no account can be called and no
    database can look for.
    """
    stripped = text.strip()
    # Not all that becomes ASCII in lower case is ASCII: the sign of the kelvin is not.
    return stripped.lower() if stripped.isascii() and stripped.isprintable() else ""


def line(text: str, what: str, longest: int, *, empty: bool = False) -> str:
    """A short text that is shown in one line, without the space around it. `what` names it in errors.

    Raises:
        BakeoffError: it is too long, has characters that are not seen, or is empty and may not be.
    """
    stripped = " ".join(text.split())
    if not stripped and not empty:
        raise BakeoffError(f"the {what} is empty", "write it out")
    if len(stripped) > longest:
        raise BakeoffError(f"the {what} has {len(stripped):,} characters, and {longest} is the most")
    if visible(stripped) != stripped:
        raise BakeoffError(f"the {what} has characters that nobody can see", "leave them out")
    return stripped
