"""Answers from pixels alone: an observer of our pictures that knows nothing of how they were made.

It gets a file, a question and the choices, as a model does. The file is read by Pillow; shapes are found by
colour as connected components, bars and slices measured in pixels, labels read letter by letter.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from PIL import Image
from scipy.ndimage import find_objects, label

from bakeoff.catalog.images.drawing.glyphs import GLYPHS

# As people see them, not as the generators mix them.
SEEN = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "grey": (200, 200, 200),
    "red": (210, 40, 40),
    "blue": (30, 100, 200),
    "green": (40, 150, 40),
    "orange": (255, 150, 10),
    "purple": (130, 0, 130),
}


def answer(picture: bytes, question: str, choices: Sequence[str]) -> int:
    """The index of the choice that the picture shows to be right."""
    colours = _colours(picture)
    said = _of_shapes(colours, question) if colours.shape == (320, 320) else _of_chart(colours, question)
    return list(choices).index(said)


def _colours(picture: bytes) -> np.ndarray:
    """[height, width] names of the colours nearest to each pixel."""
    pixels = np.array(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)
    coded, places = np.unique(pixels @ [1 << 16, 1 << 8, 1], return_inverse=True)
    mixed = np.stack([coded >> 16, coded >> 8 & 255, coded & 255], axis=-1)
    distance = ((mixed[:, None] - np.array(list(SEEN.values()))) ** 2).sum(axis=-1)
    names = np.array(list(SEEN))[distance.argmin(axis=-1)]
    return names[places.reshape(pixels.shape[:2])]


@dataclass(frozen=True)
class Blob:
    colour: str
    form: str
    x: float
    y: float


def _blobs(colours: np.ndarray, colour: str) -> list[Blob]:
    parts, _ = label(colours == colour, np.ones((3, 3)))
    return [
        Blob(
            colour,
            _form(parts[box] == number),
            (box[1].start + box[1].stop) / 2,
            (box[0].start + box[0].stop) / 2,
        )
        for number, box in enumerate(find_objects(parts), 1)
    ]


def _form(mask: np.ndarray) -> str:
    """By how much of its box it fills, and of the box's last line."""
    if mask.all():
        return "square"
    if mask.mean() > 0.7:
        return "circle"
    return "triangle" if mask[-1].mean() > 0.9 else "cross"


def _of_shapes(colours: np.ndarray, question: str) -> str:
    blobs = [blob for colour in SEEN if colour != "white" for blob in _blobs(colours, colour)]
    named = {f"{blob.colour} {blob.form}": blob for blob in blobs}
    if match := re.match(r"How many (\w+) shapes", question):
        return str(sum(blob.colour == match[1] for blob in blobs))
    if match := re.match(r"What colour is the (\w+)\?", question):
        (blob,) = [blob for blob in blobs if blob.form == match[1]]
        return blob.colour
    if match := re.search(r"nearest to the (\w+) edge", question):
        key = {
            "left": lambda blob: blob.x,
            "right": lambda blob: -blob.x,
            "top": lambda blob: blob.y,
            "bottom": lambda blob: -blob.y,
        }[match[1]]
        return min(named, key=lambda name: key(named[name]))
    match = re.match(r"From the (\w+ \w+), where is the (\w+ \w+):", question)
    here, there = named[match[1]], named[match[2]]
    return f"{'above' if there.y < here.y else 'below'} {'left' if there.x < here.x else 'right'}"


def _of_chart(colours: np.ndarray, question: str) -> str:
    pie = not (colours == "grey").any()
    values = _shares(colours) if pie else _heights(colours)
    if match := re.match(r"What is the value of (\w+)\?", question):
        return str(values[match[1]])
    if match := re.match(r"About what share of the whole is (\w+),", question):
        return f"{values[match[1]]}%"
    if match := re.match(r"How much larger is the value of (\w+) than the value of (\w+)\?", question):
        return str(values[match[1]] - values[match[2]])
    if match := re.match(r"Which one is the (\w+)\?", question):
        return {"largest": max, "smallest": min}[match[1]](values, key=values.__getitem__)
    assert question.startswith("What does the line do")
    return _course(list(values.values()))


def _course(values: list[int]) -> str:
    steps = np.sign(np.diff(values)).tolist()
    said = ["rise" if step > 0 else "fall" for step, _ in groupby(steps)]
    return " and then ".join(said) if len(said) > 1 else f"only {said[0]}"


def _shares(colours: np.ndarray) -> dict[str, int]:
    """Percent of the disc by label, rounded to steps of five."""
    disc, legend = colours[:, :290], colours[:, 290:]
    area = {name: int((disc == name).sum()) for name in ("blue", "orange", "green", "red")}
    found = {}
    for name in area:
        rows = np.flatnonzero((legend == name).any(axis=1))
        text = _read(legend[rows[0] : rows[-1] + 1] == "black")
        found["".join(character for _, character in text)] = round(20 * area[name] / sum(area.values())) * 5
    return found


def _heights(colours: np.ndarray) -> dict[str, int]:
    """Values by label from left to right, measured against the numbers of the axis."""
    ink = colours == "black"
    axis = int(np.flatnonzero(ink.mean(axis=1) > 0.5)[-1])
    lines = [int(y) for y in np.flatnonzero((colours == "grey").sum(axis=1) > 100)]
    left = int(np.flatnonzero(ink.mean(axis=0) > 0.5)[0])
    ticks = {y: int("".join(c for _, c in _read(ink[y - 7 : y + 7, :left]))) for y in (lines[0], axis)}
    per_pixel = (ticks[lines[0]] - ticks[axis]) / (axis - lines[0])
    line_chart = (colours == "red").any()
    parts, _ = label(colours == ("red" if line_chart else "blue"), np.ones((3, 3)))
    marks = [
        (
            (box[1].start + box[1].stop - 1) / 2,
            (box[0].start + box[0].stop - 1) / 2 if line_chart else box[0].start,
        )
        for box in find_objects(parts)
    ]
    # The number at the axis hangs below it, on the left.
    letters = [(left + x, character) for x, character in _read(ink[axis + 1 :, left:])]
    words = [letters[i : i + 3] for i in range(0, len(letters), 3)]
    labels = {word[1][0] + 4.5: "".join(character for _, character in word) for word in words}
    return {
        labels[min(labels, key=lambda at: abs(at - x))]: round((axis - y) * per_pixel)
        for x, y in sorted(marks)
    }


def _read(ink: np.ndarray) -> list[tuple[int, str]]:
    """The characters of one line of text, with where each begins."""
    rows = np.flatnonzero(ink.any(axis=1))
    band = ink[rows[0] : rows[0] + 14]
    drawn = {name: np.kron(np.array(grid), np.ones((2, 2))) > 0 for name, grid in GLYPHS.items()}
    return [
        (x, name)
        for x in range(band.shape[1] - 9)
        for name, glyph in drawn.items()
        if np.array_equal(band[:, x : x + 10], glyph)
    ]
