from dataclasses import fields
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Value
from bakeoff.board.table import View, prepared, seen
from bakeoff.board.table.columns import organisation, parameters
from bakeoff.board.table.view import FACETS, FILTERS
from bakeoff.errors import BakeoffError
from tests.board.table.making import HOSTILE, scored, snapshot, snapshots

FILTERED = (
    {"search": "model"},
    {"search": "/^org/"},
    {"licence": ("mit", "MIT")},
    {"licence": ("-",)},
    {"organisation": ("plain", "-")},
    {"precision": ("bfloat16",)},
    {"provenance": ("measured", "reproduced")},
    {"state": "ranked"},
    {"parameters_min": 7.0},
    {"parameters_max": 9.0},
    {"cost_max": 2.5},
    {"latency_max": 1.0},
    {"pareto": "cost"},
    {"pareto": "parameters"},
    {"preset": "open"},
    {"preset": "small"},
)


def keys(table, **view):
    return [each.key for each in seen(table, View(**view)).every]


@given(snapshots(), st.data())
def test_each_order_holds_every_row_once_what_is_missing_last_and_equals_as_on_the_board(made, data):
    table = prepared(made)
    column = data.draw(st.sampled_from(table.columns))
    for sort, falling in ((column.key, column.descending), (f"-{column.key}", not column.descending)):
        rows = [table.row(key) for key in keys(table, sort=sort)]
        assert sorted(map(id, rows)) == sorted(map(id, made.rows))
        values = [column.value(row) for row in rows]
        there = [each.casefold() if isinstance(each, str) else each for each in values if each is not None]
        assert values[len(there) :] == [None] * (len(values) - len(there))
        assert there == sorted(there, reverse=falling)
        place = {id(row): number for number, row in enumerate(made.rows)}
        for one, other in pairwise(rows):
            same = {
                each.casefold() if isinstance(each, str) else each for each in map(column.value, (one, other))
            }
            assert len(same) > 1 or place[id(one)] < place[id(other)]


@given(snapshots(), st.sampled_from(FILTERED), st.sampled_from(FILTERED))
def test_rows_that_meet_two_conditions_are_those_that_meet_each_in_the_same_order(made, one, other):
    assume(not one.keys() & other.keys())
    table = prepared(made)
    both = keys(table, **one, **other)
    assert both == keys(table, **other, **one)
    assert both == [key for key in keys(table, **one) if key in keys(table, **other)]


@given(snapshots(), st.sampled_from(FILTERED))
def test_no_row_is_lost_without_being_counted(made, filtered):
    table = prepared(made)
    found = seen(table, View(**filtered))
    assert found.total == len(made.rows)
    assert len(found.every) == found.matching
    assert found.matching + found.unknown <= found.total
    known = {
        "cost_max": "cost",
        "latency_max": "latency",
        "parameters_min": "parameters",
        "parameters_max": "parameters",
    }
    for name in filtered.keys() & known.keys():
        column = table.column(known[name])
        assert found.unknown == sum(column.value(row) is None for row in made.rows)


def test_conditions_keep_what_they_say():
    table = prepared(
        snapshot(
            scored(
                1,
                0.9,
                cost=1.0,
                latency=3.0,
                parameters=3.0,
                licence="mit",
                organisation="a",
                first_seen="2026-01-01T00:00:00+00:00",
            ),
            scored(
                2,
                0.8,
                cost=2.0,
                latency=2.0,
                parameters=7.0,
                licence="",
                organisation="b",
                first_seen="2026-01-02T00:00:00+00:00",
            ),
            scored(
                3,
                0.7,
                cost=None,
                parameters=None,
                licence="llama3",
                organisation="b",
                provenance="reproduced",
            ),
            scored(
                4,
                0.6,
                cost=0.5,
                parameters=9.0,
                licence="mit",
                organisation="",
                model="c/x",
                state="withdrawn",
            ),
        )
    )
    assert keys(table, cost_max=1.0) == ["1", "4"]
    assert keys(table, latency_max=2.5) == ["2"]
    assert keys(table, parameters_min=3.0, parameters_max=7.0) == ["1", "2"]
    assert keys(table, licence=("-", "llama3")) == ["2", "3"]
    assert keys(table, organisation=("b", "c")) == ["2", "3", "4"]
    assert keys(table, state="ranked") == ["1", "2", "3"]
    assert keys(table, provenance=("reproduced",)) == ["3"]
    assert keys(table, since=date(2026, 1, 2)) == ["2", "3", "4"]
    assert keys(table, preset="open") == ["1", "4"]
    assert keys(table, preset="small") == ["2", "4"]
    assert keys(table, pareto="cost") == ["1"]
    assert keys(table, pareto="latency") == ["1", "2"]
    assert (seen(table, View(preset="open")).unknown, seen(table, View(cost_max=9.0)).unknown) == (1, 1)


