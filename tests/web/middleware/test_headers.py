import pytest
from starlette.testclient import TestClient

from bakeoff.web.app import create_app
from bakeoff.web.middleware.headers import Headers
from tests.web import live
from tests.web.middleware.plain import behind

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def policy(answer):
    parts = [each.strip() for each in answer.headers["content-security-policy"].split(";")]
    return dict(each.split(" ", 1) for each in parts)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/login", 200),
        ("GET", "/account", 303),
        ("GET", "/no-such-page", 404),
        ("GET", "/static/../app.py", 404),
        ("POST", "/", 405),
        ("POST", "/login", 422),
    ],
)
def test_every_answer_says_what_a_page_may_do(tmp_path, method, path, status):
    with live.client(tmp_path) as client:
        answer = client.request(method, path, follow_redirects=False)
        assert answer.status_code == status
        assert policy(answer) == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/login", {"sec-fetch-site": "cross-site"}, 403),
        ("POST", "/login", {"content-length": "9999999999"}, 413),
        ("GET", "/", {"authorization": "Bearer bkf_wrong"}, 401),
    ],
)
def test_so_do_refusals(tmp_path, method, path, headers, status):
    with live.client(tmp_path) as client:
        answer = client.request(method, path, headers=headers)
        assert (answer.status_code, policy(answer)) == (status, POLICY)


def test_so_does_a_fault_which_tells_nothing_of_itself(tmp_path):
    app = create_app(live.settings(tmp_path))

    @app.get("/fault")
    def fault():
        raise RuntimeError("the inside of the server")

    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/fault")
    assert (answer.status_code, policy(answer)) == (500, POLICY)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a bug in bakeoff" in answer.text
    assert "the inside" not in answer.text


def test_https_is_held_to_where_the_site_has_it():
    answer = behind(Headers, secure=True).get("/x")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_our_own_files_say_only_what_matters_of_files(tmp_path):
    with live.client(tmp_path) as client:
        answer = client.get("/static/site.css")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in answer.headers
