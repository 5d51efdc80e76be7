"""Who asks for a model's name, what of its answers is read, and what is not stopped."""

import pytest

from bakeoff.arena.battles.guessing import guessing
from tests.arena.fraud.habit import guessed
from tests.arena.fraud.identity import (
    ASKED,
    ASKED_AROUND,
    DISGUISED,
    DRESSED,
    NOT_ASKED,
    PLAIN,
    asks,
    gets_through,
    read,
)


def test_plain_questions_in_nine_languages_are_tagged_and_those_in_others_are_not():
    tagged = [prompt for prompt in ASKED if asks(prompt)]
    assert tagged == list(ASKED[:13])


def test_whoever_asks_around_is_seldom_tagged():
    """What is asked in codes or by role play is for the black bars to hide, as far as they can."""
    assert sum(map(asks, ASKED_AROUND)) <= 3


def test_honest_questions_with_the_same_words_are_not_tagged():
    assert not [prompt for prompt in NOT_ASKED if asks(prompt)]


@pytest.mark.parametrize("prompt", ["Who are you?", "How deep is the lake?"])
@pytest.mark.parametrize(("answer", *["words"]), [(answer, words) for answer, *words in PLAIN + DRESSED])
def test_a_name_is_not_read_however_it_is_dressed_and_whatever_was_asked(answer, words, prompt):
    assert not gets_through(answer, words, prompt), read(answer, prompt)


def test_a_disguised_name_is_read_by_who_knows_the_disguise():
    """Black bars stop names, and no code: a model that wants to be known will be. A disguise that is stopped
    from now on belongs among the names in dress.
    """
    assert [how for how, answer, *words in DISGUISED if not gets_through(answer, words)] == []


def test_guesses_by_the_habit_of_one_model_in_ten_stand_out():
    assert all(guessing(guessed(seed, knows=1.0)).above.low > 0 for seed in range(10))
    found = [guessing(guessed(seed, knows=0.25, voters=600)) for seed in range(5)]
    assert all(each.above.low > 0 for each in found)


def test_guesses_without_a_habit_do_not():
    found = [guessing(guessed(seed, knows=0.0)) for seed in range(40)]
    # One-sided 2.5 %: of 40 more than 4 are as likely as 1 in 300.
    assert sum(each.above.low > 0 for each in found) <= 4


def test_which_model_has_the_habit_shows_where_its_name_alone_is_looked_at():
    found = guessed(3, knows=1.0)
    right = {
        name: sum(each.named == each.truth for each in found if each.truth == name)
        / sum(each.truth == name for each in found)
        for name in {each.truth for each in found}
    }
    assert max(right, key=right.get) == "model 0"
