"""An audit of recorded verdicts, from the file to what is printed."""

import json

import numpy as np
import pytest

from bakeoff.errors import StoreError, TaskError
from bakeoff.judging.audit import Judgement, audit
from bakeoff.judging.audit_file import audits, read_verdicts
from tests.cli import command


def rows(lean, length, right, n=400, repeats=1, seed=0):
    """Verdicts of a judge that takes the first read with probability `lean`, else the longer with
    probability `length`, else the better with probability `right`.
    """
    random = np.random.default_rng(seed)
    found = []
    for item in range(n):
        better, longer = (int(each) for each in random.integers(0, 2, 2))
        lengths = [100, 100]
        lengths[longer] = 200
        for order in ([0, 1], [1, 0]):
            for _ in range(repeats):
                draw, hit = random.random(3), random.random() < right
                winner = (
                    order[0]
                    if draw[0] < lean
                    else longer
                    if draw[1] < length
                    else better
                    if hit
                    else 1 - better
                )
                found.append(
                    {
                        "item": str(item),
                        "order": order,
                        "winner": winner,
                        "better": better,
                        "lengths": lengths,
                    }
                )
    return found


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("lean", "length", "leans", "prefers_longer"),
    [(0.0, 0.0, False, False), (0.4, 0.0, True, False), (0.0, 0.4, False, True)],
)
def test_each_bias_is_found_where_it_is_and_nowhere_else(tmp_path, lean, length, leans, prefers_longer):
    found = audit(read_verdicts(written(tmp_path / "v.jsonl", rows(lean, length, 0.85))))
    assert (found.pairs, found.verdicts, found.without_winner) == (400, 800, 0)
    assert (found.position.lean_interval.low > 0) is leans
    assert (found.length.interval.low > 0) is prefers_longer
    assert found.position.lean == pytest.approx(lean, abs=0.07)
    assert found.length.bias == pytest.approx(length, abs=0.1)
    assert found.repeats is None


def test_agreement_is_not_moved_by_a_lean_where_the_better_answer_always_has_the_number_0(tmp_path):
    """In a file that lists the given order first, the first verdicts would all have the better one first."""
    always_first = [
        Judgement(str(item), swapped, int(swapped), better=(0,))
        for item in range(400)
        for swapped in (False, True)
    ]
    found = audit(always_first)
    assert found.people.share == pytest.approx(0.5, abs=0.08)
    assert found.position.flips == 1


def test_repeats_in_one_order_show_how_far_a_judge_repeats_itself():
    found = audit([Judgement(**judged(row)) for row in rows(0.0, 0.0, 0.8, repeats=3)])
    # Two verdicts are equal if both are right or both are wrong.
    assert found.repeats.share == pytest.approx(0.8**2 + 0.2**2, abs=0.06)
    assert found.repeats.items == 400


def judged(row):
    return {
        "item": row["item"],
        "swapped": row["order"] == [1, 0],
        "winner": row["winner"],
        "better": (row["better"],),
        "lengths": tuple(row["lengths"]),
    }


def test_what_verdicts_do_not_tell_is_left_open():
    found = audit([Judgement("a", False, 0), Judgement("b", True, None)])
    assert (found.people, found.position, found.length, found.repeats) == (None,) * 4
    assert (found.ceiling, found.floor, found.format, found.family) == (None,) * 4
    assert (found.pairs, found.verdicts, found.without_winner) == (2, 2, 1)


GOOD = {"item": "a", "order": [0, 1], "winner": 0}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "this is not JSON"),
        ("[1]", "a JSON object, got list"),
        (GOOD | {"formatted": [True]}, "formatted: must be two of true and false"),
        (GOOD | {"families": "gpt"}, "families: must be two names"),
        (GOOD | {"better": [0, 2]}, "better: must be 0, 1 or null"),
        (GOOD | {"judge": "x"}, "no key 'judge'"),
        (GOOD | {"item": 3}, "item: must be a text"),
        (GOOD | {"order": [1, 2]}, r"order: must be \[0, 1\]"),
        ({"item": "a", "winner": 0}, "order: must be"),
        (GOOD | {"winner": 2}, "winner: must be 0, 1 or null"),
        (GOOD | {"winner": True}, "winner: must be 0, 1 or null"),
        (GOOD | {"winner": "first"}, "winner: must be 0, 1 or null"),
        (GOOD | {"winner": [0]}, "winner: must be 0, 1 or null"),
        (GOOD | {"better": 1.0}, "better: must be 0, 1 or null"),
        (GOOD | {"lengths": 7}, "lengths: must be two numbers"),
        (GOOD | {"lengths": [1]}, "lengths: must be two numbers"),
        (GOOD | {"lengths": [1, -2]}, "lengths: must be two numbers"),
        (GOOD | {"lengths": [True, 2]}, "lengths: must be two numbers"),
        (GOOD | {"lengths": ["1", "2"]}, "lengths: must be two numbers"),
    ],
)
def test_a_line_that_is_no_verdict_is_named_with_its_field(tmp_path, line, problem):
    text = line if isinstance(line, str) else json.dumps(line)
    path = tmp_path / "v.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n\n{text}\n")
    with pytest.raises(TaskError, match=problem) as caught:
        read_verdicts(path)
    assert caught.value.message.startswith(f"{path}:3: ")


