"""Rows, runs and samples as Every Eval Ever 0.3.0 wants them: what it asks for is there, of its kinds."""

import json
from dataclasses import replace

import jsonschema
import pytest

from bakeoff.board.definition import Board
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Scores, Value
from bakeoff.nouns import Outcome
from bakeoff.run import evaluate, metrics
from bakeoff.store import read_manifest, read_samples
from bakeoff.store.privacy import leaving
from bakeoff.web.api.every_eval_ever import of_row, of_run, of_sample
from tests.board.making import BOARD, entrant, snapshot

TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
NUMBER, TEXT = {"type": "number"}, {"type": "string"}


def _object(required, **more):
    return {"type": "object", "required": required.split(), "properties": more}


MODEL = _object(
    "name id additional_details",
    name=TEXT,
    id=TEXT,
    developer=TEXT,
    inference_engine=_object("", name=TEXT, version=TEXT),
    additional_details={
        **_object(
            "deployment_type model_availability",
            deployment_type={"enum": ["self_deployed", "externally_managed", "unknown"]},
            model_availability={"enum": ["open_weights", "closed_weights", "unknown"]},
        ),
        "additionalProperties": TEXT,
    },
)
LIMIT = {"anyOf": [NUMBER, {"enum": ["Infinity", "-Infinity"]}, {"type": "null"}]}
RESULT = _object(
    "evaluation_name source_data metric_config score_details",
    source_data={
        "oneOf": [
            _object("dataset_name source_type url", source_type={"const": "url"}, url={"minItems": 1}),
            _object("dataset_name source_type", source_type={"const": "hf_dataset"}),
            _object("dataset_name source_type", source_type={"const": "other"}),
        ]
    },
    metric_config=_object(
        "lower_is_better score_type min_score max_score",
        lower_is_better={"type": "boolean"},
        score_type={"const": "continuous"},
        min_score=LIMIT,
        max_score=LIMIT,
        llm_scoring=_object("judges input_prompt", judges={"items": _object("model_info"), "minItems": 1}),
    ),
    score_details=_object(
        "score",
        score=NUMBER,
        details=TEXTS,
        uncertainty=_object(
            "",
            num_samples={"type": "integer"},
            confidence_interval=_object("lower upper", lower=NUMBER, upper=NUMBER, confidence_level=NUMBER),
        ),
    ),
    generation_config=_object(
        "",
        generation_args=_object("", max_tokens={"minimum": 1}, temperature=NUMBER),
        additional_details=TEXTS,
    ),
)
RECORD = {
    **_object(
        "schema_version evaluation_id retrieved_timestamp source_metadata eval_library model_info "
        "evaluation_results",
        schema_version={"const": "0.3.0"},
        evaluation_id=TEXT,
        evaluation_timestamp=TEXT,
        retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
        source_metadata=_object(
            "source_type source_organization_name evaluator_relationship",
            source_type={"enum": ["documentation", "evaluation_run"]},
            evaluator_relationship={"enum": ["first_party", "third_party", "collaborative", "other"]},
            additional_details=TEXTS,
        ),
        eval_library=_object("name version", name=TEXT, version=TEXT),
        model_info=MODEL,
        evaluation_results={"type": "array", "items": RESULT},
    ),
    "additionalProperties": False,
}
INSTANCE = {
    **_object(
        "schema_version evaluation_id model_id evaluation_name sample_id interaction_type input "
        "answer_attribution evaluation output messages sample_hash evaluation_result_id error metadata "
        "performance",
        interaction_type={"enum": ["single_turn", "multi_turn", "agentic"]},
        input=_object("raw reference", raw=TEXT, reference={"type": "array", "items": TEXT}),
        evaluation=_object("score is_correct", score=NUMBER, is_correct={"type": "boolean"}),
        answer_attribution={
            "items": _object("turn_idx source extracted_value extraction_method is_terminal", turn_idx=NUMBER)
        },
        token_usage=_object("input_tokens output_tokens total_tokens"),
        metadata=TEXTS,
    ),
    "additionalProperties": False,
}
# Nothing else may be there.
INSTANCE["properties"] |= {name: {} for name in INSTANCE["required"] if name not in INSTANCE["properties"]}
ONE = {"oneOf": [{"properties": {"output": {"type": "object"}, "messages": {"type": "null"}}},
                 {"properties": {"output": {"type": "null"}, "messages": {"type": "array"}}}]}  # fmt: skip


def _valid(record, schema=RECORD):
    again = json.loads(json.dumps(record, allow_nan=False))
    jsonschema.Draft7Validator(schema).validate(again)
    return again


def _row(given, board=BOARD, **changes):
    found = snapshot(given, entrant(9, 0.4))
    return _valid(of_row(board, found, "sha256:x", found.rows[0], keeper="Us", **changes))


