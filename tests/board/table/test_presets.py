import pytest

from bakeoff.board.table.presets import PRESETS
from tests.board.table.making import scored, snapshot

CHOICES = {each.name: each.chooses for each in PRESETS}


def row(**changes):
    return snapshot(scored(1, **changes)).rows[0]


@pytest.mark.parametrize(
    ("billions", "name"),
    [
        (0.1, "edge"),
        (3, "edge"),
        (3.1, "small"),
        (9, "small"),
        (9.2, "medium"),
        (35, "medium"),
        (70, "large"),
        (80, "large"),
        (81, "larger"),
    ],
)
def test_every_size_is_of_one_preset(billions, name):
    sizes = ("edge", "small", "medium", "large", "larger")
    assert [each for each in sizes if CHOICES[each](row(parameters=float(billions)))] == [name]


@pytest.mark.parametrize("name", ["edge", "small", "medium", "large", "larger"])
def test_a_size_that_is_not_known_is_of_none(name):
    assert {CHOICES[name](row(parameters=size)) for size in (None, 0.0, -1.0)} == {None}


@pytest.mark.parametrize(
    ("licence", "open_"),
    [
        ("mit", True),
        ("MIT", True),
        ("Apache 2.0", True),
        ("apache-2.0", True),
        ("cc-by-nc-4.0", False),
        ("llama3.1", False),
        ("Proprietary", False),
        ("other", False),
        ("", None),
    ],
)
def test_licences_are_open_where_anybody_may_use_them_for_anything(licence, open_):
    assert CHOICES["open"](row(licence=licence)) is open_


@pytest.mark.parametrize(
    ("precision", "full"),
    [("bfloat16", True), ("torch.float16", True), ("4bit", False), ("GPTQ", False), ("", None)],
)
def test_weights_are_quantised_or_not(precision, full):
    assert CHOICES["full"](row(precision=precision)) is full


@pytest.mark.parametrize(
    ("provenance", "here"),
    [("measured", True), ("reproduced", True), ("records", False), ("reported", False)],
)
def test_scores_are_measured_here_or_not(provenance, here):
    assert CHOICES["measured"](row(provenance=provenance)) is here
