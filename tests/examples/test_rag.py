"""The RAG example, as a newcomer runs it."""

import importlib.util
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bakeoff.store import find_runs, read_manifest, read_samples
from tests.cli.command import bakeoff

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "rag"
QUESTIONS = [
    json.loads(line) for line in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
UNANSWERABLE = [each for each in QUESTIONS if not each["answerable"]]


@pytest.fixture(scope="module")
def pipeline():
    spec = importlib.util.spec_from_file_location("rag_example_pipeline", FOLDER / "pipeline.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def new_run(folder: Path, *arguments: str) -> Path:
    """The folder of the run that a command makes."""
    before = set(find_runs(folder / "runs"))
    done = bakeoff(folder, *arguments)
    assert done.returncode == 0, done.stderr
    (made,) = set(find_runs(folder / "runs")) - before
    return made


def run(folder: Path, *arguments: str) -> Path:
    return new_run(folder, "run", str(FOLDER / "task.yaml"), *arguments, "--unscored-budget", "0.2")


def test_there_are_questions_of_both_kinds_and_each_is_there_once():
    assert 25 <= len(QUESTIONS) <= 40
    assert 5 <= len(UNANSWERABLE) < len(QUESTIONS) / 4
    for key in ("id", "question"):
        assert len({each[key] for each in QUESTIONS}) == len(QUESTIONS)


# When a guide changes, this says which question has to change with it.
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each["id"])
def test_the_answer_to_each_question_stands_in_a_section_that_it_names(question, pipeline):
    sections = {section.id: f"{section.heading}\n{section.text}".lower() for section in pipeline.sections()}
    assert question["answerable"] == bool(question["relevant"])
    held = [name for name in question["relevant"] if question["answer"][-1].lower() in sections[name]]
    assert bool(held) == question["answerable"]


def test_it_runs_is_scored_as_a_retriever_and_as_grounded_and_asks_nothing_twice(tmp_path):
    asked = run(tmp_path, "--model", f"call:{FOLDER}/pipeline.py:extract")
    samples = {sample.item_id: sample for sample in read_samples(asked)}
    assert read_manifest(asked).status == "complete"
    assert len(samples) == len(QUESTIONS)
    for scorer in ("retrieval:measure=hit@3", "supported"):
        rescored = new_run(tmp_path, "rescore", str(asked), "--scorer", scorer)
        again = {sample.item_id: sample for sample in read_samples(rescored)}
        assert {name: each.turns for name, each in again.items()} == {
            name: each.turns for name, each in samples.items()
        }
        if scorer == "supported":
            # What was copied stands in what was retrieved; an abstention has none of its words there.
            copied = [
                each for each in again.values() if each.turns[0].response.text != "The guides do not say."
            ]
            assert copied
            assert all(each.score.value == 1 for each in copied if each.score.outcome == "scored")
        else:
            for question in QUESTIONS:
                ids = [each["id"] for each in samples[question["id"]].turns[0].response.stages["passages"]]
                expected = (
                    float(bool(set(ids) & set(question["relevant"]))) if question["answerable"] else None
                )
                assert again[question["id"]].score.value == expected
    for question in UNANSWERABLE:
        said = samples[question["id"]]
        assert (said.score.value == 1) == (said.turns[0].response.text == "The guides do not say.")


def test_the_retriever_alone_is_a_candidate_too(tmp_path):
    asked = run(
        tmp_path, "--model", f"call:{FOLDER}/pipeline.py:retrieve", "--set", "arg.k=1", "--limit", "4"
    )
    assert all(len(json.loads(each.turns[0].response.text)) == 1 for each in read_samples(asked))


@pytest.fixture
def served():
    """The address of the example's own server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "serve.py", str(port)], cwd=FOLDER, stderr=subprocess.DEVNULL, text=True
    )
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/ask"
    finally:
        server.terminate()
        server.wait()


def test_behind_an_address_the_pipeline_says_the_same(tmp_path, served):
    near = run(tmp_path, "--model", f"call:{FOLDER}/pipeline.py:extract", "--limit", "6")
    far = run(tmp_path, "--model", f"endpoint:{served}", "--limit", "6")
    said = [
        {
            each.item_id: (each.turns[0].response.text, each.turns[0].response.stages)
            for each in read_samples(one)
        }
        for one in (near, far)
    ]
    assert said[0] == said[1]


@pytest.mark.model
def test_the_small_model_answers_from_the_passages(tmp_path, smollm2_path):
    pytest.importorskip("xllamacpp")
    settings = ("--set", "concurrency=1", "--set", "arg.k=1", "--limit", "2")
    asked = run(tmp_path, "--model", f"call:{FOLDER}/pipeline.py:generate", *settings)
    for sample in read_samples(asked):
        response = sample.turns[0].response
        assert response.failure is None
        assert response.text
        assert response.usage.prompt_tokens > 0
        assert len(response.stages["passages"]) == 1
