"""The page of the API: all that its description says, and nothing that leads nowhere."""

import re

import pytest

from bakeoff.web.api.document import document
from bakeoff.web.api.router import router
from bakeoff.web.pages.api import api
from tests.web.browser import PHONE, chromium, overflow, tab
from tests.web.live import client, server

DOCUMENT = document(router.routes)


def test_every_endpoint_parameter_and_shape_is_on_the_page(tmp_path):
    with client(tmp_path) as site:
        page = site.get("/api").text
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            assert f"{method.upper()}</b> <code>{path}</code></h3>" in page
            for each in operation.get("parameters", ()):
                assert f"<code>{each['name']}</code>" in page
    for name, shape in DOCUMENT["components"]["schemas"].items():
        assert f'id="shape-{name}"' in page
        assert all(f"<code>{each}</code>" in page for each in shape.get("properties", ()))


def test_every_link_within_the_page_has_its_place(tmp_path):
    with client(tmp_path) as site:
        page = site.get("/api").text
    places = re.findall(r'\sid="([^"]+)"', page)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= {*places}


def test_every_parameter_field_and_endpoint_says_what_it_is():
    page = api(DOCUMENT, "https://example.org")
    endpoints = [each for topic in page.topics for each in topic.endpoints]
    assert len(endpoints) == sum(len(each) for each in DOCUMENT["paths"].values())
    assert [each.path for each in endpoints if not each.title.endswith(".")] == []
    assert [
        (each.path, field.name) for each in endpoints for field in each.parameters if not field.about
    ] == []
    assert [each.name for each in page.shapes if not each.about] == []
    assert {each.path for each in endpoints if each.needs_token} == {
        path for path, operations in DOCUMENT["paths"].items() if "post" in operations
    }


def test_a_site_under_a_prefix_describes_itself_there():
    assert document(router.routes, "/prefix")["servers"] == [{"url": "/prefix"}]


def test_the_description_is_the_one_that_programs_get(tmp_path):
    with client(tmp_path) as site:
        found = site.get("/api/v1/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    assert found["paths"].keys() == DOCUMENT["paths"].keys()


@pytest.mark.browser
@pytest.mark.parametrize(("size", "dark"), [(PHONE, True)], ids=["phone"])
def test_the_page_is_readable_by_everybody_and_opens_what_is_linked_to(tmp_path, size, dark):
    with server(tmp_path) as address, chromium() as browser, tab(browser, size=size, dark=dark) as page:
        page.goto(f"{address}/api")
        assert overflow(page) == 0
        assert not page.locator("#shape-Rows").is_visible()
        page.locator("a[href='#shape-Rows']").first.click()
        page.locator("#shape-Rows").wait_for(state="visible")
