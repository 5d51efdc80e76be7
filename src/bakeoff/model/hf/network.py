"""The network itself, as we call it: whole rows, a tree under a mask, or the last tokens of growing rows."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bakeoff.errors import ModelError


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

    def tree_logits(
        self,
        tokens: Sequence[int],
        positions: Sequence[int],
        sight: Any,
        trunk: Sequence[tuple[Any, Any] | None],
        chosen: Sequence[int],
    ) -> tuple[Any, list[tuple[Any, Any] | None]]:
        """Float32 logits [chosen places, vocabulary] of one row whose tokens see what `sight` says.

        `sight` [tokens, trunk + tokens] has truth values, for all layers or by kind of layer; `trunk` has
        the keys and values of what came before, per layer. The second value is the trunk with the tokens.
        """
        import torch

        ids = torch.tensor([tokens], device=self.device)
        inputs = {
            "input_ids": ids,
            "position_ids": torch.tensor([positions], device=self.device),
            "attention_mask": self._additive(sight),
            self.cache_argument: (cache := _cache_of(trunk)),
        }
        column = torch.tensor(chosen, dtype=torch.long, device=self.device)
        with torch.inference_mode(), _output_only(self.model, torch.zeros_like(column), column):
            logits = self.model(**inputs, use_cache=True).logits[0].float()
        layers = [(layer.keys, layer.values) if layer.is_initialized else None for layer in cache.layers]
        return logits, layers

    def _additive(self, sight: Any) -> Any:
        """`sight` as what is added to attention scores, [1, 1, tokens, trunk + tokens]."""
        import torch

        if isinstance(sight, dict):
            return {kind: self._additive(each) for kind, each in sight.items()}
        seen = torch.zeros(sight.shape, dtype=self.model.dtype, device=self.device)
        return seen.masked_fill_(~sight, torch.finfo(self.model.dtype).min)[None, None]

    def last_logits(self, **inputs: Any) -> Any:
        """Float32 logits [rows, vocabulary] at the last position of each row."""
        import torch

        with torch.inference_mode():
            logits = self.model(**inputs, **self._keeps_last, use_cache=True).logits[:, -1].float()
        return checked(logits)


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


def _cache_of(layers: Sequence[tuple[Any, Any] | None]) -> Any:
    """A cache that begins with these keys and values, without copying them. Every layer keeps everything."""
    from transformers import DynamicCache
    from transformers.cache_utils import DynamicLayer

    cache = DynamicCache()
    for pair in layers:
        layer = DynamicLayer()
        if pair is not None:
            layer.lazy_initialization(*pair)
            layer.keys, layer.values = pair
        cache.layers.append(layer)
    return cache


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
