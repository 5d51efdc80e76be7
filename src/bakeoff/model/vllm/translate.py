"""Our requests as vLLM's arguments, and vLLM's outputs as our answers. Pure: vLLM is not imported.

Names and shapes are those of vLLM 0.32: `AsyncEngineArgs`, `SamplingParams`, `RequestOutput`,
`CompletionOutput` and `Logprob`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bakeoff.model.answer import answer_start, reasoning_so_far, take_apart
from bakeoff.model.hf.question import Question
from bakeoff.model.hf.scored import Scored
from bakeoff.model.pair import Ids, Pair
from bakeoff.model.streaming import Telling
from bakeoff.model.vllm.settings import VllmSettings
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Generation,
    Response,
    Timing,
    Usage,
)

# vLLM takes no more token ids in `logprob_token_ids` (`MAX_LOGPROB_TOKEN_IDS`).
_MOST_TOKENS = 128
# It raises a lower temperature to this one, without saying so in the answer.
_LEAST_TEMPERATURE = 0.01


def engine_arguments(settings: VllmSettings, folder: Path) -> dict[str, Any]:
    """How to start the engine on the model in `folder`. What the user left open is left to vLLM."""
    chosen = {
        "max_model_len": settings.context_length,
        "quantization": settings.quantization,
        "gpu_memory_utilization": settings.gpu_memory,
    }
    return {
        "model": str(folder),
        "dtype": settings.dtype,
        "tensor_parallel_size": settings.tensor_parallel,
        "data_parallel_size": settings.data_parallel,
        "enforce_eager": settings.eager,
        "enable_prefix_caching": settings.prefix_caching,
        # Of the logits as they are: no temperature, no penalty, no mask.
        "logprobs_mode": "raw_logprobs",
        "trust_remote_code": False,
        "disable_log_stats": True,
        "use_tqdm_on_load": False,
        **{name: value for name, value in chosen.items() if value is not None},
    }


def sampling(generation: Generation, seed: int) -> dict[str, Any]:
    """How an answer is written. All of it is said here: the checkpoint's own defaults do not apply.

    Greedy, or temperature then top-p with the request's own seed. Stop strings are not handed over, because
    vLLM would let them fire inside a reasoning block; `Writing` watches for them. A constraint becomes the
    arguments of `StructuredOutputsParams`.
    """
    arguments: dict[str, Any] = {"max_tokens": generation.max_tokens, "temperature": generation.temperature}
    if generation.temperature > 0:
        arguments |= {"top_p": generation.top_p, "seed": seed}
    if generation.constraint is not None:
        kind = "json" if generation.constraint.kind == "json_schema" else "regex"
        arguments["structured_outputs"] = {kind: generation.constraint.text}
    return arguments


def unwritable(generation: Generation, prompt: Ids, context_length: int) -> Failure | None:
    """Why no answer can be written after `prompt`, if none can."""
    if generation.max_tokens < 1:
        return Failure(FailureKind.REJECTED, f"max_tokens must be at least 1, it is {generation.max_tokens}")
    if 0 < generation.temperature < _LEAST_TEMPERATURE:
        message = (
            f"vLLM samples at temperature 0 or at least {_LEAST_TEMPERATURE}, not {generation.temperature}"
        )
        return Failure(FailureKind.UNSUPPORTED, message)
    if not prompt:
        message = "the prompt is empty and the model has no token to begin with"
        return Failure(FailureKind.UNSUPPORTED, message)
    if len(prompt) >= context_length:
        message = f"the prompt takes {len(prompt)} tokens, the context has {context_length}"
        return Failure(FailureKind.CONTEXT_LENGTH, message)
    return None


class Writing:
    """An answer while it is written: takes vLLM's outputs, each with the text and tokens since the last."""

    def __init__(
        self, prompt_tokens: int, stops: Sequence[str], opened: bool, telling: Telling | None = None
    ) -> None:
        """`opened` says that the prompt leaves a reasoning block open; `telling` hears of the text."""
        self._prompt_tokens = prompt_tokens
        self._stops = stops
        self._opened = opened
        self._telling = telling
        self._longest = max(map(len, stops), default=0)
        self._text = ""
        self._finish: str | None = None
        self._tokens = self._reasoning_tokens = 0
        self._cached: int | None = None

    def push(self, output: Any) -> bool:
        """Whether the answer has come to a stop string, so that writing can end."""
        (piece,) = output.outputs
        before = len(self._text)
        self._text += piece.text
        self._tokens += len(piece.token_ids)
        self._finish = piece.finish_reason
        self._cached = output.num_cached_tokens
        if self._telling is not None:
            self._telling.grow(piece.text, partial(answer_start, opened=self._opened))
        start = answer_start(self._text, self._opened)
        if start is None:
            self._reasoning_tokens = self._tokens
            return False
        seen = max(start, before - self._longest + 1)
        stopped = any(stop in self._text[seen:] for stop in self._stops)
        if stopped:
            self._finish = "stop"
        return stopped

    def think(self, output: Any) -> bool:
        """Take an output; true as soon as the answer begins."""
        return self.push(output) or answer_start(self._text, self._opened) is not None

    @property
    def thought(self) -> str | None:
        """The reasoning with its marks, empty where there is none; None while it is not closed."""
        return reasoning_so_far(self._text, self._opened)

    def begin_answer(self) -> int:
        """Forget what came behind the reasoning; what comes from now on is the answer. The tokens so far."""
        self._text = self.thought or ""
        self._tokens = self._tokens if self._text else 0
        self._finish = "length"
        return self._tokens

    def response(self, timing: Timing) -> Response:
        """The answer, once its last output came or a stop string did."""
        if self._finish not in ("stop", "length"):
            message = f"vLLM ended the answer with {self._finish or 'no reason'}"
            return Response(failure=Failure(FailureKind.SERVER, message), timing=timing)
        answer = take_apart(self._text, self._stops, self._opened)
        stopped = answer.stop is not None or self._finish == "stop"
        return Response(
            text=answer.text,
            reasoning=answer.reasoning,
            finish=FinishReason.STOP if stopped else FinishReason.LENGTH,
            stop=answer.stop,
            usage=Usage(
                prompt_tokens=self._prompt_tokens,
                completion_tokens=self._tokens,
                reasoning_tokens=self._reasoning_tokens if answer.reasoning else 0,
                cached_tokens=self._cached,
            ),
            timing=timing,
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One request to vLLM for log-probabilities: what it reads, and the tokens that may come last.

    The tokens of `head` are scored as they are read after `context`, those of `lasts` as what may follow
    both. Continuations that differ in their last token alone share a row (the letters of a multiple-choice
    question), and if they have one token each, `head` is empty.
    """

    context: Ids
    head: Ids
    lasts: tuple[int, ...]

    @property
    def read(self) -> list[int]:
        """The token ids of the request's prompt."""
        return [*self.context, *self.head]

    def arguments(self, *, reuse: bool) -> dict[str, Any]:
        """`SamplingParams`: one greedy token, which says what the likeliest was.

        vLLM by itself does not read its prefix cache for a request that wants log-probabilities of its
        prompt, because those of cached tokens are lost. With `reuse` it does read it: those of the context
        are not needed, and `scores` sees whether more than the context was cached.
        """
        arguments: dict[str, Any] = {
            "max_tokens": 1,
            "temperature": 0.0,
            "detokenize": False,
            "logprob_token_ids": list(self.lasts),
        }
        if self.head:
            # With the likeliest token beside each, ranks are the same on a tie as in writing.
            arguments |= {"prompt_logprobs": 1, "skip_reading_prefix_cache": not reuse}
        return arguments

    def scores(self, output: Any) -> dict[Pair, Scored] | None:
        """What `output` says of each continuation, by its pair (joined or not).

        None where a token's log-probability is missing, because it came from the prefix cache.
        """
        if self.head and (output.num_cached_tokens or 0) >= len(self.context):
            return None
        # Counted from the end: those of cached tokens may be left out in front.
        places = output.prompt_logprobs[-len(self.head) :] if self.head else ()
        read = [place and place.get(token) for token, place in zip(self.head, places, strict=True)]
        (written,) = output.outputs
        last = written.logprobs[0]
        if None in read or not all(token in last for token in self.lasts):
            return None
        logprob = sum(entry.logprob for entry in read)
        greedy = all(entry.rank == 1 for entry in read)
        likeliest = written.token_ids[0]
        return {
            Pair(self.context, (*self.head, token)): Scored(
                logprob + last[token].logprob, greedy and token == likeliest
            )
            for token in self.lasts
        }


def plan(pairs: Sequence[Pair]) -> list[Row]:
    """The rows that score `pairs`, each distinct (context, continuation but its last token) once."""
    lasts: dict[tuple[Ids, Ids], dict[int, None]] = {}
    for pair in pairs:
        lasts.setdefault((pair.context, pair.continuation[:-1]), {})[pair.continuation[-1]] = None
    return [
        Row(context, head, tuple(tokens)[start : start + _MOST_TOKENS])
        for (context, head), tokens in lasts.items()
        for start in range(0, len(tokens), _MOST_TOKENS)
    ]


def loglikelihoods(question: Question, scores: Mapping[Pair, Scored], timing: Timing) -> Response:
    """The answer to `question` from the score of each of its pairs, keyed as `Row.scores` does."""
    options = question.scored({pair: _scored(pair, scores) for pair in question.pairs})
    if any(math.isnan(option.logprob) for option in options):
        return Response(failure=Failure(FailureKind.MALFORMED, "vLLM computed a NaN"), timing=timing)
    return Response(finish=FinishReason.STOP, options=options, usage=question.usage, timing=timing)


def _scored(pair: Pair, scores: Mapping[Pair, Scored]) -> Scored:
    return scores[Pair(pair.context, pair.continuation)]
