import pytest

from bakeoff.arena.policy.adopting import subject
from bakeoff.arena.sharing.retention import KIND, erase_old
from bakeoff.database import reading, writing
from bakeoff.database.log import events

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

DAY_S = 86_400.0


def erased(live, days):
    with writing(live.engine) as connection:
        return erase_old(connection, "chat", days, actor="server")


def test_texts_go_after_so_many_days_and_votes_stay(live):
    old = live.ready(prompt="an old prompt")
    live.cast(old)
    live.later(31 * DAY_S)
    new = live.ready(prompt="a new prompt")
    live.cast(new, "b")
    before = live.pair_counts()
    assert erased(live, 30).battles == 1
    texts = {each.id: each.prompt_text for each in live.battles()}
    assert texts == {old: None, new: "a new prompt"}
    after = live.pair_counts()
    assert after.models == before.models
    assert (after.counts == before.counts).all()


def test_what_was_erased_is_logged_once(live):
    live.cast(live.ready())
    live.later(31 * DAY_S)
    assert erased(live, None) is None
    assert erased(live, 365).battles == 0
    assert erased(live, 30).battles == 1
    assert erased(live, 30).battles == 0
    with reading(live.engine) as connection:
        told = [each.facts for each in events(connection, subject("chat")) if each.kind == KIND]
    assert [(each["battles"], each["retention_days"]) for each in told] == [(1, 30)]
