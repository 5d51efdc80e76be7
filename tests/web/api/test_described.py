"""The API does what its description says, whatever it is asked: no bug, no answer of another shape."""

import itertools
import re

import hypothesis
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from bakeoff.web.api.document import document
from bakeoff.web.api.router import router
from bakeoff.web.app import create_app
from tests.web.api.site import without_limits
from tests.web.live import settings
from tests.web.people import by_token
from tests.web.whole import MEMBER, SECRET, build

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
DOCUMENT = document(router.routes)
OPERATIONS = [(method.upper(), path) for path, each in DOCUMENT["paths"].items() for method in each]
EXAMPLES = 30
# What is drawn hangs on the words in the code that is loaded, so that once in a while all thirty miss.
ROUNDS = 20
REQUIRED = {
    "/api/v1/boards/{board}/history": {"model": "org/model-50"},
    "/api/v1/search": {"q": "zephyr"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The schema of a whole site whose visitors may ask as often as they like, and a member's token."""
    folder = tmp_path_factory.mktemp("whole")
    token = build(folder)[MEMBER]
    app = without_limits(create_app(settings(folder)))
    library = app.state.library
    runs = [each.id for each in library.index.runs()]
    with library.read() as connection:
        named = [row.entrant.model for row in library.newest(connection, "little").rows]
    states = ["last", "first", "2026-01-01", "2030-01-01", "sha256:0000"]
    there = {
        "board": ["little", "little", "little", "hidden", "reported", "hostile", "nowhere"],
        "number": [1, 2, 3, 4, 5, 6, 10**9],
        "name": [*named, "org/=1+1", "nobody"],
        "model": [*named, "org/=1+1", "nobody"],
        "run_id": [*runs, "20260101T000000Z-000000"],
        "act": ["vote", "withdraw", "flag", "hide", "erase", "publish"],
        "after": [runs[0], "nothing", 3],
        "arena": ["chat", "chat", "nowhere"],
        "style": ["all", "off", "length", "none"],
        "item": ["one0", "one3", "two0", "two3", "nothing"],
        "on": ["board little", "submission 1", "submission 9", "task little/one"],
        "organisation": ["org", "ann", "nobody"],
    } | dict.fromkeys(("state", "at", "from", "to"), states)
    host = {"host": "127.0.0.1"}
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=host)
    return schema, by_token(token) | host, there


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda each: each)
def test_every_answer_is_one_that_the_description_has(site, method, path):
    schema, headers, there = site
    answered = set()
    for seed in range(ROUNDS):
        _ask(schema, method, path, headers, there, answered, seed)
        if answered - {404, 422}:
            return
    pytest.fail(f"nothing that was asked for was there: {answered}")


def _ask(schema, method, path, headers, there, answered, seed):
    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate,),
    )
    @hypothesis.given(case=schema[path][method].as_strategy(), data=st.data())
    def asked(case, data):
        _made_likely(case, data, there)
        answered.add(case.call_and_validate(headers=headers, checks=CHECKS).status_code)

    asked()


def _made_likely(case, data, there):
    """What is made up is seldom there, and of twenty parameters one is always wrong."""
    if data.draw(st.integers(0, 9)) < 8:
        for name in case.path_parameters or {}:
            case.path_parameters[name] = data.draw(st.sampled_from(there[name]))
    required = {"q", "file", "model", "organisation"}
    for name in list(case.query or {}):
        if name in there and data.draw(st.booleans()):
            case.query[name] = data.draw(st.sampled_from(there[name]))
        elif name not in required and data.draw(st.integers(0, 3)):
            del case.query[name]
    if isinstance(case.body, dict) and data.draw(st.booleans()):
        case.body |= {"organisation": "org", "model": f"hf:org/made@{data.draw(st.integers(0, 9)):040x}"}


def test_private_answers_are_in_no_answer(site):
    """Every address that can be made of what is there, asked by a member and by nobody."""
    schema, headers, there = site
    folder = schema.app.state.library.runs
    private = [path.parent.name for path in folder.glob("submission-*/private-*/*/*/manifest.json")]
    assert private
    answered = []
    with TestClient(schema.app, base_url="http://127.0.0.1") as client:
        for method, path in OPERATIONS:
            if method != "GET":
                continue
            names = re.findall(r"{(\w+)}", path)
            values = [[*there[name], *(private if name == "run_id" else ())] for name in names]
            for chosen in itertools.product(*map(dict.fromkeys, values)):
                address = path.format(**dict(zip(names, chosen, strict=True)))
                for asked in (headers, {}):
                    answer = client.get(address, params=REQUIRED.get(path), headers=asked)
                    assert SECRET not in answer.text, address
                    answered.append((address, answer.status_code))
    of_private = {code for address, code in answered for run in private if f"/runs/{run}" in address}
    assert of_private == {404}
    assert any(code == 200 and "/boards/hidden/rows" in address for address, code in answered)
