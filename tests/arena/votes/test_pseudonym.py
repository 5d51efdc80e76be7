import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.votes.pseudonym import is_pseudonym, prompt_pseudonym, pseudonym


@given(st.text(), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_pseudonym_is_16_digits_of_hmac_sha256_and_never_all_zeros(text: str, salt: str) -> None:
    found = pseudonym(text, salt)
    assert is_pseudonym(found)
    assert int(found, 16) > 0
    key = hmac.digest(salt.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha256)
    assert found == key.hex()[:16]


def test_another_salt_makes_another_pseudonym() -> None:
    assert pseudonym("10.0.0.1", "one") != pseudonym("10.0.0.1", "two") != pseudonym("10.0.0.1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello  there", "hello there"),
        (" hello\nthere\t", "hello there"),
        ("STRASSE", "straße"),
        ("ｗｉｄｅ", "wide"),
        ("e\u0301te\u0301", "été"),
    ],
)
def test_prompts_that_differ_in_case_white_space_or_form_are_one(one: str, other: str) -> None:
    assert prompt_pseudonym(one) == prompt_pseudonym(other)


def test_prompts_of_other_words_are_others() -> None:
    assert prompt_pseudonym("2 + 2") != prompt_pseudonym("2 - 2")


@pytest.mark.parametrize("text", ["", "abc", "0123456789ABCDEF", "0123456789abcdef0", "10.0.0.1", "g" * 16])
def test_other_texts_have_not_the_form_of_a_pseudonym(text: str) -> None:
    assert not is_pseudonym(text)
