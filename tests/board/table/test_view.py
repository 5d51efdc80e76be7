import random
import string
from contextlib import suppress
from dataclasses import fields
from datetime import date
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.table import EVERYTHING, View
from bakeoff.board.table.columns import columns_of
from bakeoff.board.table.view import FILTERS
from bakeoff.errors import BakeoffError
from tests.board.table.making import HOSTILE, scored, snapshot

SOME = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30).filter(str.strip)
WORD = SOME.map(str.strip)
KEY = st.text(string.ascii_lowercase + "._-", min_size=1, max_size=12)
AMOUNT = st.none() | st.floats(0, allow_infinity=False)


def several(most, text=SOME):
    return st.lists(text, max_size=most, unique=True).map(tuple)


VIEWS = st.builds(
    View,
    search=st.just("") | WORD,
    organisation=several(5),
    licence=several(5),
    precision=several(5),
    provenance=several(5),
    state=st.sampled_from(("all", "ranked")),
    parameters_min=AMOUNT,
    parameters_max=AMOUNT,
    cost_max=AMOUNT,
    latency_max=AMOUNT,
    since=st.none() | st.dates(),
    pareto=st.sampled_from(("", "cost", "latency", "parameters")),
    tied=st.just("") | SOME,
    preset=st.just("") | WORD,
    sort=st.just("") | KEY | KEY.map("-{}".format),
    columns=several(5, KEY),
    pin=several(5),
    compare=several(4),
    at=st.just("") | WORD,
    version=st.none() | st.integers(1, 10**6),
    page=st.integers(1, 10**6),
    per_page=st.none() | st.integers(1, 1000),
)


def parse(query):
    return View.parse(parse_qsl(query, keep_blank_values=True))


@given(VIEWS)
def test_what_is_written_is_read_again(view):
    assert parse(view.query()) == view
    assert View.parse(view.pairs()) == view


@given(VIEWS, st.randoms())
def test_one_view_has_one_query_in_whatever_order_it_was_asked_for(view, order: random.Random):
    pairs = list(view.pairs())
    names = list(dict.fromkeys(name for name, _ in pairs))
    order.shuffle(names)
    mixed = [pair for name in names for pair in pairs if pair[0] == name]
    assert View.parse(mixed).query() == view.query()


def test_a_board_as_it_is_needs_no_query():
    assert EVERYTHING.query() == ""
    assert parse("search=&licence=&licence=&columns=&page=&since=+") == EVERYTHING


def test_a_query_reads_well():
    view = View(
        search="llama 8b", licence=("mit", "-"), parameters_max=9.0, cost_max=0.5, columns=("model", "cost")
    )
    assert (
        view.query()
        == "search=llama+8b&licence=mit&licence=-&parameters_max=9&cost_max=0.5&columns=model%2Ccost"
    )
    assert View(since=date(2026, 1, 31)).query() == "since=2026-01-31"


def test_columns_come_from_a_list_or_from_boxes():
    assert (
        parse("columns=model,cost").columns
        == parse("columns=model&columns=cost").columns
        == ("model", "cost")
    )


def test_every_field_is_a_parameter_and_every_filter_a_field():
    with pytest.raises(BakeoffError) as told:
        View.parse([("licnce", "mit")])
    assert "did you mean 'licence'?" in told.value.hint
    named = told.value.hint.partition("there are ")[2].split(", ")
    assert named == [each.name for each in fields(View)]
    assert set(FILTERS) <= set(named)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            (name, value)
            for name in ("parameters_min", "cost_max")
            for value in ("-1", "nan", "inf", "1e999", "1_0", "٣", "1,5")
        ),
        *(("since", value) for value in ("2026", "20260131", "2026-02-30", "2026-W01-1", "yesterday")),
        *(
            (name, value)
            for name in ("page", "per_page", "version")
            for value in ("0", "-1", "1.5", "²", "9" * 30)
        ),
        ("per_page", "1001"),
        ("state", "unranked"),
        ("pareto", "price"),
        ("search", "x" * 1001),
        ("organisation", "\udc80"),
    ],
)
def test_what_is_malformed_is_refused_by_its_name(name, value):
    with pytest.raises(BakeoffError) as told:
        View.parse([(name, value)])
    assert told.value.message.startswith(f"{name}: ")
    assert len(told.value.message) < 200


@pytest.mark.parametrize(
    "name", ["search", "sort", "tied", "preset", "at", "page", "state", "since", "cost_max"]
)
def test_what_can_be_said_once_is_refused_twice(name):
    with pytest.raises(BakeoffError, match=f"{name} is given 2 times"):
        View.parse([(name, "1"), (name, "2")])


@pytest.mark.parametrize(("name", "most"), [("compare", 4), ("pin", 60), ("licence", 60)])
def test_lists_have_an_end(name, most):
    pairs = [(name, f"row{each}") for each in range(most)]
    assert len(getattr(View.parse([*pairs, *pairs]), name)) == most
    with pytest.raises(BakeoffError, match=f"{name}: {most + 1} are too many"):
        View.parse([*pairs, (name, "another")])


@given(
    st.lists(
        st.tuples(
            st.sampled_from([each.name for each in fields(View)]) | st.text(),
            st.text() | st.sampled_from(HOSTILE),
        ),
        max_size=8,
    )
)
def test_nothing_that_is_sent_is_a_bug(pairs):
    with suppress(BakeoffError):
        view = View.parse(pairs)
        assert parse(view.query()) == view


def test_a_change_of_the_rows_goes_back_to_the_first_page():
    view = View(page=3, search="llama")
    assert view.query(search="") == ""
    assert view.query(sort="cost") == "search=llama&sort=cost"
    for stays in ({"pin": ("1",)}, {"compare": ("1",)}, {"columns": ("model",)}, {}):
        assert "page=3" in view.query(**stays)
    assert view.query(page=4) == "search=llama&page=4"


def test_a_row_is_pinned_and_let_go():
    view = View(pin=("1", "2"))
    assert view.query(**view.toggled("pin", "1")) == "pin=2"
    assert view.query(**view.toggled("pin", "3")) == "pin=1&pin=2&pin=3"


def test_a_header_sorts_one_way_then_the_other_then_not():
    cost = next(each for each in columns_of(snapshot(scored(1))) if each.key == "cost")
    said = [View().sorted_by(cost)["sort"]]
    said += [View(sort=said[0]).sorted_by(cost)["sort"], View(sort="-cost").sorted_by(cost)["sort"]]
    assert said == ["cost", "-cost", ""]
    assert View(sort="score").sorted_by(cost) == {"sort": "cost"}
