import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.web.middleware.proxy import Proxy
from tests.web.middleware.plain import behind

PROXY = "10.0.0.1"


def seen(headers, *, trusted=(PROXY,), client=PROXY):
    return behind(Proxy, client=client, trusted=trusted).get("/x", headers=headers).json()


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("198.51.100.9", "198.51.100.9"),
        ("1.2.3.4, 198.51.100.9", "198.51.100.9"),
        ("1.2.3.4, 198.51.100.9, 10.0.0.1", "198.51.100.9"),
        ("10.0.0.1", "10.0.0.1"),
        ("198.51.100.9:4711", "198.51.100.9"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("::ffff:198.51.100.9", "198.51.100.9"),
        ("", PROXY),
        ("unknown", PROXY),
        ("198.51.100.9, nonsense", PROXY),
        ("198.51.100.9, ", PROXY),
        ("nonsense, 198.51.100.9", "198.51.100.9"),
        ("1.2.3.4.5", PROXY),
        ("é", PROXY),
    ],
)
def test_the_last_address_that_is_no_trusted_proxys_is_the_visitors(forwarded, client):
    """What stands before it is the visitor's own word."""
    assert seen([(b"x-forwarded-for", forwarded.encode("latin-1"))])["client"] == client


def test_several_headers_are_one_list():
    headers = [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-for", b"198.51.100.9")]
    assert seen(headers)["client"] == "198.51.100.9"


def test_a_chain_of_trusted_proxies_is_followed_through():
    headers = {"x-forwarded-for": "1.2.3.4, 198.51.100.9, 10.7.7.7, 10.0.0.2"}
    assert seen(headers, trusted=("10.0.0.0/8",))["client"] == "198.51.100.9"


ALL = {
    "x-forwarded-for": "198.51.100.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "public.example.org",
}


@pytest.mark.parametrize("trusted", [(), ("10.0.0.2",), ("10.0.1.0/24",), ("::1",)])
def test_who_is_not_trusted_says_nothing(trusted):
    assert seen(ALL, trusted=trusted) == {
        "client": PROXY,
        "scheme": "http",
        "host": "boards.example.org",
        "bytes": 0,
    }


def test_a_trusted_proxy_says_scheme_and_host():
    found = seen(ALL)
    assert (found["client"], found["scheme"], found["host"]) == (
        "198.51.100.9",
        "https",
        "public.example.org",
    )


@pytest.mark.parametrize("scheme", ["javascript", "", "ftp", "https,http"])
def test_no_other_scheme_is_believed(scheme):
    assert seen({"x-forwarded-proto": scheme})["scheme"] == "http"


@given(st.binary(max_size=60).filter(lambda data: not set(data) & {0, 10, 13}))
def test_whatever_is_sent_does_no_harm(data):
    assert seen([(b"x-forwarded-for", data)])["client"]


@pytest.mark.parametrize("text", ["", "proxy.example.org", "10.0.0.0/40", "10.0.0.1;"])
def test_what_is_trusted_is_an_address_or_a_network(text):
    with pytest.raises(BakeoffError, match="neither an address nor a network"):
        Proxy(None, (text,))
