"""Pictures of six coloured shapes and four questions on each, made by rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bakeoff.catalog.images.drawing import Canvas, data_uri, png
from bakeoff.seed import item_random

_CHOICES = 4


def questions(seed: int, n: int) -> Iterable[Mapping[str, Any]]:
    """Rows with `id`, `group` (the picture, shared by four rows), `kind`, `question`, `answer_with` (the form
    of a free answer), `choices` (four), `answer` (index of the right one), `shapes` (what is drawn, and
    where) and `messages` (the picture as a PNG of 320 × 320 pixels in a data URI, then the question).

    Of four pictures (from a multiple of four on) each kind has its answer once in every position. Row i
    depends on (seed, i) alone.
    """
    for i in range(n):
        number, turn = divmod(i, len(_KINDS))
        if turn == 0:
            random = item_random(seed, "shapes", str(number), "scene")
            scene = _scene(random, count=1 + _position(seed, number, "count"))
            picture = data_uri(_drawn(scene))
        kind, ask = _KINDS[turn]
        question = item_random(seed, "shapes", str(i), "question")
        asked = ask(question, scene, _position(seed, number, kind))
        content = [{"type": "image", "image": picture}, {"type": "text", "text": asked.text}]
        yield {
            "id": f"shapes-{i}",
            "group": f"picture-{number}",
            "kind": kind,
            "shapes": [shape.described for shape in scene.shapes],
            "question": asked.text,
            "answer_with": asked.answer_with,
            "choices": list(asked.choices),
            "answer": asked.answer,
            "messages": [{"role": "user", "content": content}],
        }


@dataclass(frozen=True, slots=True)
class _Shape:
    colour: str
    form: str
    x: int
    y: int
    radius: int

    @property
    def name(self) -> str:
        return f"{self.colour} {self.form}"

    @property
    def described(self) -> dict[str, Any]:
        return {"name": self.name, "x": self.x, "y": self.y, "radius": self.radius}


@dataclass(frozen=True, slots=True)
class _Scene:
    """`counted` is a colour that occurs as often as was asked for, `single` a form that occurs once.

    The first four shapes are alone in their row and in their column, the other two stand further inside.
    """

    shapes: tuple[_Shape, ...]
    counted: str
    single: str


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    answer_with: str
    choices: tuple[str, ...]
    answer: int


def _position(seed: int, number: int, kind: str) -> int:
    """Where that kind's answer stands: for each block of pictures, the positions shuffled."""
    positions = list(range(_CHOICES))
    item_random(seed, "shapes", f"block {number // _CHOICES}", kind).shuffle(positions)
    return positions[number % _CHOICES]


def _scene(random: Random, count: int) -> _Scene:
    """Six different shapes, `count` of them of one colour, in cells of their own so that none overlap."""
    counted, single = random.choice(_COLOURS), random.choice(_FORMS)
    colours = [colour for colour in _COLOURS if colour != counted]
    forms = [form for form in _FORMS if form != single]
    names: list[tuple[str, str]] = []
    while len(set(names)) < _SHAPES:
        painted = [counted] * count + random.choices(colours, k=_SHAPES - count)
        random.shuffle(painted)
        cut = [single, *random.choices(forms, k=_SHAPES - 1)]
        random.shuffle(cut)
        names = list(zip(painted, cut, strict=True))
    cells = _cells(random)
    shapes = tuple(_placed(random, *name, *cell) for name, cell in zip(names, cells, strict=True))
    return _Scene(shapes, counted, single)


def _cells(random: Random) -> list[tuple[int, int]]:
    """(column, row) of each shape: four like rooks that do not attack each other, two in the inner cells.

    The rooks do not all stand on one diagonal, so that some pair lies in each of the four directions.
    """
    rows = list(range(_GRID))
    while rows in (sorted(rows), sorted(rows, reverse=True)):
        random.shuffle(rows)
    rooks = list(enumerate(rows))
    random.shuffle(rooks)
    inner = [(column, row) for column in (1, 2) for row in (1, 2) if (column, row) not in rooks]
    return [*rooks, *random.sample(inner, _SHAPES - _GRID)]


