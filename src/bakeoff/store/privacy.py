"""Private tasks: the texts of their items and answers stay in the run folder.

`private: true` in a task is no part of its digest, since it changes no prompt and no score. Whatever leaves
the folder (terminal, JSON, pages, JUnit) shows ids, digests of items, scores and counts in place of texts.
Names of labels, groups and slices are what a report is about, and stay. Digests of single texts are not
shown: those of short answers can be guessed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bakeoff.nouns import Message, Part, Response, Sample, Turn
from bakeoff.store.manifest import Manifest, read_manifest

WITHHELD = "withheld"


def of_private_board(folder: Path) -> bool:
    """Whether a run was made for a board with private answers: it lies in the folder of a submission, and its
    task is private. Of such a run the scores item by item do not leave either: they tell of the answers.
    """
    above = folder.resolve().parents
    submitted = any(re.fullmatch(r"submission-\d+", each.name) for each in above[2:4])
    return submitted and read_manifest(folder).task.private


def leaving(manifest: Manifest, samples: Iterable[Sample]) -> Iterator[Sample]:
    """Samples as they may leave the folder of their run: without texts where its task is private."""
    return (without_texts(sample) for sample in samples) if manifest.task.private else iter(samples)


def without_texts(sample: Sample) -> Sample:
    """A sample with its ids, outcome, score, counts and times, and nothing that was asked, said or right."""
    return replace(
        sample,
        choices=tuple(map(withheld, sample.choices)),
        target=sample.target if isinstance(sample.target, int) else tuple(map(withheld, sample.target)),
        continuations=tuple(map(withheld, sample.continuations)),
        leads=tuple(map(withheld, sample.leads)),
        turns=tuple(
            Turn(_input(turn.input, sample.item_digest), _response(turn.response)) for turn in sample.turns
        ),
        score=replace(
            sample.score,
            extracted=None if sample.score.extracted is None else withheld(sample.score.extracted),
            reason=withheld(sample.score.reason),
        ),
        metadata=dict.fromkeys(sample.metadata, WITHHELD),
    )


def withheld(text: str, digest: str = "") -> str:
    """What stands for a text: its length, and the digest of its item where it is one; nothing for nothing."""
    if not text:
        return ""
    of_item = f", item {digest[:19]}…" if digest else ""
    return f"{WITHHELD}: {len(text):,} characters{of_item}"


def _input(asked: str | tuple[Message, ...], digest: str) -> str | tuple[Message, ...]:
    if isinstance(asked, str):
        return withheld(asked, digest)
    return tuple(
        replace(message, parts=tuple(_part(part, digest) for part in message.parts)) for message in asked
    )


def _part(part: Part, digest: str) -> Part:
    return (
        Part("text", withheld(part.data, digest))
        if part.kind == "text"
        else Part("text", "withheld: an image")
    )


def _response(response: Response) -> Response:
    failure = response.failure
    changes: dict[str, Any] = {}
    if failure is not None:
        # A server's message may repeat what it was asked.
        changes["failure"] = replace(failure, message=withheld(failure.message))
    return replace(
        response,
        text=withheld(response.text),
        reasoning=withheld(response.reasoning),
        refusal=withheld(response.refusal),
        stages=dict.fromkeys(response.stages, WITHHELD),
        **changes,
    )
