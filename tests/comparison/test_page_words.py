import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.comparison.page_finding import finding
from bakeoff.comparison.page_method import method
from bakeoff.comparison.page_numbers import (
    about,
    count,
    dollars,
    letters,
    number,
    percent,
    percent_range,
    points,
    points_range,
    probability,
    seconds,
    signed,
    size,
)
from bakeoff.comparison.page_words import apart, best, details, first_few, name, ranks, remarks
from bakeoff.nouns import Outcome
from bakeoff.stats import Interval
from tests.comparison.comparisons import (
    against_baseline,
    alone,
    estimate,
    many,
    pair,
    standing,
    three,
    two,
    without_intervals,
    without_items,
)


def plain(markup) -> str:
    """What a reader sees of a piece of markup, with ordinary spaces."""
    return unescape(re.sub(r"<[^>]*>", "", str(markup))).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [
        (percent, 0.6123, "61.2"),
        (percent, 0.0, "0.0"),
        (percent, 1.0, "100.0"),
        (percent, 0.9996, "99.96"),
        (percent, 0.00004, "0.004"),
        (percent, None, "not estimable"),
        (percent, float("nan"), "not estimable"),
        (points, -0.042, "−4.2"),
        (points, 0.042, "+4.2"),
        (points, -0.0004, "−0.04"),
        (points, 0.0, "0.0"),
        (points, -0.0, "0.0"),
        (points, None, "not estimable"),
        (size, -0.02, "2.0"),
        (probability, 0.0391, "0.039"),
        (probability, 0.0, "<\u00a00.001"),
        (probability, 0.0009999, "<\u00a00.001"),
        (probability, 1.0, "1.000"),
        (probability, None, "not estimable"),
        (number, -2.5, "−2.5"),
        (number, 30.000000000000004, "30"),
        (number, 1500.0, "1,500"),
        (signed, 5.0, "+5"),
        (signed, 0.0, "0"),
        (about, 7, "7"),
        (about, 99, "99"),
        (about, 1_234, "1,200"),
        (about, 987_654, "990,000"),
        (seconds, 0.31, "310 ms"),
        (seconds, 1_234.5, "1,234.5 s"),
        (dollars, 12.4, "$12.40"),
        (dollars, 0.00123, "$0.0012"),
        (dollars, 0.0, "$0.00"),
        (letters, 0, "a"),
        (letters, 25, "z"),
        (letters, 26, "aa"),
        (letters, 27 * 26, "aaa"),
    ],
)
def test_numbers_are_written_as_a_reader_expects(written, value, text):
    assert written(value) == text


def test_counts_have_a_singular_and_thousands_apart():
    assert [count(1, "item"), count(0, "item"), count(14_042, "item")] == [
        "1 item",
        "0 items",
        "14,042 items",
    ]


@given(st.floats(-1, 1, allow_subnormal=False).filter(lambda value: abs(value) > 1e-7))
def test_a_difference_that_is_not_zero_never_reads_as_zero_and_keeps_its_sign(value):
    text = points(value)
    assert text[0] == ("+" if value > 0 else "−")
    assert float(text[1:]) > 0


@given(st.floats(1e-7, 1 - 1e-7))
def test_a_share_never_reads_as_all_or_none_unless_it_is(value):
    assert 0 < float(percent(value)) < 100


@given(st.floats(0, 1))
def test_a_share_reads_as_what_it_is(value):
    assert float(percent(value)) == pytest.approx(100 * value, abs=0.05 + 1e-9)


def test_ranges_stand_in_brackets_and_do_not_break():
    assert percent_range(Interval(0.57, 0.653, 0.95, "wilson")) == "[57.0,\u00a065.3]"
    assert points_range(Interval(-0.0105, 0.034, 0.95, "tango")) == "[−1.1,\u00a0+3.4]"
    assert percent_range(None) == points_range(None) == "not estimable"


def test_a_name_is_escaped_spelt_out_and_kept_to_itself():
    assert name("<i>\u202egnp\x1b") == "<bdi>&lt;i&gt;\\u202egnp\\u001b</bdi>"


@pytest.mark.parametrize(
    ("comparison", "sentence"),
    [
        (
            three,
            "anna-7b is better than carla-3b by 7.4 points [3.8, 11.0]; "
            "berta-7b cannot be told from anna-7b.",
        ),
        (two, "B cannot be told from A (−1.2 points [−4.2, +1.8])."),
        (
            against_baseline,
            "Against the baseline production-2026-09: large is better by 5.2 points [3.2, 7.2]; "
            "old-checkpoint-with-a-rather-long-name is worse by 10.5 points [7.4, 13.6]; "
            "medium is equivalent within 2.0 points; small and tiny cannot be told from it.",
        ),
        (without_intervals, "B and C cannot be told from A."),
        (without_items, "No item was scored in every candidate, so nothing can be compared."),
        (alone, "There is only one candidate, so nothing can be compared."),
    ],
)
def test_the_finding_says_who_is_better_and_who_cannot_be_told_apart(comparison, sentence):
    assert plain(finding(comparison())) == sentence


