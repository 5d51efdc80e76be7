"""Log-likelihoods against those of lm-evaluation-harness 0.4.13, option by option, with and without template.

The numbers in `golden/` are the harness's own, on the same weights and rows, from its own task files
(`benchmarks/lm_eval_parity.py --golden` writes them; TruthfulQA alone shows other examples there).

How near they can be is the harness's doing: its float32 `log_softmax` over a large vocabulary is 1.5e-5 to
2.1e-5 nat a token above the float64 truth, always upwards, so that a text of 59 tokens is 1e-3 off. Ours are
within 4e-5 of that truth on the same texts.
"""

import asyncio
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.parity.long_texts import long_texts
from benchmarks.parity.rows import read_rows, write_rows

from bakeoff import Result, open_model
from bakeoff.nouns import Item, Loglikelihood, OptionScore, Sample
from bakeoff.run import planned, run_jobs
from bakeoff.score import all_norms
from bakeoff.store import Settings

pytestmark = [pytest.mark.data, pytest.mark.model]

HERE = Path(__file__).parent
MATCHED = {"encoding": "lm-eval", "dtype": "float32", "device": "cpu", "threads": "1"}
DATA = {
    "arc_challenge": "arc_challenge/data.jsonl",
    "hellaswag": "hellaswag/data.parquet",
    "mmlu": "mmlu/data.parquet",
    "openbookqa": "openbookqa/data.jsonl",
    "truthfulqa_mc1": "truthfulqa/data.parquet",
    "winogrande": "winogrande/data.jsonl",
}
REFS = [f"{task}{chat}" for task in DATA for chat in ("", ":chat")]
# Nats: of the network's own rounding, and of the harness's for each token.
ROUNDING, ROUNDING_PER_TOKEN = 1e-4, 2.5e-5


def golden(ref: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((HERE / "golden" / f"{ref.replace(':', '.')}.json").read_bytes())
    return content


@pytest.fixture(scope="module")
def samples(data_dir, smollm2_path, tmp_path_factory) -> dict[str, dict[str, Sample]]:
    """Every task on the rows of its golden file, by one model opened once: samples by ref and item id."""
    folder = tmp_path_factory.mktemp("golden")
    jobs = []
    for ref in REFS:
        task, _, variant = ref.partition(":")
        kept = golden(ref)
        wanted = {*kept["items"], *kept["examples"]}
        rows = [row for row in read_rows(data_dir / DATA[task]) if row["id"] in wanted]
        file = write_rows(rows, folder / f"{task}{variant}.jsonl")
        jobs += planned([f"{HERE / 'tasks' / task}.yaml{':' * bool(variant)}{variant}"], data=str(file))
    runs = run_jobs(jobs, "hf:smollm2", MATCHED, settings=Settings(cache=False), out=folder)
    return {
        ref: {sample.item_id: sample for sample in Result(run).samples()}
        for ref, run in zip(REFS, runs, strict=True)
    }


@pytest.mark.parametrize("ref", REFS)
def test_every_option_has_the_harness_log_likelihood(samples, ref):
    kept = golden(ref)["items"]
    assert samples[ref].keys() == kept.keys()
    for name, expected in kept.items():
        options = samples[ref][name].turns[-1].response.options
        assert beyond_rounding(options, expected["logprobs"]) == []
        assert [option.greedy for option in options] == list(map(bool, expected["greedy"]))


@pytest.mark.parametrize("ref", REFS)
def test_every_item_has_the_harness_choice(samples, ref):
    for name, expected in golden(ref)["items"].items():
        found = [option.logprob for option in samples[ref][name].turns[-1].response.options]
        assert argmax(found) == argmax(expected["logprobs"])


@pytest.mark.parametrize("ref", REFS)
def test_accuracies_are_the_harness_accuracies(samples, ref):
    kept = golden(ref)
    right = [
        all_norms(Item(sample.item_id, "", sample.choices, sample.target), sample.turns[-1].response)
        for sample in samples[ref].values()
    ]
    assert sum(bool(each["raw"]) for each in right) / len(right) == kept["acc"]
    if kept["acc_norm"] is not None:
        assert sum(bool(each["chars"]) for each in right) / len(right) == kept["acc_norm"]


def test_long_texts_have_the_harness_rolling_log_likelihoods(smollm2_path):
    kept = json.loads((HERE / "golden" / "rolling.json").read_bytes())
    length = kept["made_with"]["max_length"]
    # The longest is left out: five windows and two are every kind of window, first, middle and last.
    texts, tokens, logprobs = (each[1:] for each in (long_texts(), kept["tokens"], kept["logprobs"]))
    assert [math.ceil(each / length) for each in tokens] == [5, 2]

    async def scored():
        async with open_model("hf:smollm2", {**MATCHED, "context_length": str(length)}) as model:
            return await model.loglikelihood(Loglikelihood("long", "", tuple(texts), rolling=True))

    options = asyncio.run(scored()).options
    assert [option.tokens for option in options] == tokens
    assert beyond_rounding(options, logprobs) == []


def beyond_rounding(options: Sequence[OptionScore], expected: Sequence[float]) -> list[tuple[int, float]]:
    """Each option that differs by more than rounding explains, with its difference in nats."""
    differences = [option.logprob - value for option, value in zip(options, expected, strict=True)]
    return [
        (index, difference)
        for index, (option, difference) in enumerate(zip(options, differences, strict=True))
        if abs(difference) > ROUNDING + ROUNDING_PER_TOKEN * option.tokens
    ]


def argmax(values: list[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)
