import pytest

from bakeoff.cli.output import duration, percent


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "–"), (0.0123, "12 ms"), (3.21, "3.2 s"), (61, "1 min 01 s"), (3661, "1 h 01 min")],
)
def test_durations_read_in_the_unit_that_fits(seconds, text):
    assert duration(seconds) == text


def test_a_missing_share_is_a_dash_not_a_zero():
    assert percent(None) == "–"
    assert percent(0.0) == "0.0"
