"""What a voter of a live arena can do, and cannot."""

import base64
import io
import re
import secrets
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from html.parser import HTMLParser
from itertools import islice

import pytest
from PIL import Image
from sqlalchemy import select

from bakeoff.arena.answering.scrub import BLACK
from bakeoff.arena.battles.erasing import erase
from bakeoff.arena.battles.prompt import images_of
from bakeoff.arena.definition.invitations import invite, revoke
from bakeoff.arena.definition.prompts import Prompts
from bakeoff.arena.live.resting import IN_A_ROW, VOTERS
from bakeoff.arena.moderation.bare_image.taking import bare
from bakeoff.arena.moderation.recipe import DEFAULT
from bakeoff.arena.moderation.words import Words
from bakeoff.arena.policy.sampling import days_with_counts, in_all, pairs_of
from bakeoff.arena.votes.battle import OUTCOMES
from bakeoff.database import reading, writing
from bakeoff.database.clock import current
from bakeoff.database.tables import turn
from bakeoff.visible import visible
from tests.arena.answering.test_stage import FAULTS
from tests.arena.moderation.bare_image.pictures import EVERY
from tests.arena.moderation.bare_image.pictures import SECRET as OF_CAMERA
from tests.model.remote.test_faults import BUSY
from tests.servers import fault_server as fault
from tests.servers.fault_server import answer
from tests.task.test_images import file_of
from tests.web.arena import (
    MODELS,
    NAMES,
    SAID,
    SECRET,
    Visitor,
    arena,
    by_prompt,
    models,
    prompt_of,
    row,
    site,
    slowly,
    told,
    until,
)
from tests.web.people import account, log_in
from tests.web.test_writes import content
from tests.web.whole import HOSTILE, RAW, Page

LONG = "There are six rows, and each of them holds seven apples. " * 3 + "All."
OF_ARENA = ("Which lake is deeper?", "  Two  spaces,\nand a line\tmore.  ", 'Only <b>one</b> & "another"')
ELSEWHERE = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}


@pytest.fixture(scope="module")
def server():
    with models() as found:
        yield found


@pytest.fixture(scope="module")
def place(tmp_path_factory, server):
    """A site with arenas of every kind: their voters are anyone, the invited, accounts; and so on."""
    arenas = (
        arena(server),
        arena(server, "other"),
        arena(server, "club", voters="invited"),
        arena(server, "staff", voters="accounts"),
        arena(server, "given", prompts=Prompts(texts=OF_ARENA, only=True)),
        arena(server, "offered", prompts=Prompts(texts=OF_ARENA)),
        arena(server, "seeing", images=True),
        arena(server, "chosen", images=True, prompts=Prompts(texts=OF_ARENA, only=True)),
        arena(server, "strict", per_voter={"open": 2}, moderation=(*DEFAULT, Words(words=("swordfish",)))),
        arena(server, "faulty", settings={"attempts": "1", "stall_s": "0.2", "deadline_s": "2"}),
        arena(server, "failing"),
        arena(server, "bare", moderation=(), longest_prompt=200_000),
    )
    folder = tmp_path_factory.mktemp("arenas")
    with site(folder, *arenas) as found:
        found.folder = folder
        yield found


@pytest.fixture(autouse=True)
def quiet(place):
    """Nothing of one test goes on in the next."""
    yield
    until(lambda: not any(each._stages for each in place.app.state.arenas.values()))


@pytest.fixture
def engine(place):
    return place.app.state.library.engine


@pytest.fixture
def ann(place):
    return Visitor(place)


@pytest.fixture
def bea(place):
    return Visitor(place)


@pytest.fixture
def scripted(server):
    """Lets the models answer otherwise for one test."""
    before = dict(server.scripts)

    def script(left, right=None):
        for model, behaviour in zip(MODELS, (left, right or left), strict=True):
            server.script(model, behaviour)

    yield script
    server.scripts.update(before)


def secret(text):
    """The words of `SECRET` that are in a text."""
    return [word for word in SECRET if word in text.casefold()]


def totals(engine, arena="chat"):
    """How many pairs were shown and how many voted on, so far."""
    with reading(engine) as connection:
        days = days_with_counts(connection, arena)
        found = [in_all(day, pairs_of(connection, arena, day)) for day in days]
    return sum(each.shown for each in found), sum(each.votes for each in found)


