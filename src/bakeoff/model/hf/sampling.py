"""The next token of each row, from that row's own logits and its own random number."""

from collections.abc import Sequence
from typing import Any


def choose(
    logits: Any, temperatures: Sequence[float], top_ps: Sequence[float], uniforms: Sequence[float]
) -> list[int]:
    """One token id per row of `logits` [rows, vocabulary].

    Temperature 0 takes the most likely token. Otherwise the distribution is softmax(logits / temperature),
    cut to the smallest set of most likely tokens whose mass reaches `top_p`, and the token is the one at
    which the cumulative distribution passes the row's number in [0, 1). A row's token depends on that row
    alone, whatever stands beside it.
    """
    import torch

    picked: list[int] = logits.argmax(dim=-1).tolist()
    for nucleus in (False, True):
        rows = [
            row
            for row, temperature in enumerate(temperatures)
            if temperature > 0 and (top_ps[row] < 1) is nucleus
        ]
        if not rows:
            continue
        heat = torch.tensor([[temperatures[row]] for row in rows], device=logits.device)
        probabilities = torch.softmax(logits[rows].float() / heat, dim=-1)
        order = None
        if nucleus:
            probabilities, order = probabilities.sort(dim=-1, descending=True, stable=True)
            limits = torch.tensor([[top_ps[row]] for row in rows], device=logits.device)
            before = probabilities.cumsum(dim=-1) - probabilities
            probabilities = torch.where(before < limits, probabilities, 0)
        places = _places(probabilities, [uniforms[row] for row in rows])
        if order is not None:
            places = order.gather(1, places)
        for row, token in zip(rows, places.flatten().tolist(), strict=True):
            picked[row] = token
    return picked


def _places(probabilities: Any, uniforms: Sequence[float]) -> Any:
    """Where each row's cumulative distribution passes its number, as [rows, 1]. Zero mass is never picked."""
    import torch

    # float64 keeps the sum of a large vocabulary exact enough; Apple's devices do not have it.
    precise = probabilities.device.type != "mps"
    cumulative = probabilities.cumsum(dim=-1, dtype=torch.float64 if precise else torch.float32)
    numbers = torch.tensor([[u] for u in uniforms], dtype=cumulative.dtype, device=cumulative.device)
    places = torch.searchsorted(cumulative, numbers * cumulative[:, -1:], right=True)
    return places.clamp(max=probabilities.shape[-1] - 1)
