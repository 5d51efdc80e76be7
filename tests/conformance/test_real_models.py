"""GSM8K, ARC-Challenge and MMLU with a real model, through both local engines."""

from pathlib import Path

import pytest

from bakeoff import Result
from bakeoff.run import planned, run_jobs
from bakeoff.store import Settings

pytestmark = [pytest.mark.data, pytest.mark.model]

TASKS = Path(__file__).parent / "tasks"


@pytest.fixture(scope="module")
def run(data_dir, smollm2_path, tmp_path_factory):
    """Run a conformance task on an engine, once per module."""
    files = {"arc_challenge": "data.jsonl", "gsm8k": "data.parquet", "mmlu": "data.parquet"}
    out = tmp_path_factory.mktemp("runs")
    done: dict[tuple[str, str, int], Result] = {}

    def evaluated(task: str, engine: str, limit: int) -> Result:
        key = (task, engine, limit)
        if key not in done:
            jobs = planned([str(TASKS / f"{task}.yaml")], data=str(data_dir / task / files[task]))
            settings = Settings(limit=limit, cache=False)
            (folder,) = run_jobs(jobs, f"{engine}:smollm2", {}, settings=settings, out=out)
            done[key] = Result(folder)
        return done[key]

    return evaluated


def _options(result: Result) -> dict[str, list[float]]:
    return {
        sample.item_id: [option.logprob for option in sample.turns[-1].response.options]
        for sample in result.samples()
    }


@pytest.mark.parametrize(("task", "limit"), [("arc_challenge", 4), ("mmlu", 2)])
def test_llama_cpp_agrees_with_transformers_up_to_quantised_arithmetic(run, task, limit):
    # The same weights; llama.cpp multiplies in 8-bit blocks, which moves a token by about 0.1 nat.
    through_gguf = run(task, "gguf", limit)
    assert through_gguf.metrics.counts["scored"] == limit
    exact = _options(run(task, "hf", limit))
    for sample in through_gguf.samples():
        options = sample.turns[-1].response.options
        for option, logprob in zip(options, exact[sample.item_id], strict=True):
            assert option.logprob == pytest.approx(logprob, abs=0.3 + 0.15 * option.tokens)


@pytest.mark.parametrize("engine", ["hf", "gguf"])
def test_gsm8k_is_generated_to_a_judged_end(run, engine):
    result = run("gsm8k", engine, 1)
    for sample in result.samples():
        assert not sample.score.outcome.unscored
        assert len(sample.shots) == 5
        assert sample.item_id not in sample.shots
        assert "Question:" not in sample.turns[-1].response.text
    assert result.manifest.status == "complete"
    assert result.metrics.completion_tokens > 0
