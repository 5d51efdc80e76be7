"""Markdown that anybody wrote, as HTML that harms nobody."""

from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from bakeoff.visible import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LONGEST = 20_000
"""Characters that are rendered; nested constructs take longer than their length says."""
_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


def markdown(text: str, *, blind: bool = False) -> Markup:
    """`text` as HTML: CommonMark with tables, without images or HTML of its own.

    Links go to http and https alone and pass nothing on. What is longer than `LONGEST` is shown as it is.
    What is `blind` has neither links nor entities: they could put a name together of which the text, where
    names are blacked out, has no more than parts.
    """
    shown = visible(text)
    if len(shown) > LONGEST:
        return Markup("<pre>{}</pre>").format(shown)
    return Markup(_clean(_parser(blind).render(shown)))  # noqa: S704 (cleaned by nh3 in the line itself)


def _clean(html: str) -> str:
    import nh3

    return nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https"},
        link_rel="nofollow noopener noreferrer ugc",
    )


@cache
def _parser(blind: bool) -> "MarkdownIt":
    from markdown_it import MarkdownIt

    # Headings of a post stand below those of its page.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    parser.disable(["image", "link", "autolink", "entity", "reference"] if blind else ["image"])
    parser.core.ruler.push("lower_headings", _lower_headings)
    return parser


def _lower_headings(state: object) -> None:
    for token in state.tokens:  # type: ignore[attr-defined]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
