"""The list of tasks: the whole catalog, and before it what was asked here, with how often."""

import re

from bakeoff.task.catalog import catalog_index
from tests.web.live import client
from tests.web.runs import hostile


def test_tasks_that_were_asked_come_first_with_how_often(tmp_path):
    runs = hostile(tmp_path, "apple", "pear")
    with client(tmp_path) as site:
        page = site.get("/tasks")
        (task,) = {run.task for run in site.app.state.library.index.runs()}
    first = page.text.index("Asked here")
    row = page.text[first : page.text.index("</tr>", page.text.index("<tbody>", first))]
    assert f'href="/tasks/{task}"' in row
    assert re.findall(r'class="num">(?:<a [^>]*>)?(\d+)', row) == ["2", str(len(runs))]


def test_all_of_the_catalog_has_its_line(tmp_path):
    with client(tmp_path) as site:
        page = site.get("/tasks")
    assert "Asked here" not in page.text
    listed = re.findall(r'<dt><a href="/tasks/([^"]+)">', page.text)
    assert sorted(listed) == sorted(catalog_index())
