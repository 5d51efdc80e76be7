"""Handing in a model by the form: what is taken, what is refused and where that is said."""

import re

import pytest

from bakeoff.board.entry.keys import BoardKey, announce, borrowed
from bakeoff.board.submissions import get, publish, submissions
from bakeoff.database import reading, writing
from bakeoff.jobs import jobs
from tests.board.leaks import leaks
from tests.board.recorded import answers, work_off
from tests.web.pages.staged import staged

COMMIT = "0123456789abcdef0123456789abcdef01234567"
HF = f"hf:org/name@{COMMIT}"


@pytest.fixture
def stage(tmp_path):
    with staged(tmp_path) as found:
        found.as_("ann")
        yield found


def _send(stage, *, file=None, **fields):
    files = {"file": file} if file else {"file": ("", b"")}
    data = {"organisation": "Aurora", "weight_type": "original"} | fields
    return stage.site.post("/boards/little/submit", data=data, files=files, follow_redirects=False)


def _all(stage):
    with reading(stage.engine) as connection:
        return list(submissions(connection, "little"))


def _wrong(page, field):
    """What is said beside a field."""
    found = re.search(rf'id="{field}-problem" role="alert">(.*?)</p>', page, re.DOTALL)
    return found[1] if found else ""


def test_without_a_log_in_it_says_what_is_taken_and_has_no_form(stage):
    stage.as_(None)
    page = stage.get("submit").text
    assert "Log in to submit" in page
    assert "Code of a model&#39;s own is never run." in page
    assert "multipart" not in page
    assert _send(stage, model=HF).status_code == 401


def test_weights_of_the_hub_are_handed_in_and_looked_at(stage):
    answer = _send(stage, model=HF, licence="mit", parameters="7", settings="dtype=bfloat16\n\nbatch_size=4")
    (made,) = _all(stage)
    assert answer.headers["location"] == f"/boards/little/submissions/{made.id}?done=submitted"
    assert (made.organisation, made.submitter, made.way) == ("Aurora", "ann", "weights")
    assert (made.model.licence, made.model.parameters) == ("mit", 7.0)
    (job,) = jobs(stage.engine)
    assert job.payload["settings"] == {"dtype": "bfloat16", "batch_size": "4"}
    assert job.payload["model"] == HF
    assert "It is handed in." in stage.site.get(answer.headers["location"]).text


def test_a_file_of_answers_is_kept_and_evaluated(stage):
    ref = answers(stage.folder, 9, "mine")
    content = (stage.folder / "mine.jsonl").read_bytes()
    (stage.folder / "mine.jsonl").unlink()
    assert ref.endswith("mine.jsonl")
    assert _send(stage, file=("mine.jsonl", content)).status_code == 303
    work_off(stage.engine, stage.folder)
    (made,) = _all(stage)
    assert (made.state.value, made.scores["score"]["value"]) == ("review", 0.75)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"id": "one1", "output": "1"}\nnot json\n', "line 2 is not JSON"),
        (b'{"id": "one1", "output": 7}\n', "column &#39;output&#39;: expected a text"),
        (b'{"id": "one1", "output": "1"}\n{"id": "one1", "output": "2"}\n', "both answer"),
        (b'{"output": "1"}\n', "no column of item ids"),
        (b"", "holds no answers"),
        (b"[1]\n", "not an object"),
        (b"\xff\xfe\x00", "is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_line_and_nothing_is_kept(stage, content, said):
    answer = _send(stage, file=("mine.jsonl", content), licence="mit")
    assert answer.status_code == 400
    assert said in _wrong(answer.text, "file")
    assert "/tmp" not in _wrong(answer.text, "file")
    assert 'value="mit"' in answer.text
    assert _all(stage) == []
    assert not (stage.folder / "runs" / "predictions").exists()


@pytest.mark.parametrize(
    "name",
    [
        "a.txt",
        "a b.jsonl",
        ".jsonl",
        "..",
        "x" * 300 + ".jsonl",
        "a\x00.jsonl",
        "../../etc/passwd",
        "ä.jsonl",
    ],
)
def test_a_file_of_a_strange_name_is_refused(stage, name):
    answer = _send(stage, file=(name, b'{"id": "one1", "output": "1"}\n'))
    assert answer.status_code == 400
    assert _wrong(answer.text, "file")
    assert _all(stage) == []


def test_a_path_in_the_name_of_a_file_leads_nowhere(stage):
    answer = _send(stage, file=("../../a.jsonl", b'{"id": "one1", "output": "1"}\n'))
    assert answer.status_code == 303
    (kept,) = (stage.folder / "runs").rglob("*.jsonl")
    assert kept.parent.parent == stage.folder / "runs" / "predictions"


@pytest.mark.parametrize(
    "model",
    [
        "gguf:/etc/passwd",
        "gguf:smollm2",
        "hf:/etc",
        "hf:./model",
        "hf:~/model",
        "hf:smollm2",
        "hf:org/name",
        "hf:org/name@main",
        "call:x.py:f",
        "recorded:/etc/passwd",
        f"recorded:predictions/{'0' * 64}/a.jsonl",
        "http://",
        "https://host/v1",
        "file:///etc/passwd",
        "nonsense",
        "",
        "x" * 1000,
    ],
)
def test_what_names_no_model_or_a_file_of_the_server_is_refused_beside_its_field(stage, model):
    answer = _send(stage, model=model, licence="mit")
    assert answer.status_code == 400
    assert _wrong(answer.text, "model")
    assert 'value="mit"' in answer.text
    assert _all(stage) == []
    assert jobs_of(stage) == []


def jobs_of(stage):
    return list(jobs(stage.engine))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"parameters": "many"}, "parameters"),
        ({"parameters": "nan"}, "parameters"),
        ({"parameters": "-1"}, "parameters"),
        ({"parameters": "1e999"}, "parameters"),
        ({"weight_type": "other"}, "weight_type"),
        ({"licence": "two\nlines"}, "licence"),
        ({"licence": "x" * 301}, "licence"),
        ({"weight_type": "merge"}, "base"),
        ({"settings": "a line"}, "settings"),
        ({"settings": "pickled_weights=true"}, "settings"),
        ({"supersedes": "7"}, ""),
        ({"supersedes": "x"}, "supersedes"),
        ({"key": "sk-of-mine"}, "key"),
    ],
)
def test_each_mistake_is_said_beside_its_field_and_what_was_typed_is_kept(stage, fields, field):
    answer = _send(stage, **({"model": HF} | fields))
    assert answer.status_code == 400
    assert _wrong(answer.text, field) if field else 'role="alert"' in answer.text
    assert f'value="{HF}"' in answer.text
    assert _all(stage) == []


