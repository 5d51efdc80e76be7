import pytest

from bakeoff.board.work.memory import needed_gb
from tests.board.making import model


@pytest.mark.parametrize(
    ("precision", "gb"),
    [
        ("float32", 33.6),
        ("bfloat16", 16.8),
        ("F16", 16.8),
        ("", 16.8),
        ("int8", 8.4),
        ("Q4_K_M", 4.2),
        ("nf4", 4.2),
    ],
)
def test_seven_billion_weights_take_what_their_bits_take_and_a_fifth(precision, gb):
    assert needed_gb(model(parameters=7.0, precision=precision)) == pytest.approx(gb)


def test_what_is_not_loaded_by_a_worker_or_of_unknown_size_asks_for_nothing():
    assert needed_gb(model(parameters=7.0, engine="openai")) == 0
    assert needed_gb(model(parameters=None)) == 0
