"""The `gguf` engine: one file, one or several slots, each with a thread of its own."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Self, TypeVar

from bakeoff.model import guidance
from bakeoff.model.errors import MachineError
from bakeoff.model.gguf.chat import ChatTemplate
from bakeoff.model.gguf.header import read_header
from bakeoff.model.gguf.identity import describe
from bakeoff.model.gguf.runtime import Runtime
from bakeoff.model.gguf.scoring import Unconditional, score
from bakeoff.model.gguf.settings import GgufSettings, read_settings
from bakeoff.model.gguf.split import Split, longest, split
from bakeoff.model.gguf.text import Text
from bakeoff.model.gguf.writing import write
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.streaming import Telling, Told
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Generate,
    Input,
    Loglikelihood,
    OptionScore,
    Response,
    Timing,
    Usage,
)

Answer = TypeVar("Answer")


class GgufModel:
    """A GGUF file through llama.cpp; see `bakeoff.model.protocol.Model`.

    `name` is the file; `settings` are described by `GgufSettings`. Weights are loaded on entering.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._path = Path(name).expanduser()
        self._settings = read_settings(settings)
        self._open: _Open | None = None

    @property
    def identity(self) -> Identity:
        """Who answers; the revision is the digest of the file. Known once entered."""
        return self._entered.identity

    @property
    def capabilities(self) -> Capabilities:
        """Chat where the file has a template. Known once entered."""
        chat = self._entered.text.template is not None
        return Capabilities(
            loglikelihood=True,
            chat=chat,
            streaming=True,
            json_schema=guidance.installed(),
            regex=guidance.installed(),
        )

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may take together."""
        return self._entered.context_length

    @property
    def window(self) -> int:
        """Twice the slots: the next request is at hand when one ends."""
        return 2 * self._settings.parallel

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:
        """Tokens of the rendered input with its longest continuation, or of a document's longest window."""
        opened = self._entered
        if isinstance(request, Generate):
            return len(opened.text.encode(opened.text.prompt(request.input)))
        return longest(request, opened.text, opened.room)

    def beginnings(self, given: Input) -> int:
        """Beginning-of-text tokens at the front of a rendered input, for the probe."""
        text = self._entered.text
        return text.beginnings(text.encode(text.prompt(given)))

    async def generate(self, request: Generate) -> Response:
        """Write an answer. `timing` counts from when a slot takes the request, not from its queueing."""
        return await self._answer(request, None)

    async def stream(self, request: Generate, told: Told) -> Response:
        """Write an answer and tell it as it comes; see `bakeoff.model.streaming`. One that is held to a
        constraint may be written in two parts, and is told at its end."""
        if request.generation.constraint is not None:
            return await self._answer(request, None)
        loop = asyncio.get_running_loop()
        return await self._answer(request, Telling(partial(_told_on, loop, told), request.generation.stop))

    async def _answer(self, request: Generate, telling: Telling | None) -> Response:
        opened = self._entered
        if failure := _no_images(request.input):
            return Response(failure=failure)
        prompt = opened.text.prompt(request.input)
        ids = opened.text.encode(prompt)
        if len(ids) >= opened.context_length:
            message = f"the prompt takes {len(ids)} tokens, the context has {opened.context_length}"
            return Response(failure=Failure(FailureKind.CONTEXT_LENGTH, message))
        cancelled = threading.Event()
        work = partial(
            write,
            opened.runtime,
            prompt,
            ids,
            request.generation,
            seed=request.seed,
            reuse=self._settings.prompt_cache,
            thinks=lambda: opened.text.thinks,
            cancelled=cancelled,
            telling=telling,
        )
        try:
            return await opened.on_a_slot(work)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations; `Response.options` is in their order.

        Each token is a step of decoding, so a document takes as long as writing it would.
        """
        opened = self._entered
        if failure := _no_images(request.input):
            return Response(failure=failure)
        asked = split(request, opened.text, opened.room)
        if isinstance(asked, Failure):
            return Response(failure=asked)
        cancelled = threading.Event()
        try:
            return await opened.on_a_slot(
                partial(_score, opened, asked, reuse=self._settings.prompt_cache, cancelled=cancelled)
            )
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def cost(self, response: Response) -> float | None:  # noqa: ARG002
        """None: what runs here has no price."""
        return None

    async def __aenter__(self) -> Self:
        self._open = await asyncio.to_thread(_load, self._path, self._settings)
        return self

    async def __aexit__(self, *exc: object) -> None:
        opened, self._open = self._entered, None
        await asyncio.to_thread(opened.close)

    @property
    def _entered(self) -> "_Open":
        if self._open is None:
            raise RuntimeError("the model is not open: use it in an `async with` block")
        return self._open


@dataclass(frozen=True, slots=True)
class _Open:
    """What is loaded. One thread a slot, and one slot beside them; each piece of work takes a free slot."""

    runtime: Runtime
    text: Text
    unconditional: Unconditional
    identity: Identity
    context_length: int
    threads: ThreadPoolExecutor
    slots: "queue.SimpleQueue[int]"

    @property
    def room(self) -> int:
        """Tokens to be read before one that is forced; llama.cpp writes that one into the context too."""
        return self.context_length - 1

    async def on_a_slot(self, work: Callable[..., Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self.threads, self._with_slot, work)

    def close(self) -> None:
        self.threads.shutdown(cancel_futures=True)
        self.runtime.close()

    def _with_slot(self, work: Callable[..., Answer]) -> Answer:
        slot = self.slots.get()
        try:
            return work(slot=slot)
        finally:
            self.slots.put(slot)


def _load(path: Path, settings: GgufSettings) -> _Open:
    if find_spec("xllamacpp") is None:
        raise MachineError(
            "the gguf engine needs xllamacpp, which is not installed",
            "Install it: pip install 'bakeoff[local]'",
        )
    header = read_header(path)
    runtime = Runtime(path, settings.runtime(header.context_length))
    try:
        template = None
        if header.chat_template:
            template = ChatTemplate(
                header.chat_template, bos=header.bos_text, eos=header.eos_text, arguments=settings.template
            )
        properties = runtime.properties()
        context_length = int(properties["default_generation_settings"]["n_ctx"])
        text = Text(runtime, header, template)
        identity = describe(path, header, settings, properties, context_length)
    except BaseException:
        runtime.close()
        raise
    slots: queue.SimpleQueue[int] = queue.SimpleQueue()
    for slot in range(settings.parallel):
        slots.put(slot)
    threads = ThreadPoolExecutor(settings.parallel, thread_name_prefix="bakeoff-gguf")
    unconditional = Unconditional(runtime, slot=settings.parallel)
    return _Open(runtime, text, unconditional, identity, context_length, threads, slots)


def _score(opened: _Open, asked: Split, *, reuse: bool, cancelled: threading.Event, slot: int) -> Response:
    started = perf_counter()
    pairs = list(dict.fromkeys(pair for option in asked.options for pair in option))
    scores = score(opened.runtime, pairs, reuse=reuse, slot=slot, cancelled=cancelled)
    of_pair = dict(zip(pairs, scores, strict=True))
    options = [
        replace(_added([of_pair[pair] for pair in option]), note=asked.note(place))
        for place, option in enumerate(asked.options)
    ]
    if asked.alone:
        options = [
            replace(option, unconditional=opened.unconditional.logprob(pair))
            for option, pair in zip(options, asked.alone, strict=True)
        ]
    usage = Usage(prompt_tokens=max(len(pair.context) for pair in pairs), completion_tokens=0)
    timing = Timing(perf_counter() - started)
    return Response(finish=FinishReason.STOP, options=tuple(options), usage=usage, timing=timing)


def _added(windows: Sequence[OptionScore]) -> OptionScore:
    """One continuation from its windows."""
    return OptionScore(
        logprob=sum(window.logprob for window in windows),
        tokens=sum(window.tokens for window in windows),
        greedy=all(window.greedy for window in windows),
    )


def _told_on(loop: asyncio.AbstractEventLoop, told: Told, piece: str) -> None:
    """Tell from a slot's thread. A loop that was closed meanwhile has nobody left to listen."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(told, piece)


def _no_images(given: Input) -> Failure | None:
    if isinstance(given, str) or not any(message.has_images for message in given):
        return None
    return Failure(FailureKind.UNSUPPORTED, "the gguf engine reads text only, and the input has images")
