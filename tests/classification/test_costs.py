"""Costs as the user writes them."""

import pytest

from bakeoff.classification import Costs, read_costs
from bakeoff.errors import BakeoffError


def test_costs_are_read_from_the_line_and_from_files(tmp_path):
    (tmp_path / "c.yaml").write_text("fp: 1\nfn: 20.5\n")
    (tmp_path / "c.json").write_text('{"fn": 20.5, "fp": 1}')
    for text in ("fp=1,fn=20.5", " fn = 20.5, fp=1 ", str(tmp_path / "c.yaml"), str(tmp_path / "c.json")):
        assert read_costs(text) == Costs(1.0, 20.5)
    assert read_costs("fp=0,fn=1") == Costs(0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("fp=1", "expected fp and fn, got fp"),
        ("fp=1,fn=2,tp=3", "expected fp and fn"),
        ("fp=1,fp=2,fn=2", "given twice"),
        ("fp=1,fn=much", "fn must be a number, got 'much'"),
        ("fp=-1,fn=2", "fp must be finite and at least 0"),
        ("fp=1,fn=inf", "fn must be finite"),
        ("fp=1,fn=nan", "fn must be finite"),
        ("fp=0,fn=0", "must cost something"),
        ("nowhere.yaml", "cannot be read"),
        ("LIST", "expected the keys fp and fn"),
        ("BROKEN", "neither YAML nor JSON"),
        ("TRUE", "fp must be finite"),
    ],
)
def test_wrong_costs_are_told(tmp_path, text, problem):
    for name, content in (("LIST", "[1, 20]"), ("BROKEN", "{fp: ["), ("TRUE", "{fp: true, fn: 2}")):
        (tmp_path / name).write_text(content)
    path = tmp_path / text
    with pytest.raises(BakeoffError, match=problem):
        read_costs(str(path) if path.exists() else text)