@given(snapshots())
def test_a_number_of_rows_beside_a_value_is_how_many_there_are(made):
    table = prepared(made)
    for filtered in FILTERED:
        found = seen(table, View(**filtered))
        for name in FACETS:
            for each in found.facets[name]:
                chosen = seen(table, View(**(filtered | {name: (each.value,)})))
                assert chosen.matching == each.count
            whole = seen(table, View(**{key: value for key, value in filtered.items() if key != name}))
            assert sum(each.count for each in found.facets[name]) == whole.matching


def test_values_come_with_the_most_frequent_first_and_what_was_chosen_stays():
    rows = [scored(number, licence=said) for number, said in enumerate(("mit", "gpl", "mit", ""), 1)]
    found = seen(prepared(snapshot(*rows)), View(licence=("bsd",)))
    told = [(each.value, each.label, each.count, each.chosen) for each in found.facets["licence"]]
    assert told[0] == ("mit", "mit", 2, False)
    assert ("-", "not stated", 1, False) in told
    assert told[-1] == ("bsd", "bsd", 0, True)
    assert found.rows == ()


@given(snapshots(), st.data())
def test_pinned_rows_are_on_top_in_every_order_of_every_page(made, data):
    assume(made.rows)
    table = prepared(made)
    pins = tuple(data.draw(st.lists(st.sampled_from(table.keys), unique=True, max_size=3)))
    sort = data.draw(st.sampled_from([each.key for each in table.columns]))
    filtered = data.draw(st.sampled_from(FILTERED))
    found = seen(table, View(pin=pins, sort=sort, per_page=2, **filtered))
    pages = [
        seen(table, View(pin=pins, sort=sort, per_page=2, page=page + 1, **filtered))
        for page in range(found.pages)
    ]
    for each in pages:
        assert {line.key for line in each.rows[: len(pins)]} == set(pins)
        assert [line.pinned for line in each.rows] == [True] * len(pins) + [False] * (
            len(each.rows) - len(pins)
        )
    rest = [line.key for each in pages for line in each.rows[len(pins) :]]
    without = keys(table, sort=sort, **filtered)
    assert rest == [key for key in without if key not in pins]
    assert found.matching == len(without)
    assert all(line.matches == (line.key in without) for line in found.every)
    assert [line.key for line in found.every] == [line.key for line in found.rows[: len(pins)]] + rest


def test_rows_of_another_date_that_are_pinned_are_told_to_be_absent():
    found = seen(prepared(snapshot(scored(1))), View(pin=("9", "1"), compare=("8", "9")))
    assert found.absent == ("9", "8")
    assert [each.key for each in found.rows] == ["1"]


@pytest.mark.parametrize(("size", "pages"), [(1, [1]), (1000, [1000]), (1001, [500, 500, 1])])
def test_a_board_is_on_one_page_until_it_is_long(size, pages):
    table = prepared(snapshot(*(scored(number, error=None) for number in range(1, size + 1))))
    found = [seen(table, View(page=page)) for page in range(1, len(pages) + 1)]
    assert [len(each.rows) for each in found] == pages
    assert {each.pages for each in found} == {len(pages)}
    assert [each.first for each in found] == [1 + 500 * page for page in range(len(pages))]
    with pytest.raises(
        BakeoffError, match=f"page: {len(pages) + 1} is beyond the last, which is {len(pages)}"
    ):
        seen(table, View(page=len(pages) + 1))


