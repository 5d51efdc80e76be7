"""Handing in over the API: who may, what is taken, and what becomes of it."""

from pathlib import Path

import pytest

from bakeoff.accounts import by_name, revoke, tokens_of
from bakeoff.board.entry.keys import announce, new_key
from bakeoff.database import database_url
from tests.board.leaks import leaks
from tests.board.recorded import answers
from tests.web.api.site import work, written
from tests.web.people import log_in

API = "/api/v1"
COMMIT = "a" * 40
GOOD = {"model": f"hf:org/name@{COMMIT}", "organisation": "new", "licence": "mit"}
SECRET = "sk-veryverysecretindeed"


def _as(site, name):
    return {"authorization": f"Bearer {site.tokens[name]}"}


def _post(site, who="ann", board="little", **changes):
    headers = _as(site, who) if who else {}
    return site.post(f"{API}/boards/{board}/submissions", json=GOOD | changes, headers=headers)


def _upload(site, content, who="ann", **query):
    query = {"file": "answers.jsonl", "organisation": "new"} | query
    headers = _as(site, who) if who else {}
    return site.post(f"{API}/boards/little/predictions", params=query, content=content, headers=headers)


def _file(site, right=7, name="fresh"):
    return Path(answers(site.folder, right, name).partition(":")[2]).read_bytes()


def _kept(site):
    return sorted((site.app.state.library.runs / "predictions").glob("*/*"))


def _count(site):
    return len(site.get(f"{API}/boards/little/submissions").json()["submissions"])


def test_weights_are_handed_in_and_looked_at(site):
    answer = _post(site, parameters=1.5, base="org/base", weight_type="merge")
    assert answer.status_code == 201
    made = answer.json()
    assert (made["state"], made["submitter"], made["organisation"]) == ("validating", "ann", "new")
    assert (made["model"]["base"], made["model"]["parameters"], made["attempt"]) == ("org/base", 1.5, 1)
    assert answer.headers["location"] == f"{API}/submissions/{made['id']}"
    again = site.get(answer.headers["location"]).json()
    assert again["id"] == made["id"]
    kinds = [each["kind"] for each in site.get(f"{API}/submissions/{made['id']}/events").json()["entries"]]
    assert kinds == ["submitted", "submission validating"]


def test_answers_are_handed_in_evaluated_and_scored(site):
    answer = _upload(site, _file(site, 7))
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert (made["way"], made["model"]["name"]) == ("predictions", "answers")
    work(site, site.folder)
    done = site.get(f"{API}/submissions/{made['id']}").json()
    assert (done["state"], done["ended"]) == ("review", False)
    assert done["scores"]["score"]["value"] == pytest.approx(7 / 12)


@pytest.mark.parametrize(("who", "status"), [(None, 401), ("eve", 403), ("nobody", 403)])
def test_only_who_speaks_for_an_organisation_hands_in_for_it(untouched, who, status):
    before = _count(untouched)
    for answer in (_post(untouched, who), _upload(untouched, _file(untouched), who)):
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
    assert _count(untouched) == before
    assert not list((untouched.folder / "runs" / "predictions").glob("*/answers.jsonl"))


def test_everybody_speaks_for_themselves(site):
    assert _post(site, "nobody", organisation="nobody").status_code == 201


def test_a_token_that_is_none_or_was_revoked_hands_in_nothing(site):
    with written(site) as connection:
        (token,) = tokens_of(connection, by_name(connection, "ann"))
        revoke(connection, "ann", token.id, actor="ann")
    assert _post(site).status_code == 401
    wrong = site.post(
        f"{API}/boards/little/submissions", json=GOOD, headers={"authorization": "Bearer bkf_x"}
    )
    assert wrong.status_code == 401


