"""The network itself, in the two ways we call it: logits at chosen positions, and rows that grow."""

import inspect
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bakeoff.errors import ModelError

_log = logging.getLogger(__name__)


class Network:
    """A causal language model on its device.

    Rows of one call do not see each other. Their numbers still move a little with the shape of the batch,
    because kernels add in another order: in float32 up to about 3e-5 nat per summed log-probability, in
    bfloat16 up to tenths of a nat.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.device = model.device
        parameters = frozenset(inspect.signature(model.forward).parameters)
        self.takes_positions = "position_ids" in parameters
        # transformers renamed the argument within version 5.
        self.cache_argument = "cache" if "cache" in parameters else "past_key_values"
        # Purely recurrent models take the mask with the prompt alone.
        self.masks_steps = self.takes_positions or not getattr(model, "_is_stateful", False)
        self._keeps_last = {"logits_to_keep": 1} if "logits_to_keep" in parameters else {}

    @property
    def vocabulary(self) -> int:
        """The number of logits per position."""
        return int(self.model.get_output_embeddings().weight.shape[0])

    def logits_at(self, rows: Sequence[Sequence[int]], positions: Sequence[Sequence[int]]) -> Any:
        """Float32 logits [number of positions, vocabulary] at `positions[i]` of each of `rows`, in order.

        Rows are padded on the right: a causal model never looks there, so no mask is needed, and every row
        keeps the positions it would have alone. Only the positions asked for pass the output layer.
        """
        import torch

        width = max(map(len, rows))
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=self.device)
        line = torch.tensor([i for i, chosen in enumerate(positions) for _ in chosen], device=self.device)
        column = torch.tensor([p for chosen in positions for p in chosen], device=self.device)
        with torch.inference_mode(), _output_only(self.model, line, column):
            logits = self.model(input_ids=ids, use_cache=False).logits[0].float()
        return checked(logits)

    def last_logits(self, **inputs: Any) -> Any:
        """Float32 logits [rows, vocabulary] at the last position of each row."""
        import torch

        with torch.inference_mode():
            logits = self.model(**inputs, **self._keeps_last, use_cache=True).logits[:, -1].float()
        return checked(logits)


class Decoding:
    """Rows being written, each one token further at every step, over a key-value cache.

    Prompts are padded on the left and masked, and positions count from each row's own first token.
    """

    def __init__(self, network: Network, prompts: Sequence[Sequence[int]]) -> None:
        import torch
        from transformers import DynamicCache

        self._network = network
        self._cache = DynamicCache(config=network.model.config)
        width = max(map(len, prompts))
        pads = [width - len(prompt) for prompt in prompts]
        ids = torch.tensor([[0] * pad + list(prompt) for pad, prompt in zip(pads, prompts, strict=True)])
        self._mask = torch.tensor([[0] * pad + [1] * (width - pad) for pad in pads], device=network.device)
        self.logits = self._forward(ids.to(network.device))
        """Float32 logits [rows, vocabulary] for the next token of each row."""

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these of the present rows only."""
        import torch

        chosen = torch.tensor(rows, device=self._network.device)
        self._cache.reorder_cache(chosen)
        self._mask = self._mask[chosen]

    def step(self, tokens: Sequence[int]) -> None:
        """Append one token to each row."""
        import torch

        ids = torch.tensor([[token] for token in tokens], device=self._network.device)
        self._mask = torch.cat([self._mask, torch.ones_like(ids)], dim=1)
        self.logits = self._forward(ids)

    def _forward(self, ids: Any) -> Any:
        inputs = {"input_ids": ids, self._network.cache_argument: self._cache}
        if self._network.masks_steps or ids.shape[1] == self._mask.shape[1]:
            inputs["attention_mask"] = self._mask
        if self._network.takes_positions:
            positions = (self._mask.cumsum(dim=1) - 1).clamp(min=0)
            inputs["position_ids"] = positions[:, -ids.shape[1] :]
        return self._network.last_logits(**inputs)


def decodes(network: Network) -> bool:
    """Whether rows that grow step by step get the logits they would get whole.

    They do not for architectures whose state we cannot carry from step to step; answers would be written
    without sight of the prompt, and nothing would say so. Rounding is far below what passes here: the
    difference may be a fifth of the logits' own spread.
    """
    some = [network.vocabulary * i // 11 for i in range(1, 9)]
    rows, steps = [some[:3], some[3:4]], [some[4:6], some[6:8]]
    try:
        decoding = Decoding(network, rows)
        for tokens in steps:
            decoding.step(tokens)
            rows = [[*row, token] for row, token in zip(rows, tokens, strict=True)]
    except (TypeError, ValueError, AttributeError, RuntimeError) as error:
        _log.info("this architecture is not decoded step by step: %s", error)
        return False
    whole = network.logits_at(rows, [[len(row) - 1] for row in rows])
    return bool((whole - decoding.logits).std() < 0.2 * whole.std())


def checked(logits: Any) -> Any:
    """`logits`, once they are known to be numbers.

    Raises:
        ModelError: some are not a number, as when float16 overflows: every answer would be noise.
    """
    if logits.isnan().any():
        raise ModelError(
            "the model computes logits that are not numbers",
            "The weights are damaged, or the precision is too small for them: try dtype=float32 or bfloat16.",
        )
    return logits


@contextmanager
def _output_only(model: Any, line: Any, column: Any) -> Iterator[None]:
    """Let the hidden states at (`line`, `column`) alone into the output layer, as [1, positions, width].

    What a model does to its logits afterwards (scale them, cap them) works element by element, so it stays
    right.
    """
    calls = 0

    def choose(_: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        nonlocal calls
        calls += 1
        return inputs[0][line, column].unsqueeze(0), *inputs[1:]

    hook = model.get_output_embeddings().register_forward_pre_hook(choose)
    try:
        yield
    finally:
        hook.remove()
    if calls != 1:
        raise ModelError("this architecture does not compute its logits by one output layer")
