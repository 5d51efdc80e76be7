"""Answers before the vote: a page must not show a name that the text, with names blacked out, has not."""

import html
import re

import pytest

from bakeoff.web.text.markdown import markdown


@pytest.mark.parametrize(
    "text",
    [
        "&#67;laude",
        "&#x43;laude",
        "[Cl](https://example.org)aude",
        "[Cl][1]aude\n\n[1]: https://example.org",
        "Cl[](https://example.org)aude",
        "Cl<https://example.org>aude",
        "Cl<!-- -->aude",
        "Cl<b></b>aude",
        "![Cl](x)aude",
    ],
)
def test_nothing_puts_a_name_together(text):
    shown = re.sub(r"<[^>]*>", "", str(markdown(text, blind=True)))
    assert "Claude" not in html.unescape(shown)


def test_what_is_not_blind_has_its_links():
    assert '<a href="https://example.org"' in markdown("[here](https://example.org)")
    assert "<a" not in markdown("[here](https://example.org)", blind=True)


def test_all_else_is_the_same():
    text = "# Title\n\n1. *one*\n2. `two`\n\n| a | b |\n|---|---|\n| ~~c~~ | **d** |\n"
    assert markdown(text, blind=True) == markdown(text)
