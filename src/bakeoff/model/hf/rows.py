"""Log-probabilities without a tree: one row per context and continuation, padded into batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bakeoff.model.hf.memory import Budget, run_in_batches
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.scored import Deliver, Scored, Tally
from bakeoff.model.pair import Ids, Pair

# Logits outweigh everything else in memory when many positions of one row are scored: a budget of n tokens
# allows this many times n logits.
_LOGITS_PER_TOKEN = 2**15


@dataclass(slots=True)
class Row:
    """One forward pass over a context and all but the last token of a continuation.

    Continuations that differ in their last token alone share it (the letters of a multiple-choice question):
    `wanted` has those last tokens, with the pair of each.
    """

    context: Ids
    head: Ids
    size: int
    needed: Callable[[], bool]
    wanted: dict[int, Pair] = field(default_factory=dict)
    scored: bool = False

    @property
    def done(self) -> bool:
        """Whether it is scored, or nobody waits for it any more."""
        return self.scored or not self.needed()


def score_rows(
    network: Network,
    most_rows: int | None,
    pairs: Sequence[Pair],
    budget: Budget,
    tally: Tally,
    wanted: Callable[[], bool],
    deliver: Deliver,
) -> None:
    """`deliver` each of `pairs`, in batches of at most `most_rows`. Ends early once nothing is `wanted`."""

    def run(batch: Sequence[Row]) -> None:
        found = row_scores(network, batch)
        tally.computed += sum(len(row.context) + len(row.head) for row in batch)
        for row, scores in zip(batch, found, strict=True):
            row.scored = True
            for pair, scored in zip(row.wanted.values(), scores, strict=True):
                deliver(pair, scored)

    def give_up(row: Row) -> None:
        for pair in row.wanted.values():
            deliver(pair, None)

    run_in_batches(plan(pairs, network.vocabulary, wanted), budget, run, give_up, most_rows)


def plan(pairs: Sequence[Pair], vocabulary: int, needed: Callable[[], bool]) -> list[Row]:
    """The rows that answer `pairs`, each distinct (context, continuation but its last token) once."""
    rows: dict[tuple[Ids, Ids], Row] = {}
    for pair in pairs:
        key = (pair.context, pair.continuation[:-1])
        if key not in rows:
            logits = len(pair.continuation) * vocabulary // _LOGITS_PER_TOKEN
            rows[key] = Row(*key, size=max(pair.length - 1, logits), needed=needed)
        rows[key].wanted[pair.continuation[-1]] = pair
    return list(rows.values())


def row_scores(network: Network, rows: Sequence[Row]) -> list[list[Scored]]:
    """The scores of what each row wants, with one forward pass.

    The log-probability of a token is its logit less the logsumexp of all, in float32; tokens are added up in
    float64. The token at place i is read from the logits at place i - 1.
    """
    import torch

    inputs = [(*row.context, *row.head) for row in rows]
    positions = [range(len(row.context) - 1, len(ids)) for row, ids in zip(rows, inputs, strict=True)]
    logits = network.logits_at(inputs, positions)
    lines, tokens = zip(*_targets(rows), strict=True)
    line_index = torch.tensor(lines, device=logits.device)
    token_index = torch.tensor(tokens, device=logits.device)
    normalisers = torch.logsumexp(logits, dim=-1)
    logprobs = (logits[line_index, token_index] - normalisers[line_index]).tolist()
    greedy = (logits.argmax(dim=-1)[line_index] == token_index).tolist()
    found, place = [], 0
    for row in rows:
        end = place + len(row.head)
        head = sum(logprobs[place:end])
        followed = all(greedy[place:end])
        behind = range(end, end + len(row.wanted))
        found.append([Scored(head + logprobs[last], followed and greedy[last]) for last in behind])
        place = end + len(row.wanted)
    return found


def _targets(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """(line of the logits, token) of each token to score: the head of a row, then its last tokens."""
    line = 0
    for row in rows:
        for token in row.head:
            yield line, token
            line += 1
        for token in row.wanted:
            yield line, token
        line += 1
