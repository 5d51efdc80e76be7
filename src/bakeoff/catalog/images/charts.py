"""Bar, line and pie charts with three questions on each, made by rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Any

from bakeoff.catalog.images.drawing import Canvas, data_uri, png
from bakeoff.seed import item_random

_CHOICES = 4
_QUESTIONS = 3


def questions(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `group` (the picture, shared by three rows), `chart`, `kind`, `question`, `answer_with`
    (the form of a free answer), `choices` (four), `answer` (index of the right one), `values` by label and
    `messages` (the picture as a PNG of 400 × 300 pixels in a data URI, then the question).

    Charts take turns: bar, line, pie. Of four charts of a type (from a multiple of four on) each kind has its
    answer once in every position. Wrong choices come from the same chart, so that nothing but the picture
    tells them from the right one. Row i depends on (seed, i) alone.
    """
    for i in range(n):
        number, turn = divmod(i, _QUESTIONS)
        chart = _CHARTS[number % len(_CHARTS)]
        random = item_random(seed, "charts", str(number), "chart")
        # The trend is an answer too: it takes turns before the values are drawn.
        values = chart.draw_values(random, _position(seed, number, "trend"))
        if turn == 0:
            picture = data_uri(chart.picture(values))
        kind, ask = chart.kinds[turn]
        question = item_random(seed, "charts", str(i), "question")
        asked = ask(question, values, _position(seed, number, kind))
        content = [{"type": "image", "image": picture}, {"type": "text", "text": asked.text}]
        yield {
            "id": f"charts-{i}",
            "group": f"chart-{number}",
            "chart": chart.name,
            "kind": kind,
            "values": values,
            "question": asked.text,
            "answer_with": asked.answer_with,
            "choices": list(asked.choices),
            "answer": asked.answer,
            "messages": [{"role": "user", "content": content}],
        }


_Values = dict[str, int]


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    answer_with: str
    choices: tuple[str, ...]
    answer: int


_Ask = Callable[[Random, _Values, int], _Asked]


@dataclass(frozen=True, slots=True)
class _Chart:
    name: str
    draw_values: Callable[[Random, int], _Values]
    picture: Callable[[_Values], bytes]
    kinds: tuple[tuple[str, _Ask], ...]


def _position(seed: int, number: int, kind: str) -> int:
    """Where the answer stands: for each block of charts of a type, the positions shuffled."""
    chart, turn = number % len(_CHARTS), number // len(_CHARTS)
    positions = list(range(_CHOICES))
    item_random(seed, "charts", f"{chart} block {turn // _CHOICES}", kind).shuffle(positions)
    return positions[turn % _CHOICES]


def _bar_values(random: Random, _: int) -> _Values:
    return dict(zip(random.sample(_NAMES, 5), random.sample(_STEPS, 5), strict=True))


def _line_values(random: Random, trend: int) -> _Values:
    """Six different values that rise, fall, or turn once, after the third or the fourth."""
    low = sorted(random.sample(_STEPS, len(_DAYS)))
    turned = _turned(random, low)
    values = (low, low[::-1], turned, [max(_STEPS) + min(_STEPS) - value for value in turned])[trend]
    return dict(zip(_DAYS, values, strict=True))


def _turned(random: Random, low: Sequence[int]) -> list[int]:
    """The values in an order that rises to the largest, third or fourth, and then falls."""
    before = sorted(random.sample(low[:-1], random.choice((2, 3))))
    return [*before, low[-1], *sorted(set(low[:-1]) - set(before), reverse=True)]


def _pie_values(random: Random, _: int) -> _Values:
    shares = list(random.choice(_SHARES))
    random.shuffle(shares)
    return dict(zip(random.sample(_NAMES, _CHOICES), shares, strict=True))


def _value(random: Random, values: _Values, position: int) -> _Asked:
    names = random.sample(sorted(values), _CHOICES)
    choices = tuple(str(values[name]) for name in names)
    return _Asked(f"What is the value of {names[position]}?", "a number", choices, position)


def _share(random: Random, values: _Values, position: int) -> _Asked:
    names = random.sample(sorted(values), _CHOICES)
    choices = tuple(f"{values[name]}%" for name in names)
    text = f"About what share of the whole is {names[position]}, in steps of 5%?"
    return _Asked(text, "a percentage", choices, position)


def _difference(random: Random, values: _Values, position: int) -> _Asked:
    pairs = [(a, b) for a, b in permutations(sorted(values), 2) if values[a] > values[b]]
    random.shuffle(pairs)
    # One pair for each difference; there are at least four, because the values are not all the same.
    by_difference = {values[a] - values[b]: (a, b) for a, b in pairs}
    chosen = random.sample(sorted(by_difference), _CHOICES)
    more, less = by_difference[chosen[position]]
    text = f"How much larger is the value of {more} than the value of {less}?"
    return _Asked(text, "a number", tuple(map(str, chosen)), position)