class Form(HTMLParser):
    """What a browser would send from a page: `values` of fields and options by name, in order; `text` of it
    all without scripts, names of guesses left out in `bare`."""

    def __init__(self, text):
        super().__init__()
        self.values, self.bare, self.inside, self.valued = {}, [], "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if tag in ("select", "textarea"):
            self.inside = known.get("name")
        self.valued = tag == "option" and "value" in known
        if self.valued:
            self.values.setdefault(self.inside, []).append(known["value"])
        if tag in ("input", "button") and known.get("name"):
            self.values.setdefault(known["name"], []).append(known.get("value"))
        if not (tag == "option" and self.inside in ("left", "right")):
            self.bare.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        if tag in ("select", "textarea"):
            self.inside = ""

    def handle_data(self, data):
        if self.inside in ("left", "right"):
            self.values.setdefault(f"{self.inside} names", []).append(data)
        elif self.inside and not self.valued:
            self.values.setdefault(self.inside, []).append(data)
        if self.inside not in ("left", "right"):
            self.bare.append(data)

    def handle_comment(self, data):
        self.bare.append(data)


# Voting


def test_a_vote_reveals_the_names_and_counts_once(place, ann, engine):
    shown, votes = totals(engine)
    battle = ann.answered()
    answer = ann.vote(battle, "tie", reason=["safer", "shorter"], left=NAMES[0])
    assert (answer.status_code, answer.headers["location"]) == (303, battle)
    page = ann.get(battle).text
    found = row(place, battle)
    assert (found.state, found.outcome) == ("voted", "tie")
    assert f"A was <b><bdi>{found.left}</bdi></b>, B was <b><bdi>{found.right}</bdi></b>" in page
    assert f"Your guess for A was {'right' if found.left == NAMES[0] else 'wrong'}." in page
    assert totals(engine) == (shown + 1, votes + 1)


def test_the_same_vote_again_is_done_and_another_is_refused(place, ann, engine):
    battle = ann.answered()
    ann.vote(battle, "a")
    before = content(engine)
    assert ann.vote(battle, "a").status_code == 303
    for outcome in set(OUTCOMES) - {"a"}:
        refused = ann.vote(battle, outcome)
        assert refused.status_code == 400
        assert "this battle has its vote already" in refused.text
    assert ann.post(f"{battle}/turns", data={"prompt": "More?"}).status_code == 400
    assert ann.post(f"{battle}/leave").status_code == 400
    assert content(engine) == before


def test_there_is_no_other_outcome(ann, engine):
    battle = ann.answered()
    before = content(engine)
    for outcome in ("", "c", "A", "a ", "model_a", "\x00", "é" * 3000, "<script>"):
        answer = ann.vote(battle, outcome)
        assert (answer.status_code, "there is no outcome" in answer.text) == (400, True)
        assert "<script>'" not in answer.text
    assert ann.post(f"{battle}/vote", data={"reason": "safer"}).status_code == 400
    assert ann.vote(battle, "a", left="nobody").status_code == 400
    assert content(engine) == before


def test_nobody_votes_before_both_have_answered(place, ann, engine, scripted):
    scripted(slowly(LONG, 0.01), slowly("Short.", 0.0))
    battle = ann.begin()
    for _ in range(3):
        assert ann.vote(battle).status_code == 400
        assert ann.post(f"{battle}/turns", data={"prompt": "More?"}).status_code == 400
    assert "Which answer is better?" not in ann.get(battle).text
    ann.events(battle)
    assert "Which answer is better?" in ann.get(battle).text
    assert ann.vote(battle).status_code == 303


def test_a_battle_of_somebody_else_is_not_there_and_looks_like_none(place, ann, bea, engine):
    battle = ann.answered()
    bea.answered()
    before = content(engine)
    none = battle.rsplit("/", 1)[0] + "/" + secrets.token_urlsafe(16)
    for visitor in (bea, Visitor(place)):
        for act in ("", "/events", "/vote", "/turns", "/leave"):
            send = visitor.get if act in ("", "/events") else visitor.post
            fields = {} if act in ("", "/events") else {"data": {"outcome": "a", "prompt": "More?"}}
            theirs, nobodys = (send(each + act, **fields) for each in (battle, none))
            assert (theirs.status_code, nobodys.status_code) == (404, 404)
            assert theirs.text == nobodys.text.replace(none, battle)
            assert "set-cookie" not in theirs.headers
    assert content(engine) == before


def test_a_battle_is_of_one_arena(place, ann, engine):
    battle = ann.answered()
    cookie = next(each for each in ann.cookies.jar if each.name == "arena-chat")
    ann.answered(arena="other")
    elsewhere = battle.replace("/chat/", "/other/")
    mallory = Visitor(place)
    mallory.cookies.set("arena-other", cookie.value)
    before = content(engine)
    for visitor in (ann, mallory):
        assert visitor.get(elsewhere).status_code == 404
        assert visitor.vote(elsewhere).status_code == 404
    assert ann.get(battle.replace("/chat/", "/nowhere/")).status_code == 404
    assert content(engine) == before


