"""Every page there is: all answer, none is dangerous, none tells what is private."""

import re

import pytest

from tests.web.live import client
from tests.web.people import log_in
from tests.web.whole import MODERATOR, RAW, SECRET, Page, build, crawl


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("whole")
    build(found)
    return found


@pytest.fixture(scope="module", params=[None, MODERATOR])
def answers(folder, request):
    """What every page that one can reach answers, to nobody in particular and to each kind of person."""
    with client(folder) as site:
        if request.param:
            log_in(site, folder, request.param)
        return crawl(site)


def test_every_link_leads_somewhere(answers):
    wrong = {path: each.status_code for path, each in answers.items() if each.status_code != 200}
    # Rows of the made-up boards were never handed in, and have no thread.
    assert {path: status for path, status in wrong.items() if "?on=submission" not in path} == {}
    kinds = {re.sub(r"[^/]*[0-9%].*", "…", path.partition("?")[0]) for path in answers}
    assert len(answers) > 60, kinds


def test_nothing_hostile_is_in_a_page_as_it_was_written(answers):
    for path, answer in answers.items():
        if "html" in answer.headers["content-type"] or "xml" in answer.headers["content-type"]:
            assert not [each for each in RAW if each in answer.text], path


def test_no_page_shows_what_only_a_program_understands(answers):
    inside = re.compile(r"&lt;(Macro|bound method|function|[\w.]+ object at)|Undefined|\bobject at 0x")
    for path, answer in answers.items():
        if answer.headers["content-type"].startswith("text/html"):
            assert not inside.search(answer.text), path


def test_every_page_has_a_title_of_its_own_and_one_heading(answers):
    for path, answer in answers.items():
        if answer.headers["content-type"].startswith("text/html"):
            assert len(re.findall(r"<h1[ >]", answer.text)) == 1, path
            assert re.search(r"<title>\s*[^\s·]", answer.text), path


def test_private_answers_are_nowhere(answers):
    assert [path for path, answer in answers.items() if SECRET in answer.text] == []


def test_every_answer_says_what_a_page_may_do(answers):
    for path, answer in answers.items():
        policy = answer.headers.get("content-security-policy", "")
        assert path.startswith("/static/") or "default-src 'none'" in policy, path
        assert answer.headers["x-content-type-options"] == "nosniff", path
        if answer.headers["content-type"].startswith("text/html"):
            assert Page(answer.text).acting == [], path
