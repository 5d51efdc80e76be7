"""Sizes by header, held against Pillow's, for every kind of file a message may show."""

import base64
import hashlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bakeoff.nouns import Part, image_line, image_size

FORMATS = [
    ("PNG", {}),
    ("JPEG", {}),
    ("JPEG", {"progressive": True, "exif": b"Exif\0\0" + bytes(5000)}),
    ("GIF", {}),
    ("BMP", {}),
    ("WEBP", {"lossless": True}),
    ("WEBP", {"lossless": False}),
    ("WEBP", {"lossless": True, "exif": b"Exif\0\0" + bytes(50)}),
]


def file_of(kind, size, **options):
    file = io.BytesIO()
    Image.new("RGB", size, "orange").save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize(("kind", "options"), FORMATS)
@pytest.mark.parametrize("size", [(1, 1), (400, 300), (3, 1000), (257, 255)])
def test_the_size_is_the_one_that_pillow_reads(kind, options, size):
    assert image_size(file_of(kind, size, **options)) == size


@given(
    st.binary(max_size=60),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"RIFF"]),
)
def test_no_header_raises(content, start):
    size = image_size(start + content)
    assert size is None or min(size) > 0


@pytest.mark.parametrize(("kind", "options"), FORMATS)
def test_a_header_cut_short_has_no_size_and_never_another(kind, options):
    content = file_of(kind, (400, 300), **options)
    assert {image_size(content[:end]) for end in range(min(len(content), 200))} <= {None, (400, 300)}


def test_an_image_in_one_line_names_the_file_by_its_own_digest():
    content = file_of("PNG", (400, 300))
    part = Part("image", base64.b64encode(content).decode(), "image/png")
    digest = hashlib.sha256(content).hexdigest()
    line = image_line(part)
    assert line == f"sha256:{digest} 400×300 {len(content):,} bytes"
    assert image_line(Part("image", line, "image/png")) == line
