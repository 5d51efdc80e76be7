"""A piece of a file, where the file has it."""

from bakeoff.errors import BakeoffError


def piece(content: bytes, place: int, length: int) -> bytes:
    """`length` bytes from `place` on.

    Raises:
        BakeoffError: the file ends before.
    """
    if place + length > len(content):
        raise broken("it is cut off")
    return content[place : place + length]


def broken(why: str) -> BakeoffError:
    """An image that nobody can show."""
    return BakeoffError(f"the image is broken: {why}", "save it once more, and send that")
