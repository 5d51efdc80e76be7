import pytest

from bakeoff.arena.votes.style import Style, style_of


@pytest.mark.parametrize(
    ("answer", "style"),
    [
        ("", Style(0)),
        ("three plain words", Style(3)),
        ("# One\n\n###### Six\n", Style(4, headers=2)),
        ("#hashtag ####### seven", Style(3)),
        ("- a\n* b\n+ c\n  - d\n1. e\n12. f\n", Style(12, lists=6)),
        ("-5 degrees\n1.5 litres\n", Style(4)),
        ("**bold** and __bold__ and *not* and ** not\n**", Style(9, bold=2)),
        ("```\n# comment\n- item **b**\n```\nend", Style(8)),
        ("cut off ```\n# comment", Style(5)),
    ],
)
def test_markdown_is_counted_outside_of_code(answer: str, style: Style) -> None:
    assert style_of(answer) == style


@pytest.mark.parametrize("name", ["length", "headers", "lists", "bold"])
def test_counts_are_not_negative(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Style(**{"length": 1, name: -1})
