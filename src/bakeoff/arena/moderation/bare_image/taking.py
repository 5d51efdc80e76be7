"""Which images are taken, and what is kept of them."""

import base64

from bakeoff.arena.moderation.bare_image.gif import bare_gif
from bakeoff.arena.moderation.bare_image.jpeg import bare_jpeg
from bakeoff.arena.moderation.bare_image.png import bare_png
from bakeoff.arena.moderation.bare_image.webp import bare_webp
from bakeoff.errors import BakeoffError
from bakeoff.nouns.item import Part
from bakeoff.task.images import media_type_of, unusable

MOST_BYTES = 7 * 2**19
"""3.5 MiB: as base64 they stay below 5 MB, the most that some APIs take."""
_BARE = {"image/png": bare_png, "image/jpeg": bare_jpeg, "image/webp": bare_webp, "image/gif": bare_gif}
TAKEN = tuple(_BARE)
"""Media types; browsers show them, and models of APIs read them."""


def taken(content: bytes) -> Part:
    """A voter's image as models and the database get it: `bare`.

    Raises:
        BakeoffError: it is too large, broken, or of no kind that is taken.
    """
    if len(content) > MOST_BYTES:
        raise BakeoffError(f"the image is larger than {MOST_BYTES / 2**20:g} MB", "make it smaller")
    kept = bare(content)
    part = Part("image", base64.b64encode(kept).decode("ascii"), media_type_of(kept))
    if why := unusable(part):
        raise BakeoffError(why, "send another one")
    return part


def bare(content: bytes) -> bytes:
    """An image whose pixels, colours and orientation are as they were, without anything else: EXIF with its
    places and times, XMP, IPTC, comments, texts, small pictures, what follows the picture. Profiles of
    colours stay as they are.

    Raises:
        BakeoffError: it is broken, or no PNG, JPEG, WebP or GIF.
    """
    known = _BARE.get(media_type_of(content))
    if known is None:
        raise BakeoffError("the file is no PNG, JPEG, WebP or GIF image", "save it as one of these")
    return known(content)
