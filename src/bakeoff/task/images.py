"""Images in messages: files and data URIs to base64, checked before anybody is asked about them."""

import base64
import binascii
import re
import struct
import zlib
from pathlib import Path

from bakeoff.nouns import Part, image_size

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)

MOST_BYTES = 20 * 2**20
"""No larger file is sent: APIs refuse them, and a run holds one for every request in flight."""
MOST_PIXELS = 64_000_000
"""Width times height: 8,000 × 8,000, the most that an API of today takes."""


class ImageFailure(Exception):  # noqa: N818 (not an error of its own: it becomes a TaskError)
    """Why an image could not be loaded."""


def image_part(reference: str, folder: Path | None) -> Part:
    """The image at a path, relative to `folder`, or in a data URI.

    The media type is told by the content, never by the name, so that nothing but an image is ever sent.
    With `folder` None (data from elsewhere) no local file is read.

    Raises:
        ImageFailure: not there, not an image we know, broken, too large, or not base64.
    """
    if reference.startswith("data:"):
        match = re.fullmatch(r"data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)", reference)
        if not match:
            raise ImageFailure("a data URI of an image starts with data:image/…;base64,")
        try:
            content = base64.b64decode(match[1], validate=False)
        except binascii.Error as error:
            raise ImageFailure(f"the data URI is not base64: {error}") from None
        name = "the data URI"
    elif re.match(r"[a-z]+://", reference):
        raise ImageFailure(f"{reference!r} is an address; download the image and give its path")
    elif folder is None:
        raise ImageFailure(f"{reference!r} is a local path, but the data is not local")
    else:
        path = folder / reference
        if not path.is_file():
            raise ImageFailure(f"there is no image file {path}")
        # One byte more than is allowed tells a file that is too large without reading all of it.
        with path.open("rb") as file:
            content, name = file.read(MOST_BYTES + 1), str(path)
    if why := _fault(content):
        raise ImageFailure(f"{name} {why}")
    return Part("image", base64.b64encode(content).decode("ascii"), media_type_of(content))


def unusable(part: Part) -> str:
    """Why no engine should be sent this image; empty if it is sound."""
    try:
        content = base64.b64decode(part.data, validate=True)
    except binascii.Error as error:
        return f"the image is not base64: {error}"
    if why := _fault(content):
        return f"the image {why}"
    if part.media_type != (kind := media_type_of(content)):
        return f"the image is {kind}, but its media type says {part.media_type or 'nothing'}"
    return ""


def media_type_of(content: bytes) -> str:
    """`image/png` and so on, by the first bytes; empty for what is no image we know."""
    for signature, media_type in _SIGNATURES:
        if content.startswith(signature):
            return media_type
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""


def _fault(content: bytes) -> str:
    media_type = media_type_of(content)
    if not media_type:
        return "is no PNG, JPEG, GIF, WebP or BMP image"
    if len(content) > MOST_BYTES:
        return f"is larger than {MOST_BYTES // 2**20} MB; make it smaller"
    size = image_size(content)
    if size is None:
        return "is broken: its header says no size"
    if size.width * size.height > MOST_PIXELS:
        return f"has {size.width}×{size.height} pixels, more than {MOST_PIXELS:,}; make it smaller"
    if media_type == "image/png" and not _whole_png(content):
        return "is broken: a PNG cut off, or changed on its way"
    return ""


def _whole_png(content: bytes) -> bool:
    """Whether the chunks follow each other up to the last one, each with its checksum."""
    place = 8
    while place + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, place)
        name, end = content[place + 4 : place + 8], place + 8 + length
        if content[end : end + 4] != struct.pack(">I", zlib.crc32(content[place + 4 : end])):
            return False
        if name == b"IEND":
            return True
        place = end + 4
    return False
