"""One answer being written."""

import random
from collections.abc import Callable, Sequence
from time import perf_counter

from bakeoff.model.answer import take_apart
from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.guide import Guide
from bakeoff.model.hf.stops import Watch
from bakeoff.model.pair import Ids
from bakeoff.nouns import Failure, FailureKind, FinishReason, Generate, Response, Timing, Usage

GenerateTicket = Ticket[Rendered[Generate], Response]


class Writing:
    """The answer to a request so far. Its random numbers come from the request's seed and nothing else.

    `room` is how many tokens it may take: the request's limit, or what the context leaves. `ends` are the
    tokens that end it. `opened` says that the prompt leaves a reasoning block open. `guide` says which tokens
    may come, where not all may.
    """

    def __init__(
        self,
        ticket: GenerateTicket,
        prompt: Ids,
        room: int,
        ends: frozenset[int],
        opened: bool,
        decode: Callable[[Sequence[int]], str],
        guide: Guide | None = None,
    ) -> None:
        request = ticket.request.request
        self.generation = request.generation
        self.size = len(prompt) + room
        """Tokens that prompt and answer come to at most."""
        self._ticket = ticket
        self._prompt = prompt
        self._ids: list[int] = []
        self._room = room
        self._ends = ends
        self._opened = opened
        self._watch = Watch(decode, prompt, request.generation.stop, opened)
        self._random = random.Random(request.seed)  # noqa: S311 (sampling, not secrets)
        self._guide = guide
        self._reasoning_tokens = 0
        self._started = 0.0
        self._first_token_s: float | None = None
        self._finish: FinishReason | None = None

    @property
    def ids(self) -> Ids:
        """The prompt and the answer so far."""
        return (*self._prompt, *self._ids)

    @property
    def last(self) -> int:
        """The answer's last token."""
        return self._ids[-1]

    @property
    def over(self) -> bool:
        """Whether it ended, or nobody waits for it any more."""
        return self._finish is not None or self._ticket.settled

    def start(self) -> None:
        """Begin to count the time, unless that has begun."""
        self._started = self._started or perf_counter()

    def draw(self) -> float:
        """The next random number, in [0, 1)."""
        return self._random.random()

    def mask(self) -> bytearray | None:
        """The tokens that may come next, as `Guide.mask` gives them."""
        return None if self._guide is None else self._guide.mask()

    def push(self, token: int) -> None:
        """Take the next token; hand the answer back if it ends with it."""
        self._ids.append(token)
        if self._first_token_s is None:
            self._first_token_s = perf_counter() - self._started
        if not self._watch.answering:
            self._reasoning_tokens = len(self._ids)
        stopped = token in self._ends or self._watch.push(token)
        if self._guide is not None:
            self._guide.push(token, self._watch.answer)
            if error := self._guide.error:
                self.fail(Failure(FailureKind.UNSUPPORTED, f"the constraint could not be kept: {error:.500}"))
            stopped = stopped or self._guide.done
        if stopped:
            self._finish = FinishReason.STOP
        elif len(self._ids) >= self._room:
            self._finish = FinishReason.LENGTH
        if self._finish is not None and not self._ticket.settled:
            self._ticket.resolve(self._response(self._finish))

    def fail(self, failure: Failure) -> None:
        """Give up."""
        if not self._ticket.settled:
            self._ticket.resolve(Response(failure=failure))

    def _response(self, finish: FinishReason) -> Response:
        answer = take_apart(self._watch.finish(), self.generation.stop, self._opened)
        return Response(
            text=answer.text,
            reasoning=answer.reasoning,
            finish=FinishReason.STOP if answer.stop is not None else finish,
            stop=answer.stop,
            usage=Usage(
                prompt_tokens=len(self._prompt),
                completion_tokens=len(self._ids),
                reasoning_tokens=self._reasoning_tokens if answer.reasoning else 0,
            ),
            timing=Timing(perf_counter() - self._started, self._first_token_s),
        )
