import pytest

from tests.arena.pairing.making import even, told


@pytest.fixture
def even_board():
    """Four models, each pair met ten times."""
    return told(even(4, 10))