def test_several_mistakes_are_said_at_once_and_none_costs_an_attempt(stage):
    answer = _send(stage, model="", parameters="many", settings="a line", weight_type="x", supersedes="y")
    for field in ("model", "parameters", "settings", "weight_type"):
        assert _wrong(answer.text, field), field
    assert 'value="many"' in answer.text
    assert "a line</textarea>" in answer.text
    assert _all(stage) == []


def test_all_that_keeps_a_model_from_a_board_is_said_at_once(tmp_path):
    rules = "eligibility: {licences: [mit], max_parameters: 3, openness: weights}\n"
    with staged(tmp_path, definition=rules) as stage:
        stage.as_("ann")
        page = _send(stage, model="openai:gpt-x", licence="gpl-3.0", parameters="70").text
        assert "the board is for mit" in _wrong(page, "licence")
        assert "up to 3 billion" in _wrong(page, "parameters")
        assert "hand in the weights" in _wrong(page, "model")
        assert _all(stage) == []


def test_nobody_hands_in_for_others(stage):
    for organisation in ("Cobalt", "bea", "", "aurora"):
        assert _send(stage, model=HF, organisation=organisation).status_code == 403
    assert _send(stage, model=HF, organisation="ann").status_code == 303


def test_the_quota_is_said_before_and_holds(tmp_path):
    with staged(tmp_path, definition="policy: {quota: {submissions: 2, days: 3}}\n") as stage:
        stage.as_("ann")
        assert "Aurora (2 left)" in stage.get("submit").text
        _send(stage, model=HF)
        assert "Aurora (1 left)" in stage.get("submit").text
        _send(stage, model=HF)
        assert "Aurora (none left, the next in 3.0 days)" in stage.get("submit").text
        answer = _send(stage, model=HF)
        assert "has submitted 2 times in 3 days" in _wrong(answer.text, "organisation")
        assert "ann (2 left)" in answer.text


def test_a_key_is_sealed_and_is_nowhere_in_plain(stage, tmp_path):
    secret = "sk-canary-0123456789abcdef"
    pair = BoardKey(bytes(range(32)))
    with writing(stage.engine) as connection:
        announce(connection, pair.public, actor="operator")
    wrong = _send(stage, model="https://example.org/v1#m", key=secret, parameters="x")
    assert wrong.status_code == 400
    answer = _send(stage, model="https://example.org/v1#m", key=secret)
    (made,) = _all(stage)
    with reading(stage.engine) as connection:
        assert borrowed(connection, made.id, pair).key == secret
    pages = [
        wrong.text,
        answer.text,
        *(stage.get(each).text for each in (f"submissions/{made.id}", "policy")),
    ]
    assert leaks(secret, stage.engine.url, tmp_path, *pages) == []


def test_an_own_row_can_be_replaced_and_no_other(stage):
    own = stage.evaluated()
    with writing(stage.engine) as connection:
        publish(connection, own, actor="mo")
    other = stage.evaluated(by="bea", organisation="Cobalt")
    page = stage.get("submit").text
    assert f'<option value="{own}">' in page
    assert f'<option value="{other}">' not in page
    refused = _send(stage, model=HF, supersedes=str(other))
    assert "is not one of Aurora" in _wrong(refused.text, "supersedes")
    _send(stage, model=HF, supersedes=str(own))
    with reading(stage.engine) as connection:
        assert get(connection, other + 1).supersedes == own


def test_what_is_too_large_is_refused(tmp_path):
    with staged(tmp_path, largest_upload=10_000) as stage:
        stage.as_("ann")
        answer = _send(stage, file=("a.jsonl", b"x" * 20_000))
        assert answer.status_code == 413
        assert _all(stage) == []
        # A browser that says less than it sends, or nothing, gets no further.
        boundary = b"--x\r\ncontent-disposition: form-data; name=file; filename=a.jsonl\r\n\r\n"
        sent = stage.site.post(
            "/boards/little/submit",
            content=(part for part in (boundary, *([b"y" * 5_000] * 10))),
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
        assert sent.status_code == 413


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data"),
        (b"nothing of the kind", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"a=%ff&organisation=%00", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"&" * 5_000, "application/x-www-form-urlencoded"),
        (b"a=1&" * 5_000, "application/x-www-form-urlencoded"),
    ],
)
def test_what_is_no_form_is_refused_and_is_no_bug(stage, body, kind):
    sent = stage.site.post("/boards/little/submit", content=body, headers={"content-type": kind})
    assert sent.status_code in (400, 403, 413)
    for path in ("submissions/1/flag", "discussion"):
        sent = stage.site.post(f"/boards/little/{path}", content=body, headers={"content-type": kind})
        assert sent.status_code in (400, 403, 404, 413, 415), path
    assert _all(stage) == []
