"""A task: its card, one item as it is sent, its items over the runs."""

import html
import re
import socket

import pytest

from bakeoff.comparison.items import items_look
from bakeoff.run.index import RunIndex
from bakeoff.task import lint, load_task, prepare
from bakeoff.task.catalog import catalog_names
from tests.comparison.making import run
from tests.web.live import client
from tests.web.runs import CANARY, hostile, private


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def site(folder):
    with client(folder) as found:
        yield found


def words(page):
    """What a reader sees, without markup."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


@pytest.mark.parametrize("name", catalog_names())
def test_every_task_of_the_catalog_has_a_page_and_nothing_is_downloaded(site, name, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a page of a task reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    page = site.get(f"/tasks/{name}")
    assert page.status_code == 200
    seen, (task, _) = words(page.text), load_task(name)
    assert task.description in seen
    if task.card:
        for said in (task.card.measures, task.card.does_not_measure, task.card.licence, task.card.saturation):
            assert said in seen
    if task.data.hub:
        assert f"bakeoff task show {name}" in seen
        assert f"bakeoff task lint {name}" in seen
    else:
        assert "as it is sent" in seen
        found = lint(task)
        assert ("The linter found nothing wrong" in seen) == (not found)
        assert [each.rule for each in found if each.rule not in seen] == []


def test_the_item_shown_is_the_one_that_is_sent(site):
    prepared = prepare(load_task("arithmetic")[0])
    item = next(prepared.items())
    seen = words(site.get("/tasks/arithmetic").text)
    assert prepared.render(item).turns[0][-1].text in seen
    assert item.id in seen


def test_items_are_those_of_the_runs(tmp_path):
    for model, right in {"a": range(90), "b": range(40), "c": [*range(20), 150]}.items():
        run(tmp_path, model, [*right], 160)
    look = items_look(RunIndex(tmp_path / "runs").runs())
    with client(tmp_path) as site:
        page = site.get("/tasks/sums").text
        n = len(look.items)
        assert f"{100 * look.all_right / n:.1f}" in page
        assert f"{100 * look.all_wrong / n:.1f}" in page
        ids = listed(page) + listed(site.get("/tasks/sums?page=2").text)
        assert ids == [each.item_id for each in look.items]
        assert (
            listed(site.get("/tasks/sums?order=easiest").text)
            == [each.item_id for each in reversed(look.items)][:100]
        )
        for flag, short in (
            ("all right", "all%20right"),
            ("all wrong", "all%20wrong"),
            ("negative", "negative"),
        ):
            wanted = [each.item_id for each in look.items if any(flag in said for said in each.flags)]
            assert listed(site.get(f"/tasks/sums?flag={short}").text) == wanted[:100]
        at = re.search(r'<a href="(/runs/[^"]*/samples/[^"]*)"', page)[1]
        assert site.get(at).status_code == 200


def listed(page):
    if "There is no such item" in page:
        return []
    table = page[page.index('id="items"') : page.index('id="runs"')]
    return re.findall(r'samples/[^"]*"><bdi>(.*?)</bdi>', table)


def test_a_task_of_runs_alone_shows_what_was_sent(tmp_path):
    hostile(tmp_path, "a", "b")
    with client(tmp_path) as site:
        page = site.get("/tasks/hostile").text
        assert "as it was sent in the run" in page
        assert "<script>alert" not in page
        assert "<img" not in page
        assert not {"\x1b", "\u202e", "\u200b"} & set(page)


def test_editions_of_a_task_are_apart(tmp_path):
    for model in "ab":
        run(tmp_path, model, [1], 9)
    run(tmp_path, "a", [1], 9, variant="terse")
    with client(tmp_path) as site:
        page = site.get("/tasks/sums").text
        at = html.unescape(re.search(r'href="(/tasks/sums\?edition=[^"]*)"', page)[1])
        assert "The newest complete run of each of 2 models" in page
        other = site.get(at).text
        assert "two models or more" in other


def test_no_text_of_a_private_task_is_shown(tmp_path):
    private(tmp_path, "a", "b")
    with client(tmp_path) as site:
        page = site.get("/tasks/secret")
        assert page.status_code == 200
        assert CANARY not in page.text
        assert "The task is private" in page.text
        assert set(listed(page.text)) == {f"p{n}" for n in range(9)}


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "..%2f..%2fetc%2fpasswd",
        "arithmetic:sentence",
        "x.py",
        "%2ftmp%2fx.yaml",
        "%00",
        "a" * 3000,
        "arithmetic?flag=zz",
        "arithmetic?order=zz",
        "arithmetic?edition=zz",
        "arithmetic?page=x",
    ],
)
def test_what_there_is_not_is_refused(site, name):
    assert site.get(f"/tasks/{name}").status_code in (404, 422)


def test_a_file_that_a_run_names_is_never_opened(tmp_path):
    """Whoever can hand in a run could otherwise have a program of theirs run here."""
    folder = run(tmp_path, "a", [1], 9)
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('opened')")
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"ref": ""', f'"ref": "{trap}"'))
    assert str(trap) in path.read_text()
    with client(tmp_path) as site:
        assert site.get("/tasks/sums").status_code == 200
        assert site.get(f"/runs/{folder.name}").status_code == 200
