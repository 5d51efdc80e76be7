import pytest

from bakeoff.web.middleware.host import Host
from tests.web import live
from tests.web.middleware.plain import behind


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8765", 200),
        ("127.0.0.1:8765", 200),
        ("192.168.1.20", 200),
        ("[::1]:8765", 200),
        ("boards.example.org", 200),
        ("Boards.Example.org:443", 200),
        ("evil.example", 421),
        ("boards.example.org.evil.example", 421),
        ("localhost.evil.example:8765", 421),
        ("127.0.0.1.evil.example", 421),
        ("2130706433", 421),
        ("boards.example.org.", 421),
        ("", 400),
        ("[::1", 400),
        ("[::zz]", 400),
        ("[1:2]", 400),
        ("a b", 400),
        ("evil.example/127.0.0.1", 400),
        ("user@127.0.0.1", 400),
        ("127.0.0.1:x", 400),
        ("127.0.0.1:999999", 400),
        ("<script>", 400),
    ],
)
def test_the_site_answers_to_numbers_and_to_its_own_name(host, status):
    client = behind(Host, address="https://boards.example.org/prefix")
    assert client.get("/x", headers={"host": host}).status_code == status


def test_without_an_address_no_name_leads_to_a_server_of_ones_own(tmp_path):
    with live.client(tmp_path) as client:
        assert client.get("/", headers={"host": "rebound.example:8765"}).status_code == 421
        assert client.get("/", headers={"host": "localhost:8765"}).status_code == 200
        assert client.get("/", headers={"host": "[::1"}).status_code == 400
