"""A PNG without metadata. Source: Portable Network Graphics, third edition, 11.3."""

import struct
import zlib

from bakeoff.arena.moderation.bare_image.orientation import UPRIGHT, orientation_alone, orientation_of
from bakeoff.arena.moderation.bare_image.piece import broken, piece

_PICTURE = frozenset((b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"acTL", b"fcTL", b"fdAT"))
_COLOURS = frozenset((b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP"))


def bare_png(content: bytes) -> bytes:
    """The picture, its frames and its colours, and which way up it is. Checksums are not looked at.

    Raises:
        BakeoffError: it is cut off, or begins with no header.
    """
    kept: list[bytes] = []
    turned, place = UPRIGHT, 8
    while not kept or kept[-1][4:8] != b"IEND":
        length, name = struct.unpack(">I4s", piece(content, place, 8))
        chunk = piece(content, place, length + 12)
        place += len(chunk)
        if not kept and name != b"IHDR":
            raise broken("its header is not where it should be")
        if name in _PICTURE or name in _COLOURS:
            kept.append(chunk)
        elif name == b"eXIf":
            turned = orientation_of(chunk[8:-4])
    if turned != UPRIGHT:
        kept.insert(1, _chunk(b"eXIf", orientation_alone(turned)))
    return b"".join((content[:8], *kept))


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
