"""Palette images as PNG, by the specification (W3C PNG 3rd edition; deflate: RFC 1951)."""

import base64
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LONGEST_MATCH = 258


def png(pixels: npt.NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """`pixels` [height, width], each the index of a colour of `palette` (at most 256).

    Runs are compressed by hand: what zlib writes differs between its versions and forks.
    """
    height, width = pixels.shape
    # Each line begins with the number of its filter; 0 is none.
    lines = np.zeros((height, width + 1), np.uint8)
    lines[:, 1:] = pixels
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(value for colour in palette for value in colour)),
        (b"IDAT", _zlib_stream(lines.ravel())),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def data_uri(content: bytes) -> str:
    """A PNG as `data:image/png;base64,…`."""
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _zlib_stream(data: npt.NDArray[np.uint8]) -> bytes:
    """One deflate block with fixed codes: every run is its first byte, and copies of the byte before."""
    ends = np.append(np.flatnonzero(np.diff(data)) + 1, len(data))
    starts = np.append(0, ends[:-1])
    runs = "".join(
        _run(value, length)
        for value, length in zip(data[starts].tolist(), (ends - starts).tolist(), strict=True)
    )
    last_block, fixed_codes, end_of_block = "1", "10", "0000000"
    bits = np.frombuffer(f"{last_block}{fixed_codes}{runs}{end_of_block}".encode(), np.uint8) - ord("0")
    deflated = np.packbits(bits, bitorder="little").tobytes()
    return b"\x78\x01" + deflated + struct.pack(">I", zlib.adler32(data.tobytes()))


@lru_cache(maxsize=4096)
def _run(value: int, length: int) -> str:
    """The bits of `length` times `value`, in the order of the stream."""
    literal = f"{0x30 + value:08b}" if value < 144 else f"{0x190 + value - 144:09b}"
    bits, left = literal, length - 1
    while left >= 3:
        bits += _copy(copied := min(left, _LONGEST_MATCH))
        left -= copied
    return bits + literal * left


def _copy(length: int) -> str:
    """The bits that repeat the last byte `length` times (3 to 258): a length code, then distance 1."""
    beyond = length - 3
    extra_bits = max(0, beyond.bit_length() - 3)
    symbol, extra = 257 + 4 * extra_bits + (beyond >> extra_bits), beyond & ((1 << extra_bits) - 1)
    if length == _LONGEST_MATCH:
        symbol, extra_bits = 285, 0
    code = f"{symbol - 256:07b}" if symbol < 280 else f"{0xC0 + symbol - 280:08b}"
    # Codes come with their highest bit first, numbers with their lowest.
    return code + (f"{extra:0{extra_bits}b}"[::-1] if extra_bits else "") + "00000"
