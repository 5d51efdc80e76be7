import math

from hypothesis import given

from bakeoff.nouns import Message, OptionScore, Part, Response, Turn
from bakeoff.store import COLUMNS, from_row, to_row
from tests.store.samples_strategy import sample, samples


@given(samples)
def test_a_sample_survives_its_row(each):
    assert from_row(to_row(each, finished_at=1.0)) == each


@given(samples)
def test_a_row_has_exactly_the_published_columns(each):
    assert list(to_row(each, finished_at=1.0)) == list(COLUMNS)


def test_a_log_probability_that_is_no_number_stays_none():
    from dataclasses import replace

    response = Response(options=(OptionScore(math.nan, 1), OptionScore(-1.0, 1)))
    row = to_row(replace(sample(), turns=(Turn("x", response),)), finished_at=1.0)
    first, second = from_row(row).turns[0].response.options
    assert math.isnan(first.logprob)
    assert second == OptionScore(-1.0, 1)


@given(samples)
def test_a_row_of_a_time_before_stages_reads_as_one_without_any(each):
    row = to_row(each, finished_at=1.0)
    del row["stages"]
    assert from_row(row) == without_stages(each)
    row["stages"] = None
    assert from_row(row) == without_stages(each)


def without_stages(sample):
    from dataclasses import replace

    *earlier, last = sample.turns
    return replace(sample, turns=(*earlier, Turn(last.input, replace(last.response, stages={}))))


def test_image_bytes_are_kept_as_a_digest_only():
    from dataclasses import replace

    asked = (Message("user", (Part("image", "aGVsbG8=", "image/png"),)),)
    row = to_row(replace(sample(), turns=(Turn(asked, Response(text="a cat")),)), finished_at=1.0)
    assert "aGVsbG8=" not in row["inputs"]
    assert "sha256:" in row["inputs"]
