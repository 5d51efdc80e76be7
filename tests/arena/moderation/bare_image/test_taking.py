"""What is taken of an image: its pixels, colours and orientation, and nothing else."""

import base64
import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence

from bakeoff.arena.moderation.bare_image.orientation import orientation_alone, orientation_of
from bakeoff.arena.moderation.bare_image.taking import MOST_BYTES, TAKEN, bare, taken
from bakeoff.errors import BakeoffError
from bakeoff.nouns import image_size
from tests.arena.moderation.bare_image.pictures import (
    EVERY,
    ORIENTATION,
    PROFILE,
    SECRET,
    exif,
    picture,
    saved,
    segment,
)

STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF\x40\0\0\0WEBP")


def seen(content):
    """All that a viewer shows: pixels, how long each frame stays, colours, and which way up it is."""
    there = Image.open(io.BytesIO(content))
    shown = [
        (each.convert("RGBA").tobytes(), each.info.get("duration"))
        for each in ImageSequence.Iterator(there)
        if there.format != "MPO" or there.tell() == 0
    ]
    known = ("icc_profile", "loop", "gamma", "srgb", "adobe_transform", "jfif_density")
    told = {name: there.info.get(name) for name in known}
    return there.mode, there.size, shown, told, there.getexif().get(ORIENTATION, 1)


def unpacked(content):
    """The file, and every text in it that was compressed."""
    found = [content]
    for at in range(len(content) - 2):
        if content[at] == 0x78 and int.from_bytes(content[at : at + 2]) % 31 == 0:
            try:
                found.append(zlib.decompressobj().decompress(content[at:]))
            except zlib.error:
                continue
    return b"".join(found)


@pytest.mark.parametrize("name", EVERY)
def test_it_looks_as_before_and_says_nothing_more(name):
    content = EVERY[name]
    kept = bare(content)
    assert (SECRET.encode() in unpacked(content)) == (name != "WebP of nothing else")
    assert seen(kept) == seen(content)
    assert SECRET.encode() not in unpacked(kept)
    there = Image.open(io.BytesIO(kept))
    assert set(there.getexif()) <= {ORIENTATION}
    assert not set(there.info) & {"comment", "xmp", "photoshop", "Author", "mp", "mpoffset"}
    assert image_size(kept) == image_size(content)
    assert bare(kept) == kept
    assert base64.b64decode(taken(content).data) == kept


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_it_stays_upright(kind, orientation):
    kept = bare(saved(picture(), kind, exif=exif(orientation)))
    assert dict(Image.open(io.BytesIO(kept)).getexif()) == (
        {} if orientation == 1 else {ORIENTATION: orientation}
    )


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_orientation_is_read_in_both_orders_of_bytes(order):
    found = exif(6)
    found.endian = order
    assert orientation_of(found.tobytes().removeprefix(b"Exif\0\0")) == 6
    assert orientation_of(orientation_alone(5)) == 5


@given(st.binary(max_size=60), st.sampled_from([b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b""]))
def test_an_orientation_is_one_of_eight(content, start):
    assert 1 <= orientation_of(start + content) <= 8


def test_the_small_picture_of_a_jpeg_goes():
    """It may show what was cropped."""
    plain = saved(picture(), "JPEG")
    small = b"JFIF\0\x01\x02\x01\0\x48\0\x48\x02\x01" + SECRET.encode()[:6]
    other = segment(0xE0, b"JFXX\0\x10" + SECRET.encode())
    content = plain[:2] + segment(0xE0, small) + other + plain[20:]
    kept = bare(content)
    assert (b"JFXX" in kept, SECRET.encode()[:6] in kept) == (False, False)
    assert Image.open(io.BytesIO(kept)).info["jfif_density"] == (0x48, 0x48)


def test_a_jpeg_of_thousands_of_segments_is_refused():
    with pytest.raises(BakeoffError, match="2,000 segments"):
        bare(b"\xff\xd8" + segment(0xDA, b"") * 2001 + b"\xff\xd9")


def test_profiles_of_colours_stay():
    for name in ("JPEG", "PNG", "WebP"):
        assert Image.open(io.BytesIO(bare(EVERY[name]))).info["icc_profile"] == PROFILE


@pytest.mark.parametrize("name", EVERY)
def test_a_file_that_is_cut_off_is_refused_wherever_that_is(name):
    """All that comes before the end of the picture is needed, and nothing of what comes after it."""
    content = EVERY[name]
    results = []
    for length in range(13, len(content), max(1, len(content) // 200)):
        try:
            results.append(bare(content[:length]))
        except BakeoffError:
            results.append(None)
    assert results[0] is None
    assert {each for each in results if each is not None} <= {bare(content)}


@given(st.sampled_from(STARTS), st.binary(max_size=80))
def test_what_only_begins_like_an_image_is_refused_or_bare(start, rest):
    try:
        kept = bare(start + rest)
    except BakeoffError:
        return
    assert bare(kept) == kept


@given(st.sampled_from(sorted(EVERY)), st.data())
def test_a_damaged_file_is_refused_or_bare(name, data):
    content = bytearray(EVERY[name])
    places = st.integers(0, len(content) - 1)
    for place, byte in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=4)):
        content[place] = byte
    try:
        kept = bare(bytes(content))
    except BakeoffError:
        return
    assert bare(kept) == kept
    try:
        assert taken(bytes(content)).media_type in TAKEN
    except BakeoffError:
        return


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x",
        saved(picture(), "BMP"),
        saved(picture(), "TIFF"),
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        b"%PDF-1.7",
    ],
)
def test_other_kinds_are_refused(content):
    with pytest.raises(BakeoffError, match="no PNG, JPEG, WebP or GIF"):
        taken(content)


def test_the_largest_that_is_taken_stays_below_five_megabytes_on_its_way():
    assert len(base64.b64encode(bytes(MOST_BYTES))) < 5_000_000
    png = EVERY["PNG of few colours"]
    assert taken(png + bytes(MOST_BYTES - len(png)))
    with pytest.raises(BakeoffError, match=r"larger than 3\.5 MB"):
        taken(png + bytes(MOST_BYTES - len(png) + 1))


def test_a_png_that_changed_on_its_way_is_refused():
    png = bytearray(EVERY["PNG of 16 bits"])
    png[png.index(b"IDAT") + 8] ^= 1
    with pytest.raises(BakeoffError, match="changed on its way"):
        taken(bytes(png))
