"""The score by the values of a column, on runs written as the runner writes them."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.nouns import FinishReason, Outcome, Response, Sample, Score, Turn
from bakeoff.run import breakdown
from bakeoff.stats import wilson
from bakeoff.store import Journal, journal_path


def sample(
    item: int, metadata: Any, value: float | None = 1.0, outcome: Outcome = Outcome.SCORED, **facts: Any
) -> Sample:
    return Sample(
        item_id=f"i{item}",
        repeat=facts.get("repeat", 0),
        group=facts.get("group"),
        choices=(),
        target=("x",),
        continuations=(),
        shots=(),
        seed=0,
        turns=(Turn("q", Response("x", finish=FinishReason.STOP)),),
        score=Score(outcome, value, None, "", "exact@1"),
        metadata=metadata,
    )


def run(folder: Path, samples: list[Sample]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with Journal(journal_path(folder)) as journal:
        for each in samples:
            journal.append(each)
    return folder


def test_each_value_has_the_score_of_its_items_and_every_outcome(tmp_path):
    folder = run(
        tmp_path,
        [
            *(sample(i, {"depth": 100}, float(i < 3)) for i in range(4)),
            *(sample(10 + i, {"depth": 20}) for i in range(2)),
            sample(20, {"depth": 20}, 0.0, Outcome.NO_ANSWER),
            sample(21, {"depth": 20}, None, Outcome.MODEL_ERROR),
            sample(22, {}, 0.0, Outcome.EMPTY),
            sample(23, {"depth": None}),
        ],
    )
    found = breakdown(folder, "meta.depth")
    assert [part.value for part in found.parts] == ["20", "100", "(none)"]
    shallow, deep, none = found.parts
    assert (deep.score.value, deep.score.n, deep.score.interval) == (0.75, 4, wilson(3, 4))
    assert (shallow.score.value, shallow.score.n) == (pytest.approx(2 / 3), 3)
    assert shallow.counts["total"] == 4
    assert {name: n for name, n in shallow.counts.items() if n and name != "total"} == {
        "scored": 2,
        "no_answer": 1,
        "model_error": 1,
    }
    assert (none.score.value, none.counts["empty"], none.counts["total"]) == (0.5, 1, 2)


@pytest.mark.parametrize(
    ("values", "order"),
    [
        ([10, 9, 100, 2.5, -1], ["-1", "2.5", "9", "10", "100"]),
        (["16k", "4k", "1M", "0k"], ["0k", "1M", "4k", "16k"]),
        (["2024-05-02", "2023-12-31", "2024-05-01"], ["2023-12-31", "2024-05-01", "2024-05-02"]),
        ([True, False], ["false", "true"]),
        ([["a", "b"], {"k": 1}], ['["a","b"]', '{"k":1}']),
        (["b", 1, None, "a"], ["1", "a", "b", "(none)"]),
        ([1, 1.0], ["1"]),
    ],
)
def test_numbers_are_in_their_order_and_texts_in_theirs(tmp_path, values, order):
    folder = run(tmp_path, [sample(i, {"v": value}) for i, value in enumerate(values)])
    assert [part.value for part in breakdown(folder, "meta.v").parts] == order


@pytest.mark.parametrize("column", ["meta.a.b", "a.b", "metadata.a.b"])
def test_a_dotted_path_reaches_into_mappings_and_a_key_may_hold_dots_itself(tmp_path, column):
    rows = [{"a": {"b": "in"}}, {"a.b": "whole"}, {"a": "no mapping"}]
    folder = run(tmp_path, [sample(i, row) for i, row in enumerate(rows)])
    assert [part.value for part in breakdown(folder, column).parts] == ["in", "whole", "(none)"]


@pytest.mark.parametrize("key", ["it's", 'say "x"', "a/b", "a~b", "$", "*", "é", ""])
def test_any_key_can_be_asked_for(tmp_path, key):
    folder = run(tmp_path, [sample(0, {key: "v", "other": 1})])
    assert [part.value for part in breakdown(folder, f"meta.{key}").parts] == ["v"]


def test_repeats_count_their_item_once_and_groups_are_a_column_too(tmp_path):
    rows = [
        sample(i, {"v": "x"}, float((i + repeat) % 2), repeat=repeat, group="ab"[i % 2])
        for i in range(6)
        for repeat in range(2)
    ]
    folder = run(tmp_path, rows)
    (part,) = breakdown(folder, "meta.v").parts
    assert (part.score.value, part.score.n, part.score.clusters, part.counts["total"]) == (0.5, 6, 2, 12)
    assert [each.value for each in breakdown(folder, "group").parts] == ["a", "b"]


def test_cuts_split_numbers_and_dates_and_every_sample_is_in_one_part(tmp_path):
    dates = ["2024-04-30", "2024-05-01", "2024-05-31", "2024-06-01", None]
    folder = run(tmp_path, [sample(i, {"date": date, "n": i}) for i, date in enumerate(dates)])
    found = breakdown(folder, "meta.date", cuts=["2024-05", "2024-06"])
    assert [(part.value, part.counts["total"]) for part in found.parts] == [
        ("< 2024-05", 1),
        ("2024-05 … < 2024-06", 2),
        ("≥ 2024-06", 1),
        ("(none)", 1),
    ]
    found = breakdown(folder, "meta.n", cuts=["2.5"])
    assert [(part.value, part.counts["total"]) for part in found.parts] == [("< 2.5", 3), ("≥ 2.5", 2)]


def test_many_values_are_counted_and_refused_without_cuts(tmp_path):
    folder = run(tmp_path, [sample(i, {"v": i}) for i in range(61)])
    with pytest.raises(BakeoffError, match="61 different values, and 60 are the most") as error:
        breakdown(folder, "meta.v")
    assert "--cut" in error.value.hint
    assert len(breakdown(folder, "meta.v", cuts=["30"]).parts) == 2
    assert len(breakdown(run(tmp_path / "b", [sample(i, {"v": i}) for i in range(60)]), "v").parts) == 60


def test_a_column_that_is_not_there_is_answered_with_those_that_are(tmp_path):
    folder = run(tmp_path, [sample(0, {"subject": "law", "level": 1}, group="g")])
    with pytest.raises(BakeoffError, match=r"no item of .* has a value of 'meta.sbject'") as error:
        breakdown(folder, "meta.sbject")
    assert error.value.hint == "there are group, meta.level, meta.subject"
    with pytest.raises(BakeoffError, match="must ascend, got 3, 2"):
        breakdown(folder, "meta.level", cuts=["3", "2"])


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", 1, None]), st.sampled_from(list(Outcome))),
        min_size=1,
        max_size=12,
    )
)
def test_parts_add_up_to_the_run(tmp_path_factory, rows):
    folder = run(
        tmp_path_factory.mktemp("run"),
        [
            sample(
                i,
                {"v": value, "w": 1},
                None if outcome.unscored else float(outcome is Outcome.SCORED),
                outcome,
            )
            for i, (value, outcome) in enumerate(rows)
        ],
    )
    column = "v" if any(value is not None for value, _ in rows) else "w"
    parts = breakdown(folder, column).parts
    assert sum(part.counts["total"] for part in parts) == len(rows)
    for outcome in Outcome:
        assert sum(part.counts[outcome] for part in parts) == sum(each is outcome for _, each in rows)
    assert sum(part.score.n for part in parts) == sum(not outcome.unscored for _, outcome in rows)
