"""Dates, amounts and numbers as people write them, and what cannot be told."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.score.fields.amounts import money_of
from bakeoff.score.fields.dates import Day, days
from bakeoff.score.fields.decimals import number_of
from bakeoff.score.fields.scalars import Amount, Boolean, Date, Enum, Exact, Fuzzy, Number, Text

FIFTH_OF_MARCH = Day(2024, 3, 5)


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-05",
        "2024-3-5",
        "2024/03/05",
        "2024.03.05",
        "20240305",
        "2024-03-05T00:00:00Z",
        "2024-03-05 00:00",
        "5 March 2024",
        "5th March 2024",
        "the 5th of March, 2024",
        "05 MAR 2024",
        "5-Mar-2024",
        "March 5, 2024",
        "march 5th 2024",
        "Mar. 5, 2024",
        "5. März 2024",
        "5 mars 2024",
        "5 de marzo de 2024",
        "2024-Mar-05",
        " 5\u00a0March 2024 ",
        "２０２４－０３－０５",
    ],
)
def test_a_day_is_the_same_in_every_spelling(written):
    assert days(written) == {FIFTH_OF_MARCH}


@pytest.mark.parametrize("written", ["3/5/2024", "03-05-2024", "5.3.2024", "05.03.2024"])
def test_numbers_alone_can_be_two_days_until_the_order_is_stated(written):
    first, second = (int(part) for part in written.replace("/", ".").replace("-", ".").split(".")[:2])
    assert days(written) == {Day(2024, first, second), Day(2024, second, first)}
    assert days(written, "dmy") == {Day(2024, second, first)}
    assert days(written, "mdy") == {Day(2024, first, second)}


def test_numbers_that_fit_one_order_alone_are_one_day():
    assert days("13/5/2024") == days("5/13/2024") == {Day(2024, 5, 13)}
    assert days("5/5/2024") == {Day(2024, 5, 5)}
    assert days("13/5/2024", "mdy") == frozenset()


@pytest.mark.parametrize(
    "written",
    [
        "",
        "soon",
        "2024",
        "March 2024",
        "05/03/24",
        "5 March 24",
        "31 April 2024",
        "29 February 2023",
        "2024-13-01",
        "0/0/2024",
        "2024-03-05T14:00:00Z",
        "2024-03-05 or later",
        "5 March 2024 (a Tuesday)",
        "3-5",
        "5" * 1000,
    ],
)
def test_what_is_not_one_whole_date_is_none(written):
    assert days(written) == frozenset()


def test_a_day_without_a_year_is_itself_and_never_a_day_of_some_year():
    assert days("12 April") == days("April 12th") == days("12. April") == {Day(None, 4, 12)}
    assert not Date().same("2024-04-12", "12 April")
    assert days("29 February") == {Day(None, 2, 29)}


@given(st.dates(date(1000, 1, 1), date(9999, 12, 31)))
def test_every_day_is_read_back_from_the_ways_it_is_written(day):
    whole = {Day(day.year, day.month, day.day)}
    assert days(day.isoformat()) == whole
    assert days(f"{day.day} {day:%B} {day.year}") == whole
    assert days(f"{day:%b} {day.day}, {day.year}") == whole
    assert days(f"{day.day}/{day.month}/{day.year}", "dmy") == whole
    assert whole <= days(f"{day.day}/{day.month}/{day.year}")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,204.50", "1204.5"),
        ("1.204,50", "1204.5"),
        ("1 204,50", "1204.5"),
        ("1'204.50", "1204.5"),
        ("12,34,567", "1234567"),
        ("1,204,500", "1204500"),
        ("1.204.500", "1204500"),
        ("1204,5", "1204.5"),
        ("-7", "-7"),
        ("−7", "-7"),
        ("٣", "3"),
        ("0,123", "0.123"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (12, "12"),
    ],
)
def test_a_number_is_read_in_every_convention(written, value):
    assert number_of(written) == Fraction(value)


def test_the_mark_settles_what_could_be_thousands_or_thousandths():
    assert (number_of("1,204", "."), number_of("1,204", ",")) == (1204, Fraction("1.204"))
    assert (number_of("1.204", "."), number_of("1.204", ",")) == (Fraction("1.204"), 1204)


@pytest.mark.parametrize(
    "written", ["", "-", "1,2,3", "1.2.3", "12 apples", "1,20,4", "1/2", True, None, [1], "9" * 99]
)
def test_what_is_not_one_number_is_none(written):
    assert number_of(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "EUR 1,204.50",
        "1,204.50 EUR",
        "eur1204.5",
        "€1,204.50",
        "1.204,50 €",
        "1204,50€",
        {"value": 1204.5, "currency": "EUR"},
        {"amount": "1,204.50", "currency": "€"},
    ],
)
def test_an_amount_is_the_same_in_every_spelling(written):
    found = money_of(written)
    assert found is not None
    assert (found.value, found.currencies) == (Fraction("1204.5"), {"EUR"})
    assert Amount().same(written, "EUR 1,204.50")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "EUR",
        "5 pcs",
        "about 5 EUR",
        "5 EUR 6",
        "-$-5",
        "$5 EUR",
        {"value": 5, "currency": "pcs"},
        {"value": 5, "unit": "EUR"},
        {"value": None},
        True,
        [5],
    ],
)
def test_what_is_not_one_amount_is_none(written):
    assert money_of(written) is None


@pytest.mark.parametrize(
    ("said", "gold", "same"),
    [
        ("$5", "USD 5", True),
        ("$5", "CAD 5", True),
        ("US$5", "CAD 5", False),
        ("$5 USD", "US$ 5.00", True),
        ("-$5", "$-5", True),
        ("$5", "-$5", False),
        ("€5", "$5", False),
        (5, "€5", False),
        ("€5", 5, True),
        (5.0, 5, True),
    ],
)
def test_a_currency_counts_where_the_target_states_one(said, gold, same):
    assert Amount().same(said, gold) is same


def test_a_currency_of_the_task_is_that_of_amounts_that_state_none():
    assert Amount(currency="EUR").same(5, "€5")
    assert Amount(currency="EUR").same("€5", 5)
    assert not Amount(currency="EUR").same("$5", 5)


@pytest.mark.parametrize(
    ("kind", "said", "gold", "same"),
    [
        (Exact(), "A-1", "A-1", True),
        (Exact(), "a-1", "A-1", False),
        (Exact(), "é", "e\u0301", True),
        (Exact(), 1, "1", False),
        (Exact(), True, 1, False),
        (Exact(), 1.0, 1, True),
        (Exact(), [1], 1, False),
        (Text(), "  acme, inc. ", "ACME Inc", True),
        (Text(), "STRASSE", "Straße", True),
        (Text(), 4711, "4711", True),
        (Text(), "0815", 815, False),
        (Text(), {"name": "Acme"}, "Acme", False),
        (Fuzzy(), "Acme Incorporated", "Acme Incorporatde", False),
        (Fuzzy(0.8), "Acme Incorporated", "Acme Incorporatde", True),
        (Fuzzy(), None, "Acme", False),
        (Number(0.01), 1204.51, 1204.5, True),
        (Number(0.01), "1204.52", 1204.5, False),
        (Number(0.1), 0.3, 0.2, True),
        (Date(), "5 March 2024", "2024-03-05", True),
        (Date(), "3/5/2024", "2024-03-05", False),
        (Date("dmy"), "5/3/2024", "2024-03-05", True),
        (Date(), 20240305, "2024-03-05", False),
        (Boolean(), "Yes", True, True),
        (Boolean(), "false", True, False),
        (Boolean(), 1, True, False),
        (Enum(("paid", "open")), "Paid.", "paid", True),
        (Enum(("paid", "open")), "unknown", "paid", False),
    ],
)
def test_a_value_is_compared_as_what_it_is(kind, said, gold, same):
    assert kind.flaw(gold) == ""
    assert kind.same(said, gold) is same


@pytest.mark.parametrize(
    ("kind", "gold", "problem"),
    [
        (Date(), "3/5/2024", "can be 2024-03-05 or 2024-05-03"),
        (Date(), "soon", "must be a date"),
        (Number(), "many", "must be a number"),
        (Amount(), "5 pcs", "must be an amount"),
        (Boolean(), 1, "must be true or false"),
        (Enum(("paid", "open")), "late", "must be one of paid, open"),
        (Text(), "—", "must be a text"),
        (Fuzzy(), {}, "must be a text"),
        (Exact(), [], "must be a text, a number"),
    ],
)
def test_a_target_that_cannot_be_compared_says_why(kind, gold, problem):
    assert problem in kind.flaw(gold)
