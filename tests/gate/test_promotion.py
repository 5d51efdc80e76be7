import json

import orjson
import pytest

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.gate import promote
from bakeoff.gate.baseline import baseline_path, read_baseline
from bakeoff.gate.promotion import LOG
from bakeoff.gate.side import read_side
from bakeoff.store import Until
from tests.gate.folders import Answer, scores, write_run


@pytest.fixture
def baselines(tmp_path):
    return tmp_path / "baselines"


@pytest.fixture
def run(tmp_path):
    answers = [
        Answer("a", 1.0, group="g", asked="aa"),
        Answer("a", 0.0, repeat=1, group="g", asked="aa"),
        Answer("b", 0.25, asked="bb"),
        Answer("b", None, repeat=1, asked="bb"),
        Answer("ünï\n\x1b[31m", 1 / 3, asked="cc"),
        Answer("ünï\n\x1b[31m", 1 / 3, repeat=1, asked="cc"),
    ]
    return write_run(tmp_path / "runs/sums/model/run-1", answers, repeats=2)


def test_a_promoted_run_says_the_same_as_its_folder_when_that_is_gone(run, baselines):
    from_folder = read_side(run)
    promotion = promote(run, reason="first", by="Ada", baselines=baselines)
    promoted = read_baseline(promotion.file)
    side = promoted.side()
    assert side.items == from_folder.items
    assert (side.task, side.variant, side.digest, side.run_id) == ("sums", "default", "sha256:same", "run-1")
    assert [(item.value, item.outcome) for item in side.items] == [
        (0.5, "scored 2"),
        (0.25, "scored 1, model_error 1"),
        (1 / 3, "scored 2"),
    ]
    assert (promoted.by, promoted.reason, promoted.model.identity) == ("Ada", "first", {"name": "model"})
    manifest = json.loads((run / "manifest.json").read_bytes())
    assert promoted.run.samples == manifest["files"]["samples.parquet"]["digest"]
    assert promoted.run.metrics == manifest["files"]["metrics.json"]["digest"]


def test_no_text_of_an_item_or_an_answer_is_in_a_baseline(run, baselines):
    promote(run, baselines=baselines)
    for path in baselines.rglob("*"):
        if path.is_file():
            assert b"SECRET" not in path.read_bytes()


def test_a_baseline_has_a_line_for_each_item(run, baselines):
    lines = promote(run, baselines=baselines).file.read_text().splitlines()
    assert sum(line.startswith("[") for line in lines) == 3


def test_promoting_again_adds_to_the_log_and_names_what_it_replaces(tmp_path, run, baselines):
    first = promote(run, reason="first", baselines=baselines)
    other = write_run(tmp_path / "runs/sums/model/run-2", scores([1, 0]))
    second = promote(other, reason="second", baselines=baselines)
    third = promote(run, name="other", baselines=baselines)
    assert first.replaces is None
    assert second.replaces == first.digest
    assert third.replaces is None
    log = [json.loads(line) for line in (baselines / "sums" / LOG).read_text().splitlines()]
    assert [(line["name"], line["run_id"], line["reason"]) for line in log] == [
        ("main", "run-1", "first"),
        ("main", "run-2", "second"),
        ("other", "run-1", ""),
    ]
    assert [line["digest"] for line in log] == [first.digest, second.digest, third.digest]
    assert read_baseline(baselines / "sums" / "main.json").run.id == "run-2"


def test_variants_of_a_task_have_baselines_of_their_own(tmp_path, baselines):
    plain = promote(write_run(tmp_path / "1", scores([1])), baselines=baselines)
    letters = promote(write_run(tmp_path / "2", scores([0]), variant="letters"), baselines=baselines)
    assert plain.file != letters.file
    assert (read_baseline(plain.file).score, read_baseline(letters.file).score) == (1.0, 0.0)


def test_a_baseline_never_lies_outside_its_folder(tmp_path):
    for name in ("../../x", "/etc", "..", "a/b"):
        assert baseline_path(tmp_path, name, "../y", "main").resolve().is_relative_to(tmp_path)


@pytest.mark.parametrize("name", ["", "..", "a/b", "last", "-x", "a b", "x\n"])
def test_a_name_that_is_no_name_is_refused(run, baselines, name):
    with pytest.raises(BakeoffError, match="cannot name"):
        promote(run, name=name, baselines=baselines)
    assert not baselines.exists()


@pytest.mark.parametrize("status", ["running", "incomplete", "failed"])
def test_a_run_that_is_not_complete_is_no_baseline(tmp_path, baselines, status):
    run = write_run(tmp_path / "r", scores([1, None]), status=status)
    with pytest.raises(BakeoffError, match=status):
        promote(run, baselines=baselines)
    assert not baselines.exists()


def test_a_run_that_stopped_early_or_has_no_score_is_no_baseline(tmp_path, baselines):
    early = write_run(tmp_path / "r", scores([1, 1]), n_items=5, until=Until(baseline="x"))
    with pytest.raises(BakeoffError, match="2 of 5 samples, because it was stopped early"):
        promote(early, baselines=baselines)
    with pytest.raises(BakeoffError, match="no scored item"):
        promote(write_run(tmp_path / "s", scores([None])), baselines=baselines)
    assert not baselines.exists()


def test_a_run_whose_files_were_changed_is_no_baseline(run, baselines):
    (run / "metrics.json").write_bytes((run / "metrics.json").read_bytes() + b" ")
    with pytest.raises(StoreError, match=r"metrics\.json was changed"):
        promote(run, baselines=baselines)


def test_every_single_change_of_a_baselines_content_is_found(run, baselines):
    path = promote(run, reason="why", baselines=baselines).file
    whole = orjson.loads(path.read_bytes())
    for place, changed in edits(whole):
        if place == ("schema_version",):
            continue
        path.write_bytes(orjson.dumps(changed))
        with pytest.raises(StoreError, match="baseline") as caught:
            read_baseline(path)
        assert "promote" in caught.value.hint, place


def edits(value, place=()):
    """Every way to change one leaf of `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inner:
        for where, changed in edits(child, (*place, key)):
            copy = dict(value) if isinstance(value, dict) else list(value)
            copy[key] = changed
            yield where, copy
    if not isinstance(value, dict | list):
        yield place, not value if isinstance(value, bool) else f"{value}x" if isinstance(value, str) else 17


def test_how_a_baseline_is_laid_out_makes_no_difference(run, baselines):
    path = promote(run, baselines=baselines).file
    before = read_baseline(path)
    path.write_bytes(orjson.dumps(orjson.loads(path.read_bytes()), option=orjson.OPT_SORT_KEYS))
    assert read_baseline(path) == before
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_baseline(path) == before


def test_a_cut_off_baseline_is_found_wherever_it_was_cut(run, baselines):
    path = promote(run, baselines=baselines).file
    data = path.read_bytes()
    for end in range(0, len(data) - 2, 37):
        path.write_bytes(data[:end])
        with pytest.raises(StoreError, match="damaged or cut off"):
            read_baseline(path)


def test_a_baseline_of_a_newer_bakeoff_is_refused_by_version(run, baselines):
    path = promote(run, baselines=baselines).file
    path.write_bytes(path.read_bytes().replace(b'"schema_version": 1', b'"schema_version": 9'))
    with pytest.raises(StoreError, match="version 9"):
        read_baseline(path)


@pytest.mark.parametrize("text", ["null", "[]", "{}", "3", "<<<<<<< HEAD"])
def test_what_is_no_baseline_is_refused(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=r"x\.json"):
        read_baseline(path)
    with pytest.raises(StoreError, match=r"none\.json"):
        read_baseline(tmp_path / "none.json")
