from dataclasses import replace

import pytest

from bakeoff import Item, Task, evaluate
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.run import rescore, resume
from bakeoff.store import read_manifest, read_samples
from bakeoff.task import prepare
from tests.run.runs import run, task

ITEMS = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(4)]
SAID = {"0": "1", "1": "It is 2.", "2": "30", "3": "5 - 1 = 4"}


def test_rescoring_equals_a_run_with_that_scorer_and_keeps_every_answer(tmp_path):
    first = run(tmp_path, ITEMS, SAID)
    made = rescore(first.folder, "exact", out=tmp_path / "again")
    fresh = evaluate(task(ITEMS, scorer="exact"), first.manifest.model.ref, out=tmp_path / "fresh")
    assert list(read_samples(made)) == list(fresh.samples())
    assert read_manifest(made).task.digest == fresh.manifest.task.digest
    assert read_manifest(made).parent == first.manifest.run_id
    assert [s.turns for s in read_samples(made)] == [s.turns for s in first.samples()]


def test_rescoring_with_the_same_scorer_changes_nothing(tmp_path):
    first = run(tmp_path, ITEMS, SAID)
    made = rescore(first.folder, "number", out=tmp_path / "again")
    assert list(read_samples(made)) == list(first.samples())
    assert read_manifest(made).task.digest == prepare(task(ITEMS)).digest


def test_a_scorer_of_another_kind_is_refused(tmp_path):
    first = run(tmp_path, ITEMS, SAID)
    with pytest.raises(BakeoffError, match="generate"):
        rescore(first.folder, "loglikelihood", out=tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_rescored_run_is_not_resumed(tmp_path):
    made = rescore(run(tmp_path, ITEMS, SAID).folder, "exact", out=tmp_path / "again")
    with pytest.raises(StoreError, match="rescored"):
        resume(made)


OPTIONS = Task(
    name="options",
    data=[Item(str(n), f"{n}?", choices=("x", "y", "z"), target=n % 3) for n in range(4)],
    prompt={"kind": "plain"},
    ask="loglikelihood",
    scorer="loglikelihood",
)
PMI = {"name": "loglikelihood", "norm": "pmi"}


def test_by_pmi_only_what_was_scored_without_its_context_can_be_rescored(tmp_path, unigram):
    plain = evaluate(OPTIONS, "unigram:a", out=tmp_path)
    with pytest.raises(BakeoffError, match=r"(?s)without its context.*--pmi"):
        rescore(plain.folder, PMI, out=tmp_path / "again")
    assert not (tmp_path / "again").exists()
    asked = evaluate(OPTIONS, "unigram:a", out=tmp_path, pmi=True)
    by_pmi = OPTIONS.model_copy(update={"scorer": PMI})
    fresh = evaluate(by_pmi, "unigram:a", out=tmp_path)
    assert list(read_samples(rescore(asked.folder, PMI, out=tmp_path / "again"))) == [
        replace(sample, cached=False) for sample in fresh.samples()
    ]
    assert "pmi" in asked.metrics.options
    assert "pmi" not in plain.metrics.options
