"""A GIF without metadata. Source: GIF89a specification, 18 to 27."""

from bakeoff.arena.moderation.bare_image.piece import broken, piece

_EXTENSION, _IMAGE, _END = 0x21, 0x2C, 0x3B
_CONTROL, _APPLICATION = 0xF9, 0xFF
_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def bare_gif(content: bytes) -> bytes:
    """The pictures, how long each stays, and how often they come again.

    Raises:
        BakeoffError: it is cut off, holds something that is in no GIF, or holds no picture.
    """
    place = 13 + _colours(piece(content, 0, 13)[10])
    kept, pictures = [piece(content, 0, place)], 0
    while (kind := piece(content, place, 1)[0]) != _END:
        if kind == _IMAGE:
            start = place
            place += 10 + _colours(piece(content, place, 10)[9]) + 1  # and the size of the first codes
            _, place = _blocks(content, place)
            kept.append(content[start:place])
            pictures += 1
        elif kind == _EXTENSION:
            label = piece(content, place, 2)[1]
            blocks, end = _blocks(content, place + 2)
            if label == _CONTROL:
                kept.append(content[place:end])
            elif label == _APPLICATION and (loop := _loop(blocks)):
                kept.append(loop)
            place = end
        else:
            raise broken("there is something in it that is in no GIF")
    if not pictures:
        raise broken("there is no picture in it")
    return b"".join((*kept, b";"))


def _colours(flags: int) -> int:
    """Bytes of the table of colours that these flags tell of."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _blocks(content: bytes, place: int) -> tuple[list[bytes], int]:
    """The blocks up to the empty one, and the place after it."""
    found = []
    while length := piece(content, place, 1)[0]:
        found.append(piece(content, place + 1, length))
        place += 1 + length
    return found, place + 1


def _loop(blocks: list[bytes]) -> bytes:
    """How often to begin again, where that is what these blocks say."""
    match blocks:
        case [name, count, *_] if name in _LOOPS and len(count) == 3 and count[0] == 1:
            return b"\x21\xff\x0b" + name + b"\x03" + count + b"\0"
    return b""
