"""Log-likelihoods of continuations after prompts with images."""

from collections.abc import Callable, Sequence
from functools import cache
from time import perf_counter
from typing import Any

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import images_of
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.memory import fits
from bakeoff.model.hf.network import checked
from bakeoff.model.hf.rows import Row, plan
from bakeoff.model.hf.scored import Scored, Tally
from bakeoff.model.hf.vision import Eyes, ImageError, cut_to
from bakeoff.model.pair import Pair, corrected_pairs, encode_pairs
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Input,
    Loglikelihood,
    OptionScore,
    Part,
    Response,
    Timing,
    Usage,
)

SeenTicket = Ticket[Loglikelihood, Response]


class VisionScorer:
    """Scores options in the corrected way (`corrected_pairs`), one forward pass for each distinct beginning.

    Options that differ in their last token alone (letters) so take one pass together.
    """

    def __init__(
        self,
        model: Any,
        eyes: Eyes,
        encoder: Encoder,
        prompts: Callable[[Input], str],
        vocabulary: int,
        context_length: int,
        tally: Tally,
    ) -> None:
        self._model = model
        self._eyes = eyes
        self._encoder = encoder
        self._prompts = prompts
        self._vocabulary = vocabulary
        self._context_length = context_length
        self._tally = tally

    def score(self, tickets: Sequence[SeenTicket]) -> None:
        """Resolve each of `tickets`, one after the other."""
        for ticket in tickets:
            if not ticket.settled:
                ticket.resolve(self._answer(ticket.request))

    def _answer(self, request: Loglikelihood) -> Response:
        started = perf_counter()
        if request.unconditional:
            message = "options of questions with images are not scored without their context"
            return Response(failure=Failure(FailureKind.UNSUPPORTED, message))
        texts = request.continuations
        # One context for all options, unless each has a lead of its own.
        groups = [(i, texts[i : i + 1]) for i in range(len(texts))] if request.leads else [(0, texts)]
        options: list[OptionScore] = []
        read = 0
        try:
            for first, group in groups:
                prompt = request.input_of(first)
                context, images = self._prompts(prompt), images_of(prompt)
                pairs = self._pairs(context, images, group)
                read = max(read, *(len(pair.context) for pair in pairs))
                if failure := self._fault(group, pairs):
                    return Response(failure=failure)
                scores: dict[Pair, Scored] = {}
                if not fits(lambda: scores.update(self._scores(context, images, pairs))):  # noqa: B023
                    message = f"no memory for one row of {max(pair.length for pair in pairs)} tokens"
                    return Response(failure=Failure(FailureKind.OUT_OF_MEMORY, message))
                options += [_option(pair, scores[pair]) for pair in pairs]
        except (ImageError, ValueError) as error:
            return Response(failure=Failure(FailureKind.REJECTED, str(error)))
        return Response(
            finish=FinishReason.STOP,
            options=tuple(options),
            usage=Usage(read, 0),
            timing=Timing(perf_counter() - started),
        )

    def _pairs(self, context: str, images: Sequence[Part], texts: Sequence[str]) -> list[Pair]:
        @cache
        def encode(text: str) -> tuple[int, ...]:
            return self._eyes.ids(text, images)

        bare, prefix = self._encoder.encode_bare, self._encoder.prefix
        split = encode_pairs(encode, bare, prefix, context, texts)
        return corrected_pairs(encode, prefix, split, [context + text for text in texts])

    def _fault(self, texts: Sequence[str], pairs: Sequence[Pair]) -> Failure | None:
        for text, pair in zip(texts, pairs, strict=True):
            if not pair.continuation:
                message = f"the continuation {text!r} adds no token to its context"
                return Failure(FailureKind.UNSUPPORTED, message)
        longest = max(pair.length - 1 for pair in pairs)
        if longest > self._context_length:
            message = f"prompt and continuation take {longest} tokens, the context has {self._context_length}"
            return Failure(FailureKind.CONTEXT_LENGTH, message)
        return None

    def _scores(self, context: str, images: Sequence[Part], pairs: Sequence[Pair]) -> dict[Pair, Scored]:
        inputs = self._eyes.inputs([context], [images])
        found: dict[Pair, Scored] = {}
        self._tally.asked += sum(pair.length - 1 for pair in pairs)
        for row in plan(pairs, self._vocabulary, lambda: True):
            found |= self._row(inputs, row)
        return found

    def _row(self, inputs: Any, row: Row) -> dict[Pair, Scored]:
        """The pairs of one row: log-softmax in float32, summed in float64 (see `row_scores`)."""
        import torch

        ids = (*row.context, *row.head)
        self._tally.computed += len(ids)
        with torch.inference_mode():
            logits = self._model(**cut_to(inputs, ids), use_cache=False).logits[0]
        logits = checked(logits[len(row.context) - 1 :].float())
        logprobs = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        best = logits.argmax(dim=-1).tolist()
        head = sum(float(logprobs[place, token]) for place, token in enumerate(row.head))
        followed = best[: len(row.head)] == list(row.head)
        last = len(row.head)
        return {
            pair: Scored(head + float(logprobs[last, token]), followed and best[last] == token)
            for token, pair in row.wanted.items()
        }


def _option(pair: Pair, scored: Scored) -> OptionScore:
    return OptionScore(logprob=scored.logprob, tokens=len(pair.continuation), greedy=scored.greedy)
