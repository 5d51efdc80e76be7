"""The `vllm` engine: vLLM in this process, its core in one of its own."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from time import perf_counter
from typing import Any, Self

from bakeoff.model.answer import MARKS, opens_reasoning
from bakeoff.model.errors import MachineError
from bakeoff.model.hf.chat import prompt_text
from bakeoff.model.hf.encoding import Encoder, Mode
from bakeoff.model.hf.question import Question, question_of
from bakeoff.model.hf.scored import Scored, Tally
from bakeoff.model.hf.source import Source, find_source
from bakeoff.model.pair import Ids, Pair
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.streaming import Telling, Told
from bakeoff.model.vllm.engine import Engine, RequestError
from bakeoff.model.vllm.identity import describe
from bakeoff.model.vllm.settings import VllmSettings, read_settings
from bakeoff.model.vllm.translate import (
    Row,
    Writing,
    engine_arguments,
    loglikelihoods,
    plan,
    sampling,
    unwritable,
)
from bakeoff.nouns import Failure, FailureKind, Generate, Input, Loglikelihood, Response, Timing


class VllmModel:
    """A local causal language model; see `bakeoff.model.protocol.Model`.

    `name` is `ORG/NAME[@REVISION]` or a folder; `settings` are described by `VllmSettings`. The engine starts
    on entering, which takes a minute or more. Requests go to it as they come, and it batches them.

    Prompts are rendered and encoded as in the `hf` engine, so both read the same token ids. In which batch a
    request is computed moves its last bits, unless VLLM_BATCH_INVARIANT=1 is set (on the GPUs that have it).
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._name = name
        self._settings = read_settings(settings)
        self._open: _Open | None = None

    @property
    def identity(self) -> Identity:
        """Who answers. Known once entered; the details count tokens, so they grow while it answers."""
        opened = self._entered
        counted = {
            "tokens_asked": str(opened.tally.asked),
            "tokens_computed": str(opened.tally.computed),
        }
        return replace(opened.identity, details={**opened.identity.details, **counted})

    @property
    def capabilities(self) -> Capabilities:
        """Chat where the model has a template. Known once entered."""
        chat = bool(self._entered.tokenizer.chat_template)
        return Capabilities(loglikelihood=True, chat=chat, streaming=True, json_schema=True, regex=True)

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may take together."""
        return self._entered.context_length

    @property
    def window(self) -> int:
        """How many requests the engine wants in flight."""
        return self._settings.window

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:
        """Tokens the model reads: the rendered input, with its longest continuation but the last token.

        None for a request that cannot be asked.
        """
        opened = self._entered
        if isinstance(request, Generate):
            return len(opened.encoder.prompt(opened.prompt_text(request.input)))
        question = opened.question(request)
        return None if isinstance(question, Failure) else question.tokens

    async def generate(self, request: Generate) -> Response:
        """Write an answer. `timing` counts from when vLLM gets the request; it may queue there."""
        return await self._answer(request, None)

    async def stream(self, request: Generate, told: Told) -> Response:
        """Write an answer and tell it as it comes; see `bakeoff.model.streaming`. One that is held to a
        constraint may be written in two parts, and is told at its end."""
        if request.generation.constraint is not None:
            return await self._answer(request, None)
        return await self._answer(request, Telling(told, request.generation.stop))

    async def _answer(self, request: Generate, telling: Telling | None) -> Response:
        opened = self._entered
        if failure := _no_images(request.input):
            return Response(failure=failure)
        prompt = opened.prompt_text(request.input)
        ids = opened.encoder.prompt(prompt)
        generation = request.generation
        if failure := unwritable(generation, ids, opened.context_length):
            return Response(failure=failure)
        arguments = sampling(generation, request.seed)
        arguments["max_tokens"] = min(generation.max_tokens, opened.context_length - len(ids))
        # A stop string that is a special token never shows in the decoded text.
        special = (opened.encoder.special(stop) for stop in generation.stop)
        arguments["stop_token_ids"] = [token for token in special if token is not None]
        reasons = opens_reasoning(prompt)
        writing = Writing(len(ids), generation.stop, reasons, telling)
        try:
            if generation.constraint is not None and (reasons or opened.thinks):
                return await opened.reason_and_write(ids, arguments, writing)
            return await opened.write(ids, arguments, writing)
        except RequestError as error:
            return Response(failure=error.failure)

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations; `Response.options` is in their order."""
        opened = self._entered
        if failure := _no_images(request.input):
            return Response(failure=failure)
        question = opened.question(request)
        if isinstance(question, Failure):
            return Response(failure=question)
        if question.tokens > opened.room:
            message = f"prompt and continuation take {question.tokens} tokens, the context has {opened.room}"
            return Response(failure=Failure(FailureKind.CONTEXT_LENGTH, message))
        try:
            return await opened.score(question)
        except RequestError as error:
            return Response(failure=error.failure)

    def cost(self, response: Response) -> float | None:  # noqa: ARG002
        """None: what runs here has no price."""
        return None

    async def __aenter__(self) -> Self:
        if find_spec("vllm") is None:
            raise MachineError(
                "the vllm engine needs vllm, which is not installed",
                "Install it: pip install 'bakeoff[vllm]'",
            )
        source = await asyncio.to_thread(find_source, self._name, pickled_weights=False)
        # On this thread: vLLM's sockets belong to the loop that asks it.
        self._open = _Open(source, self._settings)
        return self

    async def __aexit__(self, *exc: object) -> None:
        opened, self._open = self._entered, None
        opened.engine.close()

    @property
    def _entered(self) -> "_Open":
        if self._open is None:
            raise RuntimeError("the model is not open: use it in an `async with` block")
        return self._open


