"""Images that a task shows: sound ones are loaded, others are named before anybody is asked."""

import base64
import io
import zlib

import pytest
from PIL import Image

from bakeoff.catalog.images.drawing import data_uri, png
from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Message, Part
from bakeoff.task import Task, lint, prepare
from bakeoff.task import images as limits


def file_of(kind="PNG", size=(40, 30), **options):
    file = io.BytesIO()
    Image.new("RGB", size, "orange").save(file, kind, **options)
    return file.getvalue()


def task_of(*references, folder=None):
    rows = [
        {
            "id": str(number),
            "messages": [
                {"role": "user", "content": [{"type": "image", "image": each}, {"type": "text", "text": "?"}]}
            ],
            "target": "x",
        }
        for number, each in enumerate(references)
    ]
    return Task(name="seen", data={"items": rows}, scorer="exact")


def uri(content):
    return "data:image/png;base64," + base64.b64encode(content).decode()


def shown(task):
    return [item.input[0].parts[0] for item in prepare(task).items()]


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("BMP", "image/bmp"),
        ("WEBP", "image/webp"),
    ],
)
def test_the_kind_is_told_by_the_content(kind, media_type):
    content = file_of(kind)
    (part,) = shown(task_of(uri(content)))
    assert (part.media_type, base64.b64decode(part.data)) == (media_type, content)


PNG = file_of()


def flipped(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (PNG[:-1], "cut off"),
        (PNG[:-12], "cut off"),
        (PNG[: len(PNG) // 2], "cut off"),
        (flipped(PNG, len(PNG) - 20), "changed on its way"),
        (PNG[:20], "no size"),
        (file_of("JPEG")[:10], "no size"),
        (b"<svg/>", "is no PNG, JPEG, GIF, WebP or BMP image"),
        (b"", "a data URI of an image starts with|is no PNG"),
        (file_of("GIF", (1, 1))[:8], "no size"),
    ],
)
def test_a_broken_image_names_row_and_fault(content, why):
    with pytest.raises(TaskError, match=why) as error:
        prepare(task_of(uri(PNG), uri(content)))
    assert "messages" in str(error.value)


def test_a_large_file_is_refused_with_the_limit(tmp_path):
    path = tmp_path / "large.png"
    path.write_bytes(PNG + bytes(limits.MOST_BYTES))
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"target": "", "messages": [{"role": "user", "content": [{"type": "image", "image": "large.png"}]}]}'
    )
    with pytest.raises(TaskError, match=r"large\.png is larger than 20 MB; make it smaller"):
        prepare(Task(name="seen", data={"file": str(rows)}, scorer="exact"))


def test_a_small_file_that_unfolds_into_too_many_pixels_is_refused():
    width, height = 20_000, 5_000
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    chunk = b"IHDR" + header
    bomb = PNG[:8] + (13).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big") + PNG[33:]
    with pytest.raises(TaskError, match="20000×5000 pixels"):
        prepare(task_of(uri(bomb)))


def test_a_missing_file_is_named(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"messages": [{"role": "user", "content": [{"type": "image", "image": "no.png"}]}], "target": "x"}\n'
    )
    (finding,) = lint(Task(name="seen", data={"file": str(rows)}, scorer="exact"))
    assert (finding.level, finding.rule) == ("error", "readable")
    assert "there is no image file" in finding.message


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (Part("image", base64.b64encode(PNG[:-1]).decode(), "image/png"), "cut off"),
        (Part("image", "not base64!", "image/png"), "not base64"),
        (
            Part("image", base64.b64encode(PNG).decode(), "image/jpeg"),
            "is image/png, but its media type says image/jpeg",
        ),
        (Part("image", base64.b64encode(PNG).decode()), "media type says nothing"),
    ],
)
def test_lint_finds_broken_images_of_items_built_in_python(part, why):
    items = [
        Item(str(n), (Message("user", (p, Part("text", "?"))),), target=("x",)) for n, p in enumerate([part])
    ]
    found = [
        each for each in lint(Task(name="seen", data=items, scorer="exact")) if each.rule == "broken-image"
    ]
    assert [each.item for each in found] == ["0"]
    assert why in found[0].message


def test_the_same_words_under_another_image_are_another_question():
    other = file_of(size=(41, 30))
    assert [each.rule for each in lint(task_of(uri(PNG), uri(other)))] == []
    assert [each.rule for each in lint(task_of(uri(PNG), uri(PNG)))] == ["duplicate-items"]


def test_the_digest_of_a_task_is_that_of_its_images_too():
    one, other = (prepare(task_of(uri(content))) for content in (PNG, file_of(size=(41, 30))))
    assert one.digest != other.digest
    assert one.images
    assert not prepare(Task(name="t", data={"items": [{"input": "?", "target": "x"}]}, scorer="exact")).images


def test_our_own_pictures_are_sound():
    import numpy as np

    assert shown(task_of(data_uri(png(np.zeros((3, 4), np.uint8), [(1, 2, 3)]))))