def test_many_candidates_are_counted_not_named():
    verdicts = [pair.verdict for pair in many().pairs]
    text = plain(finding(many()))
    assert f"is better than {verdicts.count('worse')} of 59 others by" in text
    assert f"{verdicts.count('cannot tell')} others cannot be told from" in text


def test_all_that_are_worse_are_called_all():
    labels = "bcdef"
    pairs = tuple(pair("A", label, -0.1 - i / 100, 0.01, "worse") for i, label in enumerate(labels))
    found = plain(finding(replace(two(), pairs=pairs)))
    assert found == "A is better than all 5 others by 10.0 to 14.0 points."


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
@pytest.mark.parametrize(
    ("baseline", "verdict"),
    [
        *((None, verdict) for verdict in ("worse", "equivalent", "cannot tell")),  # none is above the leader
        *(("A", verdict) for verdict in ("worse", "better", "equivalent", "cannot tell")),
    ],
)
def test_every_verdict_of_every_size_makes_one_sentence(size, baseline, verdict):
    gap = 0.1 if verdict == "better" else -0.1 if verdict == "worse" else 0.0
    pairs = tuple(pair("A", f"other{i}", gap, 0.05, verdict) for i in range(size))
    text = plain(finding(replace(two(), pairs=pairs, baseline=baseline, margin=0.06)))
    assert text.endswith(".")
    assert "  " not in text
    said = {"worse": "worse" if baseline else "A is better", "cannot tell": "cannot be told from"}
    assert said.get(verdict, verdict) in text
    assert ("other0" in text) is (size <= 3)


def test_groups_are_never_chained():
    assert plain(apart(three())) == "Cannot tell apart: anna-7b, berta-7b · berta-7b, carla-3b."


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ((("A",), ("B",)), "Every candidate can be told from every other."),
        ((("A", "B"),), "No candidate can be told from any other."),
        ((), "Too many groups of candidates cannot be told apart for a list."),
    ],
)
def test_none_all_and_too_many_groups_are_said_in_words(groups, sentence):
    assert plain(apart(replace(two(), groups=groups))) == sentence


def test_the_best_are_named():
    assert plain(best(three())) == "At 95 % confidence the best is anna-7b or berta-7b."
    assert plain(best(two())) == "At 95 % confidence any of them may be the best."
    assert plain(best(against_baseline())) == "At 95 % confidence the best is large."
    assert best(without_intervals()) == ""


@given(st.fixed_dictionaries({outcome.value: st.integers(0, 5_000) for outcome in Outcome}))
def test_every_outcome_that_happened_is_counted_and_the_counts_add_up(counts):
    found = details(standing("A", estimate(0.5), (1, 1), counts=counts, total=sum(counts.values())), two())
    total, *parts = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", found)]
    assert total == sum(parts) == sum(counts.values())
    for outcome, many_ in counts.items():
        assert (f" {outcome.replace('_', ' ')}" in found.partition(":")[2]) is (many_ > 0)


def test_what_is_special_about_a_candidate_stands_beside_its_samples():
    anna, _, carla = three().standings
    assert plain(details(anna, three())) == (
        "500 samples: 488 scored, 4 no answer, 8 truncated · $0.42 · 310 ms an answer"
    )
    assert plain(details(carla, three())).endswith(" · 58.0 % [53.7, 62.2] on all its 512 items")


def test_ranks_are_a_range_a_number_or_a_dash():
    given = [standing("A", estimate(0.5), each) for each in ((1, 3), (2, 2), None)]
    assert [ranks(each) for each in given] == ["1–3", "2", "–"]


def test_power_says_what_is_resolved_and_what_would_settle_it():
    assert remarks(pair("A", "B", -0.012, 0.03, "cannot tell", note="a note")) == (
        "31 won, 45 lost, 424 tied",
        "500 items can tell 4.1 points; about 1,200 more would settle a difference like this one",
        "a note",
    )
    settled = pair("A", "B", -0.1, 0.03, "worse", resolves=None)
    assert remarks(settled) == ("31 won, 45 lost, 424 tied",)


def test_names_beside_an_items_score_are_few():
    assert plain(first_few("abc")) == "a, b, c"
    assert plain(first_few("abcdefghij")) == "a, b, c, d, e, f, g, h and 2 more"


def test_the_method_names_interval_test_family_level_unit_and_population():
    text = " ".join(map(plain, method(against_baseline())))
    for said in (
        "1,240 items",
        "3 prompt variants",
        "repeats averaged",
        "95 %",
        "wilson",
        "tango",
        "sign-flip of groups",
        "a family of 5 comparisons",
        "at most 0.05",
        "90 % interval lies within 2.0 points",
        "drawn at random: whole groups of items",
        "not of other prompts",
    ):
        assert said in text
    assert "because the leader was chosen by looking" in " ".join(map(plain, method(three())))
