"""Bullets, highlights, sections, titles, JSON and fixed answers (`detectable_format`)."""

import json
import re

_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_FENCES = ("```json", "```Json", "```JSON", "```")


def number_bullet_lists(text: str, *, num_bullets: int) -> bool:
    """Exactly so many lines that begin with `-`, or with `*` and no second one."""
    lines = [line.lstrip() for line in text.split("\n")]
    return sum(line[:1] == "-" or (line[:1] == "*" and line[1:2] not in ("", "*")) for line in lines) == (
        num_bullets
    )


def number_highlighted_sections(text: str, *, num_highlights: int) -> bool:
    """At least so many `*parts*` or `**parts**`, each on one line and not blank."""
    single = re.findall(r"\*([^\n*]*)\*", text)
    double = re.findall(r"\*\*([^\n*]*)\*\*", text)
    return sum(1 for part in single + double if part.strip()) >= num_highlights


def multiple_sections(text: str, *, section_spliter: str, num_sections: int) -> bool:
    """At least so many marks such as `Section 1`."""
    return len(re.findall(re.escape(section_spliter.strip()) + r"\s?\d+", text)) >= num_sections


def title(text: str) -> bool:
    """A `<<title>>` on one line that is not blank."""
    for line in text.split("\n"):
        opening, closing = line.find("<<"), line.rfind(">>")
        if 0 <= opening < closing and line[opening:closing].lstrip("<").rstrip(">").strip():
            return True
    return False


def json_format(text: str) -> bool:
    """JSON and nothing else, but for a code fence around it."""
    body = text.strip()
    for fence in _FENCES:
        body = body.removeprefix(fence)
    try:
        json.loads(body.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return False
    return True


def constrained_response(text: str) -> bool:
    """One of the three fixed answers occurs."""
    return any(answer in text for answer in _ANSWERS)
