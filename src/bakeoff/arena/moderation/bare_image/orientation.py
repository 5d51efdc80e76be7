"""Which way up a picture is: the one thing of EXIF that changes how it looks.

Source: EXIF 2.3 (JEITA CP-3451C), 4.6.2 on image file directories and 4.6.4 on the tag Orientation.
"""

import struct

UPRIGHT = 1
_ORIENTATION = 0x0112
_SHORT = 3
_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}


def orientation_of(tiff: bytes) -> int:
    """1 to 8, from a block that begins with its byte order; 1, upright, where it says nothing sensible."""
    if (order := _ORDERS.get(tiff[:4])) is None:
        return UPRIGHT
    try:
        (place,) = struct.unpack_from(f"{order}I", tiff, 4)
        (entries,) = struct.unpack_from(f"{order}H", tiff, place)
        for number in range(entries):
            entry = struct.unpack_from(f"{order}HHIH", tiff, place + 2 + 12 * number)
            if entry[:3] == (_ORIENTATION, _SHORT, 1):
                return entry[3] if 1 <= entry[3] <= 8 else UPRIGHT
    except struct.error:  # it ends in the middle: nothing of it is kept anyway
        return UPRIGHT
    return UPRIGHT


def orientation_alone(orientation: int) -> bytes:
    """A block that says that and nothing else (26 bytes)."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _ORIENTATION, _SHORT, 1, orientation, 0, 0)
