"""Rows being written, each one token further at every step; others may join them on the way."""

import logging
from collections.abc import Sequence
from typing import Any

from bakeoff.model.hf.cache import RowCache
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.prefixes import Prefixes
from bakeoff.model.pair import Ids

_log = logging.getLogger(__name__)


class Decoding:
    """Rows being written over a key-value cache. Rows are padded on the left and masked.

    Positions count from each row's own first token. A prompt that begins like one in `prefixes` takes over
    its keys and values; one that was mostly new is put there.
    """

    def __init__(self, network: Network, prefixes: Prefixes) -> None:
        self._network = network
        self._prefixes = prefixes
        self._cache = RowCache(network.model.config)

    def reserve(self, rows: int, length: int) -> None:
        """Make room for so many more rows at once, rather than bit by bit as they join."""
        import torch

        with torch.inference_mode():
            self._cache.reserve(rows, length)

    def join(self, prompts: Sequence[Ids]) -> Any:
        """Add a row for each of `prompts`, behind those there are.

        Returns float32 logits [prompts, vocabulary] for the next token of each.
        """
        import torch

        lengths = [len(prompt) for prompt in prompts]
        known = [self._prefixes.look_up(prompt) for prompt in prompts]
        # Every row computes as many tokens as the one with most to compute, the last ones.
        tokens = max(length - reused for length, (_, reused) in zip(lengths, known, strict=True))
        ids = torch.tensor([[0] * (tokens - len(prompt)) + list(prompt[-tokens:]) for prompt in prompts])
        with torch.inference_mode():
            cache = self._cache.join(lengths, tokens, [layers for layers, _ in known])
            logits = self._forward(cache, ids, lengths)
            self._cache.joined(cache, lengths)
            first = len(self._cache.lengths) - len(prompts)
            for row, (prompt, (_, reused)) in enumerate(zip(prompts, known, strict=True), first):
                if 2 * reused < len(prompt) and self._prefixes.keeps(prompt):
                    self._prefixes.keep(prompt, self._cache.read(row, len(prompt)))
        return logits

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these of the present rows only, in this order."""
        import torch

        with torch.inference_mode():
            self._cache.keep(rows)

    def step(self, tokens: Sequence[int]) -> Any:
        """Append one token to each row: float32 logits [rows, vocabulary] for the next one of each."""
        import torch

        with torch.inference_mode():
            lengths = [length + 1 for length in self._cache.lengths]
            logits = self._forward(self._cache.step(), torch.tensor([[token] for token in tokens]), lengths)
            self._cache.stepped()
        return logits

    def _forward(self, cache: Any, ids: Any, lengths: Sequence[int]) -> Any:
        """Logits of rows that come to `lengths` with `ids` [rows, tokens] as their last tokens."""
        import torch

        network, (_, tokens), width = self._network, ids.shape, max(lengths)
        inputs = {"input_ids": ids.to(network.device), network.cache_argument: cache}
        pads = width - torch.tensor(lengths, device=network.device)[:, None]
        columns = torch.arange(width, device=network.device)[None]
        if network.masks_steps or tokens == width:
            inputs["attention_mask"] = (columns >= pads).long()
        if network.takes_positions:
            inputs["position_ids"] = (columns - pads).clamp(min=0)[:, width - tokens :]
        return network.last_logits(**inputs)


def decodes(network: Network) -> bool:
    """Whether rows that join, grow step by step and leave get the logits they would get whole.

    They do not for architectures whose state we cannot carry from step to step; answers would be written
    without sight of the prompt, and nothing would say so. Rounding is far below what passes here: the
    difference may be a fifth of the logits' own spread.
    """
    some = tuple(network.vocabulary * i // 15 for i in range(1, 13))
    rows = [some[:3], some[3:4], some[4:6]]
    try:
        decoding = Decoding(network, Prefixes(0))
        decoding.join(rows[:2])
        decoding.step(some[6:8])
        decoding.join(rows[2:])
        decoding.keep([2, 1])
        rows = [rows[2], (*rows[1], some[7])]
        logits = decoding.step(some[8:10])
        rows = [(*row, token) for row, token in zip(rows, some[8:10], strict=True)]
    except (TypeError, ValueError, AttributeError, RuntimeError, IndexError, KeyError) as error:
        _log.info("this architecture is not decoded step by step: %s", error)
        return False
    whole = network.logits_at(rows, [[len(row) - 1] for row in rows])
    return bool((whole - logits).std() < 0.2 * whole.std())
