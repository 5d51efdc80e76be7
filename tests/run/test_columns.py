"""Columns worth a breakdown."""

import pytest

from bakeoff.run.breakdown import breakdown
from bakeoff.run.columns import columns
from tests.run.runs import run


@pytest.mark.parametrize(
    ("metadata", "found"),
    [
        (lambda n: {"a": n % 3, "b": n % 2, "same": 1, "own": n}, ("meta.b", "meta.a")),
        (lambda n: {"list": [n % 2], "map": {"x": n % 2}}, ()),
        (lambda n: {"a/b~c.d": n % 2}, ("meta.a/b~c.d",)),
        (lambda n: {"some": n % 2} if n < 10 else {}, ("meta.some",)),
        (lambda n: {"some": None}, ()),
        (lambda n: {}, ()),
    ],
)
def test_columns_of_few_plain_values_are_found(tmp_path, metadata, found):
    items = [{"id": str(n), "input": "?", "target": n, "metadata": metadata(n)} for n in range(12)]
    folder = run(tmp_path, items, {str(n): str(n) for n in range(12)}).folder
    assert columns(folder) == found
    for name in found:
        assert sum(part.counts["total"] for part in breakdown(folder, name).parts) == 12


def test_groups_are_a_column(tmp_path):
    items = [{"id": str(n), "input": "?", "target": n, "group": f"g{n % 4}"} for n in range(12)]
    folder = run(tmp_path, items, {str(n): str(n) for n in range(12)}).folder
    assert columns(folder) == ("group",)
    assert columns(folder, most=3) == ()
