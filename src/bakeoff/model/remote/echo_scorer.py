"""Log-likelihoods from a server's echo, and the probe that decides whether to believe it.

Servers differ: vLLM echoes right, llama-server ignores `echo`, and llama-cpp-python's server looks each token
up one place too late when the prompt has no beginning-of-text token, which puts a benchmark below chance
without any error. So nothing is scored before a known string came back right.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from bakeoff.errors import ModelError
from bakeoff.model.remote.draft import lost
from bakeoff.model.remote.echo import CompletionReader, EchoRefused, Tokens, option, read_choice, read_echo
from bakeoff.nouns import Failure, FailureKind, Loglikelihood, OptionScore, Response, Timing, Usage

_PROBES = (
    "The capital of France is Paris. The capital of Italy is Rome. The capital of Spain is",
    "one, two, three, four, five, six,",
    "a b c d e f g h i j k l m n o p q r",
)
_NO_ROLLING = "a document's first token has no score: the server puts no beginning-of-text token before it"
_WRITTEN = 4
_KEPT = 10_000
_TOLERANCE = 0.25
"""Nats between a token's log-probability when written and when echoed. Two passes through one model differ by
some hundredths (batching, kernels); being off by one place costs several."""


class _Asks(Protocol):
    url: str

    async def ask(
        self, path: str, body: dict[str, Any], new_reader: Any, key: str, seed: int
    ) -> Response: ...


class EchoScorer:
    """Scores continuations through `/completions` with `echo`, once the probe has passed."""

    def __init__(self, connection: _Asks, name: str) -> None:
        self.trusted = False
        self._begins = False
        self._unconditional: dict[str, float] = {}
        self._connection = connection
        self._name = name
        self._refusal: ModelError | None = None
        self._lock = asyncio.Lock()

    async def probe(self) -> None:
        """Check the echo against what the same server says when it writes.

        A greedy answer of a few tokens is generated with log-probabilities, then sent back as a prompt: as
        many log-probabilities must return as the prompt has tokens, with offsets that fit, and those of the
        written tokens must agree. Done once; later calls repeat the verdict.

        Raises:
            ModelError: the echo cannot be trusted; says what came back.
        """
        async with self._lock:
            if self.trusted:
                return
            if self._refusal is None:
                try:
                    await self._probe()
                except EchoRefused as refused:
                    self._refusal = ModelError(
                        f"{self._connection.url} gives no usable log-likelihoods for {self._name}: {refused}",
                        "Nothing was scored. vLLM's /v1/completions can do this, and so can hf:… and gguf:… "
                        "Or use a task that generates its answers.",
                    )
                else:
                    self.trusted = True
            if self._refusal is not None:
                raise self._refusal

    async def score(self, request: Loglikelihood) -> Response:
        """The continuations' scores.

        `unconditional` stays None with a server that puts no beginning-of-text token before a prompt: there
        is then nothing for a first token to follow. For the same reason a rolling request is then a failure;
        else a document is scored in one window, and one longer than the context is a failure too.

        Raises:
            ModelError: the probe failed, or the input is a conversation.
        """
        if not isinstance(request.input, str):
            raise ModelError(
                f"{request.key}: a server scores plain text, not messages: its chat template is not at hand",
                "Use a plain prompt for this task, or hf:… and gguf:…, which hold the template.",
            )
        await self.probe()
        if request.rolling and not self._begins:
            return Response(failure=Failure(FailureKind.UNSUPPORTED, _NO_ROLLING), attempts=0)
        total = Response(attempts=0, usage=Usage(0, 0), timing=Timing(0.0))
        options: list[OptionScore] = []
        for number, continuation in enumerate(request.continuations):
            context = request.input_of(number)
            assert isinstance(context, str)
            score, answer = await self._option(request, context, continuation)
            total = _joined(total, answer)
            if score is None:
                return total
            if request.unconditional and self._begins:
                alone, answer = await self._alone(request, continuation)
                total = _joined(total, answer)
                if alone is None:
                    return total
                score = replace(score, unconditional=alone)
            options.append(score)
        return replace(total, options=tuple(options))

    async def _alone(self, request: Loglikelihood, continuation: str) -> tuple[float | None, Response]:
        """The log-probability of a continuation alone; those of short options come again with every item."""
        kept = self._unconditional.get(continuation)
        if kept is not None:
            return kept, Response(attempts=0, usage=Usage(0, 0), timing=Timing(0.0))
        score, response = await self._option(request, "", continuation)
        if score is not None and len(self._unconditional) < _KEPT:
            self._unconditional[continuation] = score.logprob
        return (None if score is None else score.logprob), response

    async def _option(
        self, request: Loglikelihood, context: str, continuation: str
    ) -> tuple[OptionScore | None, Response]:
        response, payload = await self._complete(context + continuation, 1, echo=True, key=request.key)
        if response.failure is not None:
            return None, response
        try:
            return option(read_echo(payload), context, continuation), response
        except EchoRefused as refused:
            return None, lost(response, FailureKind.UNSUPPORTED, f"{refused} ({continuation!r})")

    async def _probe(self) -> None:
        for prompt in _PROBES:
            text, written = read_choice(await self._probed(prompt, _WRITTEN, echo=False))
            n = _visible(written, text)
            if n >= 2:
                break
        else:
            raise EchoRefused(f"it writes nothing after {_PROBES[-1]!r} to compare with")
        echoed = read_echo(await self._probed(prompt + "".join(written.texts[:n]), 1, echo=True))
        _compare(written[:n], echoed[-n:], len(echoed))
        self._begins = not echoed.texts[0] or not prompt.startswith(echoed.texts[0])

    async def _probed(self, prompt: str, max_tokens: int, *, echo: bool) -> Mapping[str, Any]:
        response, payload = await self._complete(prompt, max_tokens, echo=echo, key="log-likelihood probe")
        if response.failure is not None:
            raise EchoRefused(f"the probe was not answered: {response.failure.message}")
        return payload

    async def _complete(
        self, prompt: str, max_tokens: int, *, echo: bool, key: str
    ) -> tuple[Response, Mapping[str, Any]]:
        body: dict[str, Any] = {
            "model": self._name,
            "prompt": prompt,
            "max_tokens": max_tokens,
            "temperature": 0.0,
            "logprobs": 1,
        }
        if echo:
            body["echo"] = True
        reader = CompletionReader()
        response = await self._connection.ask("completions", body, lambda: reader, key, 0)
        return response, reader.payload


def _visible(written: Tokens, text: str) -> int:
    """How many of the written tokens spell the text: an end mark among them does not."""
    spelt = ""
    for n, piece in enumerate(written.texts):
        if not piece or not text.startswith(spelt + piece):
            return n
        spelt += piece
    return len(written)


def _compare(written: Tokens, echoed: Tokens, n_prompt: int) -> None:
    if echoed.texts != written.texts:
        raise EchoRefused(
            f"the last of {n_prompt} echoed tokens are {list(echoed.texts)}, the prompt ends in "
            f"{list(written.texts)}"
        )
    lengths = [later - earlier for earlier, later in zip(echoed.offsets, echoed.offsets[1:], strict=False)]
    if lengths != [len(piece) for piece in echoed.texts[:-1]]:
        raise EchoRefused(f"the offsets {list(echoed.offsets)} do not fit the tokens {list(echoed.texts)}")
    for piece, before, after in zip(written.texts, written.logprobs, echoed.logprobs, strict=True):
        if before is None or after is None or abs(before - after) > _TOLERANCE:
            raise EchoRefused(
                f"the token {piece!r} had the log-probability {_shown(before)} when written and "
                f"{_shown(after)} when echoed"
            )


def _shown(logprob: float | None) -> str:
    return "none" if logprob is None else f"{logprob:.3f}"


def _joined(total: Response, answer: Response) -> Response:
    """One response for several calls: tokens and seconds add up."""
    return replace(
        answer,
        attempts=total.attempts + answer.attempts,
        usage=Usage(
            _sum(total.usage.prompt_tokens, answer.usage.prompt_tokens),
            _sum(total.usage.completion_tokens, answer.usage.completion_tokens),
        ),
        timing=Timing(_seconds(total.timing.latency_s, answer.timing.latency_s)),
        served_by=answer.served_by or total.served_by,
        fingerprint=answer.fingerprint or total.fingerprint,
    )


def _sum(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _seconds(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right
