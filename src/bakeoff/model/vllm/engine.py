"""vLLM's engine: the few calls we make of it."""

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from itertools import count
from typing import Any, Literal

from bakeoff.errors import ModelError
from bakeoff.nouns import Failure, FailureKind

# Nothing is reported to vLLM's makers, and standard output stays ours.
_ENVIRONMENT = {"VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_STREAM": "ext://sys.stderr"}

Kind = Literal["DELTA", "FINAL_ONLY"]
"""Whether an answer comes in pieces as it is written, or once at its end (`RequestOutputKind`)."""


class RequestError(Exception):
    """vLLM does not answer one request; the others may go on."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Engine:
    """A started `AsyncLLM`. It belongs to the event loop it was started in."""

    def __init__(self, arguments: Mapping[str, Any], *, verbose: bool) -> None:
        """Start vLLM with `arguments` (`AsyncEngineArgs`), which takes a minute or more and blocks.

        Raises:
            ModelError: it does not start: no GPU it knows, too little memory, an architecture it lacks.
        """
        environment = _ENVIRONMENT | ({} if verbose else {"VLLM_LOGGING_LEVEL": "ERROR"})
        for name, value in environment.items():
            os.environ.setdefault(name, value)
        try:
            from vllm import AsyncEngineArgs
            from vllm.v1.engine.async_llm import AsyncLLM

            self._llm = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))
        except (RuntimeError, ValueError, OSError, ImportError) as error:
            raise ModelError(
                f"vLLM does not start with this model: {str(error).strip()}",
                "The setting verbose=true shows what vLLM says. Where memory is short: gpu_memory, "
                "context_length, tensor_parallel.",
            ) from error
        # Requests are named to vLLM by number.
        self._numbers = count()

    @property
    def config(self) -> Any:
        """vLLM's `ModelConfig`."""
        return self._llm.vllm_config.model_config

    async def outputs(
        self, ids: Sequence[int], arguments: Mapping[str, Any], kind: Kind
    ) -> AsyncGenerator[Any, None]:
        """What vLLM says (`RequestOutput`) to a prompt of token ids, under `arguments` (`SamplingParams`).

        Closing the iterator early aborts the request.

        Raises:
            RequestError: vLLM refuses this request, or fails at it.
            ModelError: the engine is dead.
        """
        from vllm import SamplingParams, TokensPrompt
        from vllm.exceptions import VLLMClientError
        from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
        from vllm.v1.engine.exceptions import EngineDeadError, EngineGenerateError

        arguments = dict(arguments)
        if structure := arguments.pop("structured_outputs", None):
            arguments["structured_outputs"] = StructuredOutputsParams(**structure)
        try:
            parameters = SamplingParams(output_kind=RequestOutputKind[kind], **arguments)
            prompt = TokensPrompt(prompt_token_ids=list(ids))
            async with aclosing(
                self._llm.generate(prompt, parameters, f"bakeoff-{next(self._numbers)}")
            ) as outputs:
                async for output in outputs:
                    yield output
        except VLLMClientError as error:
            raise RequestError(Failure(FailureKind.REJECTED, f"vLLM refuses the request: {error}")) from error
        except EngineGenerateError as error:
            reason = error.__cause__ or error
            raise RequestError(
                Failure(FailureKind.SERVER, f"vLLM failed at the request: {reason}")
            ) from error
        except EngineDeadError as error:
            raise ModelError(
                "vLLM's engine stopped", "What it said last is on standard error; memory may have run out."
            ) from error

    def close(self) -> None:
        """Stop the engine and free the GPUs."""
        self._llm.shutdown()
