"""GSM8K, ARC-Challenge and MMLU with a real model, through both local engines.

The figures of lm-evaluation-harness 0.4.13 (`--model hf`, float32, batch 8, one thread) on the same weights
and the same items: the option it chooses, item by item, and its log-likelihoods of the first three items.
"""

from pathlib import Path

import pytest

from bakeoff import Result
from bakeoff.nouns import Item
from bakeoff.run import planned, run_jobs
from bakeoff.score import all_norms
from bakeoff.store import Settings

pytestmark = [pytest.mark.data, pytest.mark.model]

TASKS = Path(__file__).parent / "tasks"

ARC_RAW = "001023120123103011230032110032202200022100003113102123302133"
ARC_CHARS = "331312120120133213233122112031220231122203000323132303022133"
ARC_FIRST = {
    "Mercury_7175875": [-29.6535, -38.7045, -36.1588, -31.5019],
    "Mercury_SC_409171": [-29.2482, -32.0172, -32.6695, -29.5638],
    "Mercury_SC_408547": [-28.8851, -18.8357, -21.1285, -24.9437],
}
MMLU_RAW = "222202222222222222222022"
MMLU_FIRST = {
    "abstract_algebra/test/0": [-1.58450, -1.64059, -0.97807, -1.54640],
    "abstract_algebra/test/1": [-1.57773, -1.47797, -0.97173, -1.77508],
    "abstract_algebra/test/2": [-1.29945, -1.64613, -1.06572, -1.81910],
}


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


def _right(result: Result, norm: str) -> list[bool | None]:
    samples = result.samples()
    return [all_norms(Item(s.item_id, "", s.choices, s.target), s.turns[-1].response)[norm] for s in samples]


def test_arc_through_transformers_gives_the_harness_numbers(run, data_dir):
    result = run("arc_challenge", "hf", len(ARC_RAW))
    found = _options(result)
    for item, expected in ARC_FIRST.items():
        assert found[item] == pytest.approx(expected, abs=1e-3)
    order = _ids(data_dir, len(ARC_RAW))
    assert "".join(str(_argmax(found[item])) for item in order) == ARC_RAW
    lengths = {sample.item_id: [len(choice) for choice in sample.choices] for sample in result.samples()}
    normed = [[lp / n for lp, n in zip(found[item], lengths[item], strict=True)] for item in order]
    assert "".join(str(_argmax(each)) for each in normed) == ARC_CHARS
    # acc .2333 and acc_norm .2500 of 60, as the harness prints them.
    assert sum(map(bool, _right(result, "raw"))) == 14
    assert sum(map(bool, _right(result, "chars"))) == 15
    assert result.metrics.score.value == 15 / 60


def test_mmlu_five_shot_through_transformers_gives_the_harness_numbers(run):
    result = run("mmlu", "hf", len(MMLU_RAW))
    found = _options(result)
    for item, expected in MMLU_FIRST.items():
        assert found[item] == pytest.approx(expected, abs=1e-3)
    picks = [str(_argmax(found[f"abstract_algebra/test/{number}"])) for number in range(len(MMLU_RAW))]
    assert "".join(picks) == MMLU_RAW
    assert result.metrics.score.value == 9 / 24


@pytest.mark.parametrize(("task", "limit"), [("arc_challenge", 8), ("mmlu", 4)])
def test_llama_cpp_agrees_with_transformers_up_to_quantised_arithmetic(run, task, limit):
    # The same weights; llama.cpp multiplies in 8-bit blocks, which moves a token by about 0.1 nat.
    through_gguf = run(task, "gguf", limit)
    assert through_gguf.metrics.counts["scored"] == limit
    exact = _options(run(task, "hf", {"arc_challenge": len(ARC_RAW), "mmlu": len(MMLU_RAW)}[task]))
    for sample in through_gguf.samples():
        options = sample.turns[-1].response.options
        for option, logprob in zip(options, exact[sample.item_id], strict=True):
            assert option.logprob == pytest.approx(logprob, abs=0.3 + 0.15 * option.tokens)


@pytest.mark.parametrize("engine", ["hf", "gguf"])
def test_gsm8k_is_generated_to_a_judged_end(run, engine):
    result = run("gsm8k", engine, 3)
    for sample in result.samples():
        assert not sample.score.outcome.unscored
        assert len(sample.shots) == 5
        assert sample.item_id not in sample.shots
        assert "Question:" not in sample.turns[-1].response.text
    assert result.manifest.status == "complete"
    assert result.metrics.completion_tokens > 0


def _ids(data_dir: Path, limit: int) -> list[str]:
    import json

    with (data_dir / "arc_challenge" / "data.jsonl").open() as file:
        return [json.loads(line)["id"] for line, _ in zip(file, range(limit), strict=False)]


def _argmax(values: list[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)