HOSTILE_IDS = (
    "x",
    "..",
    "%00",
    "%F0%9F%92%A9",
    "%ff%fe",
    "'%20OR%201=1--",
    "a" * 5000,
    "%2e%2e%2fx",
    "%0d%0ax: y",
)


def test_hostile_ids_are_no_battle(ann, engine):
    ann.answered()
    before = content(engine)
    for battle in HOSTILE_IDS:
        for act in ("", "/events"):
            assert ann.get(f"/arenas/chat/battles/{battle}{act}").status_code in (404, 405)
        for act in ("vote", "turns", "leave"):
            fields = {"outcome": "a", "prompt": "x"}
            answer = ann.post(f"/arenas/chat/battles/{battle}/{act}", data=fields)
            assert answer.status_code in (404, 405)
    assert content(engine) == before


def test_hostile_cookies_are_nobody_who_has_a_battle(place, ann):
    battle, mallory = ann.answered(), Visitor(place)
    # Who could invent cookies would be as many voters as they like.
    for cookie in (
        "",
        "x" * 5000,
        "invented",
        "invented." + "0" * 16,
        "%00",
        "'; DROP TABLE battle",
        '"quoted"',
    ):
        assert mallory.get(battle, headers={"cookie": f"arena-chat={cookie}"}).status_code == 404


def test_other_sites_change_nothing_and_nobody_is_remembered_without_consent(place, ann, bea, engine):
    battle = ann.answered()
    before = content(engine)
    for path in ("/arenas/chat/battles", f"{battle}/vote", f"{battle}/turns", f"{battle}/leave"):
        fields = {"outcome": "a", "prompt": "x", "agreed": "yes"}
        assert ann.post(path, data=fields, headers=ELSEWHERE).status_code == 403
    for agreed in ("", "no", "on"):
        refused = bea.ask("Keep <this>", agreed=agreed)
        assert (refused.status_code, "set-cookie" in refused.headers) == (400, False)
        assert "your consent" in refused.text
        assert Form(refused.text).values["prompt"][0] == "Keep <this>"
    assert content(engine) == before
    assert not bea.cookies


def test_reading_changes_nothing(place, ann, engine):
    battle = ann.answered()
    left = ann.answered()
    ann.post(f"{left}/leave")
    before = content(engine)
    for path in ("/arenas/chat/battle", battle, f"{battle}/events", left, f"{left}/events"):
        for query in ("", "?outcome=a&prompt=x&agreed=yes"):
            ann.get(path + query)
    for act in ("vote", "turns", "leave"):
        assert ann.get(f"{battle}/{act}?outcome=a").status_code == 405
    assert content(engine) == before


# Names


@pytest.mark.parametrize("prompt", ["Who are you, and who made you?", "How deep is the lake?"])
def test_nothing_that_is_sent_before_the_vote_names_a_model(ann, prompt):
    battle = ann.answered(prompt)
    ann.get(battle)
    ann.post(f"{battle}/turns", data={"prompt": prompt})
    ann.events(battle)
    for path in (battle, f"{battle}/vote", f"{battle}/nothing", "/arenas/chat/battle"):
        ann.get(path)
    ann.vote(battle, "c")
    ann.vote(battle, "a", left="nobody")
    ann.vote(battle.replace("chat", "other"))
    ann.post(f"{battle}/turns", data={"prompt": ""})
    assert sum(BLACK in each for each in ann.got) > 4
    pages = [Form(each) for each in ann.got]
    assert not [found for each in pages if (found := secret("".join(each.bare)))]
    guesses = [each.values for each in pages if "left names" in each.values]
    assert guesses
    for each in guesses:  # which models there are may be known, and that is all the list tells
        assert each["left names"] == each["right names"] == ["I do not know", *sorted(NAMES)]
    assert not [name for each in ann.cookies.jar for name in secret(f"{each.name}{each.value}")]
    ann.vote(battle)
    page = ann.get(battle).text
    assert all(name in page for name in NAMES)


def test_names_are_black_in_the_events_and_as_written_after_the_vote(place, ann):
    battle = ann.begin("Who are you?")
    pieces, over = ann.events(battle)
    left, right = ("".join(side) for side in zip(*pieces, strict=True))
    assert over
    assert {left, right} == {
        f"Ten *metres*, says {BLACK} of {BLACK}.",
        f"**Deep**, deep. I am {BLACK}, by {BLACK}, and say more.",
    }
    before = ann.get(battle).text
    assert before.count(BLACK) == 4
    ann.vote(battle)
    after = ann.get(battle).text
    assert BLACK not in after
    assert "I am Zephyrwren, by Birdhouse" in after


