"""What files say of a model, on its way through a manifest."""

from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.found import Found, found_from

WORDS = st.text(st.characters(codec="utf-8", exclude_characters=","), min_size=1).filter(
    lambda text: text == text.strip()
)
FOUND = st.builds(
    Found,
    parameters=st.none() | st.integers(0, 10**15),
    licence=st.just("") | WORDS,
    card=st.none() | st.integers(0, 10**6),
    base=st.lists(WORDS, max_size=3).map(tuple),
    weight_type=st.sampled_from(["", "original", "adapter", "merge", "quantised"]),
    architecture=st.just("") | WORDS,
    own_code=st.lists(WORDS, max_size=3).map(tuple),
)


@given(FOUND)
def test_it_comes_back_from_a_manifest_as_it_went_in(found):
    assert found_from(found.details() | {"device": "cpu", "threads": "2"}) == found


def test_manifests_of_before_say_nothing():
    assert found_from({}) == Found()
    assert found_from({"device": "cpu", "architecture": "llama"}) == Found(architecture="llama")


def test_what_is_not_said_is_not_written():
    assert Found().details() == {}
    assert Found(card=0, parameters=3).details() == {"card": "0", "parameters": "3"}
