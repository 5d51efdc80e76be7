"""What is done with a token: by whom it may be, on what, and that it stands in the log."""

from pathlib import Path

import pytest

from bakeoff.board.life import State
from bakeoff.board.registry import known, register
from bakeoff.board.submissions import get
from bakeoff.web.api.bodies import MOST
from tests.board.recorded import answers
from tests.web.api.site import work, written

API = "/api/v1"
PEOPLE = ("ann", "eve", "nobody", "mia")


def _do(site, who, path, **said):
    headers = {"authorization": f"Bearer {site.tokens[who]}"} if who else {}
    return site.post(f"{API}{path}", json=said, headers=headers)


def _in_review(site):
    """A submission of `new`, by ann, that was evaluated."""
    content = Path(answers(site.folder, 5, "reviewed").partition(":")[2]).read_bytes()
    query = {"file": "reviewed.jsonl", "organisation": "new"}
    headers = {"authorization": f"Bearer {site.tokens['ann']}"}
    sent = site.post(f"{API}/boards/little/predictions", params=query, content=content, headers=headers)
    number = sent.json()["id"]
    work(site, site.folder)
    return number


def _state(site, number):
    with written(site) as connection:
        return get(connection, number).state


@pytest.mark.parametrize(
    ("act", "may"),
    [
        ("publish", {"mia"}),
        ("reject", {"mia"}),
        ("withdraw", {"ann"}),
        ("flag", set(PEOPLE)),
    ],
)
def test_each_act_is_open_to_those_whose_it_is(site, act, may):
    number = _in_review(site)
    before = _state(site, number)
    said = {"reason": "because", "rule": "conduct"}
    assert _do(site, None, f"/submissions/{number}/{act}", **said).status_code == 401
    for who in (*(each for each in PEOPLE if each not in may), *sorted(may)):
        answer = _do(site, who, f"/submissions/{number}/{act}", **said)
        if who not in may:
            assert answer.status_code == 403, who
            assert _state(site, number) is before
        else:
            assert answer.status_code == 200, answer.text
    then = {"publish": State.PUBLISHED, "reject": State.REJECTED, "withdraw": State.WITHDRAWN}
    assert _state(site, number) is then.get(act, before)
    entry = site.get(f"{API}/submissions/{number}/events").json()["entries"][-1]
    assert entry["actor"] in may


def test_who_may_is_asked_of_the_board_that_the_submission_is_on(site):
    number = _in_review(site)
    with written(site) as connection:
        named = known(connection, "little").model_copy(update={"moderators": ("somebody",)})
        register(connection, named, actor="operator")
    assert _do(site, "mia", f"/submissions/{number}/publish").status_code == 403


def test_what_does_not_follow_is_refused_with_what_could(site):
    answer = _do(site, "mia", "/submissions/1/publish")
    assert (answer.status_code, "published" in answer.json()["title"]) == (400, True)
    answer = _do(site, "ann", "/submissions/1/withdraw")
    assert (answer.status_code, "reason is empty" in answer.json()["title"]) == (400, True)
    assert _do(site, "ann", "/submissions/99/vote").status_code == 404
    assert _do(site, "ann", "/submissions/1/destroy").status_code == 422
    assert _do(site, "mia", "/submissions/1/retry").status_code == 400


def test_a_vote_counts_once(site):
    headers = {"authorization": f"Bearer {site.tokens['ann']}"}
    body = {"model": f"hf:org/m@{'a' * 40}", "organisation": "new"}
    number = site.post(f"{API}/boards/little/submissions", json=body, headers=headers).json()["id"]
    assert _do(site, "eve", f"/submissions/{number}/vote").json()["votes"] == 1
    assert "has voted" in _do(site, "eve", f"/submissions/{number}/vote").json()["title"]
    assert _do(site, "nobody", f"/submissions/{number}/vote").json()["votes"] == 2


def test_posts_are_said_hidden_shown_and_erased_in_sight(site):
    made = _do(site, "eve", "/boards/little/discussion", body="<b>bad</b>", on="submission 1")
    assert (made.status_code, made.json()["author"], made.json()["body"]) == (201, "eve", "<b>bad</b>")
    number = made.json()["id"]
    for who in ("ann", "eve", "nobody"):
        assert _do(site, who, f"/posts/{number}/hide", reason="x").status_code == 403
    hidden = _do(site, "mia", f"/posts/{number}/hide", reason="rude").json()
    assert (hidden["body"], hidden["hidden"]["by"], hidden["hidden"]["reason"]) == ("", "mia", "rude")
    shown = site.get(f"{API}/boards/little/discussion", params={"on": "submission 1"}).json()["posts"][0]
    assert shown == hidden
    assert _do(site, "mia", f"/posts/{number}/unhide", reason="not so").json()["body"] == "<b>bad</b>"
    assert _do(site, "mia", f"/posts/{number}/erase", reason="asked to").json()["erased"]["by"] == "mia"
    assert _do(site, "mia", "/posts/99/hide", reason="x").status_code == 404


def test_nobody_speaks_for_an_organisation_that_is_not_theirs(site):
    path = "/boards/little/discussion"
    assert _do(site, "eve", path, body="x", organisation="org0").status_code == 403
    assert _do(site, None, path, body="x").status_code == 401
    assert _do(site, "ann", path, body="x" * 10_001).status_code == 422
    assert _do(site, "ann", path, body="x", on="submission 99").status_code == 404
    assert _do(site, "ann", path, body="\0").status_code == 400


def test_a_flag_is_answered_by_the_organisation_and_ruled_on_by_a_moderator(site):
    number = _in_review(site)
    raised = _do(site, "eve", f"/submissions/{number}/flag", rule="conduct", reason="copied")
    assert raised.status_code == 200
    (flag,) = site.get(f"{API}/boards/little/flags").json()["flags"]
    path = f"/flags/{flag['id']}"
    assert _do(site, "eve", f"{path}/reply", reply="x").status_code == 403
    assert _do(site, "ann", f"{path}/reply", reply="it was not").json()["reply"] == "it was not"
    for who in ("ann", "eve", "nobody"):
        assert _do(site, who, f"{path}/ruling", ruling="uphold", reason="x").status_code == 403
    ruled = _do(site, "mia", f"{path}/ruling", ruling="dismiss", reason="no sign of it").json()
    assert (ruled["state"], ruled["ruled_by"], ruled["ruling"]) == ("dismissed", "mia", "no sign of it")
    assert _do(site, "mia", "/flags/99/ruling", ruling="uphold", reason="x").status_code == 404
    assert _do(site, "mia", f"{path}/ruling", ruling="maybe", reason="x").status_code == 422


def test_who_is_not_known_is_told_so_before_what_they_send_is_read(site):
    much = b" " * (2 * MOST)
    headers = {"authorization": f"Bearer {site.tokens['ann']}"}
    for path in ("/submissions/1/vote", "/boards/little/discussion", "/boards/little/submissions"):
        assert site.post(f"{API}{path}", content=much).status_code == 401
        assert site.post(f"{API}{path}", content=much, headers=headers).status_code == 413
        in_parts = (much[:MOST] for _ in range(2))
        assert site.post(f"{API}{path}", content=in_parts, headers=headers).status_code == 413
