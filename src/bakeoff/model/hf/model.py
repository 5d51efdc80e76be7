"""The `hf` engine: transformers and torch in this process."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model.hf.batcher import Batcher
from bakeoff.model.hf.chat import Rendered, prompt_text
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.generation import GenerateTicket, write
from bakeoff.model.hf.identity import describe
from bakeoff.model.hf.loading import Loaded, load
from bakeoff.model.hf.loglikelihood import LoglikelihoodTicket, score
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network, decodes
from bakeoff.model.hf.settings import HfSettings, read_settings
from bakeoff.model.hf.source import find_source
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.nouns import Failure, FailureKind, Generate, Input, Loglikelihood, Response

# A CPU gains nothing from batches beyond about a thousand tokens; they only cost memory.
_CPU_BATCH_TOKENS, _GPU_BATCH_TOKENS = 1024, 16_384
_CPU_CACHE_TOKENS, _GPU_CACHE_TOKENS = 32_768, 131_072


class HfModel:
    """A local causal language model; see `bakeoff.model.protocol.Model`.

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
        """Who answers. Known once entered."""
        return self._entered.engine.identity

    @property
    def capabilities(self) -> Capabilities:
        """Chat where the model has a template. Known once entered."""
        engine = self._entered.engine
        chat = bool(engine.loaded.tokenizer.chat_template)
        return Capabilities(generate=engine.decodes, loglikelihood=True, chat=chat, plain=True)

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may take together."""
        return self._entered.engine.loaded.context_length

    @property
    def window(self) -> int:
        """How many requests the engine wants in flight."""
        return self._settings.window

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:
        """Tokens of the rendered input, with its longest continuation."""
        engine = self._entered.engine
        prompt = engine.prompt_text(request.input)
        if isinstance(request, Generate):
            return len(engine.encoder.prompt(prompt))
        return max(engine.encoder.pair(prompt, text).length for text in request.continuations or ("",))

    async def generate(self, request: Generate) -> Response:
        """Write an answer. `timing` counts from the start of the request's batch, not from its queueing."""
        opened = self._entered
        if not opened.engine.decodes:
            raise ModelError(
                f"the hf engine cannot write answers with {opened.engine.identity.name}: "
                "its architecture keeps a state that is not carried from token to token",
                "Log-likelihoods work. To generate, serve the model and give its address: http://HOST/v1#MODEL.",
            )
        if failure := _no_images(request.input):
            return Response(failure=failure)
        return await opened.generate.submit(Rendered(request, opened.engine.prompt_text(request.input)))

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Score continuations; `Response.options` is in their order."""
        opened = self._entered
        if failure := _no_images(request.input):
            return Response(failure=failure)
        return await opened.loglikelihood.submit(Rendered(request, opened.engine.prompt_text(request.input)))

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
        self._open = _Open(
            engine, worker, Batcher(engine.generate, worker), Batcher(engine.loglikelihood, worker)
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        opened, self._open = self._entered, None
        await opened.generate.close()
        await opened.loglikelihood.close()
        opened.worker.shutdown()

    @property
    def _entered(self) -> "_Open":
        if self._open is None:
            raise RuntimeError("the model is not open: use it in an `async with` block")
        return self._open


@dataclass(frozen=True, slots=True)
class _Engine:
    """What is loaded. `generate` and `loglikelihood` run in the worker thread."""

    identity: Identity
    settings: HfSettings
    loaded: Loaded
    network: Network
    encoder: Encoder
    batch: Budget
    cache: Budget
    decodes: bool

    def prompt_text(self, prompt: Input) -> str:
        return prompt_text(self.loaded.tokenizer, prompt, self.settings.template)

    def generate(self, tickets: Sequence[GenerateTicket]) -> None:
        write(
            tickets,
            network=self.network,
            encoder=self.encoder,
            ends=self.loaded.ends,
            budget=self.cache,
            most_rows=self.settings.batch_rows,
            context_length=self.loaded.context_length,
        )

    def loglikelihood(self, tickets: Sequence[LoglikelihoodTicket]) -> None:
        score(
            tickets,
            network=self.network,
            encoder=self.encoder,
            budget=self.batch,
            context_length=self.loaded.context_length,
        )


@dataclass(frozen=True, slots=True)
class _Open:
    engine: _Engine
    worker: ThreadPoolExecutor
    generate: Batcher[Rendered[Generate], Response]
    loglikelihood: Batcher[Rendered[Loglikelihood], Response]


def _load(name: str, settings: HfSettings) -> _Engine:
    missing = [module for module in ("torch", "transformers") if find_spec(module) is None]
    if missing:
        raise ModelError(
            f"the hf engine needs {' and '.join(missing)}, which is not installed",
            "Install it: pip install 'bakeoff[hf]'",
        )
    source = find_source(name, pickled_weights=settings.pickled_weights)
    loaded = load(source.folder, settings)
    on_cpu = loaded.device == "cpu"
    batch = Budget(settings.batch_tokens or (_CPU_BATCH_TOKENS if on_cpu else _GPU_BATCH_TOKENS))
    cache = Budget(settings.cache_tokens or (_CPU_CACHE_TOKENS if on_cpu else _GPU_CACHE_TOKENS))
    network = Network(loaded.model)
    return _Engine(
        identity=describe(source, loaded, settings, batch, cache),
        settings=settings,
        loaded=loaded,
        network=network,
        encoder=Encoder(loaded.tokenizer),
        batch=batch,
        cache=cache,
        decodes=decodes(network),
    )


def _no_images(prompt: Input) -> Failure | None:
    if isinstance(prompt, str) or not any(message.has_images for message in prompt):
        return None
    return Failure(FailureKind.UNSUPPORTED, "the hf engine reads text only, and the input has images")
