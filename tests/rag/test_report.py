"""A run that answers from passages: what ends how, what is measured on what, and nothing lost on the way."""

from math import log2

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.judging import read_rubric
from bakeoff.rag import rag_report
from bakeoff.rag.answers import read_answers
from bakeoff.store import CalibrationRecord
from bakeoff.verdicts import Asking, judge_run
from bakeoff.verdicts.calibrate import apply
from tests.classification.runs import likely
from tests.rag.system import QUESTIONS, asked, by_words
from tests.verdicts.judges import judge_server

ENDED = {
    "a": "answered",
    "b": "answered",
    "c": "answered",
    "d": "abstained",
    "e": "abstained",
    "f": "answered",
    "g": "empty",
    "h": "refused",
    "i": "failed",
    "j": "answered",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return asked(tmp_path_factory.mktemp("run"))


def judged(run, name, say, **how):
    out = run.parents[2]
    with judge_server(by_words(say)) as judge:
        return judge_run(run, read_rubric(name), Asking(f"{judge.url}#rule", cache=False, **how), out=out)[1]


def report(run, *judged_runs, **how):
    return rag_report(run, judged_runs, out=run.parents[2], **how)


def named(found, name):
    (row,) = (each for each in found.measures if each.name == name)
    return row


def counts(row):
    return row.scored, row.not_scorable, row.not_answered, row.not_asked, row.failed


def test_each_answer_ends_in_one_way(run):
    assert {each.item: each.ended for each in read_answers(run).answers} == ENDED
    found = report(run)
    assert sum(sum(each.counts.values()) for each in found.behaviours) == found.items == len(QUESTIONS)


def test_abstaining_is_right_or_wrong_by_whether_there_is_an_answer(run):
    answerable, unanswerable, unmarked = report(run).behaviours
    assert (answerable.answerable, unanswerable.answerable, unmarked.answerable) == (True, False, None)
    # Of seven answerable questions one failed, and one of the other six abstained.
    assert answerable.abstained.n == 6
    assert answerable.abstained.value == pytest.approx(1 / 6)
    assert answerable.examples == (("d", "I don't know"),)
    assert (unanswerable.abstained.value, unanswerable.answered.value) == (0.5, 0.5)
    assert unanswerable.examples == (("f", ""),)
    assert unmarked.counts["answered"] == 1


def test_retrieval_is_measured_against_the_passages_that_were_needed(run):
    found = report(run)
    # a: first of 2; b: second of 2; c: none of 1; d: 1 of 1; g: 1 of 1; h: none of 0; j: 1 of 1.
    expected = {
        "recall": (1 + 1 + 0 + 1 + 1 + 0 + 1) / 7,
        "precision": (1 / 2 + 1 / 2 + 0 + 1 + 1 + 0 + 1) / 7,
        "mrr": (1 + 1 / 2 + 0 + 1 + 1 + 0 + 1) / 7,
        "ndcg": (1 + 1 / log2(3) + 0 + 1 + 1 + 0 + 1) / 7,
    }
    for name, value in expected.items():
        row = named(found, name)
        assert row.estimate.value == pytest.approx(value)
        assert row.part == "retrieval"
        # Two questions have no answer, so no passage is needed; one failed before it named any.
        assert counts(row) == (7, 2, 0, 0, 1)


def test_the_floor_is_over_what_was_answered(run):
    found = report(run)
    # Token F1 with the reference: of "tower is 30 m high hello" with "30 m" 4/8; of "rossi built it" (a is an
    # article) with "rossi" 1/2; of "it is 40 km long" with "12 km" 2/7; f and j share nothing.
    f1 = named(found, "token F1 with the reference")
    assert f1.estimate.value == pytest.approx((4 / 8 + 1 / 2 + 2 / 7) / 5, abs=1e-9)
    assert counts(f1) == (5, 0, 4, 0, 1)
    # Content words and numbers in the passages: a 4 of 5 (hello is not), b 3 of 3, c 0 of 3, f 1 of 4.
    words = named(found, "words in the passages")
    assert words.scored == 4
    assert counts(words) == (4, 1, 4, 0, 1)


def test_right_and_wrong_with_a_needed_passage_and_without(run):
    found = report(run).together
    # a and b are right with it, d abstains, g and j are wrong; c and h are wrong without; i failed.
    assert (found.found.right, found.found.wrong, found.found.abstained) == (2, 2, 1)
    assert (found.not_found.right, found.not_found.wrong, found.not_found.abstained) == (0, 2, 0)
    assert found.found.score.value == pytest.approx(2 / 5)


def said_by_passages(unit, passages):
    if unit == "Hello!":
        return "not_applicable"
    return "supported" if unit in passages else "not_in_the_passages"


def test_groundedness_is_over_answered_items_and_what_cannot_be_judged_is_counted(run):
    found = report(run, judged(run, "rag/groundedness", said_by_passages))
    row = named(found, "groundedness")
    # a 1 of 1 (Hello! claims nothing), b 1 of 1 , c 0, f 0; j says nothing at all.
    assert row.estimate.value == pytest.approx(2 / 4)
    assert counts(row) == (4, 1, 4, 0, 1)
    assert row.units == {"contradicted": 0, "not_in_the_passages": 2, "supported": 2, "not_applicable": 1}
    assert row.by == "judge rule"
    assert row.caveats
    assert "uncalibrated" in row.caveats[0]


def test_a_judge_that_was_held_against_people_is_not_called_uncalibrated(tmp_path):
    run = asked(tmp_path, {"a": QUESTIONS["a"]})
    made = judged(run, "rag/groundedness", said_by_passages)
    begun = "2019-01-01T00:00:00+00:00"
    for expires, caveats in (("2999-01-01T00:00:00+00:00", 0), ("2020-01-01T00:00:00+00:00", 1)):
        record = CalibrationRecord(
            id="c", made=begun, expires=expires, labels=100, agreement=0.9, low=0.8, high=0.95, level=0.95
        )
        apply(record, made, out=run.parents[2])
        assert len(named(report(run, made), "groundedness").caveats) == caveats


def test_an_answer_without_anything_to_claim_is_not_scorable(tmp_path):
    questions = {"a": (*QUESTIONS["a"][:5], "Hello!"), "b": QUESTIONS["b"]}
    run = asked(tmp_path, questions)
    row = named(report(run, judged(run, "rag/groundedness", said_by_passages)), "groundedness")
    assert row.estimate.value == 1
    assert counts(row) == (1, 1, 0, 0, 0)
    assert row.units["not_applicable"] == 1


def test_a_verdict_on_too_few_sentences_is_a_failure_and_in_no_mean(tmp_path):
    run = asked(tmp_path, {name: QUESTIONS[name] for name in "abc"})

    def rule(messages):
        text = by_words(said_by_passages)(messages)
        return text.replace('"2"', '"3"') if "Hello" in messages[0]["content"] else text

    with judge_server(rule) as judge:
        asking = Asking(f"{judge.url}#rule", cache=False)
        made = judge_run(run, read_rubric("rag/groundedness"), asking, out=run.parents[2])[1]
    row = named(report(run, made), "groundedness")
    assert row.estimate.value == pytest.approx(1 / 2)
    assert counts(row) == (2, 0, 0, 0, 1)


def test_a_measure_of_passages_is_over_all_that_a_judge_read(run):
    found = report(
        run,
        judged(run, "rag/context_precision", lambda unit, _: "useful" if "30 m" in unit else "not_useful"),
    )
    row = named(found, "context_precision")
    # The passage with 30 m stands first for a and e, second for b; g and h were shown to nobody.
    assert row.part == "retrieval"
    assert row.estimate.value == pytest.approx((1 + 1 / 2 + 0 + 0 + 1 + 0 + 0) / 7)
    assert counts(row) == (7, 0, 2, 0, 1)
    share = named(found, "context_precision: share of passages")
    assert share.estimate.value == pytest.approx((1 / 2 + 1 / 2 + 0 + 0 + 1 + 0 + 0) / 7)
    assert row.units == {"not_useful": 6, "useful": 3}


def test_sentences_that_cite_nothing_are_counted(tmp_path):
    questions = {
        "a": (*QUESTIONS["a"][:5], "The tower is 30 m high [1]. It is red [3]. It is old."),
        "b": (*QUESTIONS["b"][:5], "A. Rossi built it [2]."),
    }
    run = asked(tmp_path, questions)
    found = report(
        run,
        judged(
            run,
            "rag/citation_support",
            lambda unit, _: "supported" if "[1]" in unit or "[2]" in unit else "unsupported",
        ),
    )
    row = named(found, "citation_support")
    assert row.estimate.value == pytest.approx((1 / 3 + 1) / 2)
    assert row.units == {
        "unsupported": 2,
        "partly_supported": 0,
        "supported": 2,
        "not_applicable": 0,
        "cites no passage": 2,
    }


def test_answers_beyond_the_judges_limit_were_not_asked_about(tmp_path):
    run = asked(tmp_path, {name: QUESTIONS[name] for name in "abc"})
    row = named(report(run, judged(run, "rag/groundedness", said_by_passages, limit=2)), "groundedness")
    assert counts(row) == (2, 0, 0, 1, 0)


def test_the_counts_of_every_line_add_up_to_the_items(run):
    names = ("groundedness", "context_relevance", "context_recall", "context_precision", "citation_support")
    runs = []
    for name in names:
        worst = read_rubric(f"rag/{name}").criteria[0].names[0]
        runs.append(judged(run, f"rag/{name}", lambda unit, passages, worst=worst: worst))
    found = report(run, *runs)
    assert {each.name for each in found.measures} >= set(names)
    for row in found.measures:
        assert sum(counts(row)) == len(QUESTIONS), row
        assert row.estimate.n == row.scored


def test_items_of_a_group_are_not_independent(tmp_path):
    questions = {f"{name}{copy}": QUESTIONS[name] for name in "abcd" for copy in range(5)}
    alone, together = (
        report(asked(tmp_path / str(place), questions, groups={item: item[0] for item in questions if place}))
        for place in (0, 1)
        if (tmp_path / str(place)).mkdir() is None
    )
    one, other = (named(each, "recall").estimate for each in (alone, together))
    assert one.value == other.value
    assert other.clusters == 4
    assert other.interval.high - other.interval.low > one.interval.high - one.interval.low


def test_a_judged_run_of_other_answers_is_refused(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    one = asked(folders[0], {"a": QUESTIONS["a"]})
    two = asked(folders[1], {"a": QUESTIONS["b"]})
    other = judged(two, "rag/groundedness", said_by_passages)
    with pytest.raises(BakeoffError, match="another answer to item a"):
        report(one, other)
    with pytest.raises(BakeoffError, match="no judged run"):
        report(one, one)


def test_what_is_not_there_is_said_and_not_made_up(tmp_path):
    run = asked(tmp_path, {name: QUESTIONS[name] for name in "ab"}, marked=False)
    found = report(run)
    assert found.together is None
    assert {each.part for each in found.measures} == {"generation", "together"}
    assert [each.answerable for each in found.behaviours] == [None]
    for words in ("metadata.relevant", "metadata.answerable", "--judged"):
        assert any(words in note for note in found.notes)


@pytest.mark.parametrize(
    ("metadata", "problem"),
    [
        ({"answerable": "no"}, "metadata.answerable"),
        ({"relevant": "tower"}, "metadata.relevant"),
        ({"relevant": {"tower": "yes"}}, "metadata.relevant"),
        ({"relevant": {"tower": True}}, "metadata.relevant"),
        ({"relevant": {"tower": float("inf")}}, "metadata.relevant"),
    ],
)
def test_metadata_of_another_form_name_the_item(tmp_path, metadata, problem):
    from tests.run.runs import run as recorded

    items = [{"id": "a", "input": "?", "target": "1", "metadata": metadata}]
    folder = recorded(tmp_path, items, {"a": "1"}).folder
    with pytest.raises(BakeoffError, match=f"item a: {problem}"):
        report(folder)


def test_a_run_without_written_answers_is_refused(tmp_path):
    with pytest.raises(BakeoffError, match="no written answers"):
        report(likely(tmp_path, [("ham", 0.2), ("spam", 0.9)]))


def test_a_level_outside_zero_to_one_is_refused(run):
    with pytest.raises(BakeoffError, match="--level"):
        report(run, level=95)
    narrow, wide = (named(report(run, level=level), "recall").estimate.interval for level in (0.5, 0.95))
    assert wide.low < narrow.low < narrow.high < wide.high
