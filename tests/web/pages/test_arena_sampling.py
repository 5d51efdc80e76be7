"""Who is shown how often, by which rule, and what voters can tell."""

import re

import pytest

from bakeoff.arena.pairing.settings import PairingSettings, RuleName
from bakeoff.web.pages.arena_sampling import pairing_words
from tests.web import voted
from tests.web.pages.test_arena_ranking import arena, rounds, site  # noqa: F401 (fixtures)

PAGE = "/arenas/chat/sampling"


def test_each_model_has_its_appearances_votes_and_share(site, arena):  # noqa: F811
    arena.count(("ant", "bee", 40, 30, 20.0), ("ant", "cat", 20, 10, 5.0))
    arena.later(1)
    text = site.get(PAGE).text
    found = re.findall(
        r'<bdi>(\w+)</bdi></th>(?:<td class="num">([\d.,]+)</td>)' + r'<td class="num">([\d.]+)</td>' * 3,
        text,
    )
    # Of 120 appearances each of three is due 40.
    assert found == [
        ("ant", "60", "1.50", "40", "40"),
        ("bee", "40", "1.00", "30", "30"),
        ("cat", "20", "0.50", "10", "10"),
    ]
    assert "40 votes in the last 30 days" in text


def test_votes_of_long_ago_are_not_among_the_last_days(site, arena):  # noqa: F811
    arena.count(("ant", "bee", 40, 30, 20.0))
    arena.later(31)
    text = site.get(PAGE).text
    assert "0 votes in the last 30 days" in text
    assert re.search(r"<bdi>ant</bdi>.*?>40<.*?>30</td><td class=\"num\">0</td>", text)


def test_what_is_shown_today_is_told_to_nobody(site, arena):  # noqa: F811
    """Or a voter would see by the counts which two models were drawn just now."""
    arena.count(("ant", "bee", 40, 30, 20.0))
    arena.later(1)
    before = site.get(PAGE).text
    arena.count(("ant", "cat", 1, 0, 0.5))
    voted.vote(arena.engine, [("ant", "cat", "a", {"ago": 0.0})])
    site.app.state.library.audits._values.clear()  # as a minute later
    assert site.get(PAGE, params={"again": 1}).text == before


def test_the_ends_of_probabilities_are_of_the_battles_that_were_drawn(site, arena):  # noqa: F811
    voted.vote(arena.engine, list(rounds(10)))
    text = site.get(PAGE).text
    assert re.search(
        r'uniform@1</bdi></th><td class="num">10</td><td class="num">25.00</td><td class="num">50.00<', text
    )


@pytest.mark.parametrize("rule", RuleName.__args__)
def test_every_setting_has_its_words(rule):
    settings = PairingSettings(
        rule=rule, floor=0.11, least=0.22, most=3.3, newcomer_votes=4444, newcomer_share=1.55, every=66
    )
    said = " ".join(pairing_words(settings))
    for words in (rule, "0.11", "0.22 to 3.3", "4,444", "1.55", "after 66 votes", "never meet"):
        assert words in said, words
    assert "may meet" in list(pairing_words(settings.model_copy(update={"private_meet": True})))[-2]


@pytest.mark.parametrize(
    ("right", "said"), [(True, "Names leak"), (False, "That is no more than chance allows")]
)
def test_it_tells_whether_voters_know_who_answers(site, arena, right, said):  # noqa: F811
    """Everybody is right; or names one model always, which is shown in two thirds of battles."""
    pairs = [("ant", "bee"), ("bee", "cat"), ("cat", "ant")] * 20
    named = [pair if right else ("ant", "ant") for pair in pairs]
    votes = [(*pair, "a", {"guesses": guess}) for pair, guess in zip(pairs, named, strict=True)]
    voted.vote(arena.engine, votes)
    text = site.get(PAGE).text
    assert said in text
    assert "120 guesses by 40 voters" in text


def test_an_arena_in_which_nobody_votes_says_where_votes_come_from(site, arena):  # noqa: F811
    arena.adopt(name="quiet")
    text = site.get("/arenas/quiet/sampling").text
    assert "votes come from elsewhere" in text
    assert "Nothing was shown yet" in text
