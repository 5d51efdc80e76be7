import json

from hypothesis import given
from hypothesis import strategies as st

from bakeoff.digest import canonical_json, digest

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abé", max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_canonical_json_is_json_of_the_same_value(value):
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(-9, 9), min_size=2))
def test_key_order_does_not_move_a_digest(value):
    assert digest(value) == digest(dict(reversed(value.items())))


@given(JSON, JSON)
def test_different_values_have_different_digests(one, other):
    if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True):
        assert digest(one) != digest(other)


def test_the_digest_is_plain_sha256():
    # printf '{"a":1}' | sha256sum
    assert digest({"a": 1}) == "sha256:015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