def test_a_file_without_verdicts_or_with_two_truths_is_refused(tmp_path):
    with pytest.raises(TaskError, match="no verdict to audit"):
        audit([])
    with pytest.raises(TaskError, match="item 'a': its verdicts name different"):
        audit([Judgement("a", False, 0, better=(0,)), Judgement("a", True, 0, better=(1,))])
    with pytest.raises(StoreError, match="cannot be read"):
        read_verdicts(tmp_path / "none.jsonl")


def test_format_own_family_ceiling_and_floor_are_measured_where_they_are_told(tmp_path):
    """The judge takes its own family's answer half of the time, and else the better one."""
    random = np.random.default_rng(0)
    lines = []
    for item in range(400):
        own, marked, better = (int(each) for each in random.integers(0, 2, 3))
        lines.append(
            {
                "item": str(item),
                "order": [0, 1] if item % 2 else [1, 0],
                "winner": own if random.random() < 0.5 else better,
                "better": [better, better if random.random() < 0.9 else 1 - better],
                "lengths": [100, 200],
                "formatted": [marked == 0, marked == 1],
                "families": ["a", "b"] if own == 0 else ["b", "a"],
                "judge_family": "a",
            }
        )
    (found,) = audits(read_verdicts(written(tmp_path / "v.jsonl", lines)))
    assert found.judge_family == "a"
    assert found.family.bias == pytest.approx(0.5, abs=0.1)
    assert found.format.interval.low < 0 < found.format.interval.high
    assert found.length.interval.low < 0 < found.length.interval.high
    assert found.ceiling.share == pytest.approx(0.9, abs=0.05)
    # Answer 1 is always the longer one, and the better one half of the time.
    assert found.floor.share == pytest.approx(0.5, abs=0.08)
    shown = command.bakeoff(tmp_path, "judge", "audit", "v.jsonl").stdout
    assert "the ceiling" in shown
    assert "where people prefer its own family's" in " ".join(shown.split())


def test_each_criterion_is_audited_by_itself(tmp_path):
    lines = [GOOD | {"criterion": name, "item": str(i)} for name in ("right", "kind") for i in range(3)]
    found = audits(read_verdicts(written(tmp_path / "v.jsonl", lines)))
    assert [(each.criterion, each.pairs) for each in found] == [("right", 3), ("kind", 3)]
    with pytest.raises(TaskError, match="one judge and one criterion"):
        audit(read_verdicts(tmp_path / "v.jsonl"))


def test_the_command_prints_each_measure_and_the_same_as_json(tmp_path):
    written(tmp_path / "v.jsonl", rows(0.3, 0.0, 0.85, repeats=2))
    shown = command.bakeoff(tmp_path, "judge", "audit", "v.jsonl")
    assert shown.returncode == 0
    for word in (
        "400 pairs",
        "as people prefer",
        "κ",
        "AC1",
        "α",
        "flips",
        "leans to the first",
        "longer",
        "repeats",
    ):
        assert word in shown.stdout
    found = json.loads(command.bakeoff(tmp_path, "judge", "audit", "v.jsonl", "--json").stdout)[0]
    assert f"{100 * found['position']['flips']:.1f}" in shown.stdout
    bare = [GOOD, GOOD | {"item": "b", "winner": None}]
    written(tmp_path / "bare.jsonl", bare)
    shown = command.bakeoff(tmp_path, "judge", "audit", "bare.jsonl").stdout
    assert "1 without a winner" in shown
    assert shown.count("–") == 8
    missing = command.bakeoff(tmp_path, "judge", "audit", "none.jsonl")
    assert missing.returncode == 4
    assert "none.jsonl cannot be read" in missing.stderr