def test_a_mistake_of_the_program_names_nobody(place, ann, scripted, capsys):
    """What the server of a model says of itself is for the log alone."""
    scripted(fault.status(400, f"{NAMES[0]} of Marsupial Labs refuses"))
    battle = ann.answered()
    page = ann.get(battle).text
    assert row(place, battle).void == "model_error"
    assert not secret("\n".join(ann.got))
    assert "could not answer" in page
    assert "gave no answer" in capsys.readouterr().err


def test_columns_do_not_tell_which_model_is_slow(place, scripted):
    """Shown lengths are the same on both sides while both write, whichever is slow; and so they are after a
    swap of the speeds."""
    quick, slow = slowly(LONG, 0.0), slowly(LONG, 0.002, first_s=0.1)

    def seen(number):
        ann = Visitor(place)
        battle = ann.begin(f"Prompt {number}")
        return ann.events(battle)[0]

    for left, right in ((quick, slow), (slow, quick)):
        scripted(left, right)
        with ThreadPoolExecutor(2) as threads:
            found = list(threads.map(seen, range(2)))
        for pieces in found:
            assert len(pieces) > 3
            assert [len(one) for one, _ in pieces] == [len(other) for _, other in pieces]
            assert "".join(one for one, _ in pieces) == LONG == "".join(other for _, other in pieces)


# Faults


def test_no_fault_of_a_model_is_a_vote_or_a_loss(place, ann, engine, scripted, monkeypatch):
    """Faults on either side; the voter reads that it does not count, and goes on to another battle."""
    monkeypatch.setattr("bakeoff.model.remote.retry.BASE_S", 0.001)
    late = [*BUSY, "a drip without end"]  # these take as long as they may, and ask to wait
    names, good = [each for each in FAULTS if each not in late], answer("Deep, or shallow.")
    scripted(
        *(
            by_prompt({name: FAULTS[name] for each in (names, late) for name in each[side::2]}, good)
            for side in (0, 1)
        )
    )
    before = totals(engine, "faulty")
    some = 2 * IN_A_ROW - 2  # fewer in a row than let a model rest
    for asked in (*(names[at : at + some] for at in range(0, len(names), some)), late):
        battles = {name: ann.begin(name, arena="faulty") for name in asked}
        for name, battle in battles.items():
            ann.events(battle)
            page = ann.get(battle).text
            assert row(place, battle).state == "void", name
            assert "This battle does not count." in page, name
            assert 'href="/arenas/faulty/battle">Begin another battle' in page, name
            assert 'id="vote"' not in page, name
            assert ann.vote(battle).status_code == 400, name
        before = before[0] + len(battles), before[1]
        if asked is not late:
            assert ann.vote(ann.answered(arena="faulty")).status_code == 303
            before = before[0] + 1, before[1] + 1
        assert totals(engine, "faulty") == before
    assert not [each for each in ann.got if " was " not in each and secret("".join(Form(each).bare))]


def test_a_model_that_only_fails_rests_and_nobody_is_asked_in_vain(place, ann, scripted):
    scripted(fault.status(500), answer("Deep."))
    others = [Visitor(place) for _ in range(VOTERS - 1)]
    for number in range(IN_A_ROW):
        [ann, *others][number % VOTERS].answered(arena="failing")
    refused = ann.ask("Keep this.", "failing")
    assert refused.status_code == 400
    assert "fewer than two models answer at present" in refused.text
    assert Form(refused.text).values["prompt"] == ["Keep this."]
    assert not secret(refused.text)


# Prompts


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("", "nothing in it|prompt is empty"),
        (" \n\t ", "nothing in it|prompt is empty"),
        ("x" * 1001, "1,001 characters, and 1,000 is the most"),
        ("x" * 100_000, "100,000 characters, and 1,000 is the most"),
        ("a\x00b", r"nobody can see \(U\+0000\)"),
        ("a\u202eb", r"nobody can see \(U\+202E\)"),
    ],
)
def test_what_is_not_taken_is_said_and_stays_in_the_box(place, ann, engine, prompt, why):
    before, shown = content(engine)["battle"], totals(engine)
    refused = ann.ask(prompt)
    assert refused.status_code == 400
    assert re.search(why, refused.text)
    assert Form(refused.text).values.get("prompt", []) == ([visible(prompt)] if prompt else [])
    assert (content(engine)["battle"], totals(engine)) == (before, shown)
    assert not ann.cookies
    battle = ann.answered("A first one")
    refused = ann.post(f"{battle}/turns", data={"prompt": prompt})
    assert refused.status_code == 400
    assert re.search(why, refused.text)
    assert Form(refused.text).values.get("prompt", []) == ([visible(prompt)] if prompt else [])
    assert row(place, battle).turns == 1


