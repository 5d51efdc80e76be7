from dataclasses import dataclass, replace

import pytest

from bakeoff.accounts import Account, Action, Role, may, speaks_for

ANN = Account(1, "ann", "", Role.MEMBER, ("acme",), "", True, 0.0, None)


@dataclass(frozen=True)
class Board:
    moderators: tuple[str, ...] = ()


MEMBERS = {Action.SUBMIT, Action.WITHDRAW, Action.REPLY, Action.DISCUSS, Action.FLAG, Action.VOTE}
MODERATORS = MEMBERS | {Action.HIDE, Action.RULE, Action.PUBLISH, Action.REJECT, Action.RETRY}
ADMINS = MODERATORS | {Action.SEE_ACCOUNTS}
MAY = {Role.MEMBER: MEMBERS, Role.MODERATOR: MODERATORS, Role.ADMIN: ADMINS}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("action", Action)
def test_what_each_role_may_do(role, action):
    who = replace(ANN, role=role)
    assert may(who, action, Board()) is (action in MAY[role])
    # Where a board names its moderators, the others are as members there, whatever their role.
    assert may(who, action, Board(("ann",))) is (action in MAY[role])
    assert may(who, action, Board(("bob",))) is (action in MAY[role] and not action.moderates)


@pytest.mark.parametrize("action", Action)
def test_nobody_and_who_is_disabled_may_do_nothing(action):
    for who in (None, replace(ANN, role=Role.ADMIN, disabled=1.0)):
        assert not may(who, action, Board())
        assert not may(who, action, Board(("ann",)))


def test_who_moderates_is_asked_of_a_board():
    for action in Action:
        if action.moderates:
            with pytest.raises(ValueError, match="depends on the board"):
                may(replace(ANN, role=Role.ADMIN), action)
        else:
            may(ANN, action)


def test_every_action_is_in_the_table():
    assert set(Action) == ADMINS


@pytest.mark.parametrize(
    ("organisation", "is_so"),
    [("acme", True), ("ann", True), ("Acme", False), ("bob", False), ("", False), ("acme ", False)],
)
def test_an_account_speaks_for_itself_and_for_what_it_was_granted(organisation, is_so):
    assert speaks_for(ANN, organisation) is is_so
