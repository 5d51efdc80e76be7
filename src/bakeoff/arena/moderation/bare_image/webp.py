"""A WebP without metadata. Source: RFC 9649, 2."""

import struct
from collections.abc import Iterator

from bakeoff.arena.moderation.bare_image.orientation import UPRIGHT, orientation_alone, orientation_of
from bakeoff.arena.moderation.bare_image.piece import broken, piece

_FRAME = frozenset((b"VP8 ", b"VP8L", b"ALPH"))
_KEPT = _FRAME | {b"VP8X", b"ANIM", b"ANMF", b"ICCP"}
_COLOURS_ALPHA_ANIMATION, _EXIF = 0x32, 0x08
"""Flags of the chunk VP8X; the one left out says that there is XMP."""


def bare_webp(content: bytes) -> bytes:
    """The picture, its frames and its colours, and which way up it is.

    Raises:
        BakeoffError: it is cut off, or holds no picture.
    """
    size = int.from_bytes(content[4:8], "little")
    found = list(_chunks(piece(content, 12, max(size - 4, 0))))
    names = {name for name, _ in found}
    if not names & {b"VP8 ", b"VP8L", b"ANMF"}:
        raise broken("there is no picture in it")
    exif = next((body for name, body in found if name == b"EXIF"), b"")
    turned = orientation_of(exif.removeprefix(b"Exif\0\0")) if b"VP8X" in names else UPRIGHT
    kept = [(name, _bare(name, body, turned)) for name, body in found if name in _KEPT]
    if turned != UPRIGHT:
        kept.append((b"EXIF", orientation_alone(turned)))
    whole = b"WEBP" + _joined(kept)
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def _bare(name: bytes, body: bytes, turned: int) -> bytes:
    if name == b"VP8X":
        flags = piece(body, 0, 10)[0] & _COLOURS_ALPHA_ANIMATION | (_EXIF if turned != UPRIGHT else 0)
        return bytes((flags, 0, 0, 0)) + body[4:10]
    if name == b"ANMF":
        frame = [each for each in _chunks(body[16:]) if each[0] in _FRAME]
        return piece(body, 0, 16) + _joined(frame)
    return body


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place < len(content):
        name, size = struct.unpack("<4sI", piece(content, place, 8))
        yield name, piece(content, place + 8, size)
        place += 8 + size + size % 2


def _joined(chunks: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(
        name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2) for name, body in chunks
    )
