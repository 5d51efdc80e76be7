import re

import pytest
from sqlalchemy import update

from bakeoff.accounts import add, by_token, new_token, revoke, tokens_of
from bakeoff.accounts.tokens import MOST_TOKENS, is_stale, note_use
from bakeoff.database.clock import current
from bakeoff.database.tables import token as table
from bakeoff.errors import BakeoffError


@pytest.fixture
def ann(connection):
    return add(connection, "ann", actor="root")


def test_a_token_is_its_accounts_alone(connection, ann):
    add(connection, "bob", actor="root")
    made, text = new_token(connection, "ann", "ci", actor="ann")
    assert by_token(connection, text) == (ann, made)
    _, other = new_token(connection, "bob", "ci", actor="bob")
    assert by_token(connection, other)[0].name == "bob"
    assert text != other


def test_a_token_is_256_random_bits_that_scanners_find(connection, ann):
    texts = {new_token(connection, "ann", "ci", actor="ann")[1] for _ in range(20)}
    assert len(texts) == 20
    assert all(re.fullmatch(r"bkf_[A-Za-z0-9_-]{43}", each) for each in texts)


@pytest.mark.parametrize(
    "change",
    [str.upper, str.lower, lambda text: text[4:], lambda text: text[:-1], lambda text: text + "=",
     lambda text: "bkf_", lambda text: "", lambda text: text + "\0", lambda text: "bkf_" + "x" * 10_000,
     lambda text: "bkf_\ud800", lambda text: "bkf_' OR 1=1 --"],
)  # fmt: skip
def test_what_is_like_a_token_is_none(connection, ann, change):
    _, text = new_token(connection, "ann", "ci", actor="ann")
    assert by_token(connection, change(text)) is None


def test_a_token_runs_out(connection, ann):
    made, text = new_token(connection, "ann", "ci", actor="ann", days=2)
    assert made.expires - made.created == pytest.approx(2 * 86_400, abs=5)
    connection.execute(update(table).values(expires=current(connection) - 1))
    assert by_token(connection, text) is None
    (past,) = tokens_of(connection, ann)
    assert not past.taken(current(connection))


@pytest.mark.parametrize("days", [0, -1, 367, float("nan"), float("inf"), 10**400])
def test_no_token_is_for_ever_or_for_no_time(connection, ann, days):
    with pytest.raises(BakeoffError, match="not for ever"):
        new_token(connection, "ann", "ci", actor="ann", days=days)


@pytest.mark.parametrize("label", ["", "  ", "x" * 81, "a\u202eb", "a\x00b"])
def test_a_token_says_what_it_is_for(connection, ann, label):
    with pytest.raises(BakeoffError, match="the label"):
        new_token(connection, "ann", label, actor="ann")


def test_a_revoked_token_is_taken_no_longer_and_stays_listed(connection, ann):
    first, text = new_token(connection, "ann", "one", actor="ann")
    second, other = new_token(connection, "ann", "two", actor="ann")
    revoke(connection, "ann", first.id, actor="ann")
    assert by_token(connection, text) is None
    assert by_token(connection, other)
    listed = tokens_of(connection, ann)
    assert [(each.id, each.revoked is None) for each in listed] == [(second.id, True), (first.id, False)]
    with pytest.raises(BakeoffError, match=f"ann has no token {first.id} to revoke"):
        revoke(connection, "ann", first.id, actor="ann")


def test_nobody_revokes_the_token_of_another(connection, ann):
    add(connection, "bob", actor="root")
    made, text = new_token(connection, "ann", "ci", actor="ann")
    for number in (made.id, 0, -1, 2**63, 10**30):
        with pytest.raises(BakeoffError, match="bob has no token"):
            revoke(connection, "bob", number, actor="bob")
    assert by_token(connection, text)


def test_an_account_has_only_so_many(connection, ann):
    made = [new_token(connection, "ann", "ci", actor="ann")[0] for _ in range(MOST_TOKENS)]
    with pytest.raises(BakeoffError, match=f"ann has {MOST_TOKENS} tokens"):
        new_token(connection, "ann", "ci", actor="ann")
    revoke(connection, "ann", made[0].id, actor="ann")
    assert new_token(connection, "ann", "ci", actor="ann")


def test_its_use_is_noted_by_the_hour(connection, ann):
    made, text = new_token(connection, "ann", "ci", actor="ann")
    at = current(connection)
    assert is_stale(made, at)
    note_use(connection, made)
    _, used = by_token(connection, text)
    assert used.last_used == pytest.approx(at, abs=60)
    assert not is_stale(used, used.last_used + 3599)
    assert is_stale(used, used.last_used + 3600)
