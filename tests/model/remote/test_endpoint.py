import pytest

from bakeoff.errors import ModelError
from bakeoff.model.remote.endpoint import read_endpoint

KEY = "very-secret-key-1234"


def endpoint(url: str, *, required: bool = False, **environ: str):
    return read_endpoint(url, "THE_KEY", required=required, environ=environ)


def test_addresses_are_built_below_the_base_and_keep_its_query():
    azure = endpoint("https://x.example/openai/v1/?api-version=2024-10-21")
    assert azure.address("chat/completions") == (
        "https://x.example/openai/v1/chat/completions?api-version=2024-10-21"
    )
    assert (
        azure.address("models?limit=9") == "https://x.example/openai/v1/models?limit=9&api-version=2024-10-21"
    )
    assert azure.url == "https://x.example/openai/v1"
    assert endpoint("http://127.0.0.1:8000/v1").beside("props") == "http://127.0.0.1:8000/props"


@pytest.mark.parametrize(
    "url",
    [
        f"https://user:{KEY}@x.example/v1",
        f"https://{KEY}@x.example/v1",
        f"https://x.example/v1?api-key={KEY}",
        f"https://x.example/v1?sig={KEY}",
    ],
)
def test_an_address_with_credentials_is_refused_without_repeating_them(url):
    with pytest.raises(ModelError) as caught:
        endpoint(url)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "x.example/v1", "ftp://x.example", "http://"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ModelError, match="base_url"):
        endpoint(url)


def test_the_address_of_one_call_is_refused_with_the_base():
    with pytest.raises(ModelError) as caught:
        endpoint("http://x.example/v1/chat/completions")
    assert caught.value.hint == "Give http://x.example/v1"


def test_a_missing_key_is_reported_by_its_variable():
    with pytest.raises(ModelError, match="THE_KEY"):
        endpoint("https://x.example/v1", required=True)
    with pytest.raises(ModelError, match="THE_KEY"):
        endpoint("https://x.example/v1", required=True, THE_KEY="  ")


def test_a_broken_key_is_reported_without_showing_it():
    with pytest.raises(ModelError) as caught:
        endpoint("https://x.example/v1", THE_KEY=KEY + "\nX-Injected: 1")
    assert KEY not in str(caught.value)


def test_nothing_that_is_shown_holds_the_key():
    given = endpoint("https://x.example/v1", THE_KEY=KEY)
    assert given.key.reveal() == KEY
    said = given.scrub(f"bad key {KEY} or sk-abcdefgh****wxyz")
    for text in (
        repr(given),
        str(given),
        repr(given.key),
        f"{given.key}",
        said,
        str(given.denied(401, said)),
    ):
        assert KEY not in text
    assert "sk-" not in said


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://localhost/v1", True),
        ("http://localhost.example/v1", False),
    ],
)
def test_a_server_on_this_machine_needs_no_proxy(url, local):
    assert endpoint(url).local is local
