"""Runs side by side."""

import html
import re

import pytest

from bakeoff.comparison import compare
from bakeoff.store import read_samples
from bakeoff.web.rendering import percent
from tests.comparison.making import run as made
from tests.web.live import client
from tests.web.runs import CANARY, hostile, private


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def runs(folder):
    """Three models on 120 items: right on 100, 60 and 55 of them."""
    return [
        made(folder, model, range_, 120)
        for model, range_ in (("a", [*range(100)]), ("b", [*range(40, 100)]), ("c", [*range(55)]))
    ]


@pytest.fixture(scope="module")
def site(folder, runs):
    with client(folder) as found:
        yield found


def asked(*runs, **more):
    return "/compare?" + "&".join(
        [*(f"run={run.name}" for run in runs), *(f"{name}={value}" for name, value in more.items())]
    )


def items(page):
    """The items listed, in order."""
    table = page[page.index('id="items"') :]
    return [html.unescape(each) for each in re.findall(r"<tr><th scope=\"row\"><bdi>(.*?)</bdi></th>", table)]


def test_it_says_what_the_command_line_says(site, runs):
    found = compare(runs)
    page = site.get(asked(*runs)).text
    for standing in found.standings:
        assert f"{percent(standing.score.value)}" in page
    for pair in found.pairs:
        row = re.search(
            rf"<bdi>{pair.second}</bdi></a>(?:<small>.*?</small>)?</th>\s*<td>.*?</tr>", page, re.DOTALL
        )[0]
        for number in (pair.won, pair.lost, pair.tied):
            assert f">{number}<" in row
        assert pair.verdict in row
        assert f"{100 * pair.difference:+.1f}".replace("-", "−") in row


def test_items_won_lost_and_tied_are_those_of_the_samples(site, runs):
    values = [{each.item_id: each.score.value for each in read_samples(run)} for run in runs]
    a, b, _ = values
    wanted = {
        "won": {each for each in a if b[each] > a[each]},
        "lost": {each for each in a if b[each] < a[each]},
        "tied": {each for each in a if b[each] == a[each]},
        "differ": {each for each in a if b[each] != a[each]},
        "all": set(a),
    }
    for show, expected in wanted.items():
        found = []
        for page in (1, 2):
            answer = site.get(asked(*runs, first=runs[0].name, second=runs[1].name, show=show, page=page))
            found += items(answer.text) if answer.status_code == 200 else []
        assert sorted(found) == sorted(expected), show


def test_each_item_leads_to_the_sample_of_each_run(site, runs):
    page = site.get(asked(*runs)).text
    item = items(page)[0]
    for run in runs:
        assert f'href="/runs/{run.name}/samples/{item}"' in page
        assert site.get(f"/runs/{run.name}/samples/{item}").status_code == 200


def test_the_counts_lead_to_the_items_they_count(site, runs):
    page = site.get(asked(*runs)).text
    links = re.findall(r'<td class="num"><a href="([^"]*)">([\d,]+)</a></td>', page)
    assert links
    for at, number in links:
        found = items(site.get(html.unescape(at)).text)
        assert len(found) == min(100, int(number.replace(",", "")))


def test_another_run_can_be_the_one_to_compare_with(site, runs):
    page = site.get(asked(*runs, against=runs[1].name)).text
    assert "Against <bdi>b</bdi>" in page
    found = compare(runs, baseline="b")
    assert {pair.second for pair in found.pairs} == {"a", "c"}
    for pair in found.pairs:
        assert f"{100 * pair.difference:+.1f}".replace("-", "−") in page


def test_two_runs_have_no_ranks_to_draw_and_three_have(site, runs):
    assert 'id="every-two"' not in site.get(asked(*runs[:2])).text
    page = site.get(asked(*runs)).text
    assert 'id="every-two"' in page
    assert 'id="ranks"' in page


def test_order_and_repetition_of_the_runs_change_nothing(site, runs):
    page = site.get(asked(*runs)).text
    assert site.get(asked(*reversed(runs), runs[0])).text == page


def test_tasks_that_differ_are_refused_with_the_difference(site, runs, folder):
    other = made(folder, "a", [1], 120, variant="polite")
    page = site.get(asked(runs[0], other))
    assert page.status_code == 400
    assert "prompt.system" in page.text
    assert str(folder) not in page.text


def test_what_differs_of_a_private_task_is_named_and_not_told(tmp_path):
    (run,) = private(tmp_path, "a")
    (other,) = hostile(tmp_path, "b")
    with client(tmp_path) as site:
        page = site.get(asked(run, other))
        assert page.status_code == 400
        assert CANARY not in page.text
        assert "prompt.system" in page.text
        assert "system &lt;script" not in page.text


def test_private_runs_are_compared_without_texts(tmp_path):
    runs = private(tmp_path, "a", "b")
    with client(tmp_path) as site:
        page = site.get(asked(*runs, show="all"))
        assert page.status_code == 200
        assert len(items(page.text)) == 9
        assert CANARY not in page.text


@pytest.mark.parametrize(
    "query",
    [
        "",
        "run=x",
        "run=x&run=y",
        "{0}",
        "{0}&{0}",
        "{0}&{1}&show=zz",
        "{0}&{1}&page=0",
        "{0}&{1}&page=99",
        "{0}&{1}&page=x",
        "{0}&{1}&first=x",
        "{0}&{1}&against=x",
        "&".join(["run=x"] * 50),
    ],
)
def test_what_cannot_be_compared_is_refused(site, runs, query):
    query = query.format(*(f"run={run.name}" for run in runs))
    assert 400 <= site.get(f"/compare?{query}").status_code < 500


def test_more_than_eight_runs_are_refused(tmp_path):
    runs = [made(tmp_path, f"m{n}", [n], 9) for n in range(9)]
    with client(tmp_path) as site:
        assert site.get(asked(*runs)).status_code == 400
        assert site.get(asked(*runs[:8])).status_code == 200


def test_nothing_hostile_is_written_as_it_is(tmp_path):
    runs = hostile(tmp_path, "a", "b", "c")
    with client(tmp_path) as site:
        page = site.get(asked(*runs, show="all")).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert not {"\x1b", "\u202e", "\u200b"} & set(page)


def test_runs_of_one_model_are_told_apart(tmp_path):
    runs = [made(tmp_path, "same", right, 20) for right in ([1, 2, 3], [2, 3])]
    with client(tmp_path) as site:
        assert site.get(asked(*runs)).status_code == 200
