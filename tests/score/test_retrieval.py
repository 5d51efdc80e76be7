import json

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.stats.retrieval.measures import MEASURES, measured
from tests.score.making import said, text_item

GAINS = {"d1": 3, "d2": 1, "d3": 0, "d4": -1, "Geneva Durben": 2}
ITEM = text_item(json.dumps(GAINS))


def score(text, item=ITEM, finish=FinishReason.STOP, **options):
    return judge(build_scorer({"name": "retrieval", **options}), item, said(text, finish))


@pytest.mark.parametrize(
    "text",
    [
        '["d2", "Geneva Durben", "x"]',
        '```json\n["d2", "Geneva Durben", "x"]\n```',
        'The most relevant documents are ["d2", "Geneva Durben", "x"].',
        "d2\nGeneva Durben\nx",
        "1. d2\n2. Geneva Durben\n3. x",
        "1) d2\n2) Geneva Durben\n3) x\n",
        "Ranking:\n\n- `d2`\n- `Geneva Durben`\n- `x`",
        '* "d2",\n* "Geneva Durben",\n* "x"',
        '["d2", "Geneva Durben", "d2", "x", "Geneva Durben"]',
        "<think>d1 or d3?</think>d2\nGeneva Durben\nx",
    ],
)
@pytest.mark.parametrize("measure", [*MEASURES, "ndcg@1", "recall@2", "precision@10"])
def test_a_ranking_is_read_however_it_is_written(text, measure):
    found = score(text, measure=measure)
    assert found.outcome is Outcome.SCORED
    assert found.value == measured(measure, ("d2", "Geneva Durben", "x"), GAINS)
    assert found.extracted == '["d2", "Geneva Durben", "x"]'


def test_whole_numbers_are_ids_and_a_lone_one_is_a_list_of_one():
    item = text_item('{"184": 3, "29": 3}')
    assert score("[29, 184]", item).value == 1
    assert score("184", item, measure="precision@1").value == 1
    assert score("184\n29", item).value == 1


@pytest.mark.parametrize("document", ["Report - final", "part 3. end", "a-1", "x.y", "7", "3.5", "ü (2019)"])
def test_what_stands_inside_an_id_is_no_numbering(document):
    item = text_item(document, "other")
    for text in (document, f"1. {document}", f"- {document}", json.dumps([document])):
        assert score(text, item, measure="precision@1").value == 1, text


def test_a_list_of_relevant_ids_is_a_target_too():
    assert (
        score('["x", "b", "a"]', text_item("a", "b")).value
        == score('["x", "b", "a"]', text_item('{"a": 1, "b": 1}')).value
    )


def test_the_reason_counts_what_is_not_judged_repeated_or_does_not_exist():
    item = Item("q", "", target=('{"a": 1, "b": 0}',), metadata={"documents": ["a", "b", "c"]})
    reason = score('["b", "a", "c", "a", "invented"]', item).reason
    assert "4 documents, 2 of the first 4 not judged, 1 repeated, 1 that do not exist" in reason
    assert "recall@10 1.000, precision@10 0.100, mrr@10 0.500" in reason
    assert "do not exist" not in score('["b", "invented"]', text_item('{"a": 1}')).reason


def test_a_document_that_does_not_exist_takes_a_place():
    item = Item("q", "", target=("a",), metadata={"documents": {"a": "text", "b": "text"}})
    assert score('["invented", "a"]', item, measure="mrr").value == 0.5


def test_to_find_nothing_is_an_answer_worth_nothing():
    found = score("[]")
    assert (found.outcome, found.value) == (Outcome.SCORED, 0)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('["d1", "d2"', "broken"),
        ("['d1', 'd2']", "mended"),
        ('{"d1": 1}', "object"),
        ('["d1", null]', "element 2"),
        ('["d1", ["d2"]]', "element 2"),
        ("[true]", "element 1"),
        ('["d1", ""]', "element 2"),
        ('First I had ["d1"], then ["d2"].', "several"),
        ("See [1] and [2].", "citation"),
        ("1. Smith [2019]\n2. Jones", "citation"),
        ("Here they are:", "no list"),
    ],
)
def test_what_is_no_single_list_of_ids_is_no_answer(text, about):
    found = score(text)
    assert (found.outcome, found.value) == (Outcome.NO_ANSWER, 0)
    assert about in found.reason


@pytest.mark.parametrize("text", ['["d1", "d', "d1\nd", 'The documents are ["d1", "d2'])
def test_a_list_that_was_cut_is_truncated(text):
    assert score(text, finish=FinishReason.LENGTH).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    ("target", "about"),
    [
        ((), "judged documents"),
        (1, "judged documents"),
        (('{"a": 0}',), "no document has a gain"),
        (('{"a": "high"}',), "gain of document a"),
        (('{"a": true}',), "gain of document a"),
        (('{"a": 1e16}',), "at most"),
        (('{"a": 1',), "not JSON"),
    ],
)
def test_judgements_that_cannot_be_used_are_the_tasks_mistake(target, about):
    with pytest.raises(TaskError, match=about):
        score('["a"]', Item("q7", "", choices=("x", "y"), target=target))


