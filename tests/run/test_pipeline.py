"""A run over a user's own pipeline: its stages are kept, and scoring them anew costs nothing."""

import json
from textwrap import dedent

import pytest

from bakeoff.errors import StoreError
from bakeoff.run import evaluate, rescore
from bakeoff.store import read_manifest, read_samples
from tests.cli.command import bakeoff
from tests.run.runs import task

PIPELINE = """
    from pathlib import Path

    PASSAGES = {"dogs": "Dogs bark.", "cats": "Cats purr and sleep.", "cows": "Cows eat grass."}
    CALLS = Path(__file__).parent / "calls"

    def answer(question, k=2):
        CALLS.open("a").write(question + "\\n")
        if "fish" in question:
            raise LookupError("no such animal")
        ranked = sorted(PASSAGES, key=lambda each: (each[:3] not in question.lower(), each))[:k]
        return {
            "answer": PASSAGES[ranked[0]] + " They fly.",
            "passages": [{"id": each, "text": PASSAGES[each], "score": 1.0} for each in ranked],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2},
            "cost": 0.25,
            "stages": {"\\x1b[2Jrewritten": [question.lower(), "\\u202eevil"]},
        }
    """
ITEMS = [
    {"id": "q1", "input": "What do cats do?", "target": "purr", "metadata": {"relevant": ["cats"]}},
    {"id": "q2", "input": "What do dogs do?", "target": "bark", "metadata": {"relevant": ["cows", "dogs"]}},
    {"id": "q3", "input": "What do fish do?", "target": "swim", "metadata": {"relevant": ["cats"]}},
]


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "pipeline.py").write_text(dedent(PIPELINE))
    return evaluate(
        task(ITEMS, scorer="contains"), f"call:{tmp_path}/pipeline.py:answer", out=tmp_path / "runs"
    )


def calls(folder):
    return len((folder / "calls").read_text().splitlines())


def test_a_run_keeps_what_the_pipeline_says_of_its_way(asked, tmp_path):
    first, _, failed = asked.samples()
    assert calls(tmp_path) == 3
    assert first.score.value == 1
    assert [each["id"] for each in first.turns[0].response.stages["passages"]] == ["cats", "cows"]
    assert first.turns[0].response.usage.prompt_tokens == 10
    assert first.cost == 0.25
    assert failed.score.outcome == "model_error"
    assert "LookupError: no such animal (pipeline.py:10)" in failed.score.reason
    assert asked.manifest.model.identity["name"] == "pipeline.py:answer"


# The whole point: retrieval and generation are judged apart from one set of answers.
def test_its_retrieval_and_its_groundedness_are_scored_afterwards_without_a_call(asked, tmp_path):
    before = calls(tmp_path)
    found = {}
    for scorer in ("retrieval:measure=recall@2", "supported"):
        name, _, option = scorer.partition(":")
        options = dict([option.split("=")]) if option else {}
        folder = rescore(asked.folder, {"name": name, **options}, out=tmp_path / "again")
        found[name] = [sample.score.value for sample in read_samples(folder)]
        assert [sample.turns for sample in read_samples(folder)] == [
            sample.turns for sample in asked.samples()
        ]
        assert read_manifest(folder).parent == asked.manifest.run_id
    assert found["retrieval"] == [1, 0.5, None]
    assert found["supported"] == [pytest.approx(3 / 4), pytest.approx(2 / 3), None]
    assert calls(tmp_path) == before


def test_rescore_and_show_do_so_on_the_command_line(asked, tmp_path):
    done = bakeoff(tmp_path, "rescore", "last", "--scorer", "retrieval:measure=recall@2", "--json")
    assert json.loads(done.stdout)
    assert calls(tmp_path) == 3
    shown = bakeoff(tmp_path, "show", asked.manifest.run_id, "--item", "q1").stdout
    assert "passage 1  cats (1): Cats purr and sleep." in shown
    assert "passage 2  cows (1): Cows eat grass." in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\u001b[2Jrewritten" in shown


def test_a_resumed_run_asks_what_failed_and_refuses_another_pipeline(tmp_path):
    pipeline = tmp_path / "pipeline.py"
    pipeline.write_text(
        dedent(PIPELINE).replace('"fish" in question', "not (CALLS.parent / 'index').exists()")
    )
    first = evaluate(task(ITEMS, scorer="contains"), f"call:{pipeline}:answer", out=tmp_path / "runs")
    assert (first.manifest.status, calls(tmp_path)) == ("incomplete", 3)
    (tmp_path / "index").touch()
    asked = task(ITEMS, scorer="contains")
    again = evaluate(asked, f"call:{pipeline}:answer", out=tmp_path / "runs", resume=first.folder)
    assert (again.manifest.status, calls(tmp_path)) == ("complete", 6)
    assert all(sample.turns[0].response.stages["passages"] for sample in again.samples())
    pipeline.write_text(pipeline.read_text() + "# changed\n")
    with pytest.raises(StoreError, match="revision"):
        evaluate(asked, f"call:{pipeline}:answer", out=tmp_path / "runs", resume=first.folder)


def test_answers_come_from_the_cache_only_where_the_user_names_a_version(tmp_path, monkeypatch):
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "pipeline.py").write_text(dedent(PIPELINE))
    model, items = f"call:{tmp_path}/pipeline.py:answer", ITEMS[:2]
    for number, settings in enumerate(({}, {}, {"version": "1"}, {"version": "1"}, {"version": "2"})):
        result = evaluate(
            task(items, scorer="contains"), model, settings=settings, out=tmp_path / str(number)
        )
        stages = [sample.turns[0].response.stages for sample in result.samples()]
        assert all(each["passages"] for each in stages)
    assert calls(tmp_path) == 8
