"""One sample: what was sent, what came back, what was made of it and why, and how others did."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from bakeoff.errors import StoreError
from bakeoff.nouns import Message, OptionScore, Response, Sample
from bakeoff.run.index import Listed
from bakeoff.store import Manifest, read_samples
from bakeoff.store.across import Elsewhere, across
from bakeoff.store.privacy import leaving, withheld
from bakeoff.store.selection import Place, Selection, place_of
from bakeoff.web.runs import Runs
from bakeoff.web.said import Said, Text, said, text_of
from bakeoff.web.text.markdown import LONGEST, markdown

_OTHERS = 100
Fact = tuple[str, str]
"""What it is, and what there is to say of it; of any origin."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of a log-likelihood request.

    `share` is its probability among the options, in [0, 1]; `most` is the likeliest, `right` the right one.
    """

    lead: str
    text: str
    logprob: float
    tokens: int
    share: float | None
    unconditional: float | None
    note: str
    most: bool
    right: bool


@dataclass(frozen=True, slots=True)
class TurnView:
    """What was sent and what came back.

    `rendered` is the answer as Markdown, None where that would say no more.
    """

    asked: tuple[Said, ...]
    options: tuple[OptionRow, ...]
    answer: Text | None
    rendered: Markup | None
    reasoning: Text | None
    refusal: Text | None
    failure: str
    stages: tuple[Fact, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """The same item in another run of the same task."""

    run: Listed
    repeat: int
    outcome: str
    value: float | None
    extracted: str | None


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A sample. `repeats` are those that the item has in this run.

    `others` are the answers of other runs, of which so many are `right`.
    """

    run: Listed
    sample: Sample
    chosen: Selection
    place: Place | None
    repeats: tuple[int, ...]
    target: Text
    extracted: Text | None
    reason: Text
    turns: tuple[TurnView, ...]
    facts: tuple[Fact, ...]
    metadata: tuple[Fact, ...]
    right: int
    others: tuple[OtherAnswer, ...]


def sample_page(runs: Runs, run_id: str, item: str, repeat: int, chosen: Selection) -> SamplePage:
    """The page's data; of a private task without texts. `chosen` are the samples to go through from here.

    Raises:
        StoreError: there is no such run, or no such sample in it.
    """
    run = runs.sampled(run_id)
    manifest = runs.manifest(run)
    every = {each.repeat: each for each in leaving(manifest, read_samples(run.folder, item_id=item))}
    if repeat not in every:
        raise StoreError(
            f"there is no sample of the item {item!r}"
            + (f", repeat {repeat}," if every else "")
            + " in this run",
            f"its repeats are {', '.join(map(str, every))}" if every else "",
        )
    sample = every[repeat]
    others = tuple(_others(runs, run, manifest, item))
    return SamplePage(
        run=run,
        sample=sample,
        chosen=chosen,
        place=place_of(run.folder, chosen, item, repeat),
        repeats=tuple(every),
        target=text_of(_target(sample)),
        extracted=None if sample.score.extracted is None else text_of(sample.score.extracted),
        reason=text_of(sample.score.reason),
        turns=tuple(_turn(sample, turn.input, turn.response) for turn in sample.turns),
        facts=tuple(_facts(sample)),
        metadata=tuple((key, _flat(value)) for key, value in sample.metadata.items()),
        right=sum(other.outcome == "scored" and other.value == 1 for other in others),
        others=others,
    )


def _target(sample: Sample) -> str:
    if isinstance(sample.target, int):
        choice = sample.choices[sample.target] if sample.target < len(sample.choices) else ""
        return f"{chr(ord('A') + sample.target)}: {choice}"
    return "\nor ".join(sample.target)


def _turn(sample: Sample, asked: str | tuple[Message, ...], response: Response) -> TurnView:
    failure = response.failure
    return TurnView(
        asked=tuple(said(asked)),
        options=_options(sample, response.options),
        answer=text_of(response.text) if response.text else None,
        rendered=_rendered(response.text),
        reasoning=text_of(response.reasoning) if response.reasoning else None,
        refusal=text_of(response.refusal) if response.refusal else None,
        failure=f"{failure.kind.replace('_', ' ')}: {failure.message}" if failure else "",
        stages=tuple(_stages(response.stages)),
        facts=tuple(_response_facts(response)),
    )


