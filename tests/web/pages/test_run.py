"""A run: its score, what became of its samples, and its files."""

import csv
import html
import io
import json
import re

import duckdb
import orjson
import pytest

from bakeoff import Result, Task, evaluate
from bakeoff.model import open as opening
from bakeoff.run.remarks import remarks
from bakeoff.store import COLUMNS, read_manifest, read_samples, write_manifest
from bakeoff.web.rendering import percent
from tests.comparison.making import run as made
from tests.run.runs import run as answered
from tests.web.live import client
from tests.web.runs import CANARY, HOSTILE, append, going_on, hostile, private


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def run(folder):
    """A run with something hostile in every text."""
    return hostile(folder, "a", "b")[0]


@pytest.fixture(scope="module")
def secret(folder):
    return private(folder, "a")[0]


@pytest.fixture(scope="module")
def site(folder, run, secret):
    with client(folder) as found:
        yield found


def test_it_shows_the_score_and_every_outcome(site, run):
    page = site.get(f"/runs/{run.name}").text
    metrics = Result(run).metrics
    for number in (metrics.score.value, metrics.score.interval.low, metrics.score.interval.high):
        assert percent(number) in page
    for outcome, number in metrics.counts.items():
        if outcome != "total":
            row = re.search(
                rf"<tr[^>]*>\s*<th[^>]*>(?:<a[^>]*>)?{outcome.replace('_', ' ')}<.*?</tr>", page, re.DOTALL
            )
            assert f'<td class="num">{number:,}</td>' in row[0]
    assert read_manifest(run).task.digest in page


def test_each_outcome_is_counted_however_it_came_about(tmp_path):
    items = [{"id": f"i{n}", "input": "?", "target": n} for n in range(8)]
    said = [
        {"item_id": "i0", "output": "0"},
        {"item_id": "i1", "output": "9"},
        {"item_id": "i2", "output": "no number"},
        {"item_id": "i3", "output": ""},
        {"item_id": "i4", "output": "5 so", "finish": "length"},
    ]
    folder = answered(tmp_path, items, said).folder
    counts = Result(folder).metrics.counts
    assert counts["model_error"] == 3
    with client(tmp_path) as site:
        page = site.get(f"/runs/{folder.name}").text
        for outcome, number in counts.items():
            if number and outcome != "total":
                shown = site.get(f"/runs/{folder.name}?show={outcome}").text
                assert shown.count("/samples/i") == number, outcome
        assert page.count("/samples/i") == 8
        assert "every sample without a score wrong, or right" in page


def test_nothing_hostile_is_written_as_it_is(site, run):
    for query in ("", "?q=%3Cscript%3E", "?show=wrong&sort=-latency"):
        page = site.get(f"/runs/{run.name}{query}").text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert not {"\x1b", "\u202e", "\u200b"} & set(page)
        assert HOSTILE[:20].replace("<", "&lt;").replace(">", "&gt;") in page


def test_samples_are_filtered_sorted_and_paged(tmp_path):
    folder = made(tmp_path, "m", [n for n in range(230) if n % 2], 230)
    with client(tmp_path) as site:
        first = site.get(f"/runs/{folder.name}?show=right").text
        second = site.get(f"/runs/{folder.name}?show=right&page=2").text
        assert "115 samples" in first
        ids = re.findall(r"samples/(\d+)\?show=right", first + second)
        assert sorted(map(int, ids)) == list(range(1, 230, 2))
        assert site.get(f"/runs/{folder.name}?show=right&page=3").status_code == 404
        assert site.get(f"/runs/{folder.name}?page=0").status_code == 404
        assert "No sample matches" in site.get(f"/runs/{folder.name}?q=zz").text


def test_breakdowns_have_the_parts_of_the_run(site, run):
    page = site.get(f"/runs/{run.name}").text
    assert "Score by level" in page
    assert "Score by group" in page


@pytest.mark.parametrize("query", ["show=zz", "sort=zz", "page=x", "page=99", "q=" + "x" * 300])
def test_what_there_is_not_is_refused(site, run, query):
    assert 400 <= site.get(f"/runs/{run.name}?{query}").status_code < 500


@pytest.mark.parametrize(
    "name", ["nope", "..%2f..%2fetc", "%00", "a" * 5000, "%2e%2e%2fhostile", "*", "last"]
)
@pytest.mark.parametrize("rest", ["", "/manifest.json", "/samples.csv", "/samples/x", "/events"])
def test_no_path_is_made_of_an_address(site, name, rest):
    assert site.get(f"/runs/{name}{rest}").status_code in (404, 422)


