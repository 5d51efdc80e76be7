"""Pictures that are the same bytes on every machine: integer arithmetic, letters and a PNG writer of our own.

Drawing libraries change their edges, fonts and compression from version to version, and with them the digest
of every item that shows a picture.
"""

from bakeoff.catalog.images.drawing.canvas import Canvas
from bakeoff.catalog.images.drawing.png import data_uri, png

__all__ = ["Canvas", "data_uri", "png"]