def _placed(random: Random, colour: str, form: str, column: int, row: int) -> _Shape:
    radius = random.randint(_LEAST_RADIUS, _MOST_RADIUS)
    near, far = _MARGIN + radius, _CELL - 1 - _MARGIN - radius
    x, y = column * _CELL + random.randint(near, far), row * _CELL + random.randint(near, far)
    return _Shape(colour, form, x, y, radius)


def _drawn(scene: _Scene) -> bytes:
    canvas = Canvas(_GRID * _CELL, _GRID * _CELL)
    for shape in scene.shapes:
        draw: Callable[[int, int, int, int], None] = getattr(canvas, shape.form)
        draw(shape.x, shape.y, shape.radius, 1 + _COLOURS.index(shape.colour))
    return png(canvas.pixels, ((255, 255, 255), *_PALETTE.values()))


def _count(_: Random, scene: _Scene, position: int) -> _Asked:
    """The scene was drawn so that the number is the one at `position`."""
    numbers = tuple(str(number) for number in range(1, _CHOICES + 1))
    return _Asked(f"How many {scene.counted} shapes are there?", "a number", numbers, position)


def _colour(random: Random, scene: _Scene, position: int) -> _Asked:
    right = next(shape.colour for shape in scene.shapes if shape.form == scene.single)
    others = random.sample([colour for colour in _COLOURS if colour != right], _CHOICES - 1)
    choices = _inserted(others, position, right)
    return _Asked(f"What colour is the {scene.single}?", "a colour", choices, position)


def _nearest(random: Random, scene: _Scene, position: int) -> _Asked:
    side, distance = random.choice(tuple(_SIDES.items()))
    outer = sorted(scene.shapes[:_GRID], key=distance, reverse=True)
    others = [shape.name for shape in outer[1:]]
    random.shuffle(others)
    choices = _inserted(others, position, outer[0].name)
    text = f"Which shape is nearest to the {side} edge of the picture?"
    return _Asked(text, "a colour and a shape, such as: grey star", choices, position)


def _direction(random: Random, scene: _Scene, position: int) -> _Asked:
    pairs = [
        (one, other)
        for one in scene.shapes[:_GRID]
        for other in scene.shapes[:_GRID]
        if one != other and (other.y < one.y, other.x < one.x) == _DIRECTIONS[_WORDS[position]]
    ]
    here, there = random.choice(pairs)
    text = f"From the {here.name}, where is the {there.name}: {', '.join(_WORDS[:-1])} or {_WORDS[-1]}?"
    return _Asked(text, "two words", _WORDS, position)


def _inserted(others: Sequence[str], position: int, right: str) -> tuple[str, ...]:
    return (*others[:position], right, *others[position:])


_KINDS: tuple[tuple[str, Callable[[Random, _Scene, int], _Asked]], ...] = (
    ("count", _count),
    ("colour", _colour),
    ("nearest", _nearest),
    ("direction", _direction),
)
_SHAPES, _GRID, _CELL, _MARGIN = 6, 4, 80, 4
_LEAST_RADIUS, _MOST_RADIUS = 15, 30
_FORMS = ("circle", "square", "triangle", "cross")
_PALETTE = {
    "red": (214, 39, 40),
    "blue": (31, 90, 210),
    "green": (34, 139, 34),
    "orange": (255, 140, 0),
    "purple": (128, 0, 128),
    "black": (0, 0, 0),
}
_COLOURS = tuple(_PALETTE)
_SIDES: Mapping[str, Callable[[_Shape], int]] = {
    "left": lambda shape: -shape.x,
    "right": lambda shape: shape.x,
    "top": lambda shape: -shape.y,
    "bottom": lambda shape: shape.y,
}
_DIRECTIONS = {
    "above left": (True, True),
    "above right": (True, False),
    "below left": (False, True),
    "below right": (False, False),
}
"""Whether the other shape is above, and whether it is to the left."""
_WORDS = tuple(_DIRECTIONS)