class _Open:
    """A started engine, and what turns requests into token ids and outputs into answers."""

    def __init__(self, source: Source, settings: VllmSettings) -> None:
        from transformers import AutoTokenizer

        self.engine = Engine(engine_arguments(settings, source.folder), verbose=settings.verbose)
        try:
            # Our own, so that ids, digests and templates are those of the hf engine: vLLM wraps its.
            self.tokenizer = AutoTokenizer.from_pretrained(
                source.folder, local_files_only=True, trust_remote_code=False
            )
            self.encoder = Encoder(self.tokenizer)
            self.identity = describe(source, settings, self.engine.config, self.tokenizer)
        except BaseException:
            self.engine.close()
            raise
        self.context_length = int(self.engine.config.max_model_len)
        # Of log-likelihoods: option by option, and without what came from the prefix cache.
        self.tally = Tally()
        self._settings = settings
        # A request is counted before it is asked, and asked as it was counted.
        self.question = lru_cache(maxsize=2 * settings.window)(self._question)

    @property
    def room(self) -> int:
        """Tokens that a log-likelihood request may read: vLLM has to write one more."""
        return self.context_length - 1

    def prompt_text(self, prompt: Input, mode: Mode = "corrected") -> str:
        return prompt_text(self.tokenizer, prompt, self._settings.template, mode)

    @cached_property
    def thinks(self) -> bool:
        """Whether the vocabulary has a mark that opens a reasoning block, so that the model may write one."""
        return any(len(self.encoder.encode_bare(mark)) == 1 for mark, _ in MARKS)

    async def write(self, ids: Ids, arguments: Mapping[str, Any], writing: Writing) -> Response:
        started = perf_counter()
        first = await self._stream(ids, arguments, writing.push)
        return writing.response(Timing(perf_counter() - started, first - started))

    async def reason_and_write(self, ids: Ids, arguments: Mapping[str, Any], writing: Writing) -> Response:
        """Reasoning, if there is any, freely; then the answer under the constraint, as a second request."""
        started = perf_counter()
        free = {name: value for name, value in arguments.items() if name != "structured_outputs"}
        first = await self._stream(ids, free, writing.think)
        thought = writing.thought
        if thought is not None:
            left = arguments["max_tokens"] - writing.begin_answer()
            if left > 0:
                read = (*ids, *self.encoder.encode_bare(thought)) if thought else ids
                await self._stream(read, {**arguments, "max_tokens": left}, writing.push)
        return writing.response(Timing(perf_counter() - started, first - started))

    async def _stream(self, ids: Ids, arguments: Mapping[str, Any], push: Callable[[Any], bool]) -> float:
        """Hand each output to `push` until it says that this was the last. When the first came."""
        first = None
        async with aclosing(self.engine.outputs(ids, arguments, "DELTA")) as outputs:
            async for output in outputs:
                over = push(output)
                first = first or perf_counter()
                if over:
                    break
        return first or perf_counter()

    async def score(self, question: Question) -> Response:
        started = perf_counter()
        self.tally.asked += sum(pair.length - 1 for pair in question.pairs)
        rows = await asyncio.gather(*(self._row(row) for row in plan(question.pairs)))
        scores = {pair: scored for row in rows for pair, scored in row.items()}
        return loglikelihoods(question, scores, Timing(perf_counter() - started))

    async def _row(self, row: Row) -> Mapping[Pair, Scored]:
        """The scores of `row`: again without the prefix cache, if that held tokens to be scored."""
        for reuse in (True, False) if self._settings.prefix_caching else (False,):
            (output,) = [
                each async for each in self.engine.outputs(row.read, row.arguments(reuse=reuse), "FINAL_ONLY")
            ]
            self.tally.computed += len(row.read) - (output.num_cached_tokens or 0)
            scores = row.scores(output)
            if scores is not None:
                return scores
        raise RequestError(
            Failure(FailureKind.MALFORMED, "vLLM left out log-probabilities that were asked for")
        )

    def _question(self, request: Loglikelihood) -> Question | Failure:
        return question_of(request, self.prompt_text, self.encoder, self._settings.encoding, self.room)


def _no_images(prompt: Input) -> Failure | None:
    if isinstance(prompt, str) or not any(message.has_images for message in prompt):
        return None
    return Failure(FailureKind.UNSUPPORTED, "the vllm engine reads text only, and the input has images")
