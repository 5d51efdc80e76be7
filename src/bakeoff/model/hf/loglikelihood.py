"""Log-probabilities of continuations: planned into as few rows as need be, scored in float32."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.memory import Budget, run_in_batches
from bakeoff.model.hf.network import Network
from bakeoff.model.pair import Ids, Pair
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Loglikelihood,
    OptionScore,
    Response,
    Timing,
    Usage,
)

LoglikelihoodTicket = Ticket[Rendered[Loglikelihood], Response]

# Logits outweigh everything else in memory when many positions of one row are scored: a budget of n tokens
# allows this many times n logits.
_LOGITS_PER_TOKEN = 2**15


@dataclass(frozen=True, slots=True)
class Scored:
    """A continuation's log-probability in nats, and whether each of its tokens was the most likely."""

    logprob: float
    greedy: bool


@dataclass(slots=True)
class Row:
    """One forward pass over a context and all but the last token of a continuation.

    Continuations that differ in their last token alone share it (the letters of a multiple-choice question):
    `wanted` has those last tokens, with the questions that wait for each. `scores` is filled by `score_rows`.
    """

    context: Ids
    head: Ids
    size: int
    wanted: dict[int, list["Question"]] = field(default_factory=dict)
    scores: dict[int, Scored] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether it is scored, or nobody waits for it any more."""
        return bool(self.scores) or all(q.ticket.settled for qs in self.wanted.values() for q in qs)


@dataclass(slots=True, eq=False)
class Question:
    """A request under way: its pairs, and the row of each by (context, head)."""

    ticket: LoglikelihoodTicket
    pairs: Sequence[Pair]
    unconditional: Sequence[Pair]
    started: float
    rows: dict[tuple[Ids, Ids], Row] = field(default_factory=dict)
    missing: int = 0


def score(
    tickets: Sequence[LoglikelihoodTicket],
    *,
    network: Network,
    encoder: Encoder,
    budget: Budget,
    context_length: int,
) -> None:
    """Resolve each of `tickets`, as soon as its last row is scored.

    A request that does not fit the context, or whose continuation has no token of its own, is answered by a
    failure: nothing is cut and nothing is scored as something else.
    """
    questions = []
    for ticket in tickets:
        question = _question(ticket, encoder, context_length)
        if isinstance(question, Failure):
            ticket.resolve(Response(failure=question))
        else:
            questions.append(question)
    rows = plan(questions, network.vocabulary)

    def run(batch: Sequence[Row]) -> None:
        score_rows(network, batch)
        for row in batch:
            _deliver(row)

    run_in_batches(rows, budget, run, _give_up)


def plan(questions: Sequence[Question], vocabulary: int) -> list[Row]:
    """The rows that answer `questions`, each distinct (context, continuation but its last token) once."""
    rows: dict[tuple[Ids, Ids], Row] = {}
    for question in questions:
        for pair in (*question.pairs, *question.unconditional):
            key = (pair.context, pair.continuation[:-1])
            if key not in rows:
                length = pair.length - 1
                logits = len(pair.continuation) * vocabulary // _LOGITS_PER_TOKEN
                rows[key] = Row(*key, size=max(length, logits))
            row = rows[key]
            waiting = row.wanted.setdefault(pair.continuation[-1], [])
            if question not in waiting:
                waiting.append(question)
            question.rows[key] = row
        question.missing = len(question.rows)
    return list(rows.values())


def score_rows(network: Network, rows: Sequence[Row]) -> None:
    """Fill the scores of `rows` with one forward pass.

    The log-probability of a token is its logit less the logsumexp of all, in float32; tokens are added up in
    float64. The token at place i is read from the logits at place i - 1.
    """
    import torch

    inputs = [(*row.context, *row.head) for row in rows]
    positions = [range(len(row.context) - 1, len(ids)) for row, ids in zip(rows, inputs, strict=True)]
    logits = network.logits_at(inputs, positions)
    lines, tokens = [], []
    for line, token in _targets(rows):
        lines.append(line)
        tokens.append(token)
    line_index = torch.tensor(lines, device=logits.device)
    token_index = torch.tensor(tokens, device=logits.device)
    normalisers = torch.logsumexp(logits, dim=-1)
    logprobs = (logits[line_index, token_index] - normalisers[line_index]).tolist()
    greedy = (logits.argmax(dim=-1)[line_index] == token_index).tolist()
    place = 0
    for row in rows:
        end = place + len(row.head)
        head = sum(logprobs[place:end])
        followed = all(greedy[place:end])
        for last in row.wanted:
            row.scores[last] = Scored(head + logprobs[end], followed and greedy[end])
            end += 1
        place = end


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


def _question(ticket: LoglikelihoodTicket, encoder: Encoder, context_length: int) -> Question | Failure:
    request, prompt = ticket.request.request, ticket.request.prompt
    if not request.continuations:
        return Failure(FailureKind.REJECTED, "the request has no continuation to score")
    pairs = [encoder.pair(prompt, text) for text in request.continuations]
    alone = [encoder.pair("", text) for text in request.continuations] if request.unconditional else []
    for text, pair in zip(request.continuations * 2, [*pairs, *alone], strict=False):
        if not pair.continuation:
            return Failure(
                FailureKind.UNSUPPORTED,
                f"the continuation {text!r} adds no token to its context: it is empty, or it merges into "
                "the context's last token",
            )
        if not pair.context:
            return Failure(
                FailureKind.UNSUPPORTED,
                "the model has no beginning or end of text to score an empty context by",
            )
        # The last token is only predicted, never read.
        if (length := pair.length - 1) > context_length:
            return Failure(
                FailureKind.CONTEXT_LENGTH,
                f"prompt and continuation take {length} tokens, the context has {context_length}",
            )
    return Question(ticket, pairs, alone, perf_counter())


def _deliver(row: Row) -> None:
    """Answer the questions for which `row` was the last one missing."""
    for question in {question for waiting in row.wanted.values() for question in waiting}:
        question.missing -= 1
        if not question.missing and not question.ticket.settled:
            question.ticket.resolve(_response(question))


def _give_up(row: Row) -> None:
    failure = Failure(FailureKind.OUT_OF_MEMORY, f"no memory for one row of {row.size} tokens")
    for questions in row.wanted.values():
        for question in questions:
            if not question.ticket.settled:
                question.ticket.resolve(Response(failure=failure))


def _response(question: Question) -> Response:
    scores = [_scored(question.rows, pair) for pair in question.pairs]
    alone: list[float | None] = [_scored(question.rows, pair).logprob for pair in question.unconditional]
    options = tuple(
        OptionScore(score.logprob, len(pair.continuation), score.greedy, unconditional)
        for score, pair, unconditional in zip(
            scores, question.pairs, alone or [None] * len(scores), strict=True
        )
    )
    usage = Usage(prompt_tokens=max(len(pair.context) for pair in question.pairs), completion_tokens=0)
    timing = Timing(perf_counter() - question.started)
    return Response(finish=FinishReason.STOP, options=options, usage=usage, timing=timing)


def _scored(rows: Mapping[tuple[Ids, Ids], Row], pair: Pair) -> Scored:
    return rows[pair.context, pair.continuation[:-1]].scores[pair.continuation[-1]]
