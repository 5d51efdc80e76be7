"""A task whose answers are held to a constraint, from its file to its score."""

import json

import pytest

from bakeoff import Task
from bakeoff.errors import ModelError
from bakeoff.nouns import Outcome
from bakeoff.run import evaluate
from bakeoff.store import read_manifest, read_samples
from tests.run.runs import answers

SCHEMAS = [
    {"type": "object", "properties": {"city": {"enum": [city, "Rome"]}}, "required": ["city"],
     "additionalProperties": False}
    for city in ("Paris", "Lima", "Oslo", "Cairo")
]  # fmt: skip


def task(constrain):
    return Task(
        name="cities",
        data={
            "items": [
                {
                    "id": str(n),
                    "input": f"Write poem number {n}.",
                    "target": "x",
                    "meta": {"schema": each},
                }
                for n, each in enumerate(SCHEMAS)
            ]
        },
        generation={"max_tokens": 24, "constrain": constrain},
        scorer="json_schema",
        variants={"free": {"generation": {"constrain": None}}},
    )


@pytest.mark.model
def test_held_answers_validate_and_free_ones_of_the_same_items_do_not(smollm2_path, tmp_path, monkeypatch):
    """Each item has its own schema. The cache keeps held answers and free ones apart."""
    pytest.importorskip("llguidance")
    pytest.importorskip("jsonschema_rs")
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    model, settings = f"gguf:{smollm2_path}", {"threads": "1", "context_length": "512"}
    asked = task({"json_schema_column": "meta.schema"})

    def run(variant):
        done = evaluate(asked, model, variant=variant, settings=settings, out=tmp_path / "runs")
        return done, list(read_samples(done.folder))

    held, held_samples = run("default")
    free, free_samples = run("free")
    assert [sample.score.value for sample in held_samples] == [1.0] * 4
    for sample in held_samples:
        assert json.loads(sample.turns[-1].response.text)["city"] in (
            *SCHEMAS[int(sample.item_id)]["properties"]["city"]["enum"],
        )
    assert [sample.score.value for sample in free_samples] == [0.0] * 4
    assert not any(sample.cached for sample in free_samples)
    assert read_manifest(held.folder).model.probe["constraint"] == "holds"
    assert read_manifest(free.folder).model.probe["constraint"] == ""
    _, again = run("default")
    assert all(sample.cached for sample in again)
    assert [sample.turns[-1].response.text for sample in again] == [
        sample.turns[-1].response.text for sample in held_samples
    ]


@pytest.mark.model
def test_a_schema_that_the_engine_refuses_is_a_model_error_that_names_the_keyword(smollm2_path, tmp_path):
    pytest.importorskip("llguidance")
    done = evaluate(
        task({"json_schema": {"type": "array", "uniqueItems": True}}),
        f"gguf:{smollm2_path}",
        settings={"threads": "1", "context_length": "512"},
        out=tmp_path / "runs",
        cache=False,
    )
    samples = list(read_samples(done.folder))
    assert {sample.score.outcome for sample in samples} == {Outcome.MODEL_ERROR}
    assert all("uniqueItems" in sample.turns[-1].response.failure.message for sample in samples)


@pytest.mark.parametrize("constrain", [{"regex": "yes|no"}, {"json_schema": SCHEMAS[0]}])
def test_an_engine_that_cannot_is_refused_before_the_run_and_the_free_variant_runs(tmp_path, constrain):
    pytest.importorskip("jsonschema_rs")
    model = answers(tmp_path, {str(n): "{}" for n in range(4)})
    with pytest.raises(ModelError, match=r"cities: recorded:.*cannot hold its answers to a") as caught:
        evaluate(task(constrain), model, out=tmp_path / "runs")
    assert "constrain: null" in caught.value.hint
    assert not (tmp_path / "runs").exists()
    assert evaluate(task(constrain), model, variant="free", out=tmp_path / "runs").folder.exists()