def test_what_is_not_ones_own_cannot_be_superseded(site):
    assert "can be superseded" in _post(site, supersedes=1).json()["hint"]  # of org0, and this is for new
    assert _post(site, organisation="org0", supersedes=1).status_code == 201
    assert _post(site, organisation="org0", supersedes=99).status_code == 404


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "hf:org/name"}, "40 digits"),
        ({"model": "hf:org/name@main"}, "40 digits"),
        ({"model": f"hf:name@{COMMIT}"}, "ORG/NAME"),
        ({"model": "hf:smollm2"}, "ORG/NAME"),
        ({"model": "hf:/etc/passwd"}, "ORG/NAME"),
        ({"model": "hf:../../x"}, "ORG/NAME"),
        ({"model": "vllm:~/x.gguf"}, "ORG/NAME"),
        ({"model": "gguf:/etc/passwd"}, "hf:ORG/NAME@COMMIT"),
        ({"model": "call:x.py:f"}, "hf:ORG/NAME@COMMIT"),
        ({"model": "recorded:/etc/passwd"}, "predictions"),
        ({"model": f"recorded:predictions/{'0' * 64}/a.jsonl"}, "predictions"),
        ({"model": "nonsense"}, "hf:ORG/NAME@COMMIT"),
        ({"model": "https://host/v1"}, "#"),
        ({"model": "https://user:pw@host/v1#m"}, ""),
        ({"model": "openai:gpt", "settings": {"nothing": "1"}}, "nothing"),
        ({"model": "openai:gpt", "settings": {"pickled_weights": "yes"}}, "pickled"),
        ({"key": SECRET}, "key"),
        ({"model": "http://example.org/v1#m", "key": "with\nline"}, "one line"),
        ({"licence": "a\u0000b"}, "null"),
        ({"base": "a\nb"}, "one line"),
        ({"organisation": " new"}, "speak"),
    ],
)
def test_what_cannot_be_taken_says_why_and_leaves_nothing(untouched, changes, words):
    before = _count(untouched)
    answer = _post(untouched, **changes)
    assert answer.status_code in (400, 403), answer.text
    problem = answer.json()
    assert words in f"{problem['title']} {problem.get('hint', '')}"
    assert SECRET not in answer.text
    assert _count(untouched) == before


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'{"model": 1}', b'{"model": "hf:a/b"}', b"\xff", b'{"a": NaN}', b"null"],
)
def test_a_malformed_body_is_refused_by_its_field(untouched, body):
    headers = _as(untouched, "ann") | {"content-type": "application/json"}
    answer = untouched.post(f"{API}/boards/little/submissions", content=body, headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (422, 422)


def test_a_field_that_nobody_knows_is_refused(untouched):
    assert "priority" in _post(untouched, priority=9).json()["title"]


def test_a_body_that_is_too_large_is_refused(untouched):
    assert _post(untouched, licence="x" * 100_000).status_code == 413


def test_the_quota_holds_here_too(site):
    for number in range(5):
        assert _post(site, model=f"hf:org/name@{number:040x}").status_code == 201
    answer = _post(site, model=f"hf:org/name@{9:040x}")
    assert (answer.status_code, "quota" in answer.json()["title"]) == (400, True)
    assert "next is possible" in answer.json()["hint"]
    there = _kept(site)
    assert _upload(site, _file(site, 3)).status_code == 400
    assert _kept(site) == there  # a file that is refused does not stay


@pytest.mark.parametrize(
    ("content", "query", "words"),
    [
        (b'{"id": "one0", "output": "x"}\nnonsense\n', {}, "answers.jsonl line 2"),
        (b"", {}, "holds no answers"),
        (b'{"id": "one0"}\n', {}, "answers.jsonl"),
        (b'{"id": "one0", "output": "x"}\n', {"model": "other"}, "other"),
        (b'{"id": "one0", "output": "x"}\n', {"file": "../../etc/answers.txt"}, "answers.txt"),
        (b'{"id": "one0", "output": "x"}\n', {"file": "a b.jsonl"}, "a b.jsonl"),
        (b"PAR1 but no more", {"file": "x.parquet"}, "x.parquet"),
        (b"id,output\none0\n", {"file": "x.csv"}, "x.csv line 2"),
        (b"\x00\xff\xfe", {"file": "x.csv"}, "x.csv"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_its_line(untouched, content, query, words):
    before = _count(untouched)
    answer = _upload(untouched, content, **query)
    assert answer.status_code == 400, answer.text
    said = f"{answer.json()['title']} {answer.json().get('hint', '')}"
    assert words in said
    assert "/tmp" not in said
    assert _count(untouched) == before


def test_the_name_of_a_file_leads_nowhere_else(site):
    answer = _upload(site, _file(site), file="..\\..\\x/../../../evil.jsonl")
    assert answer.status_code == 201
    kept = [path.relative_to(site.folder).parts for path in site.folder.rglob("evil.jsonl")]
    assert [each[:2] for each in kept] == [("runs", "predictions")]


def test_anothers_answers_cannot_be_handed_in_by_their_digest(site):
    made = _upload(site, _file(site)).json()
    ref = f"recorded:predictions/{made['model']['revision'].removeprefix('sha256:')}/answers.jsonl"
    answer = _post(site, "eve", model=ref, organisation="other")
    assert (answer.status_code, "sent as a file" in answer.json()["title"]) == (400, True)


def test_a_lent_key_is_sealed_and_told_to_nobody(site):
    without = _post(site, model="https://api.example.org/v1#m", key=SECRET)
    assert (without.status_code, "bakeoff board key new" in without.json()["hint"]) == (400, True)
    key = new_key(site.folder / "board.key")
    with written(site) as connection:
        announce(connection, key.public, actor="operator")
    answer = _post(site, model="https://api.example.org/v1#m", key=SECRET)
    assert answer.status_code == 201, answer.text
    number = answer.json()["id"]
    said = [site.get(f"{API}{path}").text for path in ("/boards/little/log", f"/submissions/{number}/events")]
    url = database_url(f"sqlite:///{site.folder / 'bakeoff.db'}")
    assert leaks(SECRET, url, site.folder, answer.text, *said) == []
    assert "key lent" in said[1]


def test_a_form_of_another_site_hands_in_nothing_by_a_cookie(site):
    log_in(site, site.folder, "ann")
    path = f"{API}/boards/little/submissions"
    before = _count(site)
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        assert site.post(path, json=GOOD, headers=headers).status_code == 403
    assert _count(site) == before
    assert site.post(path, json=GOOD, headers={"sec-fetch-site": "same-origin"}).status_code == 201
