"""The page of an arena's rules: all that was tested, what a check found, and the log."""

import re

import pytest
from sqlalchemy import update

from bakeoff.arena.policy.rules import Policy
from bakeoff.database import writing
from bakeoff.database.tables import event, variant
from bakeoff.web.pages.arena_policy import ENTRIES
from bakeoff.web.pages.arena_rule import rules
from tests.arena.policy.making import Arena
from tests.web.live import client
from tests.web.whole import HOSTILE, RAW

PAGE = "/arenas/chat/policy"


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        yield found


@pytest.fixture
def arena(site):
    made = Arena(site.app.state.library.engine)
    made.adopt()
    return made


def test_it_lists_every_variant_and_what_was_taken_back_stays(site, arena):
    arena.register("orca-1")
    arena.register("orca-2")
    arena.move("orca-1", "testing")
    arena.move("orca-1", "withdrawn", reason="it was worse")
    arena.release("orca-2")
    arena.public("wren", provider="Birds", family="wren", licence="open_weights")
    arena.count(("orca-2", "wren", 40, 30, 20.0))
    arena.later(1)
    arena.rate(**{"orca-2": 1010.0, "wren": 990.0})
    text = site.get(PAGE).text
    assert re.findall(r'<th scope="row"><bdi>([\w-]+)</bdi>(?:<small>tested in private</small>)?</th>', text)[
        :3
    ] == ["orca-1", "orca-2", "wren"]
    for words in ("it was worse", "withdrew it", "No rule is broken", "1010", "2 private variants"):
        assert words in text, words
    # Both were shown in 40 of 40 pairs: half of all appearances each.
    assert re.search(r"<bdi>Birds</bdi></th><td class=\"num\">40</td><td class=\"num\">50.0</td>", text)


def test_the_counts_of_today_are_not_told(site, arena):
    """A voter who begins a battle could else see whose count has grown."""
    arena.public("wren")
    arena.public("orca")
    arena.count(("wren", "orca", 1, 0, 1.0))
    text = site.get(PAGE).text
    assert "Nothing was shown yet" in text
    assert "Appearances" not in text


def test_a_row_that_was_changed_behind_the_log_is_told(site, arena):
    arena.register("orca")
    assert "No rule is broken" in site.get(PAGE).text
    with writing(arena.engine) as connection:
        connection.execute(update(variant).values(provider="Nobody"))
    site.app.state.library.audits._values.clear()  # as a minute later
    text = site.get(PAGE + "?before=99").text
    assert "Broken" in text
    assert "No rule is broken" not in text


def test_a_log_that_was_changed_is_told(site, arena):
    arena.register("orca")
    with writing(arena.engine) as connection:
        connection.execute(update(event).where(event.c.kind == "variant registered").values(actor="bea"))
    assert "was changed after it was written" in site.get(PAGE).text


def test_the_log_is_paged_and_every_entry_is_on_one_page(site, arena):
    for number in range(ENTRIES + 10):
        arena.register(f"wren-{number}", provider="Birds", family=f"f{number}", access="public")
    seen, path = [], PAGE
    while path:
        text = site.get(path).text
        seen += [int(each) for each in re.findall(r'<tr id="entry-(\d+)"', text)]
        older = re.search(r'href="([^"]*before=\d+)#log">Older', text)
        path = older and older[1]
    assert seen == list(range(ENTRIES + 11, 0, -1))


def test_nothing_hostile_is_in_the_page_as_it_was_written(site, arena):
    # What is not printable is no name; what a page could take for its own is.
    name = HOSTILE.replace("\u202e", "")[:150]
    arena.register(name, provider=name, family=name)
    arena.move(name, "testing")
    arena.move(name, "withdrawn", reason=HOSTILE)
    text = site.get(PAGE).text
    assert "window.hacked" in text
    assert not [each for each in RAW if each in text]


def test_an_arena_that_is_not_there_is_not_found(site):
    assert site.get("/arenas/none/policy").status_code == 404


def test_the_list_of_arenas_leads_to_each(site, arena):
    arena.public("wren")
    arena.register("orca")
    text = site.get("/arenas").text
    assert f'href="{PAGE}"' in text
    assert 'href="/arenas/chat/ranking"' in text
    assert "2 models, 1 public" in text


def test_without_an_arena_the_list_says_how_to_begin(site):
    assert "bakeoff arena serve" in site.get("/arenas").text


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("private_variants", 7, "7 private variants"),
        ("preliminary", {"fresh_votes": 1234, "width": 30.0}, "1,234 votes"),
        ("preliminary", {"fresh_votes": 10, "width": 12.5}, "12.5 points wide"),
        ("inactivity", {"votes": 77, "days": 9}, "fewer than 77 votes in 9 days"),
        ("sampling", {"factor": 4.5, "appearances": 10}, "4.5 times"),
        ("releases", {"delay_days": 11, "share": 0.25, "even_days": 6}, "11 days after they were cast, 25 %"),
    ],
)
def test_every_part_of_the_policy_has_its_words(field, value, said):
    policy = Policy.model_validate({"name": "chat", field: value})
    assert any(said in each for each in rules(policy))