@pytest.mark.parametrize("documents", ["d1", 3, ["d1", None], [["d1"]]])
def test_documents_that_are_no_ids_are_the_tasks_mistake(documents):
    with pytest.raises(TaskError, match=r"metadata\.documents"):
        score('["a"]', Item("q7", "", target=("a",), metadata={"documents": documents}))


@pytest.mark.parametrize("measure", ["ndgc@10", "ndcg@0", "recall@", ""])
def test_a_measure_that_does_not_exist_is_refused_before_anything_is_asked(measure):
    with pytest.raises(TaskError, match="measure"):
        build_scorer({"name": "retrieval", "measure": measure})


def test_the_measure_is_part_of_the_id():
    assert build_scorer("retrieval").id == "retrieval@1"
    assert build_scorer({"name": "retrieval", "measure": "map"}).id == "retrieval@1(measure=map)"


def retrieved(*ids, text="It is Paris."):
    return said(text, stages={"passages": [{"id": each, "text": "x"} for each in ids]})


@pytest.mark.parametrize("text", ["It is Paris.", "I don't know.", '["d3"]', "[1]"])
@pytest.mark.parametrize("measure", [*MEASURES, "ndcg@1", "recall@2"])
def test_the_ranking_of_a_pipeline_counts_and_not_its_answer(text, measure):
    scorer = build_scorer({"name": "retrieval", "measure": measure})
    found = judge(scorer, ITEM, retrieved("d2", "Geneva Durben", "d2", "x", text=text))
    assert found.outcome is Outcome.SCORED
    assert found.value == measured(measure, ("d2", "Geneva Durben", "x"), GAINS)
    assert found.extracted == '["d2", "Geneva Durben", "x"]'
    assert "1 repeated" in found.reason


def test_a_pipeline_that_retrieved_nothing_is_scored_and_worth_nothing():
    found = judge(build_scorer("retrieval"), ITEM, retrieved())
    assert (found.outcome, found.value) == (Outcome.SCORED, 0)


@pytest.mark.parametrize("relevant", [["d1", 7], {"d1": 1, "7": 1, "d2": 0}, ("d1", "7")])
def test_what_is_relevant_may_stand_in_the_metadata_and_the_target_be_an_answer(relevant):
    item = Item("q", "", target=("Paris",), metadata={"relevant": relevant})
    assert judge(build_scorer("retrieval"), item, retrieved("7", "d1")).value == 1
    assert (
        judge(build_scorer({"name": "retrieval", "measure": "recall@1"}), item, retrieved("7", "d1")).value
        == 0.5
    )
    assert score('["d1", "7"]', item).value == 1


@pytest.mark.parametrize("relevant", [[], {}, {"d1": 0, "d2": -1}])
def test_a_question_without_an_answer_in_the_corpus_is_not_scorable_and_says_so(relevant):
    item = Item("q", "", target=("",), metadata={"relevant": relevant})
    found = judge(build_scorer("retrieval"), item, retrieved("d1"))
    assert (found.outcome, found.value) == (Outcome.SCORER_ERROR, None)
    assert found.reason.startswith("not scorable")


@pytest.mark.parametrize("relevant", ["d1", 3, ["d1", None], [["d1"]], {"d1": "high"}, None])
def test_relevance_that_cannot_be_read_is_the_tasks_mistake(relevant):
    with pytest.raises(TaskError, match=r"metadata\.relevant|gain of document"):
        judge(
            build_scorer("retrieval"),
            Item("q", "", target=("a",), metadata={"relevant": relevant}),
            said("a"),
        )


@pytest.mark.parametrize("response", ["empty", "cut off", "refused", "only thought"])
def test_a_pipelines_ranking_is_scored_however_it_answered(response):
    ranked = {"passages": [{"id": each, "text": "x"} for each in ("d2", "Geneva Durben", "x")]}
    answered = {
        "empty": Response(text="", stages=ranked),
        "cut off": Response(text="", finish=FinishReason.LENGTH, stages=ranked),
        "refused": Response(text="", refusal="I cannot help", stages=ranked),
        "only thought": Response(text="<think>hm", stages=ranked),
    }[response]
    found = judge(build_scorer("retrieval"), ITEM, answered)
    assert found.outcome is Outcome.SCORED
    assert found.value == measured("ndcg@10", ("d2", "Geneva Durben", "x"), GAINS)