def test_the_files_have_every_sample(site, run):
    wanted = [(each.item_id, each.repeat) for each in read_samples(run)]
    lines = site.get(f"/runs/{run.name}/samples.jsonl").content.splitlines()
    rows = [orjson.loads(line) for line in lines]
    assert [(row["item_id"], row["repeat"]) for row in rows] == wanted
    assert list(rows[0]) == list(COLUMNS)
    table = list(csv.DictReader(io.StringIO(site.get(f"/runs/{run.name}/samples.csv").text, newline="")))
    assert [(row["item_id"], int(row["repeat"])) for row in table] == wanted
    assert [row["output"] for row in table] == [row["output"] for row in rows]
    parquet = run.parent / "kept.parquet"
    parquet.write_bytes(site.get(f"/runs/{run.name}/samples.parquet").content)
    found = duckdb.connect().sql(f"SELECT * FROM '{parquet}'")
    assert {name: str(kind) for name, kind in zip(found.columns, found.types, strict=True)} == dict(COLUMNS)
    assert [row[:1] + row[2:3] for row in found.fetchall()] == wanted


def test_the_files_have_what_is_chosen(site, run):
    query = "?show=wrong&q=item-1&sort=-tokens"
    lines = site.get(f"/runs/{run.name}/samples.jsonl{query}").content.splitlines()
    rows = [orjson.loads(line) for line in lines]
    assert rows
    assert all(row["value"] == 0 and "item-1" in row["item_id"] for row in rows)
    assert [row["completion_tokens"] for row in rows] == sorted(
        (row["completion_tokens"] for row in rows), reverse=True
    )


def test_cells_that_a_spreadsheet_would_run_are_disarmed(tmp_path):
    items = [{"id": f"{sign}{n}", "input": "?", "target": "1"} for n, sign in enumerate("=+-@")]
    folder = answered(tmp_path, items, {each["id"]: "=1+1" for each in items}).folder
    with client(tmp_path) as site:
        rows = csv.reader(io.StringIO(site.get(f"/runs/{folder.name}/samples.csv").text, newline=""))
        cells = [cell for row in rows for cell in row]
    assert len([cell for cell in cells if cell.startswith("'=1+1")]) == 4
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_the_record_and_the_measures_can_be_kept(site, run):
    assert site.get(f"/runs/{run.name}/manifest.json").json() == json.loads(
        (run / "manifest.json").read_text()
    )
    stored = json.loads((run / "metrics.json").read_text())
    assert site.get(f"/runs/{run.name}/metrics.json").json()["score"] == stored["score"]
    for file in ("manifest.json", "metrics.json", "samples.jsonl", "samples.csv", "samples.parquet"):
        kept = site.get(f"/runs/{run.name}/{file}").headers["content-disposition"]
        assert kept.startswith("attachment;")


def test_no_text_of_a_private_task_is_anywhere(site, secret):
    item = "/samples/p1"
    for rest in (
        "",
        "?show=wrong",
        item,
        "/samples.jsonl",
        "/samples.csv",
        "/samples.parquet",
        "/metrics.json",
    ):
        found = site.get(f"/runs/{secret.name}{rest}")
        assert found.status_code == 200
        assert CANARY.encode() not in found.content, rest
    assert CANARY not in site.get("/tasks/secret").text
    assert CANARY.encode() in (secret / "samples.parquet").read_bytes()


def test_a_run_for_a_board_with_private_answers_is_not_there(tmp_path):
    (run,) = private(tmp_path, "a")
    moved = tmp_path / "runs" / "submission-1" / run.relative_to(tmp_path / "runs")
    moved.parent.mkdir(parents=True)
    run.rename(moved)
    with client(tmp_path) as site:
        assert run.name not in site.get("/runs").text
        for rest in ("", "/manifest.json", "/metrics.json", "/samples.csv", "/samples/p1", "/events"):
            assert site.get(f"/runs/{run.name}{rest}").status_code == 404
        assert site.get(f"/compare?run={run.name}&run={run.name}x").status_code == 404
        assert site.get("/tasks/secret").status_code == 404