def test_an_empty_board_is_seen():
    found = seen(prepared(snapshot()), View(search="x", sort="score", preset="small", pareto="cost"))
    assert (found.rows, found.every, found.matching, found.total, found.pages) == ((), (), 0, 0, 1)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ({"sort": "price"}, "sort: 'price' is no column of small"),
        ({"sort": "--cost"}, "sort: '-cost' is no column"),
        ({"columns": ("model", "x")}, "columns: 'x' is no column"),
        ({"preset": "smal"}, "preset: 'smal' is none"),
        ({"tied": "99"}, "there is no row '99' on small as of 2026-02-01"),
        ({"tied": "2"}, "tied: the score of '2' has no range of ranks"),
    ],
)
def test_what_is_not_there_is_said(view, message):
    table = prepared(snapshot(scored(1), scored(2, error=None)))
    with pytest.raises(BakeoffError) as told:
        seen(table, View(**view))
    assert told.value.message.startswith(message)


def test_a_column_that_says_nothing_here_can_be_asked_for():
    table = prepared(snapshot(scored(1), scored(2)))
    assert "cost" not in [each.key for each in table.columns]
    found = seen(table, View(columns=("model", "cost"), sort="cost"))
    assert [each.key for each in found.columns] == ["model", "cost"]
    assert [each.key for each in found.rows] == ["1", "2"]


INERT = ("' OR '1'='1", "1; DROP TABLE snapshot", "%", "_", "mit' --", "*", "{}", "\\", *HOSTILE)


@pytest.mark.parametrize("value", INERT)
def test_what_databases_would_run_is_only_compared(value):
    table = prepared(snapshot(scored(1, licence="mit"), scored(2, licence="gpl")))
    for name in FACETS:
        assert keys(table, **{name: (value,)}) == []
    for name in ("sort", "preset", "tied"):
        with pytest.raises(BakeoffError):
            seen(table, View(**{name: value}))
    with pytest.raises(BakeoffError):
        seen(table, View(columns=(value,)))
    assert keys(table) == ["1", "2"]


def test_where_a_lower_score_is_better_it_comes_first():
    rows = [scored(number, value, model=f"m{number}") for number, value in enumerate((0.5, 0.1, 0.9), 1)]
    table = prepared(snapshot(*rows, scored(4, None), notes=(LOWER,)))
    assert table.lower
    assert keys(table) == keys(table, sort="score") == keys(table, sort="ranks") == ["2", "1", "3", "4"]
    assert keys(table, sort="-score") == ["3", "1", "2", "4"]
    assert table.tiers == (1, 2, 3, None)


def test_where_it_is_the_front_is_of_low_scores():
    rows = [
        scored(number, value, cost=cost)
        for number, value, cost in ((1, 0.5, 1.0), (2, 0.1, 5.0), (3, 0.9, 2.0))
    ]
    assert prepared(snapshot(*rows, notes=(LOWER,))).fronts["cost"] == {"1", "2"}
    assert prepared(snapshot(*rows)).fronts["cost"] == {"1", "3"}


def test_presets_are_offered_where_they_choose_some_and_not_all():
    rows = [scored(number, parameters=size) for number, size in enumerate((1.0, 2.0, 8.0, None), 1)]
    found = seen(prepared(snapshot(*rows)), View())
    assert [(each.name, each.count) for each in found.presets] == [("edge", 2), ("small", 1)]
    (chosen,) = (
        each for each in seen(prepared(snapshot(*rows)), View(preset="larger")).presets if each.chosen
    )
    assert (chosen.name, chosen.count) == ("larger", 0)


def test_only_filters_may_leave_rows_out():
    table = prepared(snapshot(scored(1), scored(2)))
    for each in fields(View):
        value = {
            "sort": "score",
            "columns": ("model",),
            "pin": ("1",),
            "compare": ("2",),
            "at": "last",
            "version": 1,
            "page": 1,
            "per_page": 9,
        }.get(each.name)
        if value is not None:
            assert each.name not in FILTERS
            view = View(**{each.name: value})
            assert not view.filtered
            assert seen(table, view).matching == 2


def test_the_columns_shown_are_those_of_the_board_that_tell_rows_apart():
    columns = {"core/Maths": Value(0.5, 0.4, 0.6, 9), "core/Code": Value(0.5)}
    rows = [
        scored(number, columns=columns, cost=float(number), licence=said)
        for number, said in ((1, "mit"), (2, ""))
    ]
    table = prepared(snapshot(*rows), columns=("cost", "licence", "precision"))
    scores = ("score", "score.core-maths", "score.core-code")
    assert table.usual == ("ranks", "model", "organisation", *scores, "cost", "licence")
    assert [each.key for each in table.same] == ["precision", "attempt"]
    assert organisation(table.row("1")) == "org1"
    assert parameters(table.row("1")) == 1.0
