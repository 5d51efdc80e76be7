"""Answers written token by token, many rows at a time, each as if it were alone."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from bakeoff.model.answer import opens_reasoning, take_apart
from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.memory import Budget, run_in_batches
from bakeoff.model.hf.network import Decoding, Network
from bakeoff.model.hf.sampling import choose
from bakeoff.model.hf.stops import Watch
from bakeoff.model.pair import Ids
from bakeoff.nouns import Failure, FailureKind, FinishReason, Generate, Response, Timing, Usage

GenerateTicket = Ticket[Rendered[Generate], Response]


@dataclass(frozen=True, slots=True)
class Row:
    """One answer to be written.

    `room` is how many tokens it may take: the request's limit, or what the context leaves. `ends` are the
    tokens that end it. `opened` says that the prompt leaves a reasoning block open.
    """

    ticket: GenerateTicket
    prompt: Ids
    room: int
    ends: frozenset[int]
    opened: bool
    decode: Callable[[Sequence[int]], str]

    @property
    def size(self) -> int:
        """Tokens its part of the cache comes to hold."""
        return len(self.prompt) + self.room

    @property
    def done(self) -> bool:
        """Whether it is answered, or nobody waits for it any more."""
        return self.ticket.settled


class Writing:
    """A row's answer so far. Its random numbers come from its request's seed and nothing else."""

    def __init__(self, row: Row) -> None:
        request = row.ticket.request.request
        self.row = row
        self.generation = request.generation
        self.ids: list[int] = []
        self.reasoning_tokens = 0
        self.first_token_s: float | None = None
        self.finish: FinishReason | None = None
        self.random = random.Random(request.seed)  # noqa: S311 (sampling, not secrets)
        self.watch = Watch(row.decode, row.prompt, request.generation.stop, row.opened)

    @property
    def over(self) -> bool:
        """Whether it ended, or nobody waits for it."""
        return self.finish is not None or self.row.done

    def push(self, token: int) -> None:
        """Take the next token, and see whether the answer ends with it."""
        self.ids.append(token)
        thinking = not self.watch.answering
        if token in self.row.ends or self.watch.push(token):
            self.finish = FinishReason.STOP
        elif len(self.ids) >= self.row.room:
            self.finish = FinishReason.LENGTH
        if thinking:
            self.reasoning_tokens = len(self.ids)


def write(
    tickets: Sequence[GenerateTicket],
    *,
    network: Network,
    encoder: Encoder,
    ends: frozenset[int],
    budget: Budget,
    most_rows: int,
    context_length: int,
) -> None:
    """Resolve each of `tickets` as soon as its answer ends.

    An answer ends with a token of `ends`, a stop string, its token limit, or the end of the context (which
    counts as a limit). A prompt that leaves no room for an answer is a failure; it is never cut.
    """
    rows = []
    for ticket in tickets:
        row = _row(ticket, encoder, ends, context_length)
        if isinstance(row, Failure):
            ticket.resolve(Response(failure=row))
        else:
            rows.append(row)
    run_in_batches(rows, budget, lambda batch: write_rows(network, batch), _give_up, most_rows)


def write_rows(network: Network, rows: Sequence[Row]) -> None:
    """Write the answers of `rows` together, resolving each when it ends. Rows given up are dropped."""
    started = perf_counter()
    live = [Writing(row) for row in rows]
    decoding = Decoding(network, [row.prompt for row in rows])
    while True:
        tokens = choose(
            decoding.logits,
            [answer.generation.temperature for answer in live],
            [answer.generation.top_p for answer in live],
            [answer.random.random() for answer in live],
        )
        for answer, token in zip(live, tokens, strict=True):
            answer.push(token)
            if answer.first_token_s is None:
                answer.first_token_s = perf_counter() - started
            if answer.finish is not None and not answer.row.done:
                answer.row.ticket.resolve(_response(answer, perf_counter() - started))
        going = [place for place, answer in enumerate(live) if not answer.over]
        if not going:
            return
        if len(going) < len(live):
            decoding.keep(going)
            live = [live[place] for place in going]
        decoding.step([answer.ids[-1] for answer in live])


def _row(
    ticket: GenerateTicket, encoder: Encoder, ends: frozenset[int], context_length: int
) -> Row | Failure:
    generation, prompt = ticket.request.request.generation, ticket.request.prompt
    ids = encoder.prompt(prompt)
    if generation.max_tokens < 1:
        return Failure(FailureKind.REJECTED, f"max_tokens must be at least 1, it is {generation.max_tokens}")
    if not ids:
        return Failure(
            FailureKind.UNSUPPORTED, "the prompt is empty and the model has no token to begin with"
        )
    if len(ids) >= context_length:
        return Failure(
            FailureKind.CONTEXT_LENGTH,
            f"the prompt takes {len(ids)} tokens, the context has {context_length}",
        )
    # A stop string that is a special token never shows in the decoded text.
    special = (encoder.special(stop) for stop in generation.stop)
    return Row(
        ticket=ticket,
        prompt=ids,
        room=min(generation.max_tokens, context_length - len(ids)),
        ends=ends | {token for token in special if token is not None},
        opened=opens_reasoning(prompt),
        decode=encoder.decode,
    )


def _give_up(row: Row) -> None:
    failure = Failure(FailureKind.OUT_OF_MEMORY, f"no memory for one answer of up to {row.size} tokens")
    row.ticket.resolve(Response(failure=failure))


def _response(written: Writing, latency_s: float) -> Response:
    row = written.row
    answer = take_apart(written.watch.finish(), written.generation.stop, row.opened)
    return Response(
        text=answer.text,
        reasoning=answer.reasoning,
        finish=FinishReason.STOP if answer.stop is not None else written.finish or FinishReason.UNKNOWN,
        stop=answer.stop,
        usage=Usage(
            prompt_tokens=len(row.prompt),
            completion_tokens=len(written.ids),
            reasoning_tokens=written.reasoning_tokens if answer.reasoning else 0,
        ),
        timing=Timing(latency_s, written.first_token_s),
    )
