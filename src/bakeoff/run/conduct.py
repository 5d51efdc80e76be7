"""Ask every item, judge every answer, write every sample: the heart of a run.

As many workers as the engine wants requests in flight take items from one stream, each from the prompt to
the journal. Nothing is gathered, so memory stays flat however many items there are.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from bakeoff.errors import BakeoffError, ModelError
from bakeoff.model import Model
from bakeoff.nouns import (
    Failure,
    FailureKind,
    Generate,
    Item,
    Loglikelihood,
    Message,
    Response,
    Sample,
    Score,
    Turn,
)
from bakeoff.run.judging import judged
from bakeoff.run.progress import Progress
from bakeoff.run.until import Decider
from bakeoff.score import ON_SECOND_TURN, repair_of
from bakeoff.seed import item_seed
from bakeoff.store import Journal, ResponseCache, Settings, cache_key
from bakeoff.task import Prepared, Rendered, item_digest

Work = tuple[Item, int]


async def conduct(
    prepared: Prepared,
    model: Model,
    journal: Journal,
    *,
    settings: Settings,
    progress: Progress,
    done: set[tuple[str, int]] | None = None,
    cache: ResponseCache | None = None,
    decider: Decider | None = None,
    broken: Mapping[str, str] | None = None,
) -> None:
    """Ask `model` (entered) every (item, repeat) of `prepared` that is not in `done`, or with a `decider` as
    many of them as it needs. Items that are `broken`, by id and why, are asked and not scored.

    Raises:
        ModelError: the model can answer nothing more, or its budget is used up. All finished samples are in
            the journal.
        StoreError: a sample could not be written.
    """
    done = done or set()
    work = _work(prepared, settings, done) if decider is None else decider.work(done)
    asker = Asker(prepared, model, settings, cache, broken)

    async def worker() -> None:
        for item, repeat in work:
            sample = await asker.sample(item, repeat)
            journal.append(sample)
            progress.add(sample)
            if decider is not None:
                decider.add(sample)
            # Recorded and cached answers come without waiting; a signal to stop must still get its turn.
            await asyncio.sleep(0)

    await together(worker, model.window)
    journal.sync()


async def together(worker: Callable[[], Coroutine[Any, Any, None]], number: int) -> None:
    """Run `number` of a worker, at least one, until all have ended. The first error ends them all."""
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, number)):
                group.create_task(worker())
    except BaseExceptionGroup as errors:
        raise _first(errors) from None


def _work(prepared: Prepared, settings: Settings, done: set[tuple[str, int]]) -> Iterator[Work]:
    for item in prepared.items(settings.limit):
        for repeat in range(settings.repeats):
            if (item.id, repeat) not in done:
                yield item, repeat


class Asker:
    """Takes one item from its prompt to its sample."""

    def __init__(
        self,
        prepared: Prepared,
        model: Model,
        settings: Settings,
        cache: ResponseCache | None,
        broken: Mapping[str, str] | None = None,
    ) -> None:
        self._prepared = prepared
        self._model = model
        self._settings = settings
        self._broken = broken or {}
        self._cache = cache if model.capabilities.cacheable else None
        self._identity = answering(model)
        self._rolling = prepared.task.ask == "perplexity"
        self._unconditional = not self._rolling and (
            settings.pmi or getattr(prepared.scorer, "unconditional", False)
        )

    async def sample(self, item: Item, repeat: int) -> Sample:
        """The item asked and judged."""
        task, name = self._prepared.task, f"{item.id}#{repeat}"
        seed = item_seed(self._settings.seed, task.name, item.id, f"answer {repeat}")
        rendered = self._fitting(item, name, seed)
        turns, cached = await self._turns(rendered, name, seed, repeat)
        score = await self._judged(rendered.item, turns[-1].response)
        if len(turns) > len(rendered.turns):
            score = replace(score, reason=f"{ON_SECOND_TURN}{score.reason}")
        return Sample(
            item_id=item.id,
            repeat=repeat,
            group=item.group,
            choices=rendered.item.choices,
            target=rendered.item.target,
            continuations=rendered.continuations,
            shots=rendered.shots,
            seed=seed,
            turns=turns,
            score=score,
            cached=cached,
            cost=self._cost(turns, cached),
            leads=rendered.leads,
            item_digest=item_digest(item),
            metadata=item.metadata,
        )

    async def _judged(self, item: Item, response: Response) -> Score:
        scorer, refused = self._prepared.scorer, self._prepared.task.refused
        return await judged(scorer, item, response, refused=refused, broken=self._broken.get(item.id, ""))

    async def _turns(
        self, rendered: Rendered, name: str, seed: int, repeat: int
    ) -> tuple[tuple[Turn, ...], bool]:
        """Ask the scripted turns one after the other, and once more where the scorer wants the last answer
        repaired; a failure ends the conversation."""
        turns: list[Turn] = []
        said: tuple[Message, ...] = ()
        all_cached = True
        for asked in rendered.turns:
            if not isinstance(asked, str):
                asked = said + asked
            request = self._request(rendered, asked, name, seed)
            response, cached = await self._response(request, repeat)
            turns.append(Turn(asked, response))
            all_cached &= cached
            if response.failure is not None:
                break
            if not isinstance(asked, str):
                said = (*asked, Message.of("assistant", response.text))
        repairs = self._model.capabilities.repairs and bool(said)
        if repairs and (problem := repair_of(self._prepared.scorer, rendered.item, turns[-1].response)):
            asked = (*said, Message.of("user", problem))
            request = self._request(rendered, asked, name, seed)
            if self._fits(request):
                response, cached = await self._response(request, repeat)
                turns.append(Turn(asked, response))
                all_cached &= cached
        return tuple(turns), all_cached

    async def _response(self, request: Generate | Loglikelihood, repeat: int) -> tuple[Response, bool]:
        if not self._fits(request):
            return _too_long(request, self._model), False
        key = ""
        if self._cache is not None:
            key = cache_key(request, self._identity, repeat)
            if (kept := self._cache.get(key)) is not None:
                return kept, True
        if isinstance(request, Generate):
            response = await self._model.generate(request)
        else:
            response = await self._model.loglikelihood(request)
        if response.failure is not None and response.failure.kind is FailureKind.BUDGET:
            raise ModelError(response.failure.message, "raise the budget and resume the run")
        if self._cache is not None:
            self._cache.put(key, response)
        return response, False

    def _fitting(self, item: Item, name: str, seed: int) -> Rendered:
        """The item with as many of its shots as fit the context; without any if even that is too long."""
        rendered = self._prepared.render(item)
        for shots in range(len(rendered.shots) - 1, -1, -1):
            if self._fits(self._request(rendered, rendered.turns[0], name, seed)):
                break
            rendered = self._prepared.render(item, shots=shots)
        return rendered

    def _fits(self, request: Generate | Loglikelihood) -> bool:
        if isinstance(request, Loglikelihood) and request.rolling:
            return True
        length, tokens = self._model.context_length, self._model.count_tokens(request)
        if length is None or tokens is None:
            return True
        answer = request.generation.max_tokens if isinstance(request, Generate) else 0
        return tokens + answer <= length

    def _request(
        self, rendered: Rendered, asked: str | tuple[Message, ...], name: str, seed: int
    ) -> Generate | Loglikelihood:
        if rendered.continuations:
            return Loglikelihood(
                name, asked, rendered.continuations, self._unconditional, rendered.leads, self._rolling
            )
        sampling = replace(self._prepared.task.generation.sampling, constraint=rendered.constraint)
        return Generate(name, asked, sampling, seed)

    def _cost(self, turns: tuple[Turn, ...], cached: bool) -> float | None:
        costs = [self._model.cost(turn.response) for turn in turns]
        if any(cost is None for cost in costs):
            return None
        return 0.0 if cached else sum(cost or 0.0 for cost in costs)


def answering(model: Model) -> dict[str, Any]:
    """The part of a model's identity that can move an answer."""
    identity = asdict(model.identity)
    del identity["details"]
    return identity


def _too_long(request: Generate | Loglikelihood, model: Model) -> Response:
    answer = request.generation.max_tokens if isinstance(request, Generate) else 0
    message = (
        f"prompt of {model.count_tokens(request)} tokens and answer of {answer} do not fit the context of "
        f"{model.context_length}"
    )
    return Response(failure=Failure(FailureKind.CONTEXT_LENGTH, message), attempts=0)


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """What to show of errors that came together: a known one if there is any."""
    flat: list[BaseException] = []
    pending: list[BaseException] = [errors]
    while pending:
        error = pending.pop(0)
        if isinstance(error, BaseExceptionGroup):
            pending.extend(error.exceptions)
        else:
            flat.append(error)
    return next((error for error in flat if isinstance(error, BakeoffError)), flat[0])
