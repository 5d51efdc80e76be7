"""Battles to read: only those that are given out, without personal details, and nothing that acts."""

import re

import pytest
from sqlalchemy import event

from bakeoff.arena.battles.as_votes import battles
from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.sharing.held_back import is_given
from bakeoff.database import reading
from bakeoff.web.pages import arena_battles
from tests.arena.policy.making import Arena
from tests.web import voted
from tests.web.live import client
from tests.web.whole import HOSTILE, RAW

PAGE = "/arenas/chat/battles"
MODELS = ("ant", "bee", "cat")
ALL = {"delay_days": 10, "share": 1.0, "even_days": 5}


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        yield found


@pytest.fixture
def adopted(site):
    """An arena by its rules of releases."""

    def made(**releases):
        arena = Arena(site.app.state.library.engine)
        arena.adopt(releases=ALL | releases)
        for name in MODELS:
            arena.public(name, family=name)
        voted.go_live(arena.engine, MODELS)
        return arena

    return made


def heads(site, **asked):
    text = site.get(PAGE, params=asked).text
    return [re.sub(r"<[^>]+>", "", each) for each in re.findall(r'<h2 id="battle-\d+">(.*?) <small>', text)]


def test_a_battle_is_shown_with_both_answers_and_who_won(site, adopted):
    voted.vote(adopted().engine, [("ant", "bee", "b", {"answers": ("Ten *metres*.", "Deep & cold")})])
    text = site.get(PAGE).text
    assert heads(site) == ["bee won against ant"]
    for words in ("How deep is the lake?", "Ten *metres*.", "Deep &amp; cold"):
        assert words in text, words


@pytest.mark.parametrize(
    ("delay", "ago", "there"), [(10, 9.0, False), (10, 11.5, True), (0, 0.0, True), (0, 3.0, True)]
)
def test_a_battle_is_not_shown_before_the_rules_allow_it(site, adopted, delay, ago, there):
    voted.vote(adopted(delay_days=delay).engine, [("ant", "bee", "a", {"ago": ago})])
    assert bool(heads(site)) == there


def test_what_is_held_back_erased_or_under_test_is_never_shown(site, adopted):
    arena = adopted()
    arena.register("secret-7", provider="Shy", family="coming")
    arena.move("secret-7", "testing")
    kept = {"prompt": "xyzzy"}
    voted.vote(
        arena.engine,
        [
            ("ant", "bee", "a", kept | {"held_back": True}),
            ("ant", "bee", "a", kept | {"erased": True}),
            ("secret-7", "bee", "a", kept),
            ("ant", "secret-7", "a", kept),
        ],
    )
    for asked in ({}, {"words": "xyzzy"}, {"model": "bee"}):
        text = site.get(PAGE, params=asked).text
        assert heads(site, **asked) == []
        assert "secret-7" not in text
    assert site.get(f"{PAGE}?model=secret-7").status_code == 404


def test_the_share_that_is_given_out_is_the_same_as_in_releases(site, adopted):
    arena = adopted(share=0.3)
    voted.vote(arena.engine, [("ant", "bee", "a", {"prompt": f"prompt {each}."}) for each in range(60)])
    with reading(arena.engine) as connection:
        live = live_arena(connection, "chat")
        given = [each.prompt_text for each in battles(connection, "chat") if is_given(live, each.id, 0.3)]
    assert 0 < len(given) < 60
    text = site.get(PAGE).text
    assert sorted(re.findall(r"prompt \d+\.", text)) == sorted(given)


def test_personal_details_are_taken_out_and_cannot_be_searched_for(site, adopted):
    said = {"prompt": "Write to ann.example@example.com", "answers": ("+44 20 7946 0958 is it", "Call me")}
    voted.vote(adopted().engine, [("ant", "bee", "a", said)])
    text = site.get(PAGE).text
    assert "[mail removed]" in text
    assert "[phone removed]" in text
    for secret in ("ann.example", "7946"):
        assert secret not in text
    assert heads(site, words="write") == ["ant won against bee"]
    assert heads(site, words="ann.example@example.com") == []


