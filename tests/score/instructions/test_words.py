"""Tokens by the conventions of the Penn Treebank."""

import pytest

from bakeoff.score.instructions.words import treebank_tokens, word_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I'm sure they'll say \"don't\".", "I 'm sure they 'll say \" do n't \" ."),
        ("The U.S. dogs' owner cannot go.", "The U.S. dogs ' owner can not go ."),
        ("It costs $1,234.50 (or 3:45)...", "It costs $ 1,234.50 ( or 3:45 ) ..."),
        ("A well-known *bold* word -- wow!", "A well-known * bold * word -- wow !"),
        ("Mr. Gray left. (He had to.)", "Mr. Gray left . ( He had to . )"),
        ("We shouldn't've gone, gonna go", "We should n't 've gone , gon na go"),
    ],
)
def test_marks_and_clitics_are_tokens(text, tokens):
    assert treebank_tokens(text) == tokens.split()


def test_words_are_the_tokens_with_a_letter_or_a_digit():
    assert word_tokens("Well, 2 don't -- go!") == ["Well", "2", "do", "n't", "go"]
