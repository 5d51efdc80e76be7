"""A function of the user's own in the place of a model."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model.pipeline.aside import AsideLoop, Raised
from bakeoff.model.pipeline.function import Function, load_function, said
from bakeoff.model.pipeline.question import Question, question_of
from bakeoff.model.pipeline.reply import ReplyError, read_reply, stopped
from bakeoff.model.pipeline.streak import Streak
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.settings import arguments_behind, check_names, whole_number
from bakeoff.nouns import Failure, FailureKind, Generate, Loglikelihood, Response, Timing

_ARGUMENT = "arg."
_DEADLINE_S = 300
_AT_ONCE = 8


class CallModel:
    """`FILE.py:FUNCTION`: the function gets a question and gives a text, or a mapping (see `read_reply`).

    A function may be sync (in threads, one call at a time unless `concurrency` says otherwise) or async
    (8 at once, on a loop of its own). What it raises is a failure, `raised`, with the exception's type and
    text; so is no answer within `deadline_s`: the call then goes on unheard, because Python cannot end it.
    `arg.NAME` gives the parameter NAME a value. Stop strings of the task cut the answer; how it is sampled
    and how long it may be is the pipeline's own.

    The digest of the file is the revision. What else moves answers (other modules, an index, a model behind
    it) is not seen: answers are kept for later runs only with a `version`, which is the user's word for it.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        plain, self._arguments = arguments_behind(_ARGUMENT, settings)
        check_names("call", plain, ("deadline_s", "concurrency", "version", f"{_ARGUMENT}NAME"))
        file, _, self._function_name = name.rpartition(":")
        self._path = Path(file).expanduser()
        self._deadline_s = whole_number("call", plain, "deadline_s", _DEADLINE_S)
        self._at_once = whole_number("call", plain, "concurrency", 1) if "concurrency" in plain else None
        self._version = plain.get("version", "")
        self._given = {key: value for key, value in settings.items() if key.startswith(_ARGUMENT)}
        self._function: Function | None = None
        self._aside = AsideLoop()
        self._streak = Streak(f"{self._path.name}:{self._function_name}")

    @property
    def identity(self) -> Identity:
        """The function's name; the revision is the digest of its file."""
        version = {"version": self._version} if self._version else {}
        return Identity(
            engine="call",
            name=f"{self._path.name}:{self._function_name}",
            revision=self._function.digest if self._function else "",
            settings=self._given | version,
            details={"file": str(self._path), "concurrency": str(self.window)},
        )

    @property
    def capabilities(self) -> Capabilities:
        """Written answers to texts and messages."""
        takes_messages = self._function is not None and self._function.takes_messages
        return Capabilities(cacheable=bool(self._version), repairs=takes_messages)

    @property
    def context_length(self) -> int | None:
        """Not known."""
        return None

    @property
    def window(self) -> int:
        """How many calls run at once."""
        asynchronous = self._function is not None and self._function.asynchronous
        return self._at_once or (_AT_ONCE if asynchronous else 1)

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:  # noqa: ARG002
        """Not known."""
        return None

    def cost(self, response: Response) -> float | None:
        """What the pipeline says an answer cost, in US dollars."""
        return response.stages.get("cost")

    async def generate(self, request: Generate) -> Response:
        """Call the function.

        Raises:
            ModelError: it failed many times in a row.
        """
        question = question_of(request)
        if isinstance(question, Failure):
            return Response(failure=question)
        response = await self._called(question)
        self._streak.note(response.failure)
        return stopped(response, request.generation.stop)

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """Refuse: a pipeline writes.

        Raises:
            ModelError: always.
        """
        raise ModelError(f"{self.identity.name} gives no log-probabilities, and {request.key} asks for them")

    async def _called(self, question: Question) -> Response:
        function = self._entered()
        start = time.perf_counter()
        try:
            async with asyncio.timeout(self._deadline_s):
                value = await function.value(question, self._aside)
        except TimeoutError:
            return _failed(FailureKind.TIMEOUT, f"no answer within {self._deadline_s} s", start)
        if isinstance(value, Raised):
            return _failed(FailureKind.RAISED, said(value.error, self._path), start)
        try:
            response = read_reply(value)
        except ReplyError as error:
            return _failed(FailureKind.MALFORMED, str(error), start)
        return replace(response, timing=Timing(time.perf_counter() - start))

    async def __aenter__(self) -> Self:
        self._aside = AsideLoop()
        self._function = await load_function(self._path, self._function_name, self._arguments)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._aside.close()

    def _entered(self) -> Function:
        if self._function is None:
            raise RuntimeError("the model is used outside its `async with` block")
        return self._function


def _failed(kind: FailureKind, message: str, start: float) -> Response:
    return Response(failure=Failure(kind, message), timing=Timing(time.perf_counter() - start))
