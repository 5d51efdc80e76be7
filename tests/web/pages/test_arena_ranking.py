"""The ranking of an arena as a page, as files, and by the API."""

import csv
import io
import random
import re

import numpy as np
import pytest

from bakeoff.arena.battles.as_votes import votes as read_anew
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_votes
from bakeoff.database import reading
from bakeoff.web.pages.arena_standing import stand
from bakeoff.web.pages.arena_votes import read_votes
from tests.arena.policy.making import Arena
from tests.web import voted
from tests.web.live import client

PAGE = "/arenas/chat/ranking"
MODELS = ("ant", "bee", "cat")


@pytest.fixture
def site(tmp_path):
    with client(tmp_path) as found:
        yield found


@pytest.fixture
def arena(site):
    made = Arena(site.app.state.library.engine)
    made.adopt()
    for name in MODELS:
        made.public(name, provider=f"Maker of {name}", family=name)
    voted.go_live(made.engine, MODELS)
    return made


def rounds(number, better="ant", worse="bee", share=0.75, **other):
    """So many votes on a pair, of which the better one wins a share."""
    draw = random.Random(number)
    for _ in range(number):
        won, turned = draw.random() < share, draw.random() < 0.5
        yield (*((worse, better) if turned else (better, worse)), "ab"[won == turned], other)


def some(engine, number=120):
    others = (*rounds(number, "bee", "cat", language="de"), *rounds(number, "ant", "cat", tags="code"))
    voted.vote(engine, [*rounds(number), *others])


def rows(site, **asked):
    return site.get(f"{PAGE}.json", params=asked).json()["rows"]


def test_scores_are_those_of_all_votes_that_no_filter_sets_aside(site, arena):
    some(arena.engine)
    with reading(arena.engine) as connection:
        plain = rank_votes(read_anew(connection, "chat"), Method())
        styled = rank_votes(read_anew(connection, "chat"), Method(style=("length",)))
    found = site.get(f"{PAGE}.json?style=length").json()
    assert [each["model"] for each in found["rows"]] == [each.model for each in plain.rows]
    for told, row in zip(found["rows"], plain.rows, strict=True):
        assert told["plain"]["score"] == pytest.approx(row.score)
        assert (told["plain"]["best_rank"], told["plain"]["worst_rank"]) == (row.low, row.high)
    at_equal_style = {each.model: each.score for each in styled.rows}
    assert {each["model"]: each["equal_style"]["score"] for each in found["rows"]} == pytest.approx(
        at_equal_style
    )
    assert found["effects"][0]["points"] == pytest.approx(styled.effects[0].points)
    assert (found["cast"], found["public"], found["used"]) == (360, 360, 360)


def test_the_page_shows_ranges_of_ranks_and_both_scores_side_by_side(site, arena):
    some(arena.engine)
    text = site.get(PAGE).text
    assert re.findall(r'<th scope="row"><bdi>(\w+)</bdi><small>', text)[:3] == ["ant", "bee", "cat"]
    for words in ("At equal style", "Ranks then", "What style is worth", "A rank is a range", "40 voters"):
        assert words in text, words
    assert "At equal style</th>" not in site.get(f"{PAGE}?style=off").text


def test_no_row_ever_vanishes_and_what_has_no_score_has_a_reason(site, arena):
    arena.public("dog", family="dog")
    arena.public("eel", family="eel")
    some(arena.engine)
    voted.vote(arena.engine, [("dog", "ant", "a")] * 3, start=1000)
    arena.move("bee", "withdrawn", reason="its weights are gone")
    found = {each["model"]: each for each in rows(site)}
    assert found["bee"]["state"] == "withdrawn"
    assert found["bee"]["plain"]["score"] is not None
    assert (found["dog"]["status"], found["eel"]["status"]) == ("undefeated", "unseen")
    text = site.get(PAGE).text
    assert re.search(r'<tr class="gone">.*<bdi>bee</bdi>', text)
    assert "it won every vote" in text
    assert "no vote yet" in text


def test_a_model_under_test_is_named_nowhere_and_its_votes_wait(site, arena):
    some(arena.engine)
    arena.register("secret-7", provider="Shy", family="coming", access="private")
    arena.move("secret-7", "testing")
    with reading(arena.engine) as connection:
        before = stand(read_votes(connection, "chat"))
    voted.vote(arena.engine, list(rounds(50, "secret-7", "ant")), start=1000)
    found = site.get(f"{PAGE}.json").json()
    assert (found["cast"], found["public"]) == (410, 360)
    assert [each["model"] for each in found["rows"]] == [row.model for row in before.rows]
    assert [each["plain"]["score"] for each in found["rows"]] == [row.score for row in before.rows]
    for page in ("ranking", "matrix", "sampling", "battles", "ranking.csv"):
        assert "secret-7" not in site.get(f"/arenas/chat/{page}").text, page
    assert "1 more is under test" in site.get(PAGE).text


