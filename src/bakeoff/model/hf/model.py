"""The `hf` engine: transformers and torch in this process."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model.errors import MachineError
from bakeoff.model.hf.batcher import Batcher
from bakeoff.model.hf.chat import Rendered, images_of, prompt_text, wants_parts
from bakeoff.model.hf.decoding import decodes
from bakeoff.model.hf.encoding import Encoder, Mode
from bakeoff.model.hf.generation import Writer
from bakeoff.model.hf.guide import Guides
from bakeoff.model.hf.identity import describe
from bakeoff.model.hf.loading import Loaded, load
from bakeoff.model.hf.loglikelihood import LoglikelihoodTicket, answer
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.question import Question, question_of
from bakeoff.model.hf.rows import score_rows
from bakeoff.model.hf.scored import Deliver, Tally
from bakeoff.model.hf.settings import HfSettings, read_settings
from bakeoff.model.hf.sharing import Sharing, sharing_of
from bakeoff.model.hf.source import Source, find_source
from bakeoff.model.hf.tree import score_tree
from bakeoff.model.hf.vision import Eyes, why_blind
from bakeoff.model.hf.vision_scoring import VisionScorer
from bakeoff.model.hf.vision_writing import VisionWriter
from bakeoff.model.pair import Pair
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.nouns import Failure, FailureKind, Generate, Input, Loglikelihood, Message, Part, Response

# A mask over all pairs of tokens makes larger packs dearer; smaller ones leave the device waiting.
_CPU_BATCH_TOKENS, _GPU_BATCH_TOKENS = 256, 4096
_CPU_CACHE_TOKENS, _GPU_CACHE_TOKENS = 32_768, 131_072


class HfModel:
    """A local causal language model, with or without vision; see `bakeoff.model.protocol.Model`.

    `name` is `ORG/NAME[@REVISION]`, a folder, a `.gguf` file or a packaged model's short name; `settings` are
    described by `HfSettings`. Weights are loaded on entering. Requests in flight are batched: log-likelihoods
    and answers do not depend on what stands beside them, up to the rounding that `Network` describes.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._name = name
        self._settings = read_settings(settings)
        self._open: _Open | None = None

    @property
    def identity(self) -> Identity:
        """Who answers. Known once entered; the details count tokens, so they grow while it answers."""
        engine = self._entered.engine
        counted = {
            "tokens_asked": str(engine.tally.asked),
            "tokens_computed": str(engine.tally.computed),
        }
        return replace(engine.identity, details={**engine.identity.details, **counted})

    @property
    def capabilities(self) -> Capabilities:
        """Chat where the model has a template. Known once entered."""
        engine = self._entered.engine
        chat = bool(engine.loaded.tokenizer.chat_template)
        guides = engine.decodes and engine.guides.available
        return Capabilities(
            generate=engine.decodes,
            loglikelihood=True,
            chat=chat,
            images=engine.vision is not None,
            json_schema=guides,
            regex=guides,
        )

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may take together."""
        return self._entered.engine.loaded.context_length

    @property
    def window(self) -> int:
        """How many requests the engine wants in flight."""
        return self._settings.window

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:
        """Tokens the model reads: the rendered input, with its longest continuation but the last token.

        In lm-eval's mode at most as many as fit, because that mode cuts the rest off. None for a request
        that cannot be asked, and for one with images: it would have to be read twice.
        """
        engine = self._entered.engine
        if images_of(request.input):
            return None
        if isinstance(request, Generate):
            return len(engine.encoder.prompt(engine.prompt_text(request.input)))
        question = engine.question(request)
        return None if isinstance(question, Failure) else question.tokens

    async def generate(self, request: Generate) -> Response:
        """Write an answer. `timing` counts from when its prompt is read, not from its queueing."""
        opened = self._entered
        if not opened.engine.decodes:
            raise ModelError(
                f"the hf engine cannot write answers with {opened.engine.identity.name}: "
                "its architecture keeps a state that is not carried from token to token",
                "Log-likelihoods work. To generate, serve the model and give its address: http://HOST/v1#MODEL.",
            )
        images = images_of(request.input)
        if images and opened.engine.vision is None:
            return Response(failure=_no_images(opened.engine))
        rendered = Rendered(request, opened.engine.prompt_text(request.input), images)
        return await (opened.generate_seeing if images else opened.generate).submit(rendered)

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations; `Response.options` is in their order."""
        opened = self._entered
        if images_of(request.input):
            if opened.engine.vision is None:
                return Response(failure=_no_images(opened.engine))
            return await opened.loglikelihood_seeing.submit(request)
        question = opened.engine.question(request)
        if isinstance(question, Failure):
            return Response(failure=question)
        room = opened.engine.loaded.context_length
        if question.tokens > room:
            message = f"prompt and continuation take {question.tokens} tokens, the context has {room}"
            return Response(failure=Failure(FailureKind.CONTEXT_LENGTH, message))
        return await opened.loglikelihood.submit(question)

    def cost(self, response: Response) -> float | None:  # noqa: ARG002
        """None: what runs here has no price."""
        return None

    async def __aenter__(self) -> Self:
        worker = ThreadPoolExecutor(1, thread_name_prefix="bakeoff-hf")
        try:
            engine = await asyncio.get_running_loop().run_in_executor(
                worker, _load, self._name, self._settings
            )
        except BaseException:
            worker.shutdown(wait=False)
            raise
        loglikelihood: Batcher[Question, Response] = Batcher(
            lambda tickets, _: engine.loglikelihood(tickets), worker
        )
        generate = Batcher(engine.writer.write, worker, gives_way_to=loglikelihood)
        seeing = engine.vision
        loglikelihood_seeing: Batcher[Loglikelihood, Response] = Batcher(
            lambda tickets, _: seeing.scorer.score(tickets) if seeing else None, worker
        )
        generate_seeing: Batcher[Rendered[Generate], Response] = Batcher(
            lambda tickets, more: seeing.writer.write(tickets, more) if seeing else None, worker
        )
        self._open = _Open(engine, worker, generate, loglikelihood, generate_seeing, loglikelihood_seeing)
        return self

    async def __aexit__(self, *exc: object) -> None:
        opened, self._open = self._entered, None
        await opened.generate.close()
        await opened.loglikelihood.close()
        await opened.generate_seeing.close()
        await opened.loglikelihood_seeing.close()
        opened.worker.shutdown()

    @property
    def _entered(self) -> "_Open":
        if self._open is None:
            raise RuntimeError("the model is not open: use it in an `async with` block")
        return self._open


