"""A new rule over old runs."""

import pytest

from bakeoff.board.definition import load_board
from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.publishing import problems, take
from bakeoff.board.ranking.reranking import rerank
from bakeoff.board.registry import known, register
from bakeoff.board.submissions import publish
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.errors import BakeoffError
from bakeoff.store import find_runs
from tests.board.making import model
from tests.board.recorded import answers, submitted, work_off


def _second(engine, tmp_path):
    """Version 2 of the board: the second task counts three times as much."""
    text = (tmp_path / "small.yaml").read_text().replace("name: Two,", "name: Two, weight: 3,")
    (tmp_path / "small2.yaml").write_text(text)
    path = tmp_path / "board2.yaml"
    path.write_text("name: little\nversion: 2\nsince: 2026-02-01\nsuites: [{suite: small2.yaml}]\n")
    board = load_board(path)
    with writing(engine) as connection:
        register(connection, board, actor="bob")
    return board


@pytest.fixture
def published(engine, board, tmp_path):
    """Two models, the first better at the first task, and a snapshot under version 1."""
    for number, right in enumerate([{"one": 12, "two": 2}, {"one": 3, "two": 9}]):
        made = submitted(engine, board, answers(tmp_path, right, f"m{number}"), given=model(number))
        work_off(engine, tmp_path)
        with writing(engine) as connection:
            publish(connection, made, actor="bob")
    with writing(engine) as connection:
        return take(connection, board, actor="bob")


def test_both_methods_rank_the_same_runs_and_the_change_is_theirs_alone(engine, published, tmp_path):
    second = _second(engine, tmp_path)
    with writing(engine) as connection:
        made = rerank(connection, second, tmp_path / "runs", actor="bob")
    assert made.scored == 2
    assert made.old == published  # nothing but the method changed
    assert [row.entrant.submission for row in made.old.rows] == [1, 2]
    assert [row.entrant.submission for row in made.new.rows] == [2, 1]
    # 12/12 and 2/12; 3/12 and 9/12: by hand, (1·a + 3·b) / 4.
    values = {row.entrant.submission: row.entrant.scores.score.value for row in made.new.rows}
    assert values == {1: pytest.approx((1 + 3 * 2 / 12) / 4), 2: pytest.approx((0.25 + 3 * 0.75) / 4)}
    changes = differences(made.old, made.new)
    assert changes[0].kind == "rule"
    assert all(
        "of the same runs, by another rule" in each.text for each in changes if each.kind == "rescored"
    )
    with reading(engine) as connection:
        (event,) = [each for each in events(connection, "board little") if each.kind == "method change"]
        assert event.facts == {"old": made.old.digest, "new": made.new.digest}
        assert list(problems(connection, "little")) == []


def test_a_new_method_is_not_published_without_the_old_data_under_it(engine, published, tmp_path):
    second = _second(engine, tmp_path)
    with (
        pytest.raises(BakeoffError, match="2 rows of version 1 have no scores under version 2"),
        writing(engine) as connection,
    ):
        take(connection, second, actor="bob")


def test_old_versions_stay_readable_and_are_ranked_on(engine, board, published, tmp_path):
    second = _second(engine, tmp_path)
    with writing(engine) as connection:
        rerank(connection, second, tmp_path / "runs", actor="bob")
    made = submitted(engine, second, answers(tmp_path, {"one": 12, "two": 12}, "m3"), given=model(3))
    work_off(engine, tmp_path)
    with writing(engine) as connection:
        publish(connection, made, actor="bob")
        old = take(connection, known(connection, "little", 1), actor="bob")
    assert old.version == 1
    assert [row.unranked for row in old.rows if row.entrant.submission == made] == [
        "there are scores under version 2 alone"
    ]
    with writing(engine) as connection:
        again = rerank(connection, second, tmp_path / "runs", actor="bob")
    assert again.scored == 1
    assert again.old.rows[0].entrant.submission == made


def test_runs_that_were_touched_or_are_gone_are_not_scored_again(engine, published, tmp_path):
    second = _second(engine, tmp_path)
    (run,) = [each for each in find_runs(tmp_path / "runs" / "submission-1") if "two" in str(each)]
    samples = run / "samples.parquet"
    whole = samples.read_bytes()
    samples.write_bytes(whole + b"x")
    with pytest.raises(BakeoffError, match="was changed since it was scored"), writing(engine) as connection:
        rerank(connection, second, tmp_path / "runs", actor="bob")
    samples.write_bytes(whole)
    with pytest.raises(BakeoffError, match="is not there any more"), writing(engine) as connection:
        rerank(connection, second, tmp_path / "elsewhere", actor="bob")
    with reading(engine) as connection:
        assert not [each for each in events(connection, "board little") if each.kind == "method change"]


def test_one_version_has_nothing_to_be_held_against(engine, board, published, tmp_path):
    with pytest.raises(BakeoffError, match="has one version"), writing(engine) as connection:
        rerank(connection, board, tmp_path / "runs", actor="bob")
