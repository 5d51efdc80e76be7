"""Settings as a user writes them."""

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.settings import check_names, whole_number, yes_or_no


def test_an_unknown_name_names_the_nearest_and_all():
    with pytest.raises(ModelError) as caught:
        check_names("gguf", {"thread": "2"}, ("threads", "parallel"))
    assert caught.value.message == "the gguf engine has no setting 'thread'"
    assert caught.value.hint == "Did you mean 'threads'? It has: threads, parallel."


@pytest.mark.parametrize("text", ["0", "-1", "2.5", "two", ""])
def test_a_count_is_a_whole_number_from_one(text):
    with pytest.raises(ModelError, match="at least 1"):
        whole_number("gguf", {"threads": text}, "threads", 1)


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("YES", True), ("1", True), ("off", False), ("No", False)]
)
def test_truth_is_written_in_the_usual_ways(text, value):
    assert yes_or_no("gguf", {"verbose": text}, "verbose", default=not value) is value


def test_anything_else_is_neither_true_nor_false():
    with pytest.raises(ModelError, match="must be true or false, got 'maybe'"):
        yes_or_no("gguf", {"verbose": "maybe"}, "verbose", default=False)
