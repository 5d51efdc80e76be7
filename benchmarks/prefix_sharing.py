"""Log-likelihoods as a tree of requests beside one row per option, on the same requests.

Three shapes of requests: five shots and letters (as MMLU), five shots and short answers, no shots and long
endings (as HellaSwag). For each the time per item, the tokens computed and the largest difference in a
log-likelihood, for several pack sizes. The model is SmolLM2, or a random one of about a billion parameters.

    python benchmarks/prefix_sharing.py                       SmolLM2 on one CPU thread
    python benchmarks/prefix_sharing.py --random --device cuda --dtype bfloat16 --items 256

Seconds are of the process's CPU on a CPU, of the wall elsewhere.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.rows import score_rows
from bakeoff.model.hf.scored import Scored, Tally
from bakeoff.model.hf.sharing import sharing_of
from bakeoff.model.hf.tree import score_tree
from bakeoff.model.pair import Pair

# Tokens of the shots, of a question, of an option; options.
SHAPES = {
    "five shots, letters": (700, 90, 1, 4),
    "five shots, short answers": (300, 25, 4, 4),
    "no shots, long endings": (1, 45, 27, 4),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--random", action="store_true", help="a random model of about 1e9 parameters")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--items", type=int, default=20)
    parser.add_argument("--packs", type=int, nargs="*", default=[])
    parser.add_argument("--row-tokens", type=int, default=0, help="tokens of a batch of rows")
    options = parser.parse_args()
    on_cpu = options.device == "cpu"
    model = _model(options)
    network = Network(model)
    sharing = sharing_of(model, network)
    print(f"{options.device}, {options.dtype}, sharing: {sharing}")
    assert sharing.windows is not None
    clock = time.process_time if on_cpu else time.perf_counter
    for name, shape in SHAPES.items():
        pairs = _pairs(network.vocabulary, options.items, *shape)
        budget = options.row_tokens or (1024 if on_cpu else 16_384)

        def rows(found: dict[Pair, Scored | None], tally: Tally, pairs=pairs, budget=budget) -> None:
            score_rows(network, None, pairs, Budget(budget), tally, lambda: True, found.__setitem__)

        alone, seconds, tally = _timed(rows, clock)
        print(f"\n{name}: {options.items} items, {len(pairs)} options")
        print(f"{'rows':>12} {1000 * seconds / options.items:8.1f} ms/item {tally.computed:9} tokens")
        for pack in options.packs or ([128, 256, 512] if on_cpu else [1024, 2048, 4096, 8192]):

            def tree(found: dict[Pair, Scored | None], tally: Tally, pairs=pairs, pack=pack) -> None:
                score_tree(
                    network, sharing.windows, pairs, Budget(pack), tally, lambda: True, found.__setitem__
                )

            shared, each, tally = _timed(tree, clock)
            gap = max(abs(shared[pair].logprob - alone[pair].logprob) for pair in pairs)
            print(
                f"{f'tree, {pack}':>12} {1000 * each / options.items:8.1f} ms/item {tally.computed:9} tokens "
                f"{seconds / each:6.1f} times, largest difference {gap:.1e}"
            )


def _timed(
    score: Callable[[dict[Pair, Any], Tally], None], clock: Callable[[], float]
) -> tuple[dict[Pair, Any], float, Tally]:
    """What `score` finds, and the best time of three; the first run also warms up."""
    best, found, tally = float("inf"), {}, Tally()
    for _ in range(3):
        found, tally = {}, Tally()
        start = clock()
        score(found, tally)
        best = min(best, clock() - start)
    return found, best, tally


def _pairs(
    vocabulary: int, items: int, shots: int, question: int, option: int, options: int
) -> Sequence[Pair]:
    draw = random.Random(0)

    def tokens(length: int) -> tuple[int, ...]:
        return tuple(draw.randrange(10, vocabulary) for _ in range(length))

    trunk = tokens(shots)
    return [
        Pair(context, tokens(option))
        for context in [trunk + tokens(question) for _ in range(items)]
        for _ in range(options)
    ]


def _model(options: argparse.Namespace) -> Any:
    import torch

    dtype = getattr(torch, options.dtype)
    if options.device == "cpu":
        torch.set_num_threads(1)
    if not options.random:
        from bakeoff.model.hf.loading import load
        from bakeoff.model.hf.settings import read_settings
        from bakeoff.model.hf.source import find_source

        settings = read_settings({"device": options.device, "dtype": options.dtype})
        return load(find_source("smollm2", pickled_weights=False).folder, settings).model
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=128_256,
        hidden_size=2048,
        intermediate_size=8192,
        num_hidden_layers=16,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config).eval().to(device=options.device, dtype=dtype)


if __name__ == "__main__":
    main()