def test_a_run_that_goes_on_says_how_far_it_is(tmp_path):
    (like,) = hostile(tmp_path, "a")
    run, _, samples = going_on(tmp_path, like, 20)
    with client(tmp_path) as site:
        page = site.get(f"/runs/{run.name}")
        assert "There are no samples yet" in page.text
        mine = site.get(f"/runs/{run.name}", headers={"cookie": "a=b"})
        assert mine.headers["cache-control"].startswith("no-store")
        for rest in ("/samples.csv", "/samples.parquet", "/metrics.json", "/samples/item-1"):
            answer = site.get(f"/runs/{run.name}{rest}")
            assert answer.status_code == 404
            assert str(tmp_path) not in answer.text
        assert site.get(f"/compare?run={run.name}&run={like.name}").status_code == 404
    append(run, *samples[:8])
    with client(tmp_path) as site:
        page = site.get(f"/runs/{run.name}").text
        assert '<progress max="20" value="8"' in page
        assert f'data-events="/runs/{run.name}/events"' in page
        assert page.count("/samples/") == 8


def test_a_run_stopped_before_its_first_sample_has_a_page(tmp_path):
    (like,) = hostile(tmp_path, "a")
    run, begun, _ = going_on(tmp_path, like, 20)
    write_manifest(run, begun.model_copy(update={"status": "incomplete"}))
    with client(tmp_path) as site:
        assert "bakeoff run --resume" in site.get(f"/runs/{run.name}").text


def test_other_runs_of_the_task_can_be_compared_from_here(site, run, folder):
    page = site.get(f"/runs/{run.name}").text
    others = [each.id for each in site.app.state.library.index.runs() if each.task == "hostile"]
    assert {each for each in others if f'name="run" value="{each}"' in page} == set(others)


def test_what_was_checked_is_said_as_on_the_terminal(tmp_path, monkeypatch):
    """A model that drifts, asked again: the sentences of `run.remarks`, and those of the caveats."""
    engine = opening._Engine("tests.run.unigram:Unigram", "unigram:NAME")
    monkeypatch.setitem(opening._ENGINES, "unigram", engine)
    items = [{"id": f"i{n}", "input": "e", "choices": ["eee", "ee"], "target": 0} for n in range(4)]
    task = Task(
        name="drifting",
        data={"items": items},
        ask="loglikelihood",
        scorer="loglikelihood",
        prompt={"kind": "plain"},
    )
    run = evaluate(
        task, "unigram:u", settings={"drifts": "0.5"}, determinism=4, out=tmp_path / "runs", cache=False
    )
    said = list(remarks(run.manifest, run.metrics))
    assert [each.about for each in said] == ["determinism"]
    with client(tmp_path) as site:
        page = html.unescape(site.get(f"/runs/{run.folder.name}").text)
        for each in said:
            assert each.text in page
        assert "under every normalisation" in page
        for norm in run.metrics.options:
            assert f'<th scope="row">{norm}</th>' in page


def test_repeats_have_their_measures(site, run):
    found = Result(run).metrics.repeated
    page = site.get(f"/runs/{run.name}").text
    assert "at least one right of 2" in page
    assert percent(found.pass_at[2].value) in page
    assert percent(found.pass_hat[2].value) in page


def test_a_run_without_a_score_and_one_of_perplexity_have_all_pages(tmp_path, monkeypatch):
    engine = opening._Engine("tests.run.unigram:Unigram", "unigram:NAME")
    monkeypatch.setitem(opening._ENGINES, "unigram", engine)
    items = [{"id": f"i{n}", "input": "?", "target": 1} for n in range(3)]
    unscored = answered(tmp_path, items, {"other": "1"})
    assert unscored.metrics.score.value is None
    documents = [{"id": f"d{n}", "input": "eee abc e" * (n + 1)} for n in range(3)]
    task = Task(
        name="texts",
        data={"items": documents},
        ask="perplexity",
        scorer="perplexity",
        prompt={"kind": "plain"},
    )
    texts = [evaluate(task, f"unigram:{name}", out=tmp_path / "runs", cache=False) for name in "ab"]
    one, other = (each.folder.name for each in texts)
    with client(tmp_path) as site:
        assert "no item has a score" in site.get(f"/runs/{unscored.folder.name}").text
        page = site.get(f"/runs/{one}").text
        assert f"{texts[0].metrics.perplexity.bits_per_byte.value:.3g}</span> bits per byte" in page
        for at in (
            f"/runs/{one}/samples/d1",
            "/tasks/texts",
            "/tasks/sums",
            f"/compare?run={one}&run={other}",
        ):
            assert site.get(at).status_code == 200