def _rendered(text: str) -> Markup | None:
    # Plain sentences look the same either way.
    if len(text) > LONGEST or not any(mark in text for mark in "*_`#|[>\n"):
        return None
    return markdown(text)


def _options(sample: Sample, options: Sequence[OptionScore]) -> tuple[OptionRow, ...]:
    if not options:
        return ()
    leads = sample.leads or ("",) * len(sample.continuations)
    best = max(option.logprob for option in options)
    weights = [math.exp(option.logprob - best) if math.isfinite(best) else math.nan for option in options]
    total = math.fsum(weights)
    return tuple(
        OptionRow(
            lead=lead,
            text=text,
            logprob=option.logprob,
            tokens=option.tokens,
            share=weight / total if len(options) > 1 and math.isfinite(weight) else None,
            unconditional=option.unconditional,
            note=option.note,
            most=len(options) > 1 and option.logprob == best,
            right=number == sample.target,
        )
        for number, (lead, text, option, weight) in enumerate(
            zip(leads, sample.continuations, options, weights, strict=False)
        )
    )


def _stages(stages: Mapping[str, Any]) -> Iterator[Fact]:
    passages = stages.get("passages")
    for rank, passage in enumerate(passages if isinstance(passages, list) else [], 1):
        score = f" ({passage['score']:g})" if isinstance(passage.get("score"), float | int) else ""
        yield f"passage {rank}", f"{passage.get('id')}{score}: {passage.get('text', '')}"[:2_000]
    for name, value in stages.items():
        if name != "passages" or not isinstance(value, list):
            yield name, _flat(value)


def _response_facts(response: Response) -> Iterator[Fact]:
    if not response.options:
        yield (
            "ended by",
            response.finish.replace("_", " ") + (f" at {response.stop!r}" if response.stop else ""),
        )
    usage, timing = response.usage, response.timing
    tokens = [
        f"{number:,} {name}"
        for name, number in (
            ("in", usage.prompt_tokens),
            ("out", usage.completion_tokens),
            ("of these reasoning", usage.reasoning_tokens),
            ("read from the server's cache", usage.cached_tokens),
        )
        if number is not None
    ]
    if tokens:
        yield "tokens", ", ".join(tokens)
    if timing.latency_s is not None:
        first = (
            f", first token after {timing.first_token_s:.2f} s" if timing.first_token_s is not None else ""
        )
        yield "time", f"{timing.latency_s:.2f} s{first}"
    if response.attempts > 1:
        yield "attempts", str(response.attempts)
    for name, told in (("served by", response.served_by), ("fingerprint", response.fingerprint)):
        if told:
            yield name, told


def _facts(sample: Sample) -> Iterator[Fact]:
    yield "scorer", sample.score.scorer
    if sample.group is not None:
        yield "group", sample.group
    if sample.shots:
        yield "examples shown", ", ".join(sample.shots)
    yield "seed", str(sample.seed)
    if sample.cost is not None:
        yield "cost", f"${sample.cost:.6f}"
    if sample.cached:
        yield "from the cache", "yes: it has no time of its own"
    if sample.item_digest:
        yield "item digest", sample.item_digest


def _flat(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 2_000 else f"{text[:2_000]}…"


def _others(runs: Runs, run: Listed, manifest: Manifest, item: str) -> Iterator[OtherAnswer]:
    """Right ones first, then by model."""
    listed = [other for other in runs.index.of_digest(run.digest) if other.id != run.id][:_OTHERS]
    by_folder = {other.folder: other for other in listed}
    found = across(list(by_folder), item)
    for each in sorted(
        found, key=lambda each: (-(each.value or 0), by_folder[each.folder].model, each.repeat)
    ):
        yield _other(by_folder[each.folder], each, private=manifest.task.private)


def _other(run: Listed, each: Elsewhere, *, private: bool) -> OtherAnswer:
    # One task as frozen can be private in one run and not in another: it then is in both.
    extracted = each.extracted
    if extracted is not None and (private or run.private):
        extracted = withheld(extracted)
    return OtherAnswer(run, each.repeat, each.outcome, each.value, extracted)
