"""A JPEG without metadata.

Source: ITU-T T.81, annex B (markers), T.871 (JFIF), T.872 (Adobe's segment), ICC.1 annex B.4 (profiles).
"""

import re
import struct
from collections.abc import Iterator

from bakeoff.arena.moderation.bare_image.orientation import UPRIGHT, orientation_alone, orientation_of
from bakeoff.arena.moderation.bare_image.piece import broken, piece

_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""The next marker, also in a scan: there, zeros and restarts follow 0xFF."""
_TEM, _SOI, _EOI, _SOS = 0x01, 0xD8, 0xD9, 0xDA
_APP0, _APP1, _APP2, _APP14 = 0xE0, 0xE1, 0xE2, 0xEE
_PICTURE = frozenset((*range(0xC0, 0xD0), *range(0xDA, 0xE0)))
"""Frames, tables and scans."""
_EXIF = b"Exif\0\0"
_MOST = 2000
"""Segments. A picture in many steps has some dozens; each costs who reads it time."""


def bare_jpeg(content: bytes) -> bytes:
    """Frames, tables, scans, density and colours, and which way up it is. What follows the picture is left
    out too: cameras put films and other pictures there.

    Raises:
        BakeoffError: it is cut off, holds no picture, or has more than 2,000 segments.
    """
    found = list(_segments(content))
    if not any(marker == _SOS for marker, _, _ in found):
        raise broken("there is no picture in it")
    exif = (body[6:] for marker, body, _ in found if marker == _APP1 and body.startswith(_EXIF))
    first = [_segment(_APP0, _jfif(body)) for marker, body, _ in found if marker == _APP0 and _jfif(body)]
    if (turned := orientation_of(next(exif, b""))) != UPRIGHT:
        first.append(_segment(_APP1, _EXIF + orientation_alone(turned)))
    rest = (
        _segment(marker, kept) + scan
        for marker, body, scan in found
        if (kept := _kept(marker, body)) is not None
    )
    return b"".join((b"\xff\xd8", *first, *rest, b"\xff\xd9"))


def _segments(content: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Marker, body, and the scan that follows it."""
    place = 2
    for _ in range(_MOST):
        at = _next(content, place)
        marker, place = content[at + 1], at + 2
        if marker == _EOI:
            return
        if marker == _SOI:
            raise broken("a second picture begins in it")
        if marker == _TEM:  # it has no length
            continue
        length = int.from_bytes(piece(content, place, 2))
        body = piece(content, place, max(length, 2))[2:]
        place += max(length, 2)
        yield marker, body, content[place : _next(content, place)] if marker == _SOS else b""
    raise broken(f"it has more than {_MOST:,} segments")


def _next(content: bytes, place: int) -> int:
    if (found := _MARKER.search(content, place)) is None:
        raise broken("it is cut off")
    return found.start()


def _kept(marker: int, body: bytes) -> bytes | None:
    """What stays of a segment; None where it is no part of the picture."""
    if marker in _PICTURE or (marker == _APP2 and body.startswith(b"ICC_PROFILE\0")):
        return body
    return body[:12] if marker == _APP14 and body.startswith(b"Adobe") else None


def _jfif(body: bytes) -> bytes:
    """Version and density, without the small picture: it may show what was cropped."""
    return body[:12] + bytes(2) if body.startswith(b"JFIF\0") and len(body) >= 14 else b""


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body
