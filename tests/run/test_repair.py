"""An answer that its scorer cannot read is written once more, and never silently."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bakeoff.model import Capabilities
from bakeoff.nouns import Failure, FailureKind, Generate, Item, Outcome, Response, Sample
from bakeoff.run.conduct import conduct
from bakeoff.run.progress import Progress
from bakeoff.score import ON_SECOND_TURN
from bakeoff.store import Journal, Settings, from_row, journal_rows
from bakeoff.task import Task, prepare
from tests.run.parrot import Parrot

RUBRIC = {"kind": "grades", "criteria": [{"name": "good", "question": "Is it?", "levels": ["no", "yes"]}]}
MARK = "0123abcd"
GOOD = '{"case": "0123abcd", "verdicts": {"good": {"why": "it is", "grade": 2}}}'
JUDGED = Task(
    name="judged",
    data=[Item("a", "Is a good?", metadata={"mark": MARK, "order": [0]})],
    scorer={"name": "verdict", "rubric": RUBRIC},
)


def _sample(folder: Path, model: Parrot) -> Sample:
    with Journal(folder / "journal-0.jsonl") as journal:
        progress = Progress("t", total=0)
        asyncio.run(conduct(prepare(JUDGED), model, journal, settings=Settings(), progress=progress))
    (sample,) = map(from_row, journal_rows(folder / "journal-0.jsonl"))
    return sample


def _replies(*replies: Response) -> Callable[[Generate], Response]:
    """The first reply to a first turn, the second to a second."""
    return lambda request: replies[0] if len(request.input) == 1 else replies[1]


def test_a_broken_answer_is_written_again_and_both_are_kept(tmp_path):
    sample = _sample(tmp_path, Parrot(_replies(Response(text="Yes!"), Response(text=GOOD))))
    assert [turn.response.text for turn in sample.turns] == ["Yes!", GOOD]
    assert (sample.score.outcome, sample.score.value) == (Outcome.SCORED, 1.0)
    assert sample.score.reason.startswith(ON_SECOND_TURN)
    said = sample.turns[1].input
    assert [message.role for message in said] == ["user", "assistant", "user"]
    assert "there is no JSON object in it" in said[2].text


def test_an_answer_that_can_be_read_is_not_asked_for_again(tmp_path):
    model = Parrot(lambda request: Response(text=GOOD))
    sample = _sample(tmp_path, model)
    assert len(sample.turns) == len(model.asked) == 1
    assert not sample.score.reason.startswith(ON_SECOND_TURN)


def test_it_is_asked_for_once_more_and_never_a_third_time(tmp_path):
    model = Parrot(lambda request: Response(text="Yes!"))
    sample = _sample(tmp_path, model)
    assert len(model.asked) == 2
    assert sample.score.outcome is Outcome.SCORER_ERROR
    assert sample.score.reason.startswith(ON_SECOND_TURN)


FAILURE = Failure(FailureKind.SERVER, "down")


@pytest.mark.parametrize(
    "first",
    [
        Response(failure=FAILURE),
        Response(text="", refusal="I cannot"),
        Response(text=""),
        Response(text="<think>I wonder"),
    ],
)
def test_where_there_is_no_text_to_mend_nothing_is_asked_again(tmp_path, first):
    model = Parrot(lambda request: first)
    assert len(_sample(tmp_path, model).turns) == 1


def test_a_second_turn_that_fails_is_the_engines_failure(tmp_path):
    sample = _sample(tmp_path, Parrot(_replies(Response(text="Yes!"), Response(failure=FAILURE))))
    assert sample.score.outcome is Outcome.MODEL_ERROR


def test_a_second_turn_that_does_not_fit_the_context_leaves_the_first_answer_as_it_is(tmp_path):
    model = Parrot(lambda request: Response(text="Yes!"), context_length=10 + JUDGED.generation.max_tokens)
    sample = _sample(tmp_path, model)
    assert len(model.asked) == len(sample.turns) == 1
    assert sample.score.outcome is Outcome.SCORER_ERROR


def test_an_engine_that_cannot_be_told_is_not_told(tmp_path):
    model = Parrot(lambda request: Response(text="Yes!"))
    model.capabilities = replace(Capabilities(loglikelihood=True), repairs=False)
    assert len(_sample(tmp_path, model).turns) == 1
