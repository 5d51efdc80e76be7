"""Images in messages: files and data URIs to base64."""

import base64
import binascii
import re
from pathlib import Path

from bakeoff.nouns import Part

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)


class ImageFailure(Exception):  # noqa: N818 (not an error of its own: it becomes a TaskError)
    """Why an image could not be loaded."""


def image_part(reference: str, folder: Path | None) -> Part:
    """The image at a path, relative to `folder`, or in a data URI.

    The media type is told by the content, never by the name, so that nothing but an image is ever sent.
    With `folder` None (data from elsewhere) no local file is read.

    Raises:
        ImageFailure: not there, not an image we know, or not base64.
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
        content, name = path.read_bytes(), str(path)
    return Part("image", base64.b64encode(content).decode("ascii"), _media_type(content, name))


def _media_type(content: bytes, name: str) -> str:
    for signature, media_type in _SIGNATURES:
        if content.startswith(signature):
            return media_type
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    raise ImageFailure(f"{name} is no PNG, JPEG, GIF, WebP or BMP image")