def test_a_measured_row_is_a_record_of_a_third_party_with_its_interval_and_ranks():
    record = _row(entrant(1, 0.8, 0.01, model="org/model"))
    assert record["evaluation_id"].startswith("small/org/model/")
    assert record["source_metadata"]["evaluator_relationship"] == "third_party"
    assert record["source_metadata"]["source_type"] == "evaluation_run"
    assert record["eval_library"]["name"] == "bakeoff"
    assert (record["model_info"]["id"], record["model_info"]["developer"]) == ("org/model", "org")
    score, maths = record["evaluation_results"]
    assert (score["evaluation_name"], maths["evaluation_name"]) == ("small", "core/Maths")
    assert score["score_details"]["score"] == 0.8
    interval = score["score_details"]["uncertainty"]["confidence_interval"]
    assert (interval["lower"], interval["confidence_level"]) == (pytest.approx(0.8 - 1.96e-2, abs=1e-4), 0.95)
    details = record["source_metadata"]["additional_details"]
    assert (details["rank_low"], details["rank_high"], details["snapshot"]) == ("1", "1", "sha256:x")


def test_a_reported_row_is_documentation_by_whoever_reports_it():
    board = Board(name="theirs", version=1, since="2026-01-01", source="https://example.org/table")
    record = _row(entrant(1, 0.8, provenance="reported"), board)
    assert record["source_metadata"]["source_type"] == "documentation"
    assert record["source_metadata"]["source_organization_name"] == "https://example.org/table"
    assert record["eval_library"] == {"name": "unknown", "version": "unknown"}
    assert record["evaluation_results"][0]["source_data"]["url"] == ["https://example.org/table"]


def test_what_is_missing_is_no_result_and_never_a_zero():
    lost = Scores(Value(None), {"core/Maths": Value(0.5), "core/Code": Value(None)}, incomplete="x")
    assert [each["evaluation_name"] for each in _row_of(lost)] == ["core/Maths"]
    assert _row_of(Scores(Value(float("nan")), {})) == []


def _row_of(scores):
    found = snapshot(entrant(1, scores=scores))
    return _valid(of_row(BOARD, found, "sha256:x", found.rows[0], keeper="Us"))["evaluation_results"]


def test_a_lower_score_is_said_to_be_better_where_it_is():
    found = replace(snapshot(entrant(1)), notes=(LOWER,), unit="raw")
    (score, _) = _valid(of_row(BOARD, found, "x", found.rows[0], keeper="Us"))["evaluation_results"]
    assert (score["metric_config"]["lower_is_better"], score["metric_config"]["max_score"]) == (True, None)
    assert score["metric_config"]["metric_unit"] == "points"


def _run(folder, private=False):
    items = [{"id": f"q{each}", "input": f"{each}?", "target": str(each)} for each in range(6)]
    task = {"name": "sums", "data": {"items": items}, "scorer": "exact", "private": private}
    (folder / "sums.yaml").write_text(json.dumps(task))
    rows = [{"id": f"q{each}", "output": str(each if each < 4 else "?")} for each in range(5)]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ref = f"recorded:{folder / 'answers.jsonl'}"
    return evaluate(str(folder / "sums.yaml"), ref, out=folder / "runs").folder


def test_a_run_is_a_record_with_every_count(tmp_path):
    folder = _run(tmp_path)
    record = _valid(of_run(read_manifest(folder), metrics(folder), keeper="Us"))
    (result,) = record["evaluation_results"]
    assert result["score_details"]["score"] == pytest.approx(4 / 5)
    details = result["score_details"]["details"]
    assert {name: details[f"n_{name}"] for name in ("total", "scored", "model_error")} == {
        "total": "6",
        "scored": "5",
        "model_error": "1",
    }
    assert {f"n_{outcome.value}" for outcome in Outcome} < details.keys()
    assert float(details["bound_low"]) == pytest.approx(4 / 6)
    assert result["score_details"]["uncertainty"]["num_samples"] == 5


def test_each_sample_is_a_line_and_what_has_no_score_says_so(tmp_path):
    folder = _run(tmp_path)
    manifest = read_manifest(folder)
    lines = {}
    for sample in read_samples(folder):
        line = _valid(of_sample(manifest, sample), INSTANCE)
        jsonschema.Draft7Validator(ONE).validate(line)
        lines[line["sample_id"]] = line
    record = of_run(manifest, metrics(folder), keeper="Us")
    assert {each["evaluation_id"] for each in lines.values()} == {record["evaluation_id"]}
    assert {each["evaluation_result_id"] for each in lines.values()} == {
        record["evaluation_results"][0]["evaluation_result_id"]
    }
    assert (lines["q0"]["evaluation"]["score"], lines["q0"]["evaluation"]["is_correct"]) == (1.0, True)
    assert (lines["q4"]["evaluation"]["score"], lines["q4"]["error"]) == (0.0, None)
    assert lines["q5"]["error"] == "model_error: not scored"
    assert lines["q0"]["input"] == {"raw": "0?", "reference": ["0"], "choices": None}
    assert lines["q0"]["answer_attribution"][0]["extracted_value"] == "0"


def test_a_private_task_tells_no_texts(tmp_path):
    folder = _run(tmp_path, private=True)
    manifest = read_manifest(folder)
    for sample in leaving(manifest, read_samples(folder)):
        line = _valid(of_sample(manifest, sample), INSTANCE)
        assert "withheld" in line["input"]["raw"]
        assert "?" not in json.dumps(line["input"])
