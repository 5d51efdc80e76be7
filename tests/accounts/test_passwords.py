import unicodedata

import pytest
from sqlalchemy import select, update

from bakeoff.accounts import (
    Identity,
    add,
    by_identity,
    check_password,
    open_session,
    sessions_of,
    set_password,
)
from bakeoff.accounts.passwords import LONGEST
from bakeoff.database.tables import account
from bakeoff.errors import BakeoffError
from tests.accounts.fixtures import GOOD


@pytest.fixture
def ann(connection):
    add(connection, "ann", actor="root")
    return set_password(connection, "ann", GOOD, actor="root")


def test_the_right_password_is_the_only_one_that_opens(connection, ann):
    assert check_password(connection, "ann", GOOD) == ann
    assert check_password(connection, " Ann", GOOD) == ann
    for wrong in ("", GOOD[:-1], GOOD + " ", GOOD.upper(), GOOD + "\0", "\ud800", "x" * 5000):
        assert check_password(connection, "ann", wrong) is None


def test_nobody_and_an_account_without_a_password_have_none(connection, ann):
    add(connection, "bob", actor="root")
    for name in ("bob", "eve", "", "ann\0", "\ud800", "' OR 1=1 --"):
        for typed in (GOOD, "", "nobody"):
            assert check_password(connection, name, typed) is None


@pytest.mark.parametrize("name", ["ann", "bob", "nobody-at-all"])
@pytest.mark.parametrize("typed", [GOOD, "wrong", "", "x" * 5000])
def test_a_check_is_the_same_work_whoever_asks(connection, ann, monkeypatch, name, typed):
    """One verification of Argon2id, of the same parameters: timing tells nobody which names there are."""
    add(connection, "bob", actor="root")
    from nacl.pwhash import argon2id

    checked, real = [], argon2id.verify
    monkeypatch.setattr(
        argon2id, "verify", lambda hashed, typed: checked.append(hashed) or real(hashed, typed)
    )
    check_password(connection, name, typed)
    assert [each.rsplit(b"$", 2)[0] for each in checked] == [b"$argon2id$v=19$m=65536,t=2,p=1"]


def test_a_password_is_the_text_that_is_seen_however_it_is_typed(connection, ann):
    seen = "café café café olé"
    set_password(connection, "ann", unicodedata.normalize("NFD", seen), actor="ann")
    assert check_password(connection, "ann", unicodedata.normalize("NFC", seen))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "0 characters, and 15 is the least"),
        ("x" * 14, "14 characters"),
        ("x" * (LONGEST + 1), "1,001 characters, and 1,000 is the most"),
        ("a" * 20, "fewer than 5 different"),
        ("1234123412341234", "fewer than 5 different"),
        ("annannannannann1", "fewer than 5 different"),
    ],
)
def test_what_may_not_be_chosen_is_refused_without_being_repeated(connection, ann, typed, said):
    with pytest.raises(BakeoffError, match=said) as refused:
        set_password(connection, "ann", typed, actor="ann")
    assert not typed or typed not in str(refused.value)
    assert check_password(connection, "ann", GOOD)


@pytest.mark.parametrize("typed", ["x1y2z" * 3, "abcde" * 200])
def test_the_longest_and_the_shortest_are_taken(connection, ann, typed):
    set_password(connection, "ann", typed, actor="ann")
    assert check_password(connection, "ann", typed)
    assert check_password(connection, "ann", typed + "x") is None


def test_a_new_password_ends_all_sessions(connection, ann):
    open_session(connection, ann)
    open_session(connection, ann)
    set_password(connection, "ann", GOOD + " staple", actor="ann")
    assert sessions_of(connection, ann) == ()
    assert check_password(connection, "ann", GOOD) is None


def test_two_who_choose_the_same_are_not_seen_to(connection, ann):
    add(connection, "bob", actor="root")
    set_password(connection, "bob", GOOD, actor="root")
    first, second = connection.execute(select(account.c.password)).scalars()
    assert first != second
    assert GOOD not in first


def test_whoever_comes_from_a_provider_has_no_password_here(connection):
    found = by_identity(connection, Identity("https://id.example.org", "1", "ann"))
    with pytest.raises(BakeoffError, match=r"logs in at https://id\.example\.org"):
        set_password(connection, found.name, GOOD, actor="root")


def test_what_is_no_hash_opens_nothing(connection, ann):
    for spoilt in ("", "x", "$argon2id$", GOOD):
        connection.execute(update(account).values(password=spoilt))
        assert check_password(connection, "ann", GOOD) is None
        assert check_password(connection, "ann", spoilt) is None