def test_a_form_that_is_no_text_is_refused(ann):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for body in (
        b"prompt=%ff%fe&agreed=yes",
        b"prompt=\xff&agreed=yes",
        b"agreed=yes",
        b"%",
        b"prompt=x&" * 100,
    ):
        answer = ann.post("/arenas/chat/battles", content=body, headers=headers)
        assert answer.status_code in (303, 400, 422), body
    answer = ann.post(
        "/arenas/chat/battles", content=b"--x", headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code == 400
    assert ann.post("/arenas/chat/battles", json={"prompt": "x", "agreed": "yes"}).status_code == 400


@pytest.mark.parametrize(
    "prompt", [HOSTILE.replace("\u202e", ""), "[x](javascript:hacked) ![y](http://evil.example/x.png)"]
)
def test_hostile_text_is_text_on_the_page(ann, scripted, prompt):
    scripted(answer(f"{prompt}\n\n{HOSTILE}"))
    battle = ann.answered(prompt)
    for outcome in ("", "a"):
        if outcome:
            ann.vote(battle, outcome)
        page = ann.get(battle).text
        found = Page(page)
        assert not found.acting
        assert not [each for each in RAW if each in page]
        assert not [each for each in found.links if "hacked" in each]
        assert 'src="http' not in page
    assert ann.get("/arenas/chat/battle").status_code == 200


def test_a_filter_refuses_without_losing_what_was_written(place, engine):
    ann = Visitor(place)
    refused = ann.ask("Where is the <swordfish>?", "strict")
    assert (refused.status_code, "not taken: It holds a word" in refused.text) == (400, True)
    assert Form(refused.text).values["prompt"] == ["Where is the <swordfish>?"]
    battle = ann.answered("Where is it?", "strict")
    refused = ann.post(f"{battle}/turns", data={"prompt": "The SWORDFISH?"})
    assert (refused.status_code, "not taken: It holds a word" in refused.text) == (400, True)
    assert Form(refused.text).values["prompt"] == ["The SWORDFISH?"]
    assert row(place, battle).state == "answered"


def test_personal_details_are_asked_about_before_they_are_sent(place, ann, server):
    """Who is sure sends them with one more click; nothing is sent before."""
    prompt = "Write to jane.doe@example.org about the lake."
    asked = len(server.calls)
    warned = ann.ask(prompt)
    assert (warned.status_code, "It seems to hold a mail address." in warned.text) == (400, True)
    form = Form(warned.text).values
    assert (form["prompt"], form["sure"]) == ([prompt], ["yes"])
    assert len(server.calls) == asked
    battle = ann.answered(prompt, sure="yes")
    more = "And to +49 30 123456 78?"
    warned = ann.post(f"{battle}/turns", data={"prompt": more})
    assert (warned.status_code, Form(warned.text).values["sure"]) == (400, ["yes"])
    assert row(place, battle).turns == 1
    assert ann.post(f"{battle}/turns", data={"prompt": more, "sure": "yes"}).status_code == 303
    assert ann.ask("x" * 2000, sure="yes").status_code == 400
    assert (
        Visitor(place).ask("The swordfish of jane.doe@example.org", "strict", sure="yes").status_code == 400
    )


def test_prompts_of_the_arena_alone_are_asked_as_they_are(place, ann, server):
    page = ann.get("/arenas/given/battle").text
    assert "<textarea" not in page
    offered = [value for value in Form(page).values["prompt"] if value in OF_ARENA]
    assert offered == list(OF_ARENA)
    for each in OF_ARENA:
        ann.answered(each.replace("\n", "\r\n"), "given")
        assert prompt_of(server.calls[-1]) == each
    refused = ann.ask("Something else", "given")
    assert (refused.status_code, "prompts of its own" in refused.text) == (400, True)
    assert "Ask both something more" not in ann.get(ann.answered(OF_ARENA[0], "given")).text


def test_prompts_that_are_offered_are_sent_by_one_click(ann, server):
    ann.answered(arena="offered")
    page = ann.get("/arenas/offered/battle").text
    assert [each for each in Form(page).values["prompt"] if each in OF_ARENA] == list(OF_ARENA)


def test_an_image_is_sent_and_shown(place, ann, server):
    png = file_of()
    battle = with_image(ann, png, name="a.svg")
    text, shown = server.calls[-1].body["messages"][-1]["content"]
    assert text == {"type": "text", "text": "What is this?"}
    assert shown["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(png).decode()}"
    page = ann.get(battle).text
    assert f'<img src="{battle}/images/0"' in page
    assert "base64" not in page
    found = ann.get(f"{battle}/images/0")
    assert (found.status_code, found.content) == (200, png)
    headers = {name: found.headers[name] for name in OF_IMAGE}
    assert headers == OF_IMAGE
    assert ann.ask("And without one?", "seeing").status_code == 303


OF_IMAGE = {
    "content-type": "image/png",
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=3600",
    "vary": "cookie",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}


def with_image(visitor, file, prompt="What is this?", name="a.png"):
    """The address of an answered battle about an image."""
    fields = {"prompt": prompt, "agreed": "yes"}
    begun = visitor.post("/arenas/seeing/battles", data=fields, files={"image": (name, file)})
    assert begun.status_code == 303, begun.text
    visitor.events(begun.headers["location"])
    return begun.headers["location"]


@pytest.mark.parametrize("name", ["JPEG of several scans", "WebP"])
def test_what_a_camera_writes_reaches_neither_a_model_nor_the_database(ann, server, engine, name):
    battle, asked = with_image(ann, EVERY[name]), server.calls[-2:]
    with reading(engine) as connection:
        kept = images_of(connection.execute(select(turn.c.images).order_by(turn.c.asked.desc())).scalar())
    urls = [call.body["messages"][-1]["content"][1]["image_url"]["url"] for call in asked]
    sent = [base64.b64decode(url.partition(",")[2]) for url in urls]
    shown = ann.get(f"{battle}/images/0")
    assert shown.headers["content-type"] == kept[0].media_type
    for each in (*sent, base64.b64decode(kept[0].data), shown.content):
        assert each == bare(EVERY[name])
        assert OF_CAMERA.encode() not in each


def test_an_image_is_seen_by_its_voter_alone(place, ann, bea, engine):
    battle = with_image(ann, file_of())
    other = ann.answered("And without one?", "seeing")
    with_image(bea, file_of())
    before = content(engine)
    for number in ("1", "-1", "9" * 30, "9" * 5000, "x", "0x0", "%00", "0/", "..%2f0"):
        assert ann.get(f"{battle}/images/{number}").status_code in (307, 404, 422), number
    none = battle.rsplit("/", 1)[0] + "/" + secrets.token_urlsafe(16)
    for visitor, there in ((bea, battle), (Visitor(place), battle), (ann, other), (ann, none)):
        refused = visitor.get(f"{there}/images/0")
        assert (refused.status_code, "image/png" in refused.headers["content-type"]) == (404, False)
    assert ann.get(f"{battle.replace('/seeing/', '/other/')}/images/0").status_code == 404
    assert content(engine) == before


def test_an_image_that_was_erased_is_gone(ann, engine):
    battle = with_image(ann, file_of())
    assert ann.vote(battle).status_code == 303
    assert ann.get(f"{battle}/images/0").status_code == 200
    with writing(engine) as connection:
        erase(connection, "seeing", current(connection) + 1)
    assert ann.get(f"{battle}/images/0").status_code == 404
    assert "<img" not in ann.get(battle).text


def test_an_image_may_come_without_words(ann, server):
    battle = with_image(ann, file_of(), prompt=" ")
    (only,) = server.calls[-1].body["messages"][-1]["content"]
    assert only["type"] == "image_url"
    assert ann.post(f"{battle}/turns", data={"prompt": "And now?"}).status_code == 303
    ann.events(battle)
    assert [each["type"] for each in server.calls[-1].body["messages"][1]["content"]] == ["image_url"]


def test_prompts_of_the_arena_come_without_images(ann, engine):
    assert 'type="file"' not in ann.get("/arenas/chosen/battle").text
    before = content(engine)["battle"]
    fields = {"prompt": OF_ARENA[0], "agreed": "yes"}
    refused = ann.post("/arenas/chosen/battles", data=fields, files={"image": ("a.png", file_of())})
    assert (refused.status_code, "send no image with them" in refused.text) == (400, True)
    assert content(engine)["battle"] == before
    assert ann.post("/arenas/chosen/battles", data=fields).status_code == 303


def test_the_page_says_which_images_are_taken_and_asks_for_one_again(ann):
    page = ann.get("/arenas/seeing/battle").text
    assert "PNG, JPEG, WebP or GIF, 3.5 MB at most" in page
    assert 'accept="image/png,image/jpeg,image/webp,image/gif"' in page
    assert "choose it again" not in page
    fields = {"prompt": "Write to jane.doe@example.org.", "agreed": "yes"}
    warned = ann.post("/arenas/seeing/battles", data=fields, files={"image": ("a.png", file_of())})
    assert (warned.status_code, "choose it again" in warned.text) == (400, True)


def black(width, height):
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, "PNG")
    return file.getvalue()


IMAGES = {
    "no image": (b"GIF", "is no PNG"),
    "nothing": (b"", "is no PNG"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>hacked()</script></svg>', "is no PNG"),
    "bmp": (file_of("BMP"), "is no PNG"),
    "cut off": (file_of()[:-9], "cut off"),
    "too large": (file_of() + bytes(7 * 2**19), "larger than 3.5 MB"),
    "too many pixels": (black(9000, 8000), "9000×8000 pixels"),
}


@pytest.mark.parametrize("name", IMAGES)
def test_other_files_are_not_taken(ann, engine, name):
    before = content(engine)
    file, why = IMAGES[name]
    fields = {"prompt": "What is this?", "agreed": "yes"}
    refused = ann.post("/arenas/seeing/battles", data=fields, files={"image": ("a.png", file)})
    assert (refused.status_code, why in refused.text) == (400, True)
    assert Form(refused.text).values["prompt"] == ["What is this?"]
    assert content(engine) == before


def test_an_arena_whose_models_see_nothing_takes_no_image(ann):
    assert 'type="file"' not in ann.get("/arenas/chat/battle").text
    refused = ann.post(
        "/arenas/chat/battles",
        data={"prompt": "What?", "agreed": "yes"},
        files={"image": ("a.png", file_of())},
    )
    assert (refused.status_code, "fewer than two models here take images" in refused.text) == (400, True)
    fields = {"prompt": "What?", "agreed": "yes"}
    two = [("image", ("a.png", file_of())), ("image", ("b.png", file_of()))]
    assert ann.post("/arenas/seeing/battles", data=fields, files=two).status_code == 400


def test_without_filters_everything_is_kept_as_it_can_be(place, ann, server):
    prompt = "a\x00b\u202ec" + "é" * 90_000
    battle = ann.answered(prompt, "bare")
    assert prompt_of(server.calls[-1]).startswith("a")
    page = ann.get(battle).text
    assert r"a\x00b\u202ec" in page
    assert ann.vote(battle).status_code == 303


# Voters


def test_those_with_an_account_log_in_first(place, ann, engine):
    page = ann.get("/arenas/staff/battle").text
    assert 'href="/login?then=%2Farenas%2Fstaff%2Fbattle"' in page
    assert "<textarea" not in page
    before = content(engine)
    refused = ann.ask(arena="staff")
    assert (refused.status_code, "log in first" in refused.text) == (403, True)
    assert content(engine) == before
    account(place.folder, "carla")
    log_in(ann, place.folder, "carla")
    battle = ann.answered(arena="staff")
    assert ann.vote(battle).status_code == 303
    assert not [each for each in ann.cookies.jar if each.name.startswith("arena")]
    kept = content(engine)
    texts = [str(each) for table in ("battle", "turn", "ballot") for each in kept[table]]
    assert not [each for each in texts if "carla" in each]
    ann.cookies.clear()
    assert ann.get(battle).status_code == 404


def test_the_invited_join_by_their_link(place, ann, bea, engine):
    refused = ann.ask(arena="club")
    assert (refused.status_code, "was invited" in refused.text) == (403, True)
    assert "<textarea" not in ann.get("/arenas/club/battle").text
    with writing(engine) as connection:
        invitation, link = invite(connection, "club", "For Ann", actor="operator")
    path = f"/arenas/club/join/{link}"
    page = ann.get(path)
    assert not ann.cookies  # a program that looks at links takes nothing up
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    assert place.app.state.arenas["club"].arena.consent in unescape(page.text)
    assert ann.post(path, headers=ELSEWHERE).status_code == 403
    joined = ann.post(path)
    assert (joined.status_code, joined.headers["location"]) == (303, "/arenas/club/battle")
    assert "httponly" in joined.headers["set-cookie"].lower()
    battle = ann.answered(arena="club")
    assert ann.vote(battle).status_code == 303
    with writing(engine) as connection:
        revoke(connection, "club", invitation.digest, actor="operator")
    assert ann.ask(arena="club").status_code == 403
    assert ann.get(battle).status_code == 404
    for visitor in (ann, bea):
        assert visitor.get(path).status_code == 404
        refused = visitor.post(path)
        assert (refused.status_code, "set-cookie" in refused.headers) == (404, False)


def test_nobody_is_made_to_vote_by_a_secret_that_another_knows(place, ann):
    """Its maker would read what is asked with it."""
    for name in ("chat", "club", "staff"):
        for link in ("known-to-mallory", "x" * 5000, "%00", secrets.token_urlsafe(24)):
            for act in (ann.get, ann.post):
                found = act(f"/arenas/{name}/join/{link}")
                assert (found.status_code, "set-cookie" in found.headers) == (404, False)


def test_one_voter_has_so_many_battles_open(place, ann, bea):
    first, second = (ann.answered(arena="strict") for _ in range(2))
    refused = ann.ask("Keep <me>", "strict")
    assert (refused.status_code, "2 battles without a vote" in refused.text) == (400, True)
    assert Form(refused.text).values["prompt"] == ["Keep <me>"]
    bea.begin(arena="strict")
    assert ann.vote(first).status_code == 303
    third = ann.begin(arena="strict")
    assert ann.ask(arena="strict").status_code == 400
    assert ann.post(f"{third}/leave").headers["location"] == "/arenas/strict/battle"
    assert ann.vote(third).status_code == 400
    page = ann.get(third).text
    assert ("ended without a vote" in page, "Begin another battle" in page) == (True, True)
    assert not secret("\n".join(each for each in ann.got if first not in each))
    ann.begin(arena="strict")
    assert ann.vote(second).status_code == 303


def test_a_full_arena_says_so_and_keeps_what_was_written(place, ann, monkeypatch):
    monkeypatch.setattr(place.app.state.arenas["chat"], "_most", 0)
    refused = ann.ask("Keep <me>")
    assert (refused.status_code, "as many as this server takes" in refused.text) == (400, True)
    assert Form(refused.text).values["prompt"] == ["Keep <me>"]


def test_a_battle_has_turns_and_both_models_read_their_own_answers(place, ann, server):
    battle = ann.answered("First?")
    for prompt in ("Second?", "Third?"):
        assert "ask both something more" in ann.get(battle).text
        assert ann.post(f"{battle}/turns", data={"prompt": prompt}).status_code == 303
        ann.events(battle)
    for call in server.calls[-2:]:
        said = SAID[MODELS.index(call.model)]
        heard = [(each["role"], each["content"]) for each in call.body["messages"][1:]]
        assert heard == [
            ("user", "First?"), ("assistant", said), ("user", "Second?"), ("assistant", said),
            ("user", "Third?"),
        ]  # fmt: skip
    page = ann.get(battle).text
    assert "ask both something more" not in page
    refused = ann.post(f"{battle}/turns", data={"prompt": "Fourth?"})
    assert (refused.status_code, "3 turns at most" in refused.text) == (400, True)
    assert ann.vote(battle).status_code == 303
    assert ann.get(battle).text.count("You asked") == 3


def test_a_fault_in_a_later_turn_voids_the_battle_and_the_answers_so_far_stay(place, ann, scripted):
    battle = ann.answered("First?")
    scripted(answer("Never."), fault.status(500))
    ann.post(f"{battle}/turns", data={"prompt": "Second?"})
    ann.events(battle)
    page = ann.get(battle).text
    assert ("does not count" in page, page.count("says")) == (True, 1)
    assert "Never." not in page
    assert ann.vote(battle).status_code == 400
    assert not secret("\n".join(ann.got[-3:]))


def test_a_page_loaded_again_shows_what_was_missed(place, ann, scripted):
    scripted(slowly(LONG, 0.01))
    battle = ann.begin()
    listening = Visitor(place)
    listening.cookies, listening.event_hooks = ann.cookies, {}
    with listening.stream("GET", f"{battle}/events") as response:
        lines = response.iter_lines()
        ids = [
            int(line.removeprefix("id: ")) for line in islice((x for x in lines if x.startswith("id:")), 3)
        ]
    page = ann.get(battle).text
    assert f'data-events="{battle}/events"' in page
    assert f'content="2; url={battle}"' in page  # without scripts it is loaded again
    assert ann.vote(battle).status_code == 400
    later, _ = told(ann.get(f"{battle}/events", headers={"last-event-id": str(ids[-1])}).text)
    assert 0 < ids[0] < ids[-1] < len(LONG)
    assert "".join(left for left, _ in later) == LONG[ids[-1] :]
    assert "refresh" not in ann.get(battle).text


def test_a_place_that_cannot_be_is_refused_or_the_end(ann):
    battle = ann.answered()
    for since in ("-1", "x", "1e9", "9" * 400, "%00"):
        assert ann.get(f"{battle}/events?since={since}").status_code in (200, 422)
        assert ann.get(f"{battle}/events", headers={"last-event-id": since}).status_code == 200


def test_two_tabs_are_two_battles_of_one_voter(place, ann):
    first, second = ann.answered("One"), ann.answered("Two")
    assert row(place, first).voter == row(place, second).voter
    assert ann.vote(second, "b").status_code == 303
    assert ann.vote(first, "a").status_code == 303
    late = ann.vote(first, "b")  # the other tab still shows the buttons
    assert (late.status_code, "this battle has its vote already" in late.text) == (400, True)
    assert "You said: <b>A is better</b>" in late.text
