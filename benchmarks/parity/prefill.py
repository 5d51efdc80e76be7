"""How fast this machine reads: tokens of one plain forward pass, by the second.

python prefill.py WEIGHTS THREADS     # prints {"cpu": tokens per CPU second, "wall": tokens per second}
"""

import json
import sys
import time

TOKENS, TIMES = 512, 5


def main() -> None:
    import torch
    from transformers import AutoModelForCausalLM

    weights, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    model = AutoModelForCausalLM.from_pretrained(weights, dtype=torch.float32).eval()
    ids = torch.randint(model.config.vocab_size, (1, TOKENS), generator=torch.Generator().manual_seed(0))
    spent = []
    for _ in range(TIMES):
        cpu, wall = time.process_time(), time.perf_counter()
        with torch.inference_mode():
            model(input_ids=ids, use_cache=False, logits_to_keep=1)
        spent.append((time.process_time() - cpu, time.perf_counter() - wall))
    # The fastest pass: others waited for somebody else on the machine.
    cpu, wall = (min(each) for each in zip(*spent, strict=True))
    print(json.dumps({"cpu": TOKENS / cpu, "wall": TOKENS / wall}))


if __name__ == "__main__":
    main()
