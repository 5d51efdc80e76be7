"""Writing answers of varied length behind a shared few-shot prompt, with SmolLM2-135M on one CPU thread.

    python benchmarks/hf_generation.py [REQUESTS]     # 48 by default

Ours beside transformers' own `generate` in static batches of 8 (every batch runs to its longest answer).
Both write the same requests greedily; seconds are the process's CPU seconds without loading, so that a busy
machine does not show.
"""

import asyncio
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from bakeoff.model.hf import HfModel
from bakeoff.model.hf.source import find_source
from bakeoff.nouns import Generate, Generation

BATCH = 8
SHOTS = 12


def requests(count: int) -> list[Generate]:
    rng = random.Random(7)

    def sum_of(shown: bool) -> str:
        one, other, price = rng.randint(2, 90), rng.randint(2, 90), rng.randint(2, 9)
        told = f"Ann has {one} apples and {other} pears, and sells each for {price} coins."
        worked = f" First {one} + {other} = {one + other}. Then {one + other} * {price}."
        return f"Question: {told} What does she get?\nAnswer:{worked if shown else ''}"

    shots = "\n\n".join(sum_of(shown=True) for _ in range(SHOTS))
    return [
        Generate(
            f"q{n}", f"{shots}\n\n{sum_of(shown=False)}", Generation(max_tokens=rng.randint(8, 128)), seed=n
        )
        for n in range(count)
    ]


def ours(asked: list[Generate]) -> tuple[list[str], int, float]:
    async def ask() -> tuple[list[str], int, float]:
        async with HfModel("smollm2", {"device": "cpu", "threads": "1"}) as model:
            begun = time.process_time()
            responses = await asyncio.gather(*[model.generate(request) for request in asked])
            seconds = time.process_time() - begun
        tokens = sum(response.usage.completion_tokens for response in responses)
        return [response.text for response in responses], tokens, seconds

    return asyncio.run(ask())


def static_batches(asked: list[Generate]) -> tuple[list[str], int, float]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    folder = find_source("smollm2", pickled_weights=False).folder
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    ends = model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    texts, tokens, begun = [], 0, time.process_time()
    for start in range(0, len(asked), BATCH):
        batch = asked[start : start + BATCH]
        inputs = tokenizer([request.input for request in batch], return_tensors="pt", padding=True)
        longest = max(request.generation.max_tokens for request in batch)
        with torch.inference_mode():
            out = model.generate(**inputs, max_new_tokens=longest, do_sample=False)
        for request, row in zip(batch, out[:, inputs["input_ids"].shape[1] :].tolist(), strict=True):
            written = row[: request.generation.max_tokens]
            stops = [place for place, token in enumerate(written) if token in ends]
            written = written[: stops[0] + 1] if stops else written
            texts.append(tokenizer.decode(written, skip_special_tokens=True))
            tokens += len(written)
    return texts, tokens, time.process_time() - begun


WAYS: dict[str, Callable[[list[Generate]], tuple[list[str], int, float]]] = {
    "ours": ours,
    "generate": static_batches,
}


def measured(way: str, count: int) -> dict:
    """One way in a process of its own, for its peak memory."""
    command = [sys.executable, __file__, str(count), way]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    if len(sys.argv) > 2:
        texts, tokens, seconds = WAYS[sys.argv[2]](requests(count))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"texts": texts, "tokens": tokens, "seconds": seconds, "peak": peak}))
        return
    found = {way: measured(way, count) for way in WAYS}
    for way, each in found.items():
        rate = each["tokens"] / each["seconds"]
        print(
            f"{way:<9} {each['tokens']:,} tokens in {each['seconds']:.0f} CPU s: {rate:.1f} tokens/s, "
            f"peak {each['peak']:,.0f} MB"
        )
    one, other = found.values()
    speed = one["tokens"] / one["seconds"] / (other["tokens"] / other["seconds"])
    equal = sum(a == b for a, b in zip(one["texts"], other["texts"], strict=True))
    print(f"ratio {speed:.2f}, equal texts {equal} of {count}")


if __name__ == "__main__":
    main()
