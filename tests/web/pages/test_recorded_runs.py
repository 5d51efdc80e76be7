"""Pages of recorded answers of real models: GSM8K."""

import html
import re

import pytest

from bakeoff import evaluate
from bakeoff.store import read_samples
from bakeoff.task import load_task
from bakeoff.visible import visible
from tests.web.live import client

pytestmark = pytest.mark.data

MODELS = ("gpt-3.5-turbo", "metamath_7b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def runs(folder, data_dir):
    task, _ = load_task("gsm8k", data=str(data_dir / "gsm8k" / "data.parquet"))
    answers = data_dir / "gsm8k_outputs" / "data.parquet"
    return [
        evaluate(task, f"recorded:{answers}#{model}", out=folder / "runs", cache=False) for model in MODELS
    ]


@pytest.fixture(scope="module")
def site(folder, runs):
    with client(folder) as found:
        yield found


def test_the_run_shows_its_accuracy_and_all_its_samples(site, runs):
    for run in runs:
        page = site.get(f"/runs/{run.folder.name}")
        score = run.metrics.score
        assert f'<span class="big">{100 * score.value:.1f}</span>' in page.text
        assert "1,319 samples" in page.text
        assert "Page 1 of 14" in page.text
        assert len(page.content) < 100_000


def test_what_a_sample_says_is_there_to_the_letter(site, runs):
    for sample in list(read_samples(runs[0].folder, outcome="wrong"))[::40]:
        page = site.get(f"/runs/{runs[0].folder.name}/samples/{sample.item_id.replace('/', '%2F')}").text
        blocks = [html.unescape(each) for each in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)]
        assert visible(sample.turns[0].response.text) in blocks
        assert visible(sample.turns[0].input[0].text) in blocks
        assert visible(sample.score.extracted or "") in [*blocks, ""]


def test_the_comparison_counts_what_the_samples_count(site, runs):
    one, other = ({each.item_id: each.score.value for each in read_samples(run.folder)} for run in runs)
    page = site.get(f"/compare?run={runs[0].folder.name}&run={runs[1].folder.name}").text
    better, worse = (one, other) if sum(one.values()) > sum(other.values()) else (other, one)
    won = sum(worse[item] > better[item] for item in one)
    lost = sum(worse[item] < better[item] for item in one)
    counts = re.findall(r'show=(won|lost|tied)[^"]*">([\d,]+)</a>', page)
    assert dict(counts) == {"won": f"{won}", "lost": f"{lost}", "tied": f"{1319 - won - lost:,}"}


def test_the_task_has_its_card_and_its_items(site):
    page = site.get("/tasks/gsm8k").text
    assert "Cobbe et al. 2021" in page
    assert "1,319 items" in page
