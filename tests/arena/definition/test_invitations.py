import pytest

from bakeoff.arena.definition.invitations import invitations, invite, invited, revoke
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.errors import BakeoffError
from tests.arena.definition.making import SMALL


def test_a_secret_holds_until_it_is_revoked_and_is_kept_nowhere(engine, ready, small, file):
    ready(small)
    ready(file(SMALL.replace("name: chat", "name: other")))
    with writing(engine) as connection:
        made, secret = invite(connection, "chat", "  Support  team ", actor="ann")
        other, second = invite(connection, "chat", "Support team", actor="ann")
    with reading(engine) as connection:
        assert (made.label, made.revoked) == ("Support team", None)
        assert invited(connection, "chat", secret)
        assert invited(connection, "chat", second)
        assert not invited(connection, "other", secret)
        for wrong in ("", made.digest, secret[:-1], secret + "x", "x" * 10_000, "a\ud800"):
            assert not invited(connection, "chat", wrong)
        told = repr(list(events(connection))) + repr(invitations(connection, "chat"))
        assert secret not in told
    with writing(engine) as connection:
        revoke(connection, "chat", made.digest, actor="ann")
    with writing(engine) as connection:
        again = revoke(connection, "chat", made.digest, actor="bob")
        assert again.revoked is not None
        assert not invited(connection, "chat", secret)
        assert invited(connection, "chat", second)
        assert {each.digest for each in invitations(connection, "chat")} == {made.digest, other.digest}
        kinds = [each.kind for each in events(connection, "arena chat")]
    assert kinds[-3:] == ["invitation made", "invitation made", "invitation revoked"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_log_has_no_label(engine, ready, small):
    ready(small)
    with writing(engine) as connection:
        invite(connection, "chat", "ann@example.com", actor="ann")
        assert "example" not in repr(list(events(connection)))


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_cannot_be_is_told(engine, ready, small):
    with writing(engine) as connection, pytest.raises(BakeoffError, match="no live arena chat"):
        invite(connection, "chat", "Ann", actor="ann")
    ready(small)
    with writing(engine) as connection:
        with pytest.raises(BakeoffError, match="the label is empty"):
            invite(connection, "chat", "  ", actor="ann")
        with pytest.raises(BakeoffError, match="no such invitation"):
            revoke(connection, "chat", "sha256:none", actor="ann")
