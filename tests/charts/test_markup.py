"""What holds for the markup of every chart."""

import re
import subprocess
import sys
from datetime import date
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.charts import (
    Bar,
    Bin,
    Difference,
    Estimate,
    Forest,
    HeatMap,
    Link,
    Moment,
    Point,
    Ranked,
    RankRanges,
    Reliability,
    Scatter,
    Series,
    Stacked,
    Timeline,
    forest,
    heat_map,
    rank_ranges,
    reliability,
    scatter,
    sparkline,
    stacked,
    timeline,
)
from tests.charts.gallery import cells, empty, gallery, hostile

EVERY = [*gallery(), *gallery(900)[:1], *hostile(), *empty()]
texts = st.text(max_size=60)


def every(text: str) -> list[str]:
    """Each chart with `text` wherever a text goes."""
    day = date(2026, 1, 1)
    return [
        scatter(
            Scatter(
                text, (Point(text, text, 1, 1, 0, 2, text),), text, text, says=text, meanings=(text, text)
            ),
            "a",
        ),
        forest(
            Forest(
                text,
                (Estimate(text, 0.5, 0.4, 0.6, text, text, text),),
                text,
                text,
                says=text,
                reference=0.0,
                reference_name=text,
            ),
            "b",
        ),
        forest(Forest(text, (Estimate(text, None),), reference=0.0, sides=(text, text)), "c"),
        rank_ranges(RankRanges(text, (Ranked(text, 1, 2, text, text),), text, text), "d"),
        reliability(Reliability(text, (Bin(0.0, 1.0, 3, 0.5, 0.5, 0.1, 0.9),), text, text, text), "e"),
        heat_map(
            HeatMap(
                text, (Link(text, text), Link(text)), {(0, 1): Difference(0.1, href=text)}, text, says=text
            ),
            "f",
        ),
        timeline(Timeline(text, (Series(text, (Moment(day, 0.5),), text, text),), text, says=text), "g"),
        stacked(Stacked(text, (text,), (Bar(text, (0.5,), text, text),), text, text), "h"),
        f"<p>{sparkline([1.0], text)}</p>",
    ]


@settings(max_examples=60)
@given(texts)
def test_any_text_leaves_every_chart_well_formed_and_is_only_text(text):
    for markup in every(text):
        plain = ElementTree.fromstring(markup)
        for element in plain.iter():
            assert element.tag in ALLOWED
            assert set(element.attrib) <= KNOWN


ALLOWED = {
    *("figure", "figcaption", "b", "span", "bdi", "a", "small", "p", "ul", "li", "details", "summary", "div"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("svg", "title", "desc", "defs", "g", "use", "pattern", "path", "line", "circle", "rect", "text"),
}
KNOWN = {
    *("id", "class", "role", "scope", "title", "href", "tabindex", "data-key"),
    *("aria-hidden", "aria-label", "aria-labelledby", "aria-describedby"),
    *("viewBox", "preserveAspectRatio", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "dx"),
    *("width", "height", "fill", "text-anchor", "patternUnits", "patternTransform"),
}


@pytest.mark.parametrize("markup", EVERY)
def test_there_is_no_style_no_script_and_no_number_that_is_none(markup):
    plain = ElementTree.fromstring(f"<p>{markup}</p>")
    for element in plain.iter():
        assert "style" not in element.attrib
        assert not any(name.startswith("on") for name in element.attrib)
        assert element.tag not in ("script", "style")
        for name in element.attrib.keys() & {
            "d",
            "x",
            "y",
            "x1",
            "x2",
            "y1",
            "y2",
            "cx",
            "cy",
            "width",
            "height",
            "dx",
        }:
            assert not re.search("nan|inf|None|e-", element.attrib[name])


@pytest.mark.parametrize("markup", EVERY)
def test_ids_are_unique_and_what_refers_to_them_finds_them(markup):
    plain = ElementTree.fromstring(f"<p>{markup}</p>")
    ids = [element.attrib["id"] for element in plain.iter() if "id" in element.attrib]
    assert len(set(ids)) == len(ids)
    for element in plain.iter():
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(element.attrib.get(name, "").split()) <= set(ids)
        if element.tag == "use":
            assert element.attrib["href"].removeprefix("#") in ids
        if element.attrib.get("fill", "").startswith("url("):
            assert element.attrib["fill"][5:-1] in ids


@pytest.mark.parametrize("markup", [*gallery(), *hostile()])
def test_every_drawing_is_named_or_hidden(markup):
    plain = ElementTree.fromstring(f"<p>{markup}</p>")
    parents = {child: parent for parent in plain.iter() for child in parent}
    for svg in plain.iter("svg"):
        if inside_another(svg, parents):
            continue
        named = (
            svg.attrib.get("role") in ("img", "group")
            and {"aria-label", "aria-labelledby"} & svg.attrib.keys()
        )
        assert svg.attrib.get("aria-hidden") == "true" or named


def inside_another(svg, parents):
    while (svg := parents.get(svg)) is not None:
        if svg.tag == "svg":
            return True
    return False


def test_numbers_of_a_chart_are_there_as_text():
    for markup in gallery()[:1] + gallery()[3:10]:
        assert "<table" in markup
        assert markup.count("<tr") > 3


@pytest.mark.parametrize("markup", empty())
def test_nothing_to_draw_is_a_sentence(markup):
    assert "Nothing to draw" in markup or "no values" in markup
    assert "<svg" not in markup


@pytest.mark.parametrize("key", ["", "1a", "a b", 'a"', "ä"])
def test_a_key_that_is_no_id_is_refused(key):
    with pytest.raises(ValueError, match="an id begins with a letter"):
        forest(Forest("t", ()), key)
    with pytest.raises(ValueError, match="an id begins with a letter"):
        scatter(Scatter("t", (), "x", "y"), "k", table=key or "-")


def test_cells_hold_no_numbers_that_the_page_does_not_say():
    assert "Aurora over time: 5 values" in cells()


def test_importing_the_charts_loads_no_template_engine():
    code = "import sys, bakeoff.charts; print('jinja2' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
