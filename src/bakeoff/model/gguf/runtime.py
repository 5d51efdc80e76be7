"""llama.cpp in this process, through xllamacpp: the few calls we make of it."""

import contextlib
import ctypes
import http.client
import os
import secrets
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import ModelError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SIGACTION_BYTES = 256
_PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class RuntimeSettings:
    """How the weights are loaded. `context` is tokens per slot; None leaves a choice to llama.cpp.

    With `flash_attention` on a CPU, an answer to a long prompt depends on the number of threads and on how
    much of the prompt was cached. Measured with SmolLM2-135M Q4_1, greedy, prompts of about 300 tokens: 4 of
    12 answers differ between 1 and 2 threads, 7 of 12 with a cached prefix, log-probabilities by up to
    0.23 nat. Without it not one bit differed.
    """

    context: int
    slots: int
    threads: int | None
    gpu_layers: int | None
    flash_attention: bool
    verbose: bool


class Runtime:
    """A loaded model. Blocking; safe to use from several threads, each with a slot of its own.

    xllamacpp embeds llama-server. Answers come by direct calls; token ids do only by HTTP, so the server
    listens on a free port of the loopback interface, behind a random key.
    """

    def __init__(self, path: Path, settings: RuntimeSettings) -> None:
        """Load the file at `path`.

        Raises:
            ModelError: llama.cpp cannot load it.
        """
        self._key = secrets.token_urlsafe(32)
        try:
            with _signals_kept():
                self._server = _load(path, settings, self._key)
        except RuntimeError as error:
            raise ModelError(
                f"llama.cpp cannot load {path}",
                "The file may be damaged, of an architecture this llama.cpp does not know, or larger than "
                "the memory. The setting verbose=true shows what llama.cpp says.",
            ) from error
        self._address = self._server.listening_address.removeprefix("http://")

    def close(self) -> None:
        """Free the model."""
        del self._server

    def properties(self) -> Any:
        """What llama-server says of the model."""
        return self._ask("GET", "/props")

    def tokens(self, text: str, *, specials: bool) -> tuple[int, ...]:
        """The ids of `text`; with `specials`, those a text begins (or ends) with are added."""
        body = {"content": text, "add_special": specials, "parse_special": True}
        return tuple(self._ask("POST", "/tokenize", body)["tokens"])

    def complete(self, body: Mapping[str, Any], watch: Callable[[Mapping[str, Any]], bool]) -> None:
        """Run a completion; `watch` sees each chunk as it comes and ends the completion by returning True.

        An error of the request comes as a chunk with the key `error`. `watch` must not raise.
        """
        self._server.handle_completions(dict(body), watch)

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        connection = http.client.HTTPConnection(self._address, timeout=_PATIENCE_S)
        with contextlib.closing(connection):
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
            connection.request(method, path, orjson.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            answer = orjson.loads(response.read())
        if response.status != http.client.OK:
            raise ModelError(f"llama.cpp refused {path}: {answer}")
        return answer


def engine_version() -> str:
    """The versions of xllamacpp and, where the wheel says, of the llama.cpp in it."""
    xllamacpp = _library()
    build = xllamacpp.BUILD_INFO
    number, commit = build.get("build_number"), build.get("commit")
    inner = f", llama.cpp b{number} {commit}" if number else ""
    return f"xllamacpp {xllamacpp.__version__}{inner}"


def system() -> str:
    """The processor features that llama.cpp uses."""
    return str(_library().get_system_info()).strip(" |\n")


def _library() -> Any:
    """xllamacpp, with OpenMP threads that spin a little before they sleep.

    Its default spins long: threads then take the processor from one another when anything else runs. Twelve
    short answers of SmolLM2 on two cores, in seconds, on a quiet machine and beside one busy process: default
    9.0 and 24.3, a spin count of 1,000 7.8 and 20.9, of 100,000 9.7 and 71.8, sleeping at once 18.4 and 16.4.
    OpenMP reads the variable when it is loaded; what the user has set stands.
    """
    name = "GOMP_SPINCOUNT"
    set_by_user = name in os.environ or "OMP_WAIT_POLICY" in os.environ
    if not set_by_user:
        os.environ[name] = "1000"
    try:
        import xllamacpp
    finally:
        if not set_by_user:
            del os.environ[name]
    return xllamacpp


def _load(path: Path, settings: RuntimeSettings, key: str) -> Any:
    xllamacpp = _library()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = settings.context * settings.slots
    params.n_parallel = settings.slots
    params.kv_unified = False
    attention = xllamacpp.llama_flash_attn_type
    params.flash_attn_type = (
        attention.LLAMA_FLASH_ATTN_TYPE_ENABLED
        if settings.flash_attention
        else attention.LLAMA_FLASH_ATTN_TYPE_DISABLED
    )
    params.ctx_shift = False
    params.fit_params = False
    params.cache_ram_mib = 0
    params.warmup = False
    params.ui = False
    params.endpoint_slots = False
    params.offline = True
    params.api_keys = [key]
    params.verbosity = 3 if settings.verbose else -1
    if settings.threads is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    if settings.gpu_layers is not None:
        params.n_gpu_layers = settings.gpu_layers
    return xllamacpp.Server(params)


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Put back the handlers of Ctrl-C and termination, which llama-server replaces with its own.

    By the C library, because Python's `signal` may only be called from the main thread.
    """
    sigaction = getattr(ctypes.CDLL(None), "sigaction", None) if os.name == "posix" else None
    kept = {number: ctypes.create_string_buffer(_SIGACTION_BYTES) for number in _SIGNALS}
    if sigaction:
        for number, action in kept.items():
            sigaction(number, None, action)
    try:
        yield
    finally:
        if sigaction:
            for number, action in kept.items():
                sigaction(number, action, None)
