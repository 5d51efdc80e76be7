"""Runs in the environment of lm-evaluation-harness: one task, timed with the model already loaded.

    python peer.py JOB.json RESULT.json

The job: `weights` (folder), `threads`, `batch_size`, `tasks` and the `folder` of their files, `template`,
`limit`; or `texts` to score whole, in windows of `max_length` tokens. The result has every request's text,
log-likelihood (nats) and whether it is the greedy one, by item id, and what it took.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}

Ids = tuple[int, ...]


def main() -> None:
    job, result = json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2])
    lm = opened(job)
    run = rolling if "texts" in job else multiple_choice
    result.write_text(json.dumps({**run(lm, job), "versions": versions()}))


def opened(job: dict[str, Any]) -> Any:
    import torch
    from lm_eval.models.huggingface import HFLM

    torch.set_num_threads(job["threads"])
    return HFLM(
        pretrained=job["weights"],
        dtype="float32",
        device="cpu",
        batch_size=job["batch_size"],
        max_length=job.get("max_length"),
    )


def multiple_choice(lm: Any, job: dict[str, Any]) -> dict[str, Any]:
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=job["folder"], include_defaults=False)
    cpu, wall = time.process_time(), time.perf_counter()
    found = simple_evaluate(
        lm,
        tasks=job["tasks"],
        task_manager=manager,
        limit=job["limit"],
        apply_chat_template=job["template"],
        fewshot_as_multiturn=True,
        # Standard errors are no part of what is compared.
        bootstrap_iters=0,
    )
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    samples = [sample for task in job["tasks"] for sample in _in_order(found["samples"][task])]
    items = {str(sample["doc"]["id"]): _item(sample) for sample in samples}
    sequences = [_read(lm, *texts) for item in items.values() for texts in item["texts"]]
    return {
        "items": items,
        "cpu_s": cpu,
        "wall_s": wall,
        "peak_mb": peak,
        "naive_tokens": sum(map(len, sequences)),
        "distinct_tokens": distinct(sequences),
    }


def _in_order(samples: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(samples, key=lambda sample: sample["doc_id"])


def _item(sample: dict[str, Any]) -> dict[str, Any]:
    answers = [resp[0] for resp in sample["resps"]]
    return {
        "texts": [list(arguments[:2]) for arguments in sample["arguments"]],
        "logprobs": [float(logprob) for logprob, _ in answers],
        "greedy": [bool(greedy) for _, greedy in answers],
        "acc": sample["acc"],
        "acc_norm": sample.get("acc_norm"),
    }


def _read(lm: Any, context: str, continuation: str) -> Ids:
    """The tokens that the network must read to score the continuation: all but the last."""
    one, other = lm._encode_pair(context, continuation)  # noqa: SLF001 (it has no public name)
    return (*one, *other[:-1])


def distinct(sequences: Iterable[Ids]) -> int:
    """The nodes of the trie of `sequences`: tokens to compute when no shared beginning is computed twice."""
    total: int = 0
    last: Ids = ()
    for sequence in sorted(set(sequences)):
        total += len(sequence) - _common_start(last, sequence)
        last = sequence
    return total


def _common_start(one: Sequence[int], other: Sequence[int]) -> int:
    length = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        length += 1
    return length


def rolling(lm: Any, job: dict[str, Any]) -> dict[str, Any]:
    from lm_eval.api.instance import Instance

    requests = [
        Instance("loglikelihood_rolling", {}, (text,), index) for index, text in enumerate(job["texts"])
    ]
    cpu, wall = time.process_time(), time.perf_counter()
    logprobs = [float(value) for value in lm.loglikelihood_rolling(requests)]
    return {
        "logprobs": logprobs,
        "tokens": [len(lm.tok_encode(text)) for text in job["texts"]],
        "cpu_s": time.process_time() - cpu,
        "wall_s": time.perf_counter() - wall,
    }


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("lm_eval", "torch", "transformers")}


if __name__ == "__main__":
    main()
