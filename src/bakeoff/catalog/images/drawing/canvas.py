"""Plain shapes on a grid of pixels, in integers alone, so that no rounding moves an edge."""

from math import cos, pi, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.catalog.images.drawing.glyphs import GLYPHS, HEIGHT, WIDTH

# A direction in whole numbers: fine enough for pictures of a few hundred pixels.
_UNIT = 4096


class Canvas:
    """Pixels [height, width], each the index of a colour; 0 is the background. x runs right, y down."""

    def __init__(self, width: int, height: int) -> None:
        self.pixels: npt.NDArray[np.uint8] = np.zeros((height, width), np.uint8)
        self._y, self._x = np.ogrid[:height, :width]

    def rectangle(self, left: int, top: int, right: int, bottom: int, colour: int) -> None:
        """All pixels from (left, top) to (right, bottom), both included."""
        self.pixels[top : bottom + 1, left : right + 1] = colour

    def square(self, x: int, y: int, radius: int, colour: int) -> None:
        """A square of side 2·radius + 1 around (x, y)."""
        self.rectangle(x - radius, y - radius, x + radius, y + radius, colour)

    def circle(self, x: int, y: int, radius: int, colour: int) -> None:
        """A filled circle around (x, y)."""
        self._fill(self._inside(x, y, radius), colour)

    def triangle(self, x: int, y: int, radius: int, colour: int) -> None:
        """An upright triangle as wide and as high as the square around (x, y)."""
        down = self._y - (y - radius)
        self._fill((down >= 0) & (down <= 2 * radius) & (2 * abs(self._x - x) <= down), colour)

    def cross(self, x: int, y: int, radius: int, colour: int) -> None:
        """An upright cross, its arms a third as wide as the square around (x, y)."""
        arm = radius // 3
        self.rectangle(x - arm, y - radius, x + arm, y + radius, colour)
        self.rectangle(x - radius, y - arm, x + radius, y + arm, colour)

    def line(self, start: tuple[int, int], end: tuple[int, int], radius: int, colour: int) -> None:
        """A straight stroke, 2·radius + 1 pixels wide, with square ends."""
        (x0, y0), (x1, y1) = start, end
        dx, dy = x1 - x0, y1 - y0
        squared = dx * dx + dy * dy
        along = (self._x - x0) * dx + (self._y - y0) * dy
        across = (self._x - x0) * dy - (self._y - y0) * dx
        self._fill((along >= 0) & (along <= squared) & (across**2 <= radius**2 * squared), colour)

    def wedge(self, x: int, y: int, radius: int, start: int, end: int, colour: int) -> None:
        """The slice of a pie from `start` to `end` percent of the way round, clockwise from the top."""
        after, before = self._clockwise_of(x, y, start), ~self._clockwise_of(x, y, end)
        turned = after & before if 2 * (end - start) <= 100 else after | before
        self._fill(self._inside(x, y, radius) & turned, colour)

    def text(self, left: int, top: int, text: str, colour: int, scale: int = 2) -> None:
        """Capital letters and digits, each 5·scale by 7·scale pixels and 6·scale after the one before."""
        for place, character in enumerate(text):
            glyph = np.kron(np.array(GLYPHS[character], np.uint8), np.ones((scale, scale), np.uint8))
            x = left + place * (WIDTH + 1) * scale
            window = self.pixels[top : top + HEIGHT * scale, x : x + WIDTH * scale]
            window[glyph == 1] = colour

    def _inside(self, x: int, y: int, radius: int) -> Any:
        return (self._x - x) ** 2 + (self._y - y) ** 2 <= radius**2

    def _clockwise_of(self, x: int, y: int, percent: int) -> Any:
        """The half plane in the 180 degrees clockwise of a ray from (x, y)."""
        angle = 2 * pi * percent / 100
        right, down = round(_UNIT * sin(angle)), round(-_UNIT * cos(angle))
        return right * (self._y - y) - down * (self._x - x) >= 0

    def _fill(self, mask: Any, colour: int) -> None:
        self.pixels[mask] = colour
