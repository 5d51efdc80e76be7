"""What an engine counts runs on from task to task; each run's manifest has its own share."""

from bakeoff.run import Job, run_jobs
from bakeoff.store import Settings, read_manifest
from bakeoff.task import Task, prepare
from tests.model.hf.toy import saved, toy_llama, toy_tokenizer


def test_each_run_counts_its_own_tokens(tmp_path):
    tokenizer = toy_tokenizer()
    folder = saved(tmp_path / "toy", toy_llama(len(tokenizer), context=256), tokenizer)
    task = Task(
        name="t",
        version=1,
        description="Capitals.",
        data={"items": [{"id": "a", "input": "The capital", "choices": [" Paris", " 1 2"], "target": 0}]},
        prompt={"kind": "plain", "delimiter": ""},
        ask="loglikelihood",
        scorer="loglikelihood",
    )
    job = Job(prepare(task), "")
    runs = run_jobs([job, job], f"hf:{folder}", {}, settings=Settings(cache=False), out=tmp_path / "runs")
    first, second = (read_manifest(run).model.identity["details"] for run in runs)
    for name in ("tokens_asked", "tokens_computed"):
        assert int(first[name]) == int(second[name]) > 0
    assert int(first["tokens_computed"]) < int(first["tokens_asked"])
