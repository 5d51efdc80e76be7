"""DROP and HotpotQA: rows of the hub's layout."""

import pytest

from bakeoff.nouns import FinishReason, Response
from tests.catalog.hub_rows import items_of, on_hub_rows

NOTHING = {"day": "", "month": "", "year": ""}


def answer(number="", spans=(), date=NOTHING):
    return {"number": number, "date": date, "spans": list(spans), "worker_id": "w", "hit_id": "h"}


DROP = {
    "section_id": "history_1",
    "query_id": "q1",
    "passage": "The wall is 12.25 m high and was built in May 1611 by Ann and Bo.",
    "question": "How high is the wall, in metres?",
    "answer": answer("12.25"),
    "validated_answers": {
        "number": ["12", ""],
        "date": [NOTHING, NOTHING],
        "spans": [[], ["12.25 m"]],
        "worker_id": ["a", "b"],
        "hit_id": ["c", "d"],
    },
}


def test_a_question_of_drop_has_every_annotators_answer():
    (item,) = items_of("drop", DROP)
    assert (item.id, item.input, item.target) == ("q1", DROP["question"], ("12.25",))
    assert item.metadata["section"] == "history_1"
    assert [each["spans"] for each in item.metadata["validated_answers"]] == [[], ["12.25 m"]]


def test_annotations_may_be_a_list_as_well():
    listed = DROP | {"validated_answers": [answer("12"), answer(spans=["12.25 m"])]}
    assert [item.metadata for item in items_of("drop", listed)] == [
        item.metadata for item in items_of("drop", DROP)
    ]


def test_questions_on_one_passage_are_a_group():
    first, second, other = items_of(
        "drop", DROP, DROP | {"query_id": "q2"}, DROP | {"query_id": "q3", "passage": "Another."}
    )
    assert first.group == second.group != other.group


@pytest.mark.parametrize(
    ("given", "said", "f1", "exact"),
    [
        (answer("12.25"), "12.25.", 1, 1),
        (answer("12.25"), "12", 1, 1),
        (answer("12.25"), "13", 0, 0),
        (answer(spans=["Ann", "Bo"]), "Bo and Ann", 1, 1),
        (answer(spans=["Ann", "Bo"]), "Ann, Cy", 0.5, 0),
        (answer(date={"day": "", "month": "May", "year": "1611"}), "May 1611", 1, 1),
    ],
)
def test_decimals_spans_and_dates_are_judged_whole(given, said, f1, exact):
    for name, value in (("drop", f1), ("drop:exact", exact), ("drop:lm-eval", f1)):
        prepared = on_hub_rows(name, DROP | {"answer": given})
        (item,) = prepared.items()
        assert prepared.scorer(item, Response(text=said, finish=FinishReason.STOP)).value == value


def test_no_stop_string_of_drop_can_cut_a_number():
    prepared = on_hub_rows("drop:lm-eval", DROP)
    assert not any(stop in "12.25" for stop in prepared.task.generation.stop)


def test_a_question_of_hotpotqa_is_asked_under_its_paragraphs():
    row = {
        "id": "h1",
        "question": "Who built the wall of the town?",
        "answer": "Ann",
        "type": "bridge",
        "level": "hard",
        "supporting_facts": {"title": ["Wall"], "sent_id": [1]},
        "context": {
            "title": ["Wall", "Town"],
            "sentences": [["High.", " Ann built it."], ["It has a wall."]],
        },
    }
    prepared = on_hub_rows("hotpotqa", row)
    (item,) = prepared.items()
    (turn,) = prepared.render(item).turns
    assert turn[0].text.startswith(
        "Wall: High. Ann built it.\n\nTown: It has a wall.\n\nWho built the wall of the town?\n\nAnswer"
    )
    assert item.metadata["supporting_facts"] == [["Wall", 1]]
    assert prepared.scorer(item, Response(text="It was Ann.", finish=FinishReason.STOP)).value == 0.5
