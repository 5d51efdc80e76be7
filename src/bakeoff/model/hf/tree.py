"""A trie of requests through the network: each distinct token computed once, under a mask of its ancestors.

The trie's nodes, in preorder, are cut into packs of as many tokens as the budget holds, whatever sequences
they belong to. A pack is one forward pass over one row: positions are depths, and each token sees its
ancestors alone. Those in earlier packs are in the trunk, the keys and values of the path from the top to the
pack's first token; preorder makes that path hold every ancestor that a pack lacks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff.model.hf.memory import Budget, fits
from bakeoff.model.hf.network import Network, checked
from bakeoff.model.hf.scored import Deliver, Scored, Tally
from bakeoff.model.hf.trie import Trie, grow
from bakeoff.model.pair import Pair

# Logits outweigh everything else in memory where a vocabulary is large: a pack of n tokens may have this many
# times n of them (128 MB for 256 tokens, 2 GB for 4,096).
_LOGITS_PER_TOKEN = 2**17


@dataclass(frozen=True, slots=True)
class Trunk:
    """The nodes of a path from the top, with their keys and values per layer (None: a layer keeps none)."""

    nodes: Sequence[int] = ()
    layers: Sequence[tuple[Any, Any] | None] = ()


@dataclass(frozen=True, slots=True)
class Windows:
    """Which layers look how far: the width of the sliding ones, and whether some see everything.

    None stands for a model whose layers all see everything.
    """

    width: int | None = None
    mixed: bool = False


def score_tree(
    network: Network,
    windows: Windows,
    pairs: Sequence[Pair],
    budget: Budget,
    tally: Tally,
    wanted: Callable[[], bool],
    deliver: Deliver,
) -> None:
    """`deliver` each of `pairs` once its last token is computed. Stops when nothing is `wanted`."""
    trie = grow(pairs)
    walk = _Walk(network, windows, trie)
    ready = 0
    while walk.at < len(trie.tokens) and wanted():
        start, end = walk.at, _cut(trie, walk.at, budget.tokens, network.vocabulary)
        if fits(lambda: walk.advance(end)):  # noqa: B023 (called at once)
            tally.computed += end - start
        elif end - start > 1:
            budget.tokens = (end - start) // 2
        else:
            walk.skip()
        while ready < len(trie.pairs) and trie.ends[ready] < walk.at:
            deliver(trie.pairs[ready], walk.scored(ready))
            ready += 1


class _Walk:
    """A trie on its way through the network. Nodes before `at` are computed, or given up."""

    def __init__(self, network: Network, windows: Windows, trie: Trie) -> None:
        self.at = 0
        self._network = network
        self._windows = windows
        self._trie = trie
        self._trunk = Trunk()
        self._logprobs: list[float | None] = [None] * trie.n_scores
        self._greedy = [False] * trie.n_scores

    def advance(self, end: int) -> None:
        """Compute the nodes up to `end`; nothing has changed if that fails."""
        trie, start = self._trie, self.at
        edges = [(node - start, trie.edges[node]) for node in range(start, end) if node in trie.edges]
        logits, layers = self._network.tree_logits(
            trie.tokens[start:end],
            trie.depths[start:end],
            _sight(self._windows, trie, self._trunk.nodes, start, end, self._network.device),
            self._trunk.layers,
            [place for place, _ in edges],
        )
        self._keep_scores(logits, [scored for _, scored in edges])
        self._move(end, layers, start)

    def skip(self) -> None:
        """Give up the node at hand with all that follows it."""
        self._move(self._trie.after[self.at], self._trunk.layers, self.at)

    def scored(self, pair: int) -> Scored | None:
        places = self._trie.places[pair]
        logprobs = [self._logprobs[place] for place in places]
        if None in logprobs:
            return None
        return Scored(sum(logprobs), all(self._greedy[place] for place in places))  # type: ignore[arg-type]

    def _keep_scores(self, logits: Any, wanted: Sequence[dict[int, int]]) -> None:
        """The log-probability of a token is its logit less the logsumexp of all, in float32."""
        import torch

        if not wanted:
            return
        lines, tokens, places = [], [], []
        for line, scored in enumerate(wanted):
            for token, place in scored.items():
                lines.append(line)
                tokens.append(token)
                places.append(place)
        normalisers = checked(torch.logsumexp(logits, dim=-1))
        line_index = torch.tensor(lines, device=logits.device)
        token_index = torch.tensor(tokens, device=logits.device)
        logprobs = (logits[line_index, token_index] - normalisers[line_index]).tolist()
        greedy = (logits.argmax(dim=-1)[line_index] == token_index).tolist()
        for place, logprob, likeliest in zip(places, logprobs, greedy, strict=True):
            self._logprobs[place] = logprob
            self._greedy[place] = likeliest

    def _move(self, end: int, layers: Sequence[tuple[Any, Any] | None], start: int) -> None:
        """Go to `end`, keeping the keys and values of the path that leads there."""
        import torch

        trie, known = self._trie, len(self._trunk.nodes)
        path = trie.path(trie.parents[end]) if end < len(trie.tokens) else []
        # In the trunk a node stands at its depth; the pack's nodes follow the trunk.
        places = [trie.depths[node] if node < start else known + node - start for node in path]
        index = torch.tensor(places, dtype=torch.long, device=self._network.device)
        self._trunk = Trunk(
            path,
            [
                None if layer is None else (layer[0].index_select(2, index), layer[1].index_select(2, index))
                for layer in layers
            ]
            if path
            else (),
        )
        self.at = end


def _cut(trie: Trie, start: int, tokens: int, vocabulary: int) -> int:
    """Where a pack from `start` ends: at the budget, or where its logits would take too much memory."""
    end = min(start + max(1, tokens), len(trie.tokens))
    most = max(1, tokens * _LOGITS_PER_TOKEN // vocabulary)
    scored = 0
    for node in range(start, end):
        scored += node in trie.edges
        if scored > most:
            return node
    return end


def _sight(windows: Windows, trie: Trie, trunk: Sequence[int], start: int, end: int, device: Any) -> Any:
    """What each node of a pack sees of the trunk's nodes and of the pack's.

    Truth values [nodes, trunk + nodes]: one tensor for all layers, or one by kind of layer.
    """
    import torch

    columns = [*trunk, *range(start, end)]
    seen = torch.tensor(columns, device=device)
    behind = torch.tensor([trie.after[node] for node in columns], device=device)
    nodes = torch.arange(start, end, device=device)[:, None]
    # In preorder, those between an ancestor and the end of its descendants are its descendants.
    allowed = (seen <= nodes) & (nodes < behind)
    if windows.width is None:
        return allowed
    depths = torch.tensor([trie.depths[node] for node in columns], device=device)
    sliding = allowed & (depths > depths[len(trunk) :, None] - windows.width)
    return {"full_attention": allowed, "sliding_attention": sliding} if windows.mixed else sliding
