"""JSON that cannot be read or is not valid is asked for once more, where the task says so."""

import asyncio
import json

import pytest

from bakeoff.nouns import FinishReason, Generate, Outcome, Response
from bakeoff.run import rescore
from bakeoff.run.conduct import conduct
from bakeoff.run.fieldwise import fieldwise
from bakeoff.run.progress import Progress
from bakeoff.score import ON_SECOND_TURN, Repairing, build_scorer, scorer_names
from bakeoff.store import (
    Journal,
    Settings,
    from_row,
    journal_path,
    journal_rows,
    new_run_folder,
    read_manifest,
    write_manifest,
)
from bakeoff.task import Task, prepare
from tests.run.parrot import Parrot, text_of
from tests.run.runs import run
from tests.score.test_fuzz import OPTIONS

SCHEMA = {"type": "object", "required": ["due"], "properties": {"due": {"type": "string"}}}
SECRET = "2031-12-24"


def samples(folder, *said: str, finish=FinishReason.STOP, name="fields", **options):
    """What a model that says one text after the other was asked, and its sample."""
    left = list(said)
    fields = {"fields": {"due": "date"}} if name == "fields" else {}
    meta = {"schema": SCHEMA} if name == "json_schema" else {}
    task = Task(
        name="t",
        data={"items": [{"id": "i", "input": "When?", "target": {"due": SECRET}, "meta": meta}]},
        scorer={"name": name, "second_turn": True} | fields | options,
    )
    model = Parrot(lambda request: Response(text=left.pop(0), finish=finish))
    path = folder / "journal-0.jsonl"
    with Journal(path) as journal:
        work = conduct(
            prepare(task), model, journal, settings=Settings(cache=False), progress=Progress("t", 1)
        )
        asyncio.run(work)
    (sample,) = (from_row(row) for row in journal_rows(path))
    assert not left
    return model.asked, sample


RIGHT = json.dumps({"due": SECRET})


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        ("In March.", "there is no JSON value in it"),
        ('{"due": "2031-12-24",}', "comments or trailing commas would have to be mended"),
        ('{"due": "x", "due": "y"}', "the name 'due' stands twice"),
        ("[1]", "a JSON list, not an object"),
        ('{"due": 5}', "does not fit the schema at $.due"),
        ("{}", "does not fit the schema at $"),
    ],
)
def test_what_cannot_be_read_or_is_not_valid_is_asked_for_once_more_and_says_why(tmp_path, first, problem):
    asked, sample = samples(tmp_path, first, RIGHT, schema=SCHEMA)
    assert [turn.response.text for turn in sample.turns] == [first, RIGHT]
    told = text_of(asked[1])
    assert isinstance(asked[1], Generate)
    assert problem in told
    assert told.count(SECRET) == first.count(SECRET)
    assert sample.score.value == 1
    assert sample.score.reason.startswith(ON_SECOND_TURN)


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        (RIGHT, {}),
        ('{"due": "1999-01-01"}', {}),  # wrong, but readable: nobody may be told so
        (f"```json\n{RIGHT}\n```", {}),
        ("In March.", {"second_turn": False}),
        ("I'm sorry, but I cannot help with that.", {}),
        ('{"due": "2031-', {"finish": FinishReason.LENGTH}),
    ],
)
def test_what_can_be_read_is_refused_or_was_cut_is_not_asked_again(tmp_path, said, chosen):
    _, sample = samples(tmp_path, said, **chosen)
    assert len(sample.turns) == 1
    assert not sample.score.reason.startswith(ON_SECOND_TURN)


def test_a_second_answer_that_is_no_better_is_no_answer(tmp_path):
    _, sample = samples(tmp_path, "In March.", "In April.")
    assert (sample.score.outcome, len(sample.turns)) == (Outcome.NO_ANSWER, 2)


@pytest.mark.parametrize(
    ("first", "problem"),
    [("In March.", "there is no JSON value in it"), ('{"due": 5}', "does not fit the schema at $.due: ")],
)
def test_json_that_a_schema_refuses_is_asked_for_once_more(tmp_path, first, problem):
    asked, sample = samples(tmp_path, first, RIGHT, name="json_schema")
    assert problem in text_of(asked[1])
    assert (sample.score.value, len(sample.turns)) == (1, 2)


@pytest.mark.parametrize("name", sorted(scorer_names()))
def test_no_scorer_asks_for_a_repair_by_a_name_that_is_something_else(name):
    scorer = build_scorer({"name": name} | dict(OPTIONS.get(name, {})))
    assert not isinstance(scorer, Repairing) or callable(scorer.repair)


@pytest.mark.parametrize(
    ("second", "form"),
    [(RIGHT, "repaired by a second turn"), ('{"due": 6}', "asked again in vain"), ("In April.", "broken")],
)
def test_what_was_asked_again_in_vain_is_not_counted_as_repaired(tmp_path, second, form):
    _, sample = samples(tmp_path, '{"due": 5}', second, schema=SCHEMA)
    manifest = read_manifest(
        run(
            tmp_path,
            [{"id": "i", "input": "?", "target": {"due": SECRET}}],
            {"i": "{}"},
            task={"scorer": "fields"},
        ).folder
    )
    folder = new_run_folder(tmp_path / "made", "t", "parrot")
    write_manifest(folder, manifest)
    with Journal(journal_path(folder)) as journal:
        journal.append(sample)
    assert {name: n for name, n in fieldwise(folder).forms.items() if n} == {form: 1}


@pytest.mark.model
def test_a_real_models_second_turn_is_counted_and_stays_so_when_judged_anew(tmp_path):
    from bakeoff import evaluate

    task = Task(
        name="dates",
        data={
            "items": [
                {
                    "id": "i",
                    "input": "Say in one short sentence when tea was invented.",
                    "target": {"due": None},
                }
            ]
        },
        generation={"max_tokens": 80, "stop": [".", "\n"]},
        scorer={"name": "fields", "fields": {"due": "date"}, "second_turn": True},
    )
    made = evaluate(task, "gguf:smollm2", out=tmp_path, cache=False)
    (sample,) = made.samples()
    assert len(sample.turns) == 2
    assert sample.turns[1].input[-1].text.startswith("Your answer cannot be used: ")
    again = rescore(made.folder, {"name": "fields", "fields": {"due": "date"}}, out=tmp_path / "again")
    forms = fieldwise(made.folder).forms
    assert fieldwise(again).forms == forms
    assert sum(forms.values()) == 1
    assert forms["as given"] == forms["repaired by rule"] == 0
