"""One answer, written token by token."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from bakeoff.model import guidance
from bakeoff.model.answer import answer_start, opens_reasoning, reasoning_so_far, take_apart
from bakeoff.model.gguf.runtime import Runtime
from bakeoff.model.streaming import Telling
from bakeoff.nouns import Constraint, Failure, FailureKind, FinishReason, Generation, Response, Timing, Usage

_KINDS = {"exceed_context_size_error": FailureKind.CONTEXT_LENGTH}


def write(
    runtime: Runtime,
    prompt: str,
    ids: Sequence[int],
    generation: Generation,
    *,
    seed: int,
    slot: int,
    reuse: bool,
    thinks: Callable[[], bool],
    cancelled: threading.Event,
    telling: Telling | None = None,
) -> Response:
    """The answer to `prompt`, whose token ids are `ids`.

    Stop strings are watched for here, because llama.cpp would let them fire inside a reasoning block.
    `reuse` lets llama.cpp keep the part of the prompt that the slot's last one had in common with it.

    A constraint holds the answer alone. Where there may be reasoning, because the prompt opens it or the
    model `thinks`, that is written first and freely, and the answer in a second completion. `telling` hears
    of the text as it comes.
    """
    opened, constraint = opens_reasoning(prompt), generation.constraint
    stream = _Stream(generation.stop, opened, cancelled, telling)
    body = {
        "prompt": list(ids),
        "max_tokens": generation.max_tokens,
        "stream": True,
        "timings_per_token": True,
        "cache_prompt": reuse,
        "id_slot": slot,
        **_sampling(generation, seed),
    }
    if constraint is None:
        runtime.complete(body, stream)
        return stream.response(len(ids))
    # Of a grammar that it cannot read, llama.cpp says nothing to us and writes freely.
    if reason := guidance.refusal(constraint):
        message = f"llama.cpp cannot hold an answer to this {constraint.kind}: {reason}"
        return Response(failure=Failure(FailureKind.REJECTED, message))
    thought = ""
    if opened or thinks():
        runtime.complete(body, stream.think)
        if stream.broken or stream.thought is None:
            return stream.response(len(ids))
        thought = stream.thought
        stream.begin_answer()
        if stream.tokens >= generation.max_tokens:
            return stream.response(len(ids))
        if thought:
            body["prompt"] = [*ids, *runtime.tokens(thought, specials=False)]
        body["max_tokens"] = generation.max_tokens - stream.tokens
    body["grammar"] = "%llguidance {}\n" + guidance.grammar(constraint, reasoned=bool(thought))
    runtime.complete(body, stream)
    return _held(stream.response(len(ids)), constraint)


def _held(response: Response, constraint: Constraint) -> Response:
    """`response`, or a failure where llama.cpp let go of the constraint on the way."""
    whole = response.finish is FinishReason.STOP and response.stop is None
    if response.failure is not None or guidance.fits(constraint, response.text, whole=whole):
        return response
    message = f"llama.cpp did not hold the answer to its {constraint.kind}: {response.text!r:.200}"
    return Response(failure=Failure(FailureKind.UNSUPPORTED, message), usage=response.usage)


def _sampling(generation: Generation, seed: int) -> dict[str, Any]:
    """Greedy, or temperature then top-p (the order of transformers and vLLM) and none of llama.cpp's extras.

    The extras are set in full: a GGUF file may bring its own defaults for them.
    """
    if generation.temperature == 0:
        return {"temperature": 0.0, "samplers": ["temperature"], "logit_bias": []}
    return {
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "seed": seed,
        "samplers": ["temperature", "top_p"],
        "logit_bias": [],
    }


class _Stream:
    """What has come so far. Called with each chunk; returns True to end the answer."""

    def __init__(
        self, stops: Sequence[str], opened: bool, cancelled: threading.Event, telling: Telling | None
    ) -> None:
        self._stops = stops
        self._opened = opened
        self._cancelled = cancelled
        self._telling = telling
        self._longest = max(map(len, stops), default=0)
        self._started = perf_counter()
        self._first: float | None = None
        self._text = ""
        self._finish = ""
        self._error: Mapping[str, Any] | None = None
        self._tokens = self._reasoning_tokens = self._cached = 0
        self._tokens_before = 0

    def __call__(self, chunk: Mapping[str, Any]) -> bool:
        choices = chunk.get("choices") or ()
        if not choices:
            self._error = chunk.get("error") or chunk
            return True
        if self._first is None:
            self._first = perf_counter()
        timings = chunk.get("timings") or {}
        if "predicted_n" in timings:
            self._tokens = self._tokens_before + timings["predicted_n"]
        self._cached = timings.get("cache_n", self._cached)
        before = len(self._text)
        self._text += (piece := choices[0].get("text") or "")
        if self._telling is not None and not self._cancelled.is_set():
            self._telling.grow(piece, partial(answer_start, opened=self._opened))
        self._finish = choices[0].get("finish_reason") or ""
        start = answer_start(self._text, self._opened)
        if start is None:
            self._reasoning_tokens = self._tokens
            return self._cancelled.is_set()
        seen = max(start, before - self._longest + 1)
        stopped = any(stop in self._text[seen:] for stop in self._stops)
        if stopped:
            self._finish = "stop"
        return stopped or self._cancelled.is_set()

    @property
    def tokens(self) -> int:
        """Tokens written so far."""
        return self._tokens

    @property
    def broken(self) -> bool:
        """Whether nothing more can come."""
        return self._error is not None or self._cancelled.is_set()

    @property
    def thought(self) -> str | None:
        """The reasoning with its marks, empty where there is none; None while it is not closed."""
        return reasoning_so_far(self._text, self._opened)

    def think(self, chunk: Mapping[str, Any]) -> bool:
        """Take a chunk; true as soon as the answer begins."""
        return self(chunk) or answer_start(self._text, self._opened) is not None

    def begin_answer(self) -> None:
        """Forget what came behind the reasoning; what comes from now on is the answer."""
        self._text = self.thought or ""
        self._tokens_before = self._tokens = self._tokens if self._text else 0
        self._finish = "length"

    def response(self, prompt_tokens: int) -> Response:
        timing = Timing(perf_counter() - self._started, self._first and self._first - self._started)
        if self._error is not None:
            kind = _KINDS.get(str(self._error.get("type")), FailureKind.SERVER)
            return Response(failure=Failure(kind, f"llama.cpp: {self._error.get('message')}"))
        if not self._finish:
            return Response(failure=Failure(FailureKind.MALFORMED, "llama.cpp's answer broke off"))
        answer = take_apart(self._text, self._stops, self._opened)
        return Response(
            text=answer.text,
            reasoning=answer.reasoning,
            finish=FinishReason.LENGTH if self._finish == "length" else FinishReason.STOP,
            stop=answer.stop,
            usage=Usage(
                prompt_tokens=prompt_tokens,
                completion_tokens=self._tokens,
                reasoning_tokens=self._reasoning_tokens if answer.reasoning else 0,
                cached_tokens=min(self._cached, prompt_tokens),
            ),
            timing=timing,
        )
