"""The feed of a board's changes: valid, stable, and harmless whatever models are called."""

from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import fromstring

from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.ranking.difference import Change
from bakeoff.board.ranking.publishing import Dated, dates
from bakeoff.board.registry import register
from bakeoff.database import writing
from bakeoff.web.links import Links
from bakeoff.web.pages.feed import LINES, MOST, Entry, Feed, as_rss
from tests.board.making import entrant
from tests.board.recorded import little
from tests.web import showcase
from tests.web.live import client

ATOM = "{http://www.w3.org/2005/Atom}"


def _feed(site, board):
    answer = site.get(f"/boards/{board}/changes.rss")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    root = fromstring(answer.content)
    assert (root.tag, root.get("version"), len(root)) == ("rss", "2.0", 1)
    return root[0]


def _publish(site, *states):
    with writing(site.app.state.library.engine) as connection:
        before = len(dates(connection, showcase.BOARD.name))
        for day, rows in enumerate(states, before + 1):
            showcase.publish(connection, showcase.BOARD, rows, made=f"2026-03-{day:02}T12:00:00+00:00")
        return dates(connection, showcase.BOARD.name)


def test_each_state_is_an_entry_by_its_digest_with_what_changed(tmp_path):
    first = [entrant(1, 0.9), entrant(2, 0.5)]
    second = [entrant(1, 0.9), entrant(2, 0.95), entrant(3, 0.1, model="org/new")]
    with client(tmp_path, address="https://boards.example.org") as site:
        newest, oldest = _publish(site, first, second)
        channel = _feed(site, showcase.BOARD.name)
        items = channel.findall("item")
        assert [each.findtext("guid") for each in items] == [newest.digest, oldest.digest]
        assert {each.find("guid").get("isPermaLink") for each in items} == {"false"}
        assert items[1].findtext("title") == "The first state, of 2 rows"
        assert items[0].findtext("title").startswith("1 added, 1 rescored")
        assert "added: org/new: new: rank" in items[0].findtext("description")
        for item, state in zip(items, (newest, oldest), strict=True):
            assert parsedate_to_datetime(item.findtext("pubDate")).isoformat() == state.made
            assert item.findtext("link").startswith("https://boards.example.org/boards/")
        own = channel.find(f"{ATOM}link")
        assert own.get("href") == f"https://boards.example.org/boards/{showcase.BOARD.name}/changes.rss"
        assert channel.findtext("lastBuildDate") == items[0].findtext("pubDate")


def test_an_entry_stays_as_it_is_when_others_follow(tmp_path):
    with client(tmp_path) as site:
        name = showcase.BOARD.name
        _publish(site, [entrant(1)])
        before = _feed(site, name).findall("item")
        _publish(site, [entrant(1), entrant(2)])
        with client(tmp_path) as again:
            after = _feed(again, name).findall("item")
    said = [[(part.tag, part.text) for part in each] for each in (before[0], after[-1])]
    assert said[0] == said[1]
    assert len(after) == 2


def test_a_board_that_published_nothing_has_an_empty_feed_and_an_unknown_one_none(tmp_path):
    with client(tmp_path) as site:
        with writing(site.app.state.library.engine) as connection:
            register(connection, little(tmp_path), actor="ann")
        channel = _feed(site, "little")
        assert channel.findall("item") == []
        assert channel.findtext("title") == "little: changes"
        assert site.get("/boards/nowhere/changes.rss").status_code == 404


def test_a_feed_tells_so_many_states_and_of_each_so_many_lines(tmp_path):
    many = [entrant(number, 0.9 - number / 1000) for number in range(LINES + 10)]
    with client(tmp_path) as site:
        _publish(site, *[[entrant(1, 0.5 + step / 100)] for step in range(MOST + 3)], many)
        items = _feed(site, showcase.BOARD.name).findall("item")
        assert len(items) == MOST
        lines = items[0].findtext("description").split("<br>\n")
        assert len(lines) == LINES + 1
        assert lines[-1].startswith("and ")
        assert lines[-1].endswith(" more")


@given(text=st.text(max_size=60))
def test_any_name_makes_a_valid_and_harmless_feed(text):
    state = Dated("sha256:" + "0" * 64, 1, "2026-01-31T12:00:00+00:00")
    change = Change("added", 1, text, f"new: {text}")
    made = as_rss(
        Feed("board", text, (Entry(state, state, 1, (change,)),)), "https://example.org", Links("/prefix")
    )
    item = fromstring(made)[0].find("item")
    described = item.findtext("description")
    assert "<" not in described.replace("<br>", "")
    assert item.findtext("title") == "1 added"
    assert "https://example.org/prefix/boards/board/changes?from=sha256" in item.findtext("link")
    assert not {"\u202e", "\u200b", "\x00", "\ufffe"} & set(described)
