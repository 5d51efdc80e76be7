"""A file of answers in the place of the model that wrote them."""

import asyncio
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.model.recorded.answer import Answer
from bakeoff.model.recorded.index import AnswerIndex, Found
from bakeoff.model.settings import check_names
from bakeoff.nouns import (
    Failure,
    FailureKind,
    Generate,
    Loglikelihood,
    OptionScore,
    Response,
    Timing,
    Usage,
)


class RecordedModel:
    """Answers from a file, by item id and repeat; nothing is computed.

    JSON lines, CSV or Parquet with an item id (`item_id`, else `id`, else the column named by the setting
    `id`) and an answer (`output`, else the one of `response`, `completion` and `text` that is there, else the
    column named by the setting `output`). Also read, where present: `repeat` (or `sample`), from 0; `model`;
    `reasoning`; `finish_reason`; `prompt_tokens`; `completion_tokens`; `latency_s`; `error`; `passages` and
    `stages`, of a pipeline, as it would give them itself (`read_reply`), or as JSON text; and `logprobs`, one
    number per continuation, for log-likelihood requests.

    A text, also the empty one, is what the model said. A null or absent output, and an item that is not in
    the file, is a failure (`missing`), and a row with an `error` is a failure too: neither is ever a wrong
    answer. CSV knows no null: its empty cell is the empty answer.

    A file holds one answer per item and repeat. Every turn of an item with scripted turns gets that one;
    only the last turn is scored.
    """

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        check_names("recorded", settings, ("id", "output"))
        self._path, self._choice = _split(name)
        self._settings = dict(settings)
        self._identity = Identity("recorded", self._choice or self._path.stem)
        self._index: AnswerIndex | None = None

    @property
    def identity(self) -> Identity:
        """The recorded model's name; the revision is the digest of the file."""
        return self._identity

    @property
    def capabilities(self) -> Capabilities:
        """What the columns of the file can answer."""
        columns = self._entered().columns
        return Capabilities(
            generate=columns.output is not None,
            loglikelihood=columns.logprobs is not None,
            images=True,
            cacheable=False,
            repairs=False,
        )

    @property
    def context_length(self) -> int | None:
        """Not known."""
        return None

    @property
    def window(self) -> int:
        """Small: an answer is read from disk at once."""
        return 16

    @property
    def unasked(self) -> int:
        """Answers in the file that no request has asked for: of other items, or of further repeats."""
        return self._entered().unasked

    def count_tokens(self, request: Generate | Loglikelihood) -> int | None:  # noqa: ARG002
        """Not known."""
        return None

    async def generate(self, request: Generate) -> Response:
        """The recorded answer to the request's item and repeat."""
        found = self._find(request.key)
        if isinstance(found, Failure):
            return Response(failure=found)
        answer = found.answer
        if answer.output is None:
            return Response(failure=Failure(FailureKind.MISSING, f"{found.place} holds no output"))
        return Response(
            text=answer.output,
            reasoning=answer.reasoning,
            finish=answer.finish,
            usage=Usage(answer.prompt_tokens, answer.completion_tokens),
            timing=Timing(answer.latency_s),
            stages=answer.stages,
        )

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        """The recorded log-probabilities, without token counts (0) or unconditional ones (None)."""
        found = self._find(request.key)
        if isinstance(found, Failure):
            return Response(failure=found)
        values = found.answer.logprobs
        if values is None:
            return Response(failure=Failure(FailureKind.MISSING, f"{found.place} holds no logprobs"))
        if len(values) != len(request.continuations):
            wanted = len(request.continuations)
            message = f"{found.place} holds {len(values)} logprobs for {wanted} continuations"
            return Response(failure=Failure(FailureKind.MALFORMED, message))
        return Response(
            options=tuple(OptionScore(value, 0) for value in values), timing=Timing(found.answer.latency_s)
        )

    def cost(self, response: Response) -> float | None:  # noqa: ARG002
        """None: recorded answers are already paid for."""
        return None

    async def __aenter__(self) -> Self:
        index, digest = await asyncio.to_thread(self._load)
        self._index = index
        self._identity = Identity(
            engine="recorded",
            name=index.model or self._path.stem,
            revision=digest,
            settings=self._settings,
            details={"file": self._path.name, "answers": str(index.count)},
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None

    def _load(self) -> tuple[AnswerIndex, str]:
        try:
            with self._path.open("rb") as file:
                digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(f"cannot read {self._path}: {error.strerror}") from error
        return AnswerIndex(self._path, self._choice, self._settings), digest

    def _entered(self) -> AnswerIndex:
        if self._index is None:
            raise RuntimeError("the model is used outside its `async with` block")
        return self._index

    def _find(self, key: str) -> Found | Failure:
        """The answer for `ITEM#REPEAT`, or why there is none."""
        item_id, _, repeat = key.rpartition("#")
        found = self._entered().find(item_id, int(repeat))
        if found is None:
            message = f"{self._path.name} holds no answer to item {item_id!r}, repeat {repeat}"
            return Failure(FailureKind.MISSING, message)
        if found.answer.error:
            return _recorded_failure(found.answer)
        return found


def _split(name: str) -> tuple[Path, str]:
    """The file and the model of `FILE#MODEL`; a file whose own name has a `#` wins."""
    whole = Path(name).expanduser()
    file, mark, model = name.rpartition("#")
    if not mark or whole.is_file():
        return whole, ""
    return Path(file).expanduser(), model


def _recorded_failure(answer: Answer) -> Failure:
    """A recorded error under its own kind, where its text is the name of one; else a server's error."""
    name = answer.error.strip().lower()
    kind = next((kind for kind in FailureKind if kind == name), FailureKind.SERVER)
    return Failure(kind, f"recorded: {answer.error[:500]}")
