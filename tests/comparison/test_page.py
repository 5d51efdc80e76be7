import re
import unicodedata
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.comparison.page import page
from bakeoff.comparison.page_numbers import percent, points
from bakeoff.errors import BakeoffError
from bakeoff.run import Estimate
from bakeoff.visible import visible
from tests.comparison.comparisons import (
    ALL,
    HOSTILE,
    against_baseline,
    alone,
    hostile,
    many,
    three,
    two,
    without_intervals,
    without_items,
)

VOID = {"meta", "br", "base", "img", "link", "input"}
CSS = files("bakeoff.comparison").joinpath("page.css").read_text("utf-8")


class Document(HTMLParser):
    """What a browser would make of a page, as far as the tests ask."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.rows: list[list[tuple[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = {key: value or "" for key, value in attrs}
        self.tags.append((tag, attributes))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append((attributes.get("class", ""), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            kind, text = self.rows[-1][-1]
            self.rows[-1][-1] = (kind, text + data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module", params=ALL, ids=lambda made: made.__name__)
def shown(request):
    comparison = request.param()
    return comparison, Document(page([comparison]))


def test_every_tag_is_closed_in_order(shown):
    _, document = shown
    assert document.open == []


def test_the_page_asks_for_nothing_and_runs_nothing(shown):
    _, document = shown
    assert not {tag for tag, _ in document.tags} & {
        *("script", "link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "image"),
    }
    for _, attributes in document.tags:
        assert not [
            key for key in attributes if key.startswith("on") or key in ("src", "srcset", "xlink:href")
        ]
        assert attributes.get("href", "#").startswith("#")
    policy = document.all("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"].startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert "url(" not in CSS
    assert "@import" not in CSS


def test_ids_are_unique_and_every_reference_meets_one(shown):
    _, document = shown
    ids = Counter(attributes["id"] for _, attributes in document.tags if "id" in attributes)
    assert set(ids.values()) == {1}
    for _, attributes in document.tags:
        named = [attributes.get("href", "").removeprefix("#"), *attributes.get("aria-labelledby", "").split()]
        assert set(filter(None, named)) <= set(ids)


def test_headings_go_down_one_step_at_a_time(shown):
    _, document = shown
    levels = [int(tag[1]) for tag, _ in document.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_name_and_its_rows_stay_rows_in_a_card_layout(shown):
    _, document = shown
    assert all(each["role"] == "table" and each["aria-labelledby"] for each in document.all("table"))
    roles = {"tr": {"row"}, "td": {"cell"}, "th": {"columnheader", "rowheader"}, "tbody": {"rowgroup"}}
    for tag, allowed in roles.items():
        assert {each.get("role") for each in document.all(tag)} <= allowed
    for row in document.rows:
        assert len(row) >= 2


def test_every_drawing_has_a_text_alternative_or_repeats_its_row(shown):
    _, document = shown
    for drawing in document.all("svg"):
        assert drawing.get("aria-hidden") == "true" or (
            drawing["role"] == "img" and drawing["aria-labelledby"]
        )


def test_nothing_missing_is_shown_as_a_word_of_the_language(shown):
    _, document = shown
    assert not re.search(r"\b(None|nan|inf|Undefined|True|False)\b", document.text)
    for _, attributes in document.tags:
        assert not any("None" in value or "nan" in value.split() for value in attributes.values())


def test_every_candidate_is_a_row_with_its_score_and_its_samples(shown):
    comparison, document = shown
    for standing in comparison.standings:
        row = _row(document, "rank", visible(standing.label))
        assert percent(standing.score.value) in row[2][1]
        assert f"{standing.counts['total']:,} samples" in row[1][1]
        assert f"{standing.score.n:,} items" in row[-1][1]
    for pair in comparison.pairs:
        row = _row(document, "verdict", visible(pair.second))
        assert points(pair.difference) in row[1][1]
        assert pair.verdict in row[3][1]


def _row(document, kind, label):
    """The cells of the row with a cell of this kind that names this candidate."""
    rows = (row for row in document.rows if any(kind in cell for cell, _ in row))
    return next(row for row in rows if any(text.strip().startswith(label) for _, text in row[:2]))


def test_a_verdict_is_a_word_and_a_mark_not_a_colour_alone():
    document = Document(page([against_baseline()]))
    verdicts = [" ".join(text.split()) for row in document.rows for kind, text in row if "verdict" in kind]
    assert verdicts == ["▲ better", "≈ equivalent", "? cannot tell", "? cannot tell", "▼ worse"]


def test_what_was_left_out_and_what_the_reader_must_know_is_said():
    text = Document(page([against_baseline()])).text
    assert "31 items left out" in text
    assert "31: not in every run" in text
    assert "because --across was given" in text
    for fact in ("1,240 items shared by all", "in 88 groups", "3 prompt variants", "each asked 3 times"):
        assert fact in text
    assert "margin ±2.0 points" in text


def test_reasons_stand_where_nothing_can_be_estimated():
    text = Document(page([without_intervals(), without_items(), alone()])).text
    assert text.count("not estimable: all items are in one group") == 3
    assert "no item has a value in every run" in text
    assert "one-group B and C cannot be told from A." in text


def test_the_title_tells_the_tab_from_others():
    assert "<title>arithmetic: 3 candidates compared · Bakeoff</title>" in page([three()])
    assert "<title>arithmetic and 1 more task, compared · Bakeoff</title>" in page([three(), two()])


def test_several_tasks_have_a_list_of_links_with_their_findings():
    document = Document(page([three(), against_baseline(), two()]))
    assert [each["href"] for each in document.all("a")] == ["#main", "#task-1", "#task-2", "#task-3"]
    assert document.text.count("anna-7b is better than carla-3b") == 2
    assert Document(page([three()])).all("nav") == []


def test_the_chance_level_the_zero_and_the_margin_are_drawn():
    lines = Counter(each["class"] for each in Document(page([three()])).all("line"))
    assert lines["chance"] == lines["zero"] == 1
    assert [each["class"] for each in Document(page([three()])).all("rect")] == []
    band, *_ = Document(page([against_baseline()])).all("rect")
    assert band["class"] == "band"


def test_chance_far_below_all_scores_is_named_at_the_edge():
    high = Estimate(0.9, None, 500)
    comparison = replace(three(), standings=tuple(replace(each, score=high) for each in three().standings))
    document = Document(page([comparison]))
    assert "← chance 25.0" in document.text
    assert not [each for each in document.all("line") if each["class"] == "chance"]


def test_a_task_nobody_can_guess_has_no_chance_level():
    assert "chance" not in Document(page([replace(three(), chance=0.0)])).text


def test_items_are_named_by_id_with_their_scores_and_the_rest_is_counted():
    text = Document(page([many()])).text
    assert "The 20 most divided of 13,951 items" in text
    assert "and 2" in text  # of some thirty candidates on each side eight are named
    assert "add-0042 100.0 anna-7b 0.0 berta-7b, carla-3b" in Document(page([three()])).text


def test_the_path_of_a_run_stays_at_home():
    comparison = three()
    where = tuple(
        replace(
            each, runs=tuple(comparison.standings[0].runs[0].parent.absolute() / run for run in each.runs)
        )
        for each in comparison.standings
    )
    assert str(where[0].runs[0].parent) not in page([replace(comparison, standings=where)])


def test_no_comparison_is_an_error():
    with pytest.raises(BakeoffError, match="no comparison to show"):
        page([])


def test_the_same_comparison_makes_the_same_bytes():
    assert page([three(), many()]) == page([three(), many()])


# A page of five candidates loads at once from a mail or a slow disk.
def test_a_page_is_light():
    comparison = against_baseline()
    five = replace(comparison, standings=comparison.standings[:5], splits=comparison.splits[:5])
    assert len(page([five]).encode()) < 40_000
    assert len(page([many(60)]).encode()) < 200_000


# Hostile text.


def _structure(document: Document):
    """Tags and attributes, without the words."""
    return [(tag, sorted(attributes.items())) for tag, attributes in document.tags]


def _relabelled(label: str):
    comparison = three()
    first, *rest = comparison.standings
    pairs = tuple(replace(pair, first=label, note=label) for pair in comparison.pairs)
    groups = tuple(tuple(label if each == first.label else each for each in g) for g in comparison.groups)
    items = tuple(
        replace(
            each,
            item_id=label,
            group=label,
            values={label if key == first.label else key: value for key, value in each.values.items()},
        )
        for each in comparison.items
    )
    standings = (replace(first, label=label, model=label), *rest)
    return replace(
        comparison,
        task=label,
        standings=standings,
        pairs=pairs,
        groups=groups,
        items=items,
        notes=(label,),
        left_out={label: 1},
    )


@settings(max_examples=60)
@given(
    st.one_of(
        st.sampled_from(HOSTILE),
        st.text(min_size=1, max_size=40),
        st.text("<>&\"'`={}%#/!-[]\u202e\u2028\x00\x1b \n", min_size=1, max_size=40),
    ).filter(lambda text: text not in ("berta-7b", "carla-3b"))
)
def test_no_text_changes_the_structure_of_the_page(label):
    assert _structure(Document(page([_relabelled(label)]))) == _structure(
        Document(page([_relabelled("plain")]))
    )


def test_hostile_text_is_shown_to_the_letter():
    text = Document(page([hostile()])).text
    for each in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[4], HOSTILE[5]):
        assert each in text
    assert "\\u202egnp.exe\\u001b[2J\\u0000" in text
    assert "49" not in text  # {{ 7 * 7 }} is no expression of ours


BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
UNSEEN = [
    chr(code)
    for code in range(0x110000)
    if (unicodedata.category(chr(code)) == "Cc" and chr(code) not in "\n\t")
    or unicodedata.bidirectional(chr(code)) in BIDI
    or chr(code) in "\u200b\u200e\u200f\u2060\ufeff"
]


def test_no_control_or_direction_character_reaches_the_page():
    text = page([_relabelled("".join(UNSEEN))])
    assert not set(text) & set(UNSEEN)
    assert all(f"\\u{ord(each):04x}" in text for each in UNSEEN)


# Colours: contrast as WCAG 2.2 defines it, from the variables of the style sheet.


def _themes() -> dict[str, tuple[str, str]]:
    return {
        name: (light, dark) for name, light, dark in re.findall(r"--(\w+): light-dark\((\S+), (\S+)\)", CSS)
    }


def _luminance(rgb) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _rgb(colour: str):
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _contrast(front, back) -> float:
    low, high = sorted((_luminance(front), _luminance(back)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert _contrast(_rgb("#000000"), _rgb("#ffffff")) == pytest.approx(21)
    assert _contrast(_rgb("#777777"), _rgb("#ffffff")) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "back"),
    [
        *((text, back) for text in ("ink", "mute", "accent") for back in ("bg", "panel")),
        *((text, "panel") for text in ("better", "worse", "equal")),
        ("ink", "warm"),
        ("ink", "tie"),
    ],
)
def test_text_can_be_read_in_both_themes(text, back, theme):
    colours = _themes()
    assert _contrast(_rgb(colours[text][theme]), _rgb(colours[back][theme])) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("mark", ["accent", "better", "worse", "equal", "mute"])
def test_marks_can_be_seen_in_both_themes(mark, theme):
    colours = _themes()
    opacity = float(re.search(r"\.whisker \{[^}]*opacity: ([\d.]+)", CSS)[1])
    front, back = _rgb(colours[mark][theme]), _rgb(colours["panel"][theme])
    blended = [opacity * f + (1 - opacity) * b for f, b in zip(front, back, strict=True)]
    assert _contrast(front, back) >= 3
    assert _contrast(blended, back) >= 2.5  # the whisker; its ends are in the row as numbers
