"""Pictures of every kind that is taken, with all that cameras and programs write into them."""

import io
import struct

from PIL import Image, ImageCms, PngImagePlugin

SECRET = "Elm Street 7"
XMP = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>{SECRET}</rdf:RDF></x:xmpmeta>'.encode()
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
ORIENTATION, PLACE, DESCRIPTION = 0x0112, 0x8825, 0x010E


def exif(orientation=6):
    found = Image.Exif()
    found[DESCRIPTION] = SECRET
    found[ORIENTATION] = orientation
    found[PLACE] = {1: "N", 2: (52.0, 31.0, 12.0), 29: SECRET}
    return found


def picture(mode="RGB", start=0, size=(37, 23)):
    """No two rows, columns or corners are alike."""
    there = Image.new("RGB", size)
    there.putdata(
        [(x * 6 + start, y * 11, (x * y + start) % 256) for y in range(size[1]) for x in range(size[0])]
    )
    return there.convert(mode)


def saved(there, kind, **options):
    file = io.BytesIO()
    there.save(file, kind, **options)
    return file.getvalue()


def frames(mode="RGB"):
    return {
        "save_all": True,
        "append_images": [picture(mode, 40), picture(mode, 80)],
        "duration": [50, 70, 90],
    }


def text():
    found = PngImagePlugin.PngInfo()
    found.add_text("Author", SECRET)
    found.add_text("Comment", SECRET, zip=True)
    found.add_itxt("XML:com.adobe.xmp", XMP.decode())
    return found


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def spread(jpeg):
    """With segments of programs before every scan, and other files after the end."""
    own = (
        segment(0xE1, XMP) + segment(0xED, b"Photoshop 3.0\0" + XMP) + segment(0xE5, XMP) + segment(0xFE, XMP)
    )
    scan = jpeg.index(b"\xff\xda")
    return jpeg[:scan] + own + jpeg[scan:].replace(b"\xff\xda", own + b"\xff\xda") + saved_beside()


def saved_beside():
    return saved(picture(), "JPEG", exif=exif(), comment=SECRET) + SECRET.encode()


def of_program(gif):
    """A GIF with a block of a program before its first picture."""
    before = 13 + (3 << (gif[10] & 7) + 1)
    block = b"\x21\xff\x0bXMP DataXMP" + bytes([len(XMP)]) + XMP + b"\0"
    words = b"\x21\xfe" + bytes([len(SECRET)]) + SECRET.encode() + b"\0"
    return gif[:before] + block + words + gif[before:]


EVERY = {
    "JPEG": saved(picture(), "JPEG", exif=exif(), comment=SECRET, dpi=(72, 72), icc_profile=PROFILE, xmp=XMP),
    "JPEG of several scans": spread(saved(picture(), "JPEG", progressive=True, exif=exif(3))),
    "JPEG with restarts": spread(saved(picture(), "JPEG", restart_marker_blocks=1, exif=exif(8))),
    "JPEG for print": spread(saved(picture("CMYK"), "JPEG", exif=exif(1))),
    "JPEG in grey": spread(saved(picture("L"), "JPEG")),
    "two JPEG": saved(picture(), "MPO", save_all=True, append_images=[picture(start=90)], exif=exif(2)),
    "PNG": saved(
        picture(), "PNG", exif=exif(), pnginfo=text(), dpi=(72, 72), icc_profile=PROFILE
    ) + SECRET.encode(),
    "PNG of few colours": saved(picture("P"), "PNG", transparency=3, pnginfo=text(), exif=exif(1)),
    "PNG of 16 bits": saved(picture("I;16"), "PNG", pnginfo=text()),
    "PNG in motion": saved(picture("RGBA"), "PNG", pnginfo=text(), loop=2, **frames("RGBA")),
    "WebP": saved(picture(), "WEBP", exif=exif(), xmp=XMP, icc_profile=PROFILE) + SECRET.encode(),
    "WebP without loss": saved(picture("RGBA"), "WEBP", lossless=True, exif=exif(5), xmp=XMP),
    "WebP of nothing else": saved(picture(), "WEBP"),
    "WebP in motion": saved(picture("RGBA"), "WEBP", exif=exif(1), xmp=XMP, loop=2, **frames("RGBA")),
    "GIF": of_program(saved(picture("P"), "GIF", comment=SECRET, transparency=3)),
    "GIF in motion": of_program(
        saved(picture("P"), "GIF", comment=SECRET, loop=2, disposal=2, **frames("P"))
    ),
}  # fmt: skip
