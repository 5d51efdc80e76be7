import pytest

from bakeoff.web.middleware.bodies import SMALL, Bodies
from tests.web import live
from tests.web.middleware.plain import behind

FORM, JSON = "application/x-www-form-urlencoded", "Application/JSON; charset=utf-8"


def _parts(size, each=65_536):
    """A body that does not say how long it is."""
    while size > 0:
        yield b"x" * min(each, size)
        size -= each


@pytest.mark.parametrize(
    ("kind", "size", "status"),
    [
        (FORM, SMALL, 200),
        (FORM, SMALL + 1, 413),
        (JSON, SMALL, 200),
        (JSON, SMALL + 1, 413),
        ("multipart/form-data; boundary=x", 3 * SMALL, 200),
        ("multipart/form-data; boundary=x", 3 * SMALL + 1, 413),
        ("application/octet-stream", 3 * SMALL + 1, 413),
        (None, 3 * SMALL + 1, 413),
    ],
)
def test_each_kind_has_its_most(kind, size, status):
    client = behind(Bodies, largest=3 * SMALL)
    headers = {"content-type": kind} if kind else {}
    for body in (b"x" * size, _parts(size)):
        answer = client.post("/x", content=body, headers=headers)
        assert answer.status_code == status
        if status == 200:
            assert answer.json()["bytes"] == size


def test_what_says_that_it_is_too_large_is_not_read():
    read = []

    def body():
        for part in _parts(4 * SMALL):
            read.append(part)
            yield part

    client = behind(Bodies, largest=3 * SMALL)
    kind = "application/octet-stream"
    headers = {"content-length": str(4 * SMALL), "content-type": kind}
    answer = client.post("/x", content=body(), headers=headers)
    assert answer.status_code == 413
    assert "3 MiB is the most" in answer.text


@pytest.mark.parametrize("said", ["9" * 30, "٣", "-1", "x"])
def test_a_length_that_is_none_does_no_harm(said):
    answer = behind(Bodies, largest=SMALL).post(
        "/x", content=b"x", headers=[(b"content-length", said.encode())]
    )
    assert answer.status_code in (200, 413)


def test_a_form_without_end_ends_at_the_server(tmp_path):
    with live.client(tmp_path) as client:
        assert (
            client.post("/login", content=_parts(2 * SMALL), headers={"content-type": FORM}).status_code
            == 413
        )
