from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.battles.live_arena import LiveArena
from bakeoff.arena.sharing.held_back import is_given, is_held_back

LIVE = LiveArena("chat", "pepper", 7)
IDS = [f"battle-{number}" for number in range(4000)]


def test_shares_are_what_they_are_said_to_be_and_independent_of_each_other():
    """4,000 draws: five standard errors of a share of 0.2 are 0.032, of the product of two 0.016."""
    held = [is_held_back(LIVE, each, 0.2) for each in IDS]
    out = [is_given(LIVE, each, 0.2) for each in IDS]
    both = [one and other for one, other in zip(held, out, strict=True)]
    assert abs(sum(held) / len(IDS) - 0.2) < 0.032
    assert abs(sum(out) / len(IDS) - 0.2) < 0.032
    assert abs(sum(both) / len(IDS) - 0.04) < 0.016


@given(st.text(min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_holds_back_the_same_battles_and_more(battle, one, other):
    few, many = sorted((one, other))
    assert is_held_back(LIVE, battle, few) <= is_held_back(LIVE, battle, many)


def test_nothing_and_everything():
    assert not any(is_held_back(LIVE, each, 0.0) for each in IDS)
    assert all(is_held_back(LIVE, each, 1.0) for each in IDS)


def test_another_seed_or_arena_draws_others():
    def drawn(arena):
        return [is_held_back(arena, each, 0.5) for each in IDS[:100]]

    assert drawn(LIVE) != drawn(LiveArena("chat", "pepper", 8))
    assert drawn(LIVE) != drawn(LiveArena("other", "pepper", 7))
