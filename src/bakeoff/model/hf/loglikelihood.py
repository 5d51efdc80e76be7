"""Log-likelihood requests to answers: what they ask for is gathered, scored once, and handed out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.question import Question
from bakeoff.model.hf.scored import Deliver, Scored, Tally
from bakeoff.model.pair import Pair
from bakeoff.nouns import Failure, FailureKind, FinishReason, Response, Timing

LoglikelihoodTicket = Ticket[Question, Response]

Score = Callable[[Sequence[Pair], Callable[[], bool], Deliver], None]
"""Scores pairs (as `score_tree` and `score_rows` do) while somebody waits for them."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """A question under way: the pairs still missing, and the scores that came."""

    ticket: LoglikelihoodTicket
    started: float
    missing: set[Pair]
    scores: dict[Pair, Scored] = field(default_factory=dict)


def answer(tickets: Sequence[LoglikelihoodTicket], score: Score, tally: Tally) -> None:
    """Resolve each of `tickets` as soon as its last pair is scored.

    Each distinct pair is scored once. A request with a pair that memory does not suffice for is answered by
    a failure.
    """
    waiting: dict[Pair, list[_Waiting]] = {}
    for ticket in tickets:
        pairs = ticket.request.pairs
        tally.asked += sum(pair.length - 1 for pair in pairs)
        question = _Waiting(ticket, perf_counter(), set(pairs))
        for pair in question.missing:
            waiting.setdefault(pair, []).append(question)

    def deliver(pair: Pair, scored: Scored | None) -> None:
        for question in waiting.pop(pair):
            if question.ticket.settled:
                continue
            if scored is None:
                question.ticket.resolve(Response(failure=_no_memory(pair)))
                continue
            question.scores[pair] = scored
            question.missing.discard(pair)
            if not question.missing:
                question.ticket.resolve(_response(question))

    score(list(waiting), lambda: not all(ticket.settled for ticket in tickets), deliver)


def _no_memory(pair: Pair) -> Failure:
    return Failure(FailureKind.OUT_OF_MEMORY, f"no memory for one row of {pair.length - 1} tokens")


def _response(question: _Waiting) -> Response:
    asked = question.ticket.request
    return Response(
        finish=FinishReason.STOP,
        options=asked.scored(question.scores),
        usage=asked.usage,
        timing=Timing(perf_counter() - question.started),
    )
