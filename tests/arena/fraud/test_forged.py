"""Votes that are none, sent to a running site: nothing of them is counted."""

import secrets
from collections import Counter

import pytest

from bakeoff.web.middleware.limits import WRITES
from tests.arena.fraud import forged
from tests.arena.fraud.forged import counted
from tests.web.arena import Visitor, row, site
from tests.web.people import account, log_in


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with forged.place(tmp_path_factory.mktemp("forged")) as found:
        yield found


def test_a_vote_counts_once_however_often_it_is_sent(place):
    before = counted(place)
    same, other = forged.replayed(place)
    assert (same, other) == ({303: 30}, {400: 10})
    assert counted(place) == before + 1


def test_of_two_votes_at_once_one_counts(place):
    before = counted(place)
    sent = forged.raced(place)
    assert sent == {303: 10, 400: 10}
    assert counted(place) == before + 1


@pytest.mark.parametrize(
    ("attack", "answers", "arena"),
    [
        (forged.of_another, ({404: 6},), "chat"),
        (forged.guessed, ({404: 100},), "chat"),
        (forged.early, ({400: 5},), "chat"),
        (forged.swapped, ({404: 6},), "chat"),
        (forged.uninvited, ({403: 20}, {404: 3}), "club"),
        (forged.without_account, ({403: 5}, {404: 3}), "staff"),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_nothing_forged_is_counted(place, attack, answers, arena):
    before = counted(place, arena)
    sent = attack(place)
    assert (sent if isinstance(sent, tuple) else (sent,)) == answers
    assert counted(place, arena) == before


def test_ids_have_128_bits_and_do_not_repeat(place):
    ids = [Visitor(place).begin().rsplit("/", 1)[1] for _ in range(10)]
    assert len(set(ids)) == 10
    assert all(len(each) == len(secrets.token_urlsafe(16)) for each in ids)


def test_an_account_or_invitation_is_one_voter_in_any_number_of_browsers(place):
    account(place.folder, "erin")
    voters = set()
    for _ in range(2):
        browser = Visitor(place)
        log_in(browser, place.folder, "erin")
        voters.add(row(place, browser.answered(arena="staff")).voter)
    assert len(voters) == 1


def test_who_has_voted_enough_today_begins_no_more_and_a_new_cookie_is_a_new_voter(place):
    """The second half is what cookies cannot stop; accounts and invitations do."""
    ann = Visitor(place)
    for _ in range(3):
        assert ann.vote(ann.answered(arena="strict")).status_code == 303
    refused = ann.ask(arena="strict")
    assert (refused.status_code, "as many as one voter may" in refused.text) == (400, True)
    ann.cookies.clear()
    assert ann.vote(ann.answered(arena="strict")).status_code == 303


def test_one_address_sends_no_more_forms_a_minute_whatever_its_cookies(place, tmp_path):
    live = place.app.state.arenas["chat"].arena
    with site(tmp_path, live, writes=WRITES) as slow:
        sent = Counter(Visitor(slow).ask().status_code for _ in range(40))
    assert sent == {303: 30, 429: 10}