def test_what_was_set_aside_is_told_with_its_reason(site, arena):
    some(arena.engine)
    said = {"answers": ("I am ant, a model.", "Fine."), "prompt": "Hello!"}
    voted.vote(arena.engine, [("ant", "bee", "a", said)] * 4, start=1000)
    voted.vote(arena.engine, [("ant", "bee", "a", {"tags": "identity-probe"})] * 5, start=2000)
    found = site.get(f"{PAGE}.json").json()
    flagged = {each["filter"]: each["flagged"] for each in found["set_aside"]}
    assert flagged == {
        "tag": 5,
        "identity leaks": 4,
        "machine pace": 0,
        "anomalous voters": 0,
        "newcomer crowd": 0,
    }
    assert found["used"] == found["cast"] - 9
    text = site.get(PAGE).text
    assert "an answer says &#39;ant&#39;: 4" in text
    assert re.search(r"What moved most.*<bdi>ant</bdi> −\d", text, re.DOTALL)


def test_a_segment_is_drawn_towards_all_others(site, arena):
    some(arena.engine)
    found = site.get(f"{PAGE}.json?tag=code").json()
    assert (found["segment"]["kind"], found["segment"]["votes"]) == ("tag", 120)
    assert 0 < next(each["in_segment"]["own"] for each in found["rows"] if each["model"] == "ant") <= 1
    assert "with the tag <b><bdi>code</bdi></b>" in site.get(f"{PAGE}?tag=code").text
    assert site.get(f"{PAGE}?language=de").status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [("tag=none", 404), ("language=none", 404), ("tag=code&language=de", 400), ("style=long", 404)],
)
def test_what_there_is_not_is_refused(site, arena, query, status):
    some(arena.engine, 20)
    assert site.get(f"{PAGE}?{query}").status_code == status


@pytest.mark.parametrize("page", ["ranking", "matrix", "sampling", "battles", "ranking.csv", "ranking.json"])
def test_an_arena_that_is_not_there_is_not_found(site, page):
    assert site.get(f"/arenas/none/{page}").status_code == 404


def test_an_arena_without_votes_says_so_whether_people_can_vote_or_not(site, arena):
    assert "No vote was cast yet" in site.get(PAGE).text
    arena.adopt(name="quiet")
    text = site.get("/arenas/quiet/ranking").text
    assert "People cannot vote here until the arena is served" in text
    assert site.get("/arenas/quiet/ranking.json").json()["rows"] == []


def test_with_too_few_votes_models_stand_without_a_score(site, arena):
    voted.vote(arena.engine, [("ant", "bee", "a"), ("ant", "cat", "a")])
    assert "no two models can be ranked yet" in site.get(PAGE).text
    assert {each["status"] for each in rows(site)} == {"undefeated", "winless"}
    assert all(value is None for each in rows(site) for value in each["plain"].values())


def test_csv_has_a_row_for_each_model_and_no_formula(site, arena):
    arena.public("=1+1", provider="+Acme", family="+A")
    some(arena.engine)
    told = list(csv.DictReader(io.StringIO(site.get(f"{PAGE}.csv").text)))
    assert [each["model"] for each in told] == ["ant", "bee", "cat", "'=1+1"]
    assert told[3]["provider"] == "'+Acme"
    assert float(told[0]["score"]) == rows(site)[0]["plain"]["score"]
    assert "object" not in site.get(f"{PAGE}.csv").text


def test_the_api_says_the_same_as_the_file(site, arena):
    some(arena.engine)
    assert site.get("/api/v1/arenas/chat/ranking?tag=code").json() == site.get(f"{PAGE}.json?tag=code").json()


def test_votes_that_come_later_are_read_alone_and_give_the_same(site, arena):
    some(arena.engine)
    with reading(arena.engine) as connection:
        before = read_votes(connection, "chat")
    voted.vote(arena.engine, list(rounds(60, "cat", "ant", ago=0.0)), start=5000)
    with reading(arena.engine) as connection:
        grown, anew = read_votes(connection, "chat", before), read_votes(connection, "chat")
    assert len(grown) == len(anew) == 420
    order, other = np.argsort(grown.key), np.argsort(anew.key)
    for name in ("key", "model_a", "model_b", "outcome", "voter", "at"):
        np.testing.assert_array_equal(getattr(grown, name)[order], getattr(anew, name)[other])


def test_a_vote_that_came_late_is_not_lost(site, arena):
    some(arena.engine)
    with reading(arena.engine) as connection:
        before = read_votes(connection, "chat")
    voted.vote(arena.engine, list(rounds(5, "cat", "ant", ago=30.0)), start=5000)
    with reading(arena.engine) as connection:
        assert len(read_votes(connection, "chat", before)) == 365


def test_style_that_votes_cannot_tell_apart_is_not_held_equal_together(site, arena):
    """Lists that always come with bold words: the one is not known without the other."""
    texts = ["a b c", "a b c d e f", "- a\n- **b**", "- a **b** c d\n- e"]
    draw = random.Random(1)
    pairs = (*rounds(150), *rounds(150, "bee", "cat"), *rounds(150, "ant", "cat"))
    voted.vote(arena.engine, [(*pair[:3], {"answers": draw.choices(texts, k=2)}) for pair in pairs])
    with reading(arena.engine) as connection:
        assert stand(read_votes(connection, "chat")).styles == ("length", "lists")
    said = "the votes do not tell what lists and bold of the answers are worth"
    assert said in site.get(f"{PAGE}?style=lists,bold").text
