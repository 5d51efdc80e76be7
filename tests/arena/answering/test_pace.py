"""Both columns grow as one, and what they show does not say which side is slow."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.answering.pace import BUFFER_S, RISE_S, STEADY, Pace, begin, step

TICK = 0.05
LENGTHS = st.integers(1, 3000)


@st.composite
def arrivals(draw):
    """How many characters of one answer have come after each tick, up to all of them."""
    bursts = draw(st.lists(st.integers(0, 60), max_size=60))
    total, come = draw(LENGTHS), [1]
    for burst in bursts:
        come.append(min(total, come[-1] + burst))
    return [*come, total]


def steadily(speed: float, length: int, ahead: float = 0.0):
    """An answer that comes at `speed` characters a second, begun `ahead` seconds before it is shown."""

    def after(tick: int) -> int:
        return min(length, max(1, int(speed * (ahead + tick * TICK))))

    return after


def shown(left, right, lengths, ticks: int) -> list[tuple[int, int]]:
    """What both columns show at each tick; `left` and `right` say what has come by then."""
    pace, seen = begin(0.0), []
    for tick in range(ticks):
        come = (left(tick), right(tick))
        ended = (come[0] == lengths[0], come[1] == lengths[1])
        pace = step(pace, come, ended, tick * TICK)
        seen.append(pace.columns(come))
    return seen


def listed(come):
    return lambda tick: come[min(tick, len(come) - 1)]


@given(arrivals(), arrivals())
def test_columns_only_grow_never_ahead_of_what_has_come_and_both_end(left, right):
    lengths = (left[-1], right[-1])
    ticks = 70 + int((max(lengths) / STEADY + RISE_S) / TICK) + 2
    seen = shown(listed(left), listed(right), lengths, ticks)
    for tick, (now, then) in enumerate(pairwise(seen), start=1):
        assert now[0] <= then[0] <= listed(left)(tick)
        assert now[1] <= then[1] <= listed(right)(tick)
        assert max(then) - max(now) <= STEADY * TICK + 1
    assert seen[-1] == lengths


@given(arrivals(), arrivals())
def test_columns_are_equal_until_one_answer_is_whole(left, right):
    lengths = (left[-1], right[-1])
    for one, other in shown(listed(left), listed(right), lengths, 200):
        assert one == other or min(one, other) in (lengths[0], lengths[1])


@given(arrivals(), arrivals())
def test_left_and_right_are_treated_alike(left, right):
    lengths = (left[-1], right[-1])
    seen = shown(listed(left), listed(right), lengths, 100)
    mirrored = shown(listed(right), listed(left), lengths[::-1], 100)
    assert seen == [pair[::-1] for pair in mirrored]


@given(LENGTHS, LENGTHS, st.floats(20, 2000), st.floats(20, 2000))
def test_the_same_is_shown_when_the_sides_swap_their_speeds_while_both_write(one, other, speed, another):
    lengths = (one, other)
    slow = min(speed, another)
    ticks = int(min(lengths) / slow / TICK)  # until the shorter answer would be whole at the slower speed
    first = shown(steadily(speed, one), steadily(another, other), lengths, ticks)
    swapped = shown(steadily(another, one), steadily(speed, other), lengths, ticks)
    assert first == swapped


@given(LENGTHS, LENGTHS, st.floats(2, 50), st.floats(2, 50))
def test_the_same_is_shown_to_the_end_when_both_are_faster_than_the_steady_rate(one, other, speed, another):
    lengths = (one, other)
    ahead = BUFFER_S  # what is in the buffer at twice the steady rate lasts for any pause
    fast, faster = speed * STEADY, another * STEADY
    first = shown(steadily(fast, one, ahead), steadily(faster, other, ahead), lengths, 400)
    swapped = shown(steadily(faster, one, ahead), steadily(fast, other, ahead), lengths, 400)
    assert first == swapped
    assert first[-1] == lengths


def test_bursts_are_evened_out():
    """An answer of 200 characters once a second looks like one that flows."""
    bursts = [200 * (1 + tick // 20) for tick in range(200)]
    flowing = shown(listed(bursts), listed([4000]), (4000, 4000), 200)
    steps = [then[0] - now[0] for now, then in pairwise(flowing[40:])]
    assert max(steps) <= STEADY * TICK + 1
    assert sum(step_ == 0 for step_ in steps) < len(steps) / 4


def test_a_clock_that_stands_still_or_goes_back_shows_nothing_more():
    pace = Pace(10.0, 100.0, 5.0)
    for now in (5.0, 4.0):
        assert step(pace, (50, 50), (False, False), now).shown == 10.0
