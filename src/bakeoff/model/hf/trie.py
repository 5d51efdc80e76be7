"""Many token sequences as one trie: what several begin with stands in it once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bakeoff.model.pair import Ids, Pair, common_start


@dataclass(slots=True)
class Trie:
    """Contexts and continuations as a trie in preorder: a node's descendants follow it without a gap.

    Node `i` has token `tokens[i]` at depth `depths[i]` (0 for a first token) below `parents[i]` (-1 for
    none); its descendants end before `after[i]`. `edges[i]` are the tokens to be scored after node `i`, each
    with its place in the list of scores; the last token of a continuation is only scored and needs no node.
    `pairs` come in the order in which their last node does, with the places of their tokens' scores in
    `places` and the last node in `ends`.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    edges: dict[int, dict[int, int]] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    n_scores: int = 0

    def path(self, node: int) -> list[int]:
        """The nodes from the top to `node`."""
        nodes = []
        while node >= 0:
            nodes.append(node)
            node = self.parents[node]
        return nodes[::-1]


def grow(pairs: Sequence[Pair]) -> Trie:
    """The trie of `pairs`; each has a context and a continuation of at least one token."""
    trie = Trie()
    # Sorted, each sequence shares with its predecessor what it shares with any before it.
    inputs = sorted(
        ((pair.context + pair.continuation[:-1], pair) for pair in pairs), key=lambda each: each[0]
    )
    path: list[int] = []
    before: Ids = ()
    for ids, pair in inputs:
        shared = common_start(before, ids)
        _end(trie, path[shared:])
        del path[shared:]
        if shared < len(ids):
            new = range(len(trie.tokens), len(trie.tokens) + len(ids) - shared)
            trie.tokens += ids[shared:]
            trie.parents += [path[-1] if path else -1, *new[:-1]]
            trie.depths += range(shared, len(ids))
            trie.after += [0] * len(new)
            path += new
        before = ids
        places = []
        for node, token in zip(path[len(pair.context) - 1 :], pair.continuation, strict=True):
            scored = trie.edges.setdefault(node, {})
            if token not in scored:
                scored[token] = trie.n_scores
                trie.n_scores += 1
            places.append(scored[token])
        trie.pairs.append(pair)
        trie.places.append(places)
        trie.ends.append(path[-1])
    _end(trie, path)
    return trie


def _end(trie: Trie, nodes: Sequence[int]) -> None:
    """Nothing more will come below `nodes`."""
    for node in nodes:
        trie.after[node] = len(trie.tokens)
