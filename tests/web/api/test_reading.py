"""What the API answers about boards, rows and states."""

import hashlib
import json

import orjson

from bakeoff.board.registry import known
from bakeoff.board.table import View, as_json, seen
from bakeoff.database.log import broken
from tests.board.recorded import answers
from tests.web.api.site import republish, work, written

API = "/api/v1"


def _get(site, path, **query):
    answer = site.get(f"{API}{path}", params=query or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _all(site, path, name):
    found = []
    while path:
        part = _get(site, path.removeprefix(API))
        found += part[name]
        path = part["next"]
    return found


def test_a_board_says_its_rule_and_its_newest_state(untouched):
    (card,) = _get(untouched, "/boards")["boards"]
    board = _get(untouched, "/boards/little")
    assert {**board, **card} == board
    assert board["newest"] == _get(untouched, "/boards/little/snapshots")["snapshots"][0]
    (suite,) = board["suites"]
    assert (suite["suite"], suite["weight"], sorted(suite["tasks"])) == ("small", 1.0, ["one", "two"])
    with written(untouched) as connection:
        assert board["rule"] == known(connection, "little").digest
    assert [each["digest"] for each in _get(untouched, "/boards/little/versions")["versions"]] == [
        board["rule"]
    ]


def test_rows_are_those_of_the_page_in_its_order(untouched):
    for query in ("", "sort=model", "sort=-score&search=model", "state=ranked", "pin=3&search=m0"):
        found = _get(untouched, f"/boards/little/rows?{query}")
        library = untouched.app.state.library
        with library.read() as connection:
            table = library.table(connection, known(connection, "little"), found["state"]["digest"])
        page = seen(table, View.parse([pair.split("=") for pair in query.split("&") if pair]))
        assert [row["key"] for row in found["rows"]] == [line.key for line in page.rows]
        rows = json.loads(as_json(page))["rows"]
        assert [row["entrant"]["model"] for row in found["rows"]] == [row["model"] for row in rows]
        assert (found["matching"], found["total"]) == (page.matching, 3)


def test_a_row_is_what_its_snapshot_says(untouched):
    rows = _get(untouched, "/boards/little/rows")["rows"]
    whole = {
        row["entrant"]["submission"]: row for row in _get(untouched, "/boards/little/snapshots/last")["rows"]
    }
    for row in rows:
        said = whole[row["entrant"]["submission"]]
        assert [row[name] for name in ("place", "low", "high", "unranked")] == [
            said[name] for name in ("place", "low", "high", "unranked")
        ]
        assert row["entrant"]["scores"]["score"] == said["entrant"]["scores"]["score"]


def test_the_parts_of_a_list_are_of_one_state_whatever_is_published_meanwhile(site):
    first = _get(site, "/boards/little/rows?per_page=1&sort=model")
    republish(site)
    keys = [row["key"] for row in first["rows"]]
    states, path = [first["state"]], first["next"]
    while path:
        part = _get(site, path.removeprefix(API))
        keys += [row["key"] for row in part["rows"]]
        states.append(part["state"])
        path = part["next"]
    assert sorted(keys) == ["1", "2", "3"]
    assert all(each == first["state"] for each in states)
    assert _get(site, "/boards/little/rows")["state"] != first["state"]


def test_asking_again_costs_nothing_until_something_is_published(site):
    # With a token, since what everybody may see is kept by the server and named by its bytes.
    headers = {"authorization": f"Bearer {site.tokens['ann']}"}
    path = f"{API}/boards/little/rows?sort=model"
    tag = site.get(path, headers=headers).headers["etag"]
    again = site.get(path, headers=headers | {"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = site.get(f"{API}/boards/little/rows?sort=-model", headers=headers | {"if-none-match": tag})
    assert other.status_code == 200
    republish(site)
    assert site.get(path, headers=headers | {"if-none-match": tag}).status_code == 200


def test_a_snapshot_is_named_by_the_digest_of_its_bytes(untouched):
    for state in _get(untouched, "/boards/little/snapshots")["snapshots"]:
        for name in (state["digest"], state["digest"][:20], state["digest"].removeprefix("sha256:")):
            answer = untouched.get(f"{API}/boards/little/snapshots/{name}")
            assert f"sha256:{hashlib.sha256(answer.content).hexdigest()}" == state["digest"]
            assert answer.headers["snapshot-digest"] == state["digest"]


def test_changes_are_from_the_last_state_but_one_unless_it_is_said(untouched):
    newest, oldest = _get(untouched, "/boards/little/snapshots")["snapshots"]
    found = _get(untouched, "/boards/little/changes")
    assert (found["old"], found["new"]) == (oldest, newest)
    assert ("removed", 3) in [(each["kind"], each["submission"]) for each in found["changes"]]
    back = _get(untouched, "/boards/little/changes", **{"from": "last", "to": "first"})
    assert (back["old"], back["new"]) == (newest, oldest)
    assert ("added", 3) in [(each["kind"], each["submission"]) for each in back["changes"]]
    assert _get(untouched, "/boards/little/changes", **{"from": "last", "to": "last"})["changes"] == []


def test_a_model_has_its_rows_its_attempts_and_its_past(untouched):
    name = _get(untouched, "/boards/little/rows?sort=model")["rows"][0]["entrant"]["model"]
    found = _get(untouched, f"/boards/little/models/{name}")
    assert [row["entrant"]["model"] for row in found["rows"]] == [name]
    assert [each["model"]["name"] for each in found["submissions"]] == [name]
    (row,) = _get(untouched, "/boards/little/history", model=name)["rows"]
    states = _get(untouched, "/boards/little/snapshots")["snapshots"]
    assert [each["digest"] for each in row["standings"]] == [each["digest"] for each in reversed(states)]
    assert row["standings"][-1]["score"] == found["rows"][0]["entrant"]["scores"]["score"]


def test_lists_come_in_parts_that_together_are_the_whole(untouched):
    for path, name in (
        ("/boards/little/submissions", "submissions"),
        ("/boards/little/log", "entries"),
        ("/boards/little/rows", "rows"),
        ("/runs", "runs"),
    ):
        size = "per_page" if name == "rows" else "limit"
        whole = _all(untouched, f"{path}?{size}=100", name)
        assert len(whole) > 2
        for many in (1, 2, len(whole)):
            assert _all(untouched, f"{path}?{size}={many}", name) == whole


def test_the_log_can_be_followed_by_its_digests(untouched):
    entries = _all(untouched, "/boards/little/log?limit=200", "entries")
    with written(untouched) as connection:
        assert broken(connection) is None
    by_number = {each["number"]: each for each in entries}
    for number, each in by_number.items():
        if number - 1 in by_number:
            assert each["previous"] == by_number[number - 1]["digest"]
        content = {name: each[name] for name in each if name not in ("digest", "at")}
        assert content  # times are told to the millisecond, the log keeps them whole


def test_a_run_has_its_score_and_every_sample_down_to_its_text(untouched):
    card = _get(untouched, "/runs")["runs"][0]
    run = _get(untouched, f"/runs/{card['id']}")
    assert run["metrics"]["score"] == card["score"] == run["score"]
    assert sum(run["metrics"]["counts"].values()) == 2 * run["samples"] == 24
    samples = _all(untouched, f"/runs/{card['id']}/samples?limit=5", "samples")
    assert len({(each["item"], each["repeat"]) for each in samples}) == 12
    right = _get(untouched, f"/runs/{card['id']}/samples?show=right")["matching"]
    assert right == round(12 * run["score"]["value"])
    whole = _get(untouched, f"/runs/{card['id']}/samples/{samples[0]['item']}")
    assert (
        whole["turns"][0]["input"] == f"{samples[0]['item'][3:]}?" or whole["turns"][0]["input"][0]["parts"]
    )
    assert whole["score"]["value"] == samples[0]["value"]


def test_no_answer_tells_where_files_lie(untouched):
    said = "".join(untouched.get(f"{API}{path}").text for path in ("/boards", "/runs", "/search?q=m0"))
    of_board = (
        "",
        "/versions",
        "/rows",
        "/snapshots/last",
        "/submissions",
        "/log?limit=200",
        "/every-eval-ever",
    )
    said += "".join(untouched.get(f"{API}/boards/little{path}").text for path in of_board)
    said += "".join(untouched.get(f"{API}/submissions/1{path}").text for path in ("", "/events"))
    for run in _get(untouched, "/runs")["runs"]:
        for path in ("", "/samples", "/every-eval-ever", "/every-eval-ever/samples"):
            answer = untouched.get(f"{API}/runs/{run['id']}{path}")
            assert answer.status_code == 200
            said += answer.text
    assert str(untouched.folder.parent) not in said
    assert "/tmp/" not in said


def test_what_is_wrong_is_a_problem_that_names_it(untouched):
    for path, status, words in (
        ("/boards/nowhere", 404, "there is no board nowhere"),
        ("/boards/little/rows?sort=nothing", 400, "sort"),
        ("/boards/little/rows?page=2", 400, "page"),
        ("/boards/little/rows?nothing=1", 400, "nothing"),
        ("/boards/little/rows?search=/(/", 400, "search"),
        ("/boards/little/snapshots/2020-01-01", 404, "2020-01-01"),
        ("/boards/little/submissions?limit=0", 422, "limit"),
        ("/boards/little/log?topic=x", 422, "topic"),
        ("/boards/little/history", 422, "model"),
        ("/boards/little/discussion?on=submission%2099", 404, "99"),
        ("/boards/A%01", 422, "board"),
        ("/boards/A%00", 404, "NUL"),
        ("/submissions/99", 404, "99"),
        ("/submissions/1e3", 422, "number"),
        ("/runs/..%2F..%2Fetc%2Fpasswd", 404, "no such page"),
        ("/runs/nothing/samples/..%2F..%2Fx", 404, "nothing"),
        ("/nothing", 404, "no such page"),
    ):
        answer = untouched.get(f"{API}{path}")
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), (
            path
        )
        problem = answer.json()
        assert problem["status"] == status
        assert words in problem["title"], (path, problem)


def test_another_boards_thread_is_not_told_under_this_one(site):
    with written(site) as connection:
        from bakeoff.board.registry import register

        other = known(connection, "little").model_copy(update={"name": "other"})
        register(connection, other, actor="ann")
    answer = site.get(f"{API}/boards/other/discussion", params={"on": "submission 1"})
    assert (answer.status_code, "little" in answer.json()["hint"]) == (404, True)
    assert _get(site, "/boards/little/discussion", on="submission 1")["subject"] == "submission 1"


def test_numbers_that_are_not_known_are_null_and_never_a_word(untouched):
    for path in ("/boards/little/rows", "/boards/little/submissions", "/runs"):
        orjson.loads(untouched.get(f"{API}{path}").content)  # NaN and Infinity are no JSON
    rows = _get(untouched, "/boards/little/rows")["rows"]
    assert {row["entrant"]["scores"]["cost"] for row in rows} == {None}
    assert any(row["place"] is None and row["unranked"] == "withdrawn" for row in rows)


def test_the_queue_comes_in_the_order_of_turns(site):
    assert _get(site, "/boards/little/queue")["submissions"] == []
    headers = {"authorization": f"Bearer {site.tokens['ann']}"}
    for right in (1, 2, 3):
        content = (site.folder / answers(site.folder, right, f"n{right}").partition(":")[2]).read_bytes()
        query = {"organisation": "new", "file": f"n{right}.jsonl"}
        path = f"{API}/boards/little/predictions"
        assert site.post(path, params=query, content=content, headers=headers).status_code == 201
    waiting = _get(site, "/boards/little/queue")["submissions"]
    assert [(each["id"], each["waits"]["position"]) for each in waiting] == [(4, 1), (5, 2), (6, 3)]
    work(site, site.folder)
    assert {each["state"] for each in _get(site, "/boards/little/queue")["submissions"]} == {"review"}
