"""A sample: what was sent and said, what was made of it, and how others did."""

import html
import re
from urllib.parse import quote

import pytest

from bakeoff import Task, evaluate
from bakeoff.model import open as opening
from bakeoff.run.execute import finish
from bakeoff.store import read_samples
from bakeoff.visible import visible
from tests.run.runs import run as answered
from tests.web.live import client
from tests.web.runs import CANARY, HOSTILE, append, going_on, hostile, private


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def runs(folder):
    """Two runs of one task, something hostile in every text."""
    return hostile(folder, "a", "b")


@pytest.fixture(scope="module")
def site(folder, runs):
    with client(folder) as found:
        yield found


def address(run, sample):
    return f"/runs/{run.name}/samples/{quote(sample.item_id, safe='')}?repeat={sample.repeat}"


def words(page):
    """What a reader sees, without markup."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def test_every_sample_has_a_page_with_all_that_was_sent_and_said(site, runs):
    for run in runs:
        for sample in read_samples(run):
            page = site.get(address(run, sample))
            assert page.status_code == 200
            seen = words(page.text)
            texts = [message.text for message in sample.turns[0].input]
            texts += [sample.turns[0].response.text, sample.turns[0].response.reasoning, sample.score.reason]
            texts += [sample.item_id, sample.target[0], str(sample.seed), sample.item_digest, sample.group]
            assert [text for text in texts if visible(text) not in seen] == []


def test_nothing_hostile_is_written_as_it_is(site, runs):
    for run in runs:
        for sample in read_samples(run):
            page = site.get(address(run, sample)).text
            assert "<script>alert" not in page
            assert "<img" not in page
            assert not re.search(r'href="(?!/|#)(?!http)', page)
            assert not {"\x1b", "\u202e", "\u200b"} & set(page)
            assert HOSTILE not in page


def test_one_goes_through_the_samples_in_order(site, runs):
    """From the first on, `next` leads through all of them, and `before` back."""
    for query in ("", "show=wrong", "sort=-tokens", "show=right&q=item-1"):
        first = site.get(f"/runs/{runs[0].name}?{query}").text
        at = html.unescape(re.search(r'href="(/runs/[^"]*/samples/[^"]*)"', first)[1])
        seen, back = [], []
        while at:
            seen.append(at)
            page = site.get(at).text
            after = re.search(r'rel="next" href="([^"]*)"', page)
            before = re.search(r'rel="prev" href="([^"]*)"', page)
            back.append(before and html.unescape(before[1]))
            at = after and html.unescape(after[1])
        assert back == [None, *seen[:-1]]
        total = int(re.search(r"([\d,]+) samples?</span>", first)[1])
        assert len(seen) == total


def test_the_same_item_in_the_other_run_is_there_with_what_it_said(site, runs):
    for sample in read_samples(runs[0], item_id="item-9"):
        page = site.get(address(runs[0], sample)).text
        others = list(read_samples(runs[1], item_id="item-9"))
        right = sum(each.score.value == 1 for each in others)
        assert f"{right} of 2 other answers" in page
        for each in others:
            assert f'href="/runs/{runs[1].name}/samples/item-9' in page
            assert f"<bdi>{each.score.extracted}</bdi>" in page


def test_both_repeats_lead_to_each_other(site, runs):
    page = site.get(f"/runs/{runs[0].name}/samples/item-9").text
    assert f'href="/runs/{runs[0].name}/samples/item-9?repeat=1"' in page


def test_a_sample_can_be_kept_alone(site, runs):
    page = site.get(f"/runs/{runs[0].name}/samples/{quote('a/../b c', safe='')}").text
    at = html.unescape(re.search(r'href="([^"]*samples.jsonl[^"]*)"', page)[1])
    assert site.get(at).text.count('"item_id":"a/../b c"') == 2


@pytest.mark.parametrize(
    "rest",
    [
        "none",
        "item-9?repeat=7",
        "item-9?repeat=-1",
        "item-9?repeat=x",
        "item-9?show=zz",
        "..%2f..%2fmanifest.json",
        "item-9%00",
        "x" * 4000,
        "%27%20OR%201=1--",
    ],
)
def test_what_there_is_not_is_refused(site, runs, rest):
    assert site.get(f"/runs/{runs[0].name}/samples/{rest}").status_code in (404, 422)


def test_no_text_of_a_private_task_is_shown(tmp_path):
    one, other = private(tmp_path, "a", "b")
    with client(tmp_path) as site:
        for sample in read_samples(one):
            page = site.get(address(one, sample)).text
            assert CANARY not in page
            assert other.name in page
            assert "withheld" in page


def test_a_long_answer_is_cut_and_says_so(tmp_path):
    said = "word " * 40_000 + "7"
    run = answered(tmp_path, [{"id": "i", "input": "?", "target": "7"}], {"i": said}).folder
    with client(tmp_path) as site:
        page = site.get(f"/runs/{run.name}/samples/i").text
        assert len(page) < 150_000
        assert "140,001 characters more" in page
        assert site.get(f"/runs/{run.name}/samples.jsonl?item=i").json()["output"] == said


def test_an_answer_that_never_came_says_why(tmp_path):
    run = answered(
        tmp_path, [{"id": "i", "input": "?", "target": 1}, {"id": "k", "input": "?", "target": 1}], {"k": "1"}
    )
    with client(tmp_path) as site:
        page = site.get(f"/runs/{run.folder.name}/samples/i").text
        assert "No answer. missing:" in page
        assert "not in the score" in page


def test_options_are_a_table_with_their_log_probabilities(tmp_path, monkeypatch):
    engine = opening._Engine("tests.run.unigram:Unigram", "unigram:NAME")
    monkeypatch.setitem(opening._ENGINES, "unigram", engine)
    items = [{"id": "i", "input": f"{HOSTILE} e", "choices": ["eeee", f"x{HOSTILE}", "ee"], "target": 2}]
    task = Task(
        name="options",
        data={"items": items},
        ask="loglikelihood",
        scorer="loglikelihood",
        prompt={"kind": "plain"},
    )
    run = evaluate(task, "unigram:u", out=tmp_path / "runs", cache=False).folder
    (sample,) = read_samples(run)
    with client(tmp_path) as site:
        page = site.get(f"/runs/{run.name}/samples/i").text
    seen = words(page)
    for option, text in zip(sample.turns[0].response.options, sample.continuations, strict=True):
        assert str(round(option.logprob, 4)) in seen
        assert visible(text) in seen
    assert page.count("the likeliest") == 1
    assert page.count("the right one") == 1


def test_a_sample_of_a_run_that_goes_on_can_be_read(tmp_path):
    (like,) = hostile(tmp_path, "a")
    run, begun, samples = going_on(tmp_path, like, 20)
    append(run, *samples[:3])
    with client(tmp_path) as site:
        for sample in samples[:3]:
            assert site.get(address(run, sample)).status_code == 200
        assert site.get(address(run, samples[3])).status_code == 404
        append(run, *samples[3:])
        finish(run, begun)
        assert site.get(address(run, samples[3])).status_code == 200