class _Engine:
    """What is loaded. `writer.write` and `loglikelihood` run in the worker thread."""

    def __init__(self, source: Source, loaded: Loaded, settings: HfSettings) -> None:
        on_cpu = loaded.device == "cpu"
        self.settings = settings
        self.loaded = loaded
        self.network = Network(loaded.model)
        self.encoder = Encoder(loaded.tokenizer)
        self.sharing = _sharing(loaded, self.network, settings)
        self.tally = Tally()
        self.batch = Budget(settings.batch_tokens or (_CPU_BATCH_TOKENS if on_cpu else _GPU_BATCH_TOKENS))
        self.cache = Budget(settings.cache_tokens or (_CPU_CACHE_TOKENS if on_cpu else _GPU_CACHE_TOKENS))
        self.parts = loaded.processor is not None and wants_parts(loaded.tokenizer, settings.template)
        self.decodes = decodes(self.network)
        self.guides = Guides(loaded.tokenizer, self.encoder, loaded.ends, self.network.vocabulary)
        self.writer = Writer(
            self.network,
            self.encoder,
            ends=loaded.ends,
            budget=self.cache,
            prefill=self.batch,
            most_rows=1 if self.sharing.alone else settings.batch_rows,
            context_length=loaded.context_length,
            share=self.sharing.windows is not None,
            guides=self.guides,
        )
        self.vision, self.blind = self._looking()
        self.identity = describe(
            source,
            loaded,
            settings,
            self.batch,
            self.cache,
            self.sharing,
            parts=self.parts,
            blind=self.blind,
        )
        # A request is counted before it is asked, and asked as it was counted.
        self.question = lru_cache(maxsize=2 * settings.window)(self._question)

    def prompt_text(self, prompt: Input, mode: Mode = "corrected") -> str:
        return prompt_text(self.loaded.tokenizer, prompt, self.settings.template, mode, parts=self.parts)

    def loglikelihood(self, tickets: Sequence[LoglikelihoodTicket]) -> None:
        answer(tickets, self._score, self.tally)

    def _looking(self) -> "tuple[_Vision | None, str]":
        """What answers requests with images; or None, and why."""
        loaded = self.loaded
        if loaded.processor is None:
            return None, loaded.blind
        if not loaded.tokenizer.chat_template:
            return None, "the model has no chat template, which says where images stand"
        eyes = Eyes(loaded.processor, loaded.device)
        message = Message("user", (Part("image", ""), Part("text", "x")))
        if why := why_blind(loaded.model, eyes, self.prompt_text((message,))):
            return None, why
        # All that is set is said by us.
        loaded.model.generation_config = type(loaded.model.generation_config)()
        writer = VisionWriter(loaded.model, eyes, self.writer.begin, self.cache, self.settings.batch_rows)
        scorer = VisionScorer(
            loaded.model,
            eyes,
            self.encoder,
            self.prompt_text,
            self.network.vocabulary,
            loaded.context_length,
            self.tally,
        )
        return _Vision(writer, scorer), ""

    def _question(self, request: Loglikelihood) -> Question | Failure:
        mode, room = self.settings.encoding, self.loaded.context_length
        return question_of(request, self.prompt_text, self.encoder, mode, room)

    def _score(self, pairs: Sequence[Pair], wanted: Callable[[], bool], deliver: Deliver) -> None:
        if self.sharing.windows is None:
            rows = 1 if self.sharing.alone else None
            score_rows(self.network, rows, pairs, self.batch, self.tally, wanted, deliver)
        else:
            score_tree(self.network, self.sharing.windows, pairs, self.batch, self.tally, wanted, deliver)


@dataclass(frozen=True, slots=True)
class _Open:
    engine: _Engine
    worker: ThreadPoolExecutor
    generate: Batcher[Rendered[Generate], Response]
    loglikelihood: Batcher[Question, Response]
    generate_seeing: Batcher[Rendered[Generate], Response]
    loglikelihood_seeing: Batcher[Loglikelihood, Response]


@dataclass(frozen=True, slots=True)
class _Vision:
    """What answers requests with images."""

    writer: VisionWriter
    scorer: VisionScorer


def _load(name: str, settings: HfSettings) -> _Engine:
    missing = [module for module in ("torch", "transformers") if find_spec(module) is None]
    if missing:
        raise MachineError(
            f"the hf engine needs {' and '.join(missing)}, which is not installed",
            "Install it: pip install 'bakeoff[hf]'",
        )
    source = find_source(name, pickled_weights=settings.pickled_weights)
    return _Engine(source, load(source.folder, settings), settings)


def _sharing(loaded: Loaded, network: Network, settings: HfSettings) -> Sharing:
    if settings.sharing == "none":
        return Sharing(None, "switched off")
    return sharing_of(loaded.model, network)


def _no_images(engine: _Engine) -> Failure:
    return Failure(FailureKind.UNSUPPORTED, f"{engine.identity.name} is not shown images: {engine.blind}")
