import shutil

import pytest
from starlette.testclient import TestClient

from bakeoff.web.app import create_app
from tests.web.api.site import build, without_limits
from tests.web.live import client, settings


@pytest.fixture(scope="session")
def stocked(tmp_path_factory):
    """The folder of a small site and its people's tokens; copied before anything is written to it."""
    folder = tmp_path_factory.mktemp("stocked")
    return folder, build(folder)


@pytest.fixture
def site(stocked, tmp_path):
    """A client of a site of its own, and its folder."""
    folder = tmp_path / "site"
    shutil.copytree(stocked[0], folder)
    with client(folder) as found:
        found.folder, found.tokens = folder, stocked[1]
        yield found


@pytest.fixture(scope="module")
def untouched(stocked, tmp_path_factory):
    """A client of a site that no test changes, and whose visitors may ask as often as they like."""
    folder = tmp_path_factory.mktemp("untouched") / "site"
    shutil.copytree(stocked[0], folder)
    with TestClient(without_limits(create_app(settings(folder))), base_url="http://127.0.0.1") as found:
        found.folder, found.tokens = folder, stocked[1]
        yield found
