"""Where one logs in."""

from dataclasses import dataclass

from bakeoff.web.pages.typed import Problem


@dataclass(frozen=True, slots=True)
class Login:
    """`then` is the path to go on to, "" for home; `name` is what was typed, `problem` what was wrong."""

    then: str
    name: str = ""
    problem: Problem | None = None


def local_path(text: str) -> str:
    """A path of this site, to go on to; "" where the text is anything else, which could lead elsewhere."""
    plain = text.isascii() and text.isprintable() and "\\" not in text
    return text if plain and text.startswith("/") and not text.startswith("//") else ""
