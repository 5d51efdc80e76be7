"""What an image is, told from its first bytes: kind, size in pixels, and a name for its content."""

import base64
import struct
from typing import NamedTuple

from bakeoff.digest import digest_bytes
from bakeoff.nouns.item import Part


class Size(NamedTuple):
    """Pixels."""

    width: int
    height: int


def image_size(content: bytes) -> Size | None:
    """The size that a PNG, JPEG, GIF, WebP or BMP file says it has; None for others and broken headers.

    Read from the header alone; nothing is decoded.
    """
    try:
        return _size(content)
    except (struct.error, IndexError):
        return None


def image_line(part: Part) -> str:
    """An image in one line: `sha256:… 400×300 2,133 bytes`. A part that holds such a line gives it back.

    The digest is that of the file. Recorded samples hold this line in place of the bytes.
    """
    if part.data.startswith("sha256:"):
        return part.data
    content = base64.b64decode(part.data)
    size = image_size(content)
    pixels = f" {size.width}×{size.height}" if size else ""
    return f"{digest_bytes(content)}{pixels} {len(content):,} bytes"


def _size(content: bytes) -> Size | None:
    size = None
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":
        size = Size(*struct.unpack_from(">II", content, 16))
    elif content.startswith(b"GIF8"):
        size = Size(*struct.unpack_from("<HH", content, 6))
    elif content.startswith(b"BM"):
        width, height = struct.unpack_from("<ii", content, 18)
        size = Size(width, abs(height))  # negative: its lines run from the top
    elif content.startswith(b"\xff\xd8\xff"):
        size = _jpeg_size(content)
    elif content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        size = _webp_size(content)
    return size if size and min(size) > 0 else None


def _jpeg_size(content: bytes) -> Size | None:
    """From the frame header (SOF0 to SOF15 without DHT, JPG and DAC), which follows other segments."""
    place = 2
    while content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF:  # a fill byte
            place += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", content, place + 5)
            return Size(width, height)
        place += 2 + struct.unpack_from(">H", content, place + 2)[0]
    return None


def _webp_size(content: bytes) -> Size | None:
    kind = content[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return Size(width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", content, 21)[0]
        return Size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8X":
        width, more_width, height, more_height = struct.unpack_from("<HBHB", content, 24)
        return Size(1 + width + (more_width << 16), 1 + height + (more_height << 16))
    return None