def test_model_result_and_words_choose(site, adopted):
    voted.vote(
        adopted().engine,
        [
            ("ant", "bee", "a", {"prompt": "Über den See"}),
            ("bee", "ant", "a", {"prompt": "On lakes"}),
            ("cat", "ant", "tie", {"prompt": "on the lake"}),
            ("cat", "bee", "both_bad"),
        ],
    )
    assert len(heads(site)) == 4
    assert heads(site, model="ant", result="won") == ["ant won against bee"]
    assert heads(site, model="ant", result="lost") == ["bee won against ant"]
    assert heads(site, model="ant", result="tie") == ["cat and ant: a tie"]
    assert heads(site, result="both_bad") == ["cat and bee: both bad"]
    assert heads(site, words="LAKES on") == ["bee won against ant"]
    assert heads(site, words="über see") == ["ant won against bee"]
    assert "None is like that" in site.get(f"{PAGE}?words=nothing").text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("result=won", 400),
        ("result=drawn", 422),
        ("model=dog", 404),
        ("skip=-1", 422),
        ("skip=99999999", 422),
    ],
)
def test_what_cannot_be_asked_is_refused(site, adopted, query, status):
    adopted()
    assert site.get(f"{PAGE}?{query}").status_code == status


@pytest.mark.parametrize("looked_at", [5_000, 7])
def test_every_battle_is_on_exactly_one_page(site, adopted, monkeypatch, looked_at):
    """Whether a page is full first, or as many battles were looked at as one request may."""
    monkeypatch.setattr(arena_battles, "LOOKED_AT", looked_at)
    monkeypatch.setattr(arena_battles, "PER_PAGE", 4)
    arena = adopted()
    prompts = [f"prompt {each}." for each in range(30)]
    votes = [("ant", "bee", "a", {"prompt": each, "held_back": each.endswith("7.")}) for each in prompts]
    voted.vote(arena.engine, votes)
    seen, path = [], PAGE
    while path:
        text = site.get(path).text
        seen += re.findall(r"prompt \d+\.", text)
        older = re.search(r'<a rel="next" href="([^"]+)"', text)
        path = older and older[1].replace("&amp;", "&")
    assert seen == [each for each in prompts if not each.endswith("7.")]


def test_nothing_hostile_is_in_the_page_as_it_was_written(site, adopted):
    long = f"{HOSTILE} " * 40
    said = {"prompt": HOSTILE, "answers": (long, f"[x](javascript:hacked) {HOSTILE}")}
    voted.vote(adopted().engine, [("ant", "bee", "a", said)])
    text = site.get(PAGE, params={"words": "window.hacked"}).text
    assert text.count("window.hacked") > 40
    assert not [each for each in RAW if each in text]


def test_nothing_tells_who_voted_or_when_exactly(site, adopted):
    arena = adopted()
    voted.vote(arena.engine, [("ant", "bee", "a", {"voter": "ann"})])
    text = site.get(PAGE).text
    with reading(arena.engine) as connection:
        (found,) = battles(connection, "chat")
    assert f'<time datetime="{found.at.date()}">' in text
    for secret in (found.voter, found.id, found.at.isoformat()[:16], found.at.strftime("%H:%M")):
        assert secret not in text


def test_where_nobody_votes_there_is_nothing_to_read(site, adopted):
    adopted().adopt(name="quiet")
    assert "no battle to read" in site.get("/arenas/quiet/battles").text


def test_battles_are_read_in_the_order_that_the_database_keeps_them_in(site, adopted):
    """Sorting half a million votes for each reader took a second."""
    engine = adopted().engine
    read = []
    event.listen(engine, "before_cursor_execute", lambda *told: read.append(told[2:4]))
    assert site.get(PAGE).status_code == 200
    (asked,) = [each for each in read if "ORDER BY battle.changed" in each[0]]
    with reading(engine) as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[0]}", asked[1]).all()
    (step,) = [each.detail for each in plan]  # to sort would be one more
    assert "ix_battle_arena_changed_id (arena=? AND changed<?)" in step
