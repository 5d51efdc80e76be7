"""Whether a model can compute what requests share once, and if not, why not."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.rows import score_rows
from bakeoff.model.hf.scored import Scored, Tally
from bakeoff.model.hf.tree import Windows, score_tree
from bakeoff.model.pair import Pair

_log = logging.getLogger(__name__)

# Rotary embeddings that stretch with the longest text of a batch: a token's numbers depend on its neighbours.
STRETCHING = ("dynamic", "longrope")


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a model's requests are computed: as a tree with these windows, or in rows for this `reason`.

    `alone` says that even rows must not be batched.
    """

    windows: Windows | None
    reason: str = ""
    alone: bool = False

    def __str__(self) -> str:
        return f"none: {self.reason}" if self.reason else "tree"


def sharing_of(model: Any, network: Network) -> Sharing:
    """How the requests to `model` are to be computed; tried out on a few tokens before it is believed."""
    config = model.config.get_text_config()
    if _stretches(config):
        return Sharing(None, "its rotary embedding depends on the length of the whole text", alone=True)
    if not network.takes_positions:
        return Sharing(None, "its architecture takes no positions")
    if getattr(config, "_attn_implementation", "") not in ("sdpa", "eager"):
        return Sharing(None, f"the {config._attn_implementation} kernel takes no mask")  # noqa: SLF001
    windows = _windows(config)
    if windows is None:
        return Sharing(None, "its layers keep a state beyond keys and values")
    if not _agrees(network, windows):
        return Sharing(None, "its architecture does not take a mask for each token")
    return Sharing(windows)


def _stretches(config: Any) -> bool:
    scaling = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    nested = [each for each in scaling.values() if isinstance(each, dict)]
    return any(each.get("rope_type", each.get("type")) in STRETCHING for each in (scaling, *nested))


def _windows(config: Any) -> Windows | None:
    """How far each layer looks; None where a layer is not plain attention, full or sliding."""
    from transformers import DynamicCache
    from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

    layers = DynamicCache(config=config).layers
    if any(type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers):
        return None
    widths = {layer.sliding_window if layer.is_sliding else None for layer in layers}
    sliding = widths - {None}
    if not sliding:
        return Windows()
    return Windows(sliding.pop(), mixed=None in widths) if len(sliding) == 1 else None


def _agrees(network: Network, windows: Windows) -> bool:
    """Whether a small tree gets the scores that its rows get alone."""
    some = [network.vocabulary * i // 17 for i in range(1, 16)]
    pairs = [
        Pair(tuple(some[:4]), tuple(some[4:7])),
        Pair(tuple(some[:4]), tuple(some[7:9])),
        Pair(tuple(some[:2]), tuple(some[9:12])),
        Pair(tuple(some[12:13]), tuple(some[13:15])),
    ]
    alone: dict[Pair, Scored | None] = {}
    shared: dict[Pair, Scored | None] = {}
    tally = Tally()
    score_rows(network, None, pairs, Budget(100), tally, lambda: True, alone.__setitem__)
    try:
        score_tree(network, windows, pairs, Budget(5), tally, lambda: True, shared.__setitem__)
    except (TypeError, ValueError, AttributeError, RuntimeError, IndexError, KeyError) as error:
        _log.info("this architecture takes no tree of requests: %s", error)
        return False
    return _close(list(alone.values()), [shared.get(pair) for pair in alone], str(network.model.dtype))


def _close(alone: Sequence[Scored | None], shared: Sequence[Scored | None], dtype: str) -> bool:
    # float32 agrees to 1e-5 nat; half precisions to a few tenths at most, where a wrong mask costs more.
    tolerance = 1e-3 if dtype in ("torch.float32", "torch.float64") else 0.5
    return all(
        one is not None and other is not None and abs(one.logprob - other.logprob) < tolerance
        for one, other in zip(alone, shared, strict=True)
    )