def _largest(random: Random, values: _Values, position: int) -> _Asked:
    return _most(random, values, position, "largest", max)


def _smallest(random: Random, values: _Values, position: int) -> _Asked:
    return _most(random, values, position, "smallest", min)


def _most(random: Random, values: _Values, position: int, word: str, most: Callable[..., str]) -> _Asked:
    right = most(values, key=lambda name: values[name])
    others = random.sample([name for name in sorted(values) if name != right], _CHOICES - 1)
    choices = (*others[:position], right, *others[position:])
    return _Asked(f"Which one is the {word}?", "a name from the picture", choices, position)


def _trend(_: Random, __: _Values, position: int) -> _Asked:
    """The values were drawn so that the trend is the one at `position`."""
    listed = f"{', '.join(_TRENDS[:-1])}, or {_TRENDS[-1]}"
    text = f"What does the line do from {_DAYS[0]} to {_DAYS[-1]}: {listed}?"
    return _Asked(text, "one of these four", _TRENDS, position)


def _bar_picture(values: _Values) -> bytes:
    canvas = _axes()
    for place, (name, value) in enumerate(values.items()):
        left = _LEFT + 24 + 64 * place
        canvas.rectangle(left, _height(value), left + 33, _BOTTOM - 1, _INK["blue"])
        canvas.text(left, _BOTTOM + 10, name, _INK["black"])
    return png(canvas.pixels, _PALETTE)


def _line_picture(values: _Values) -> bytes:
    canvas = _axes()
    points = [(_LEFT + 40 + 52 * place, _height(value)) for place, value in enumerate(values.values())]
    for start, end in pairwise(points):
        canvas.line(start, end, 1, _INK["blue"])
    for name, (x, y) in zip(values, points, strict=True):
        canvas.circle(x, y, 4, _INK["red"])
        canvas.text(x - 17, _BOTTOM + 10, name, _INK["black"])
    return png(canvas.pixels, _PALETTE)


def _axes() -> Canvas:
    """An axis from 0 to 50 with a line and a number at every ten."""
    canvas = Canvas(_WIDTH, _HEIGHT)
    for tick in range(0, _TOP_VALUE + 1, 10):
        y = _height(tick)
        canvas.rectangle(_LEFT, y, _RIGHT, y, _INK["black" if tick == 0 else "grey"])
        text = str(tick)
        canvas.text(_LEFT - 6 - 12 * len(text), y - 7, text, _INK["black"])
    canvas.rectangle(_LEFT, _height(_TOP_VALUE), _LEFT, _BOTTOM, _INK["black"])
    return canvas


def _height(value: int) -> int:
    return _BOTTOM - _PIXELS_PER_UNIT * value


def _pie_picture(values: _Values) -> bytes:
    canvas = Canvas(_WIDTH, _HEIGHT)
    start = 0
    for place, (name, share) in enumerate(values.items()):
        colour, y = _INK[_SLICES[place]], 90 + 36 * place
        canvas.wedge(140, 150, 120, start, start + share, colour)
        canvas.rectangle(300, y, 315, y + 15, colour)
        canvas.text(324, y + 1, name, _INK["black"])
        start += share
    return png(canvas.pixels, _PALETTE)


_NAMES = ("ANT", "BEE", "CAT", "DOG", "EEL", "FOX", "HEN", "OWL", "PIG", "RAT")
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT")
_TRENDS = ("only rise", "only fall", "rise and then fall", "fall and then rise")
_STEPS = tuple(range(5, 51, 5))
_SHARES = tuple(
    shares
    for shares in combinations(range(5, 61, 5), _CHOICES)
    if sum(shares) == 100 and all(b - a >= 10 for a, b in pairwise(shares))
)
"""Four shares that make 100 percent and lie at least 10 apart, so that eyes can tell them."""

_WIDTH, _HEIGHT = 400, 300
_LEFT, _RIGHT, _BOTTOM = 50, 385, 250
_TOP_VALUE, _PIXELS_PER_UNIT = 50, 4
_COLOURS = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "grey": (200, 200, 200),
    "blue": (31, 119, 180),
    "red": (214, 39, 40),
    "green": (44, 160, 44),
    "orange": (255, 160, 20),
}
_PALETTE = tuple(_COLOURS.values())
_INK = {name: index for index, name in enumerate(_COLOURS)}
_SLICES = ("blue", "orange", "green", "red")

_CHARTS = (
    _Chart(
        "bar",
        _bar_values,
        _bar_picture,
        (("value", _value), ("largest", _largest), ("difference", _difference)),
    ),
    _Chart(
        "line",
        _line_values,
        _line_picture,
        (("value", _value), ("trend", _trend), ("difference", _difference)),
    ),
    _Chart(
        "pie",
        _pie_values,
        _pie_picture,
        (("share", _share), ("largest", _largest), ("smallest", _smallest)),
    ),
)
