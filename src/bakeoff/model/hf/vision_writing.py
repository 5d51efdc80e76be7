"""Answers to prompts with images, several rows at a time, each as if it were alone."""

from collections.abc import Callable, Sequence
from typing import Any

from bakeoff.model.hf.generation import MoreTickets, advance
from bakeoff.model.hf.memory import Budget, run_in_batches
from bakeoff.model.hf.vision import Eyes, ImageError
from bakeoff.model.hf.writing import GenerateTicket, Writing
from bakeoff.model.pair import Ids
from bakeoff.nouns import Failure, FailureKind, Response

Begin = Callable[[GenerateTicket, Ids], Writing | Failure]
"""Begins an answer after a prompt of token ids (`Writer.begin`)."""


class VisionWriter:
    """Writes answers in batches that begin and end together, at most `most_rows` within `budget` tokens.

    transformers' own `generate` runs the loop, because positions and caches of images differ from one
    architecture to the next; which token comes is decided here, row by row, and no default of the checkpoint
    applies.
    """

    def __init__(self, model: Any, eyes: Eyes, begin: Begin, budget: Budget, most_rows: int) -> None:
        self._model = model
        self._eyes = eyes
        self._begin = begin
        self._budget = budget
        self._most_rows = most_rows

    def write(self, tickets: Sequence[GenerateTicket], more: MoreTickets) -> None:
        """Resolve each of `tickets`, and of those that `more` brings meanwhile, as its answer ends."""
        while tickets:
            jobs = [job for ticket in tickets if (job := self._job(ticket)) is not None]
            run_in_batches(jobs, self._budget, self._run, _give_up, self._most_rows)
            tickets = more()

    def _job(self, ticket: GenerateTicket) -> "_Job | None":
        """The request read alone, which says how long it is; None where it is answered by that."""
        asked = ticket.request
        try:
            ids = self._eyes.ids(asked.prompt, asked.images)
        except (ImageError, ValueError) as error:
            ticket.resolve(Response(failure=Failure(FailureKind.REJECTED, str(error))))
            return None
        writing = self._begin(ticket, ids)
        if isinstance(writing, Failure):
            ticket.resolve(Response(failure=writing))
            return None
        return _Job(ticket, ids, writing.size)

    def _run(self, batch: Sequence["_Job"]) -> None:
        import torch
        from transformers import GenerationConfig, LogitsProcessorList, StoppingCriteriaList

        jobs = [job for job in batch if not job.done]
        rows = [row for job in jobs if isinstance(row := self._begin(job.ticket, job.ids), Writing)]
        if not rows:
            return
        asked = [job.ticket.request for job in jobs]
        inputs = self._eyes.inputs([each.prompt for each in asked], [each.images for each in asked])
        for row in rows:
            row.start()
        with torch.inference_mode():
            self._model.generate(
                **inputs,
                generation_config=GenerationConfig(
                    max_new_tokens=max(job.size - len(job.ids) for job in jobs),
                    do_sample=False,
                    pad_token_id=0,
                ),
                logits_processor=LogitsProcessorList([_chooser(rows)]),
                stopping_criteria=StoppingCriteriaList([_watch(rows)]),
            )


class _Job:
    """A request, with its prompt's ids and the tokens that prompt and answer come to at most."""

    def __init__(self, ticket: GenerateTicket, ids: Ids, size: int) -> None:
        self.ticket = ticket
        self.ids = ids
        self.size = size

    @property
    def done(self) -> bool:
        return self.ticket.settled


def _give_up(job: _Job) -> None:
    message = f"no memory for one answer of up to {job.size} tokens"
    job.ticket.resolve(Response(failure=Failure(FailureKind.OUT_OF_MEMORY, message)))


def _chooser(rows: Sequence[Writing]) -> Callable[[Any, Any], Any]:
    """A step of `generate` that chooses each row's token and leaves nothing else possible."""

    def choose(_: Any, scores: Any) -> Any:
        alive = [place for place, row in enumerate(rows) if not row.over]
        chosen = [0] * len(rows)
        for place, token in zip(alive, advance([rows[place] for place in alive], scores[alive]), strict=True):
            chosen[place] = token
        certain = scores.new_full(scores.shape, float("-inf"))
        certain[range(len(rows)), chosen] = 0
        return certain

    return choose


def _watch(rows: Sequence[Writing]) -> Callable[..., Any]:
    """Which rows have ended."""

    def ended(ids: Any, *_: Any, **__: Any) -> Any:
        return ids.new_tensor([row.over for row in rows]).bool()

    return ended
