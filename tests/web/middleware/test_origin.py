import pytest

from bakeoff.web.middleware.origin import Origin
from tests.web.middleware.plain import behind

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]


# The cases of Go's own rule (net/http, CrossOriginProtection), and some more.
@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": ""}, False),
        ({"sec-fetch-site": "Same-Origin"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://boards.example.org"}, False),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, True),
        ({}, True),
        ({"origin": "http://boards.example.org"}, True),
        ({"origin": "https://boards.example.org"}, True),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "http://evil.example:80"}, False),
        ({"origin": "http://boards.example.org.evil.example"}, False),
        ({"origin": "http://boards.example.org:8080"}, False),
        ({"origin": "http://user@boards.example.org"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://[::1"}, False),
    ],
)
@pytest.mark.parametrize("method", UNSAFE)
def test_what_a_browser_sends_for_another_site_changes_nothing(method, headers, allowed):
    answer = behind(Origin).request(method, "/x", headers=headers)
    assert answer.status_code == (200 if allowed else 403)
    if not allowed:
        assert "another site" in answer.text


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_open_to_links_of_others(method):
    headers = {"sec-fetch-site": "cross-site", "origin": "http://evil.example"}
    assert behind(Origin).request(method, "/x", headers=headers).status_code == 200


def test_the_public_address_counts_where_a_proxy_changes_the_host():
    site = behind(Origin, address="https://public.example.org/prefix")
    assert site.post("/x", headers={"origin": "https://public.example.org"}).status_code == 200
    assert site.post("/x", headers={"origin": "https://public.example.net"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"authorization": "Bearer x"}, True),
        ({"authorization": "bearer x"}, True),
        ({"authorization": "Bearer x", "cookie": "bakeoff=1"}, False),
        ({"authorization": "Basic x"}, False),
        ({"cookie": "bakeoff=1"}, False),
    ],
)
def test_a_token_cannot_be_sent_by_a_form_and_a_cookie_can(headers, allowed):
    answer = behind(Origin).post("/x", headers=headers | {"origin": "http://evil.example"})
    assert answer.status_code == (200 if allowed else 403)


def test_a_program_is_told_in_its_own_way():
    answer = behind(Origin).post("/api/v1/x", headers={"sec-fetch-site": "cross-site"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "status": 403,
        "title": "this was sent from another site",
        "hint": "open the page here, and send it again",
    }
