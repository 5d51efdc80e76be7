"""Answers written token by token, many rows at a time, each as if it were alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.model.answer import MARKS, opens_reasoning
from bakeoff.model.hf.batcher import More
from bakeoff.model.hf.chat import Rendered
from bakeoff.model.hf.decoding import Decoding
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.guide import Guide, Guides, guided
from bakeoff.model.hf.memory import Budget, fits
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.prefixes import Prefixes, next_batch
from bakeoff.model.hf.sampling import choose
from bakeoff.model.hf.writing import GenerateTicket, Writing
from bakeoff.model.pair import Ids
from bakeoff.nouns import Constraint, Failure, FailureKind, Generate, Response

MoreTickets = More[Rendered[Generate], Response]

# Beside the rows being written, this part of their budget goes to prompts kept for those that begin alike.
_PREFIX_SHARE = 8

# Others join when an eighth of the rows are free, not one by one: a pass over one prompt can cost nearly as
# much as one over several.
_JOIN_SHARE = 8


class Writer:
    """Writes answers, as many rows at a time as `budget` (rows times the longest) and `most_rows` allow.

    The place of a row that ends goes to the next request, in the order in which they came. `prefill` bounds
    the tokens of prompts computed together. `share` lets prompts that begin alike share what is computed.
    `guides` hold answers to their constraints.

    An answer ends with a token of `ends`, a stop string, its token limit, or the end of the context (which
    counts as a limit). A prompt that leaves no room for an answer is a failure; it is never cut.
    """

    def __init__(
        self,
        network: Network,
        encoder: Encoder,
        *,
        ends: frozenset[int],
        budget: Budget,
        prefill: Budget,
        most_rows: int,
        context_length: int,
        share: bool,
        guides: Guides | None = None,
    ) -> None:
        self._network = network
        self._encoder = encoder
        self._ends = ends
        self._budget = budget
        self._prefill = prefill
        self._most_rows = most_rows
        self._context_length = context_length
        self._prefixes = Prefixes(budget.tokens // _PREFIX_SHARE if share else 0)
        self._guides = guides
        self._marks = _special_marks(encoder)

    def write(self, tickets: Sequence[GenerateTicket], more: MoreTickets) -> None:
        """Resolve each of `tickets`, and of those that `more` brings meanwhile, as soon as its answer ends.

        When memory runs out the budget halves, and what is not done goes on from where it was.
        """
        left = self._begun(tickets)
        while left:
            queue = _Queue(left)
            if not fits(lambda: self._run(queue, more)):  # noqa: B023 (called at once)
                self._cut_down(queue)
            left = queue.left

    def _run(self, queue: "_Queue", more: MoreTickets) -> None:
        """Write until nothing is left to be written."""
        decoding = Decoding(self._network, self._prefixes)
        while True:
            queue.waiting += self._begun(more())
            queue.admit(self._budget.tokens, self._most_rows)
            if queue.joining:
                decoding.reserve(len(queue.joining), max(len(each.ids) for each in queue.joining))
            while queue.joining:
                batch = next_batch(queue.joining, _ids, self._prefixes, self._prefill.tokens)
                for each in batch:
                    each.start()
                logits = decoding.join([each.ids for each in batch])
                queue.join(batch)
                advance(batch, logits)
            places = _packed([not each.over for each in queue.running])
            if len(places) < len(queue.running):
                decoding.keep(places)
                queue.running = [queue.running[place] for place in places]
            if queue.running:
                advance(queue.running, decoding.step([each.last for each in queue.running]))
            elif not queue.waiting:
                return

    def _cut_down(self, queue: "_Queue") -> None:
        """Take less memory from now on, or give up the one answer there is no memory for."""
        failed = [each for each in (*queue.running, *queue.joining) if not each.over]
        freed = self._prefixes.cut_down()
        if len(failed) > 1:
            self._budget.tokens = len(failed) * max(each.size for each in failed) // 2
        elif failed and not freed:
            message = f"no memory for one answer of up to {failed[0].size} tokens"
            failed[0].fail(Failure(FailureKind.OUT_OF_MEMORY, message))

    def _begun(self, tickets: Sequence[GenerateTicket]) -> list[Writing]:
        """The answers to begin; what cannot be answered is resolved here."""
        begun = []
        for ticket in tickets:
            writing = self.begin(ticket, self._encoder.prompt(ticket.request.prompt))
            if isinstance(writing, Failure):
                ticket.resolve(Response(failure=writing))
            else:
                begun.append(writing)
        return begun

    def begin(self, ticket: GenerateTicket, ids: Ids) -> Writing | Failure:
        """The answer to a request whose prompt is `ids`, before its first token; or why there is none."""
        generation, prompt = ticket.request.request.generation, ticket.request.prompt
        if generation.max_tokens < 1:
            message = f"max_tokens must be at least 1, it is {generation.max_tokens}"
            return Failure(FailureKind.REJECTED, message)
        if not ids:
            message = "the prompt is empty and the model has no token to begin with"
            return Failure(FailureKind.UNSUPPORTED, message)
        if len(ids) >= self._context_length:
            message = f"the prompt takes {len(ids)} tokens, the context has {self._context_length}"
            return Failure(FailureKind.CONTEXT_LENGTH, message)
        room = min(generation.max_tokens, self._context_length - len(ids))
        # A stop string that is a special token never shows in the decoded text.
        special = (self._encoder.special(stop) for stop in generation.stop)
        ends = self._ends.union(token for token in special if token is not None)
        opened = opens_reasoning(prompt)
        guide = self._guide(generation.constraint, opened=opened)
        if isinstance(guide, Failure):
            return guide
        return Writing(ticket, ids, room, ends, opened, self._decode, guide)

    def _guide(self, constraint: Constraint | None, *, opened: bool) -> Guide | Failure | None:
        if constraint is None:
            return None
        if self._guides is None:
            return Failure(FailureKind.UNSUPPORTED, "answers of this model cannot be constrained")
        return self._guides.guide(constraint, opened=opened)

    def _decode(self, ids: Sequence[int]) -> str:
        """The text of `ids` with the marks of a reasoning block, and without other special tokens."""
        text, begin = "", 0
        for place, token in enumerate(ids):
            if token in self._marks:
                text += self._encoder.decode(ids[begin:place]) + self._marks[token]
                begin = place + 1
        return text + self._encoder.decode(ids[begin:])


class _Queue:
    """Answers that wait, that are about to join, and that are written, these in the decoding's order."""

    def __init__(self, waiting: Sequence[Writing]) -> None:
        self.waiting = list(waiting)
        self.joining: list[Writing] = []
        self.running: list[Writing] = []

    @property
    def left(self) -> list[Writing]:
        """All that are not over, those furthest on first."""
        return [each for each in (*self.running, *self.joining, *self.waiting) if not each.over]

    def admit(self, tokens: int, most_rows: int) -> None:
        """Let those that wait join, in their order, as far as there is room for `tokens` and rows."""
        self.waiting = [each for each in self.waiting if not each.over]
        running, longest = len(self.running), max((each.size for each in self.running), default=0)
        joining = 0
        for rows, each in enumerate(self.waiting, running + 1):
            longest = max(longest, each.size)
            if rows > 1 and (rows > most_rows or rows * longest > tokens):
                break
            joining += 1
        if joining == len(self.waiting) or joining * _JOIN_SHARE >= running:
            self.joining, self.waiting = self.waiting[:joining], self.waiting[joining:]

    def join(self, batch: Sequence[Writing]) -> None:
        """`batch`, some of those about to join, is now being written."""
        self.running = [*self.running, *batch]
        self.joining = [each for each in self.joining if each not in batch]


def _ids(writing: Writing) -> tuple[int, ...]:
    return writing.ids


def advance(rows: Sequence[Writing], logits: Any) -> list[int]:
    """Choose the next token of each of `rows`, by their logits [rows, vocabulary]."""
    temperatures = [each.generation.temperature for each in rows]
    top_ps = [each.generation.top_p for each in rows]
    logits = guided(logits, [each.mask() for each in rows])
    tokens = choose(logits, temperatures, top_ps, [each.draw() for each in rows])
    for each, token in zip(rows, tokens, strict=True):
        each.push(token)
    return tokens


def _packed(alive: Sequence[bool]) -> list[int]:
    """The places of those alive, the gaps filled from the end so that few change their place."""
    count = sum(alive)
    spare = [place for place in range(count, len(alive)) if alive[place]]
    return [place if alive[place] else spare.pop() for place in range(count)]


def _special_marks(encoder: Encoder) -> Mapping[int, str]:
    """The marks of a reasoning block that are tokens which decoding leaves out."""
    tokens = {mark: encoder.encode_bare(mark) for marks in MARKS for mark in marks}
    return {ids[0]: mark for mark, ids in tokens.items() if len(ids) == 1 and not encoder.decode(ids)}
