import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from bakeoff.accounts import (
    Role,
    accounts,
    add,
    by_name,
    by_session,
    by_token,
    check_password,
    disable,
    enable,
    grant,
    new_token,
    open_session,
    set_password,
    set_role,
    withdraw,
)
from bakeoff.accounts.names import local_name
from bakeoff.database.log import broken, events
from bakeoff.database.tables import submission
from bakeoff.errors import BakeoffError
from tests.accounts.fixtures import GOOD


def told(connection):
    return [(each.actor, each.kind, each.subject, each.reason, each.facts) for each in events(connection)]


@pytest.mark.parametrize("name", ["ann", "a", "7", "ann-b.c_d", "x" * 64])
def test_a_name_of_letters_digits_and_signs_is_one(name):
    assert local_name(f" {name.upper()} ") == name


@pytest.mark.parametrize(
    "name",
    ["", " ", "-ann", "ann.", "..", "an n", "a\nb", "ann@example.org", "änn", "\u0430nn", "ann\u200b",
     "x" * 65, "ann/bob", "<b>", "ann\x00", "ＡＮＮ", "\u212aay"],
)  # fmt: skip
def test_anything_else_is_no_name(name):
    with pytest.raises(BakeoffError, match="is no name for an account"):
        local_name(name)


@given(st.text())
def test_whatever_is_typed_gives_a_name_or_a_mistake(text):
    try:
        name = local_name(text)
    except BakeoffError:
        return
    assert name == local_name(name) == name.lower()
    assert name.isascii()
    assert "@" not in name


def test_an_account_is_found_by_its_name_in_any_case(connection):
    made = add(connection, "Ann", display=" Ann  Other ", role=Role.MODERATOR, actor="root")
    assert (made.name, made.display, made.role, made.organisations, made.disabled) == (
        "ann",
        "Ann Other",
        Role.MODERATOR,
        (),
        None,
    )
    assert by_name(connection, " ANN ") == made
    with pytest.raises(BakeoffError, match="there is no account bob"):
        by_name(connection, "bob")
    for odd in ("ann\x00", "\ud800", "", "ann\n\nann", "' OR 1=1 --"):
        with pytest.raises(BakeoffError, match="there is no account"):
            by_name(connection, odd)


def test_no_two_accounts_have_one_name(connection):
    add(connection, "ann", actor="root")
    with pytest.raises(BakeoffError, match="there is an account ann already"):
        add(connection, "ANN", actor="root")
    assert len(accounts(connection)) == 1


@pytest.mark.parametrize("display", ["a\u202eb", "a\x1b[31m", "a\u200bb", "x" * 81])
def test_a_name_to_show_hides_nothing(connection, display):
    with pytest.raises(BakeoffError, match="the name to show"):
        add(connection, "ann", display=display, actor="root")


def test_accounts_are_listed_by_name_with_what_they_speak_for(connection):
    for name in ("bob", "ann"):
        add(connection, name, actor="root")
    for organisation in ("zeta", "Alpha"):
        grant(connection, "bob", organisation, actor="root")
    assert [(each.name, each.organisations) for each in accounts(connection)] == [
        ("ann", ()),
        ("bob", ("Alpha", "zeta")),
    ]


def test_an_organisation_is_granted_once_and_withdrawn_once(connection):
    add(connection, "ann", actor="root")
    grant(connection, "ann", " acme ", actor="root")
    with pytest.raises(BakeoffError, match="speaks for acme already"):
        grant(connection, "ann", "acme", actor="root")
    assert withdraw(connection, "ann", "acme", actor="root").organisations == ()
    with pytest.raises(BakeoffError, match="does not speak for acme"):
        withdraw(connection, "ann", "acme", actor="root")


