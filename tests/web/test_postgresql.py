"""The site on PostgreSQL: every page as it is on SQLite, and nothing that only SQLite would take."""

import re

import pytest

from bakeoff.database import database_url, open_database
from bakeoff.database.copying import copy
from tests.database.databases import fresh_postgres, postgres_server
from tests.web.every_route import routes
from tests.web.live import client
from tests.web.whole import build, crawl

HOLE = r"{[^}]*}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("whole")
    build(found)
    return found


@pytest.fixture(scope="module")
def database(folder, tmp_path_factory):
    """The address of a database with all that the whole site has."""
    with postgres_server(tmp_path_factory.mktemp("pg")) as server, fresh_postgres(server) as url:
        source = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
        target = open_database(url)
        copy(source, target, keys=True)
        for each in (source, target):
            each.dispose()
        yield url.render_as_string(hide_password=False)


def test_every_page_is_as_it_is_on_sqlite(folder, database):
    with client(folder) as site:
        expected = crawl(site)
    with client(folder, database=database) as site:
        found = crawl(site)
    assert set(found) == set(expected)
    assert len(found) > 60
    differs = [path for path, each in found.items() if each.text != expected[path].text]
    assert differs == []


def test_a_nul_in_an_address_or_a_form_is_refused_wherever_it_is(folder, database):
    answered = {}
    with client(folder, database=database) as site:
        form = site.post("/login", data={"name": "a\0b", "password": "a\0b"})
        for method, path, names in routes():
            if method == "GET" and not path.endswith("/events"):  # those have no end
                asked = [re.sub(HOLE, "%00", path)] if "{" in path else []
                asked += [f"{re.sub(HOLE, 'little', path)}?{name}=a%00b" for name in names]
                answered |= {each: site.get(each).status_code for each in asked}
    in_paths, in_queries = (
        {code for each, code in answered.items() if "%00" in each and ("?" in each) is query}
        for query in (False, True)
    )
    assert (in_paths, in_queries, form.status_code) == ({404}, {422}, 401)
