import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import make_url

from bakeoff.accounts import Identity, Role, accounts, add, by_identity, by_name, disable, set_role
from bakeoff.accounts.names import local_name
from bakeoff.database import writing
from bakeoff.database.log import events
from bakeoff.errors import BakeoffError
from bakeoff.visible import visible
from tests.database.databases import with_tables

ISSUER = "https://id.example.org/realms/one"


def test_who_comes_first_has_an_account_made_and_is_it_from_then_on(connection):
    first = by_identity(connection, Identity(ISSUER, "s1", "Ann.B", display="Ann B"))
    assert (first.name, first.display, first.role, first.issuer, first.has_password) == (
        "ann.b@id.example.org",
        "Ann B",
        Role.MEMBER,
        ISSUER,
        False,
    )
    again = by_identity(connection, Identity(ISSUER, "s1", "someone-else", display="Else"))
    assert again == first
    assert len(accounts(connection)) == 1


def test_the_subject_decides_and_not_the_name(connection):
    add(connection, "ann", actor="root")
    first = by_identity(connection, Identity(ISSUER, "s1", "ann"))
    second = by_identity(connection, Identity(ISSUER, "s2", "ann"))
    third = by_identity(connection, Identity("https://id.example.org/realms/two", "s1", "ANN@corp.com"))
    names = ["ann@id.example.org", "ann-2@id.example.org", "ann-3@id.example.org"]
    assert [each.name for each in (first, second, third)] == names
    assert by_name(connection, "ann").issuer == ""
    assert len({each.id for each in (first, second, third)}) == 3


def test_no_operator_can_give_such_a_name(connection):
    found = by_identity(connection, Identity(ISSUER, "s1", "ann"))
    with pytest.raises(BakeoffError):
        local_name(found.name)
    with pytest.raises(BakeoffError):
        add(connection, found.name, actor="root")


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("", "someone"),
        ("...", "someone"),
        ("Ännä Ö", "nn"),
        ("a/../b", "a-..-b"),
        ("<script>", "script"),
        ("ann@corp.com", "ann"),
        ("x" * 300, "x" * 64),
        ("a\u202eb\x00c", "a-b-c"),
    ],
)
def test_a_name_is_made_of_whatever_they_are_called(connection, hint, name):
    assert by_identity(connection, Identity(ISSUER, "s", hint)).name == f"{name}@id.example.org"


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=90)), min_size=1, max_size=5))
def test_names_are_printable_and_each_has_its_own(people):
    with writing(with_tables(make_url("sqlite://"))) as connection:
        made = [
            by_identity(connection, Identity(ISSUER, str(number), hint, display))
            for number, (hint, display) in enumerate(people)
        ]
    assert len({each.name for each in made}) == len(people)
    for each in made:
        assert each.name.isascii()
        assert each.name.isprintable()
        assert each.name.count("@") == 1
        assert visible(each.display) == each.display
        assert len(each.display.splitlines()) <= 1


@pytest.mark.parametrize("subject", ["", "x" * 256])
def test_a_subject_that_the_standard_does_not_allow_is_nobody(connection, subject):
    with pytest.raises(BakeoffError, match="a subject has 1 to 255"):
        by_identity(connection, Identity(ISSUER, subject, "ann"))


def test_a_role_is_the_providers_where_it_says_one_and_the_operators_otherwise(connection):
    first = by_identity(connection, Identity(ISSUER, "s1", "ann", role=Role.MODERATOR))
    assert first.role is Role.MODERATOR
    assert by_identity(connection, Identity(ISSUER, "s1", "ann", role=Role.MEMBER)).role is Role.MEMBER
    set_role(connection, first.name, Role.ADMIN, actor="root")
    assert by_identity(connection, Identity(ISSUER, "s1", "ann")).role is Role.ADMIN


def test_who_was_disabled_stays_so_whoever_vouches(connection):
    found = by_identity(connection, Identity(ISSUER, "s1", "ann"))
    disable(connection, found.name, actor="root", reason="gamed the board")
    assert by_identity(connection, Identity(ISSUER, "s1", "new-name")).disabled is not None


def test_the_log_does_not_know_what_the_provider_knows(connection):
    by_identity(connection, Identity(ISSUER, "subject-of-ann", "ann@private.example", display="Ann Private"))
    whole = repr(list(events(connection)))
    assert "ann@id.example.org" in whole
    for private in ("subject-of-ann", "private.example", "Ann Private"):
        assert private not in whole