def test_nobody_comes_to_speak_for_others_by_being_called_as_they_are(connection):
    """An account speaks for itself, so its name must be no organisation of others, in whatever case."""
    add(connection, "ann", actor="root")
    grant(connection, "ann", "Acme", actor="root")
    with pytest.raises(BakeoffError, match="acme is an organisation that others speak for"):
        add(connection, "acme", actor="root")
    add(connection, "bob", actor="root")
    with pytest.raises(BakeoffError, match="Bob is an account"):
        grant(connection, "ann", "Bob", actor="root")
    assert grant(connection, "bob", "bob", actor="root").organisations == ("bob",)


def test_nor_by_what_was_handed_in_before_there_were_accounts(connection):
    row = {"board": "b", "way": "weights", "model": "{}", "identity": "i", "state": "draft", "attempt": 1}
    connection.execute(
        submission.insert(),
        [
            row | {"organisation": "Acme", "submitter": "eve", "created": 1.0, "changed": 1.0},
            row | {"organisation": "ann", "submitter": "ann", "created": 1.0, "changed": 1.0},
        ],
    )
    with pytest.raises(BakeoffError, match="is an organisation"):
        add(connection, "acme", actor="root")
    assert add(connection, "ann", actor="root").name == "ann"
    assert len(connection.execute(select(submission)).all()) == 2


def test_a_disabled_account_is_known_by_nothing_at_once(connection):
    ann = add(connection, "ann", actor="root")
    set_password(connection, "ann", GOOD, actor="root")
    _, token = new_token(connection, "ann", "ci", actor="ann")
    session = open_session(connection, ann)
    assert all((check_password(connection, "ann", GOOD), by_token(connection, token)))
    assert by_session(connection, session)
    gone = disable(connection, "ann", actor="root", reason="left")
    assert gone.disabled is not None
    assert check_password(connection, "ann", GOOD) is None
    assert by_token(connection, token) is None
    assert by_session(connection, session) is None
    with pytest.raises(BakeoffError, match="ann is disabled"):
        new_token(connection, "ann", "ci", actor="ann")
    with pytest.raises(ValueError, match="ann is disabled"):
        open_session(connection, gone)
    with pytest.raises(BakeoffError, match="disabled already"):
        disable(connection, "ann", actor="root", reason="left")
    # Open again, it logs in anew: its session is gone for good.
    enable(connection, "ann", actor="root")
    assert check_password(connection, "ann", GOOD)
    assert by_session(connection, session) is None
    with pytest.raises(BakeoffError, match="is not disabled"):
        enable(connection, "ann", actor="root")


def test_an_account_is_disabled_for_a_reason(connection):
    add(connection, "ann", actor="root")
    with pytest.raises(BakeoffError, match="the reason is empty"):
        disable(connection, "ann", actor="root", reason=" \n")
    assert by_name(connection, "ann").disabled is None


def test_every_change_is_logged_and_no_secret_of_it(connection):
    ann = add(connection, "ann", actor="root")
    set_password(connection, "ann", GOOD, actor="ann")
    grant(connection, "ann", "acme", actor="root")
    _, token = new_token(connection, "ann", "my private label", actor="ann")
    session = open_session(connection, ann)
    set_role(connection, "ann", Role.MODERATOR, actor="root")
    set_role(connection, "ann", Role.MODERATOR, actor="root")
    withdraw(connection, "ann", "acme", actor="root")
    disable(connection, "ann", actor="root", reason="left")
    enable(connection, "ann", actor="root", reason="is back")
    assert told(connection) == [
        ("root", "account added", "account ann", "", {"role": "member"}),
        ("ann", "password set", "account ann", "", {}),
        ("root", "organisation granted", "account ann", "", {"organisation": "acme"}),
        ("ann", "token made", "account ann", "", {"token": 1}),
        ("root", "account role", "account ann", "", {"from": "member", "to": "moderator"}),
        ("root", "organisation withdrawn", "account ann", "", {"organisation": "acme"}),
        ("root", "account disabled", "account ann", "left", {}),
        ("root", "account enabled", "account ann", "is back", {}),
    ]
    assert broken(connection) is None
    whole = repr(list(events(connection)))
    for secret in (GOOD, token, token[4:], session, "my private label"):
        assert secret not in whole
