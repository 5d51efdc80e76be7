"""A task with its data read, checked and named by a digest: ready to ask."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

from bakeoff.digest import canonical_json
from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.score.scorer import Scorer
from bakeoff.task.constraint import constraint_of
from bakeoff.task.content import ContentDigest, item_content
from bakeoff.task.items import consumed_columns, read_items
from bakeoff.task.parts import digest_of_parts, parts_of
from bakeoff.task.pool import Pool, load_pool
from bakeoff.task.render import Rendered, render
from bakeoff.task.rows import Source, open_source
from bakeoff.task.task import Task


@dataclass(frozen=True)
class Prepared:
    """A task as it is run.

    `task` has the variant's overlay applied. `digest` names everything that can change a prompt or a score,
    and `parts` say what it is made of. `n_items` counts the data before any limit. `chance`, in [0, 1], is
    the score of guessing. `images` says whether some item shows one. `source` says where the data came from
    (file, commit, generator), which is no part of the digest.
    """

    task: Task
    variant: str
    seed: int
    scorer: Scorer
    digest: str
    parts: Mapping[str, Any]
    n_items: int
    chance: float
    images: bool
    source: Mapping[str, Any]
    rows: Source = field(repr=False)
    pool: Pool = field(repr=False)

    def items(self, limit: int | None = None) -> Iterator[Item]:
        """The items, or the first `limit` of them, in the order of the data. Read afresh, one at a time."""
        return islice(read_items(self.task, self.rows), limit)

    def render(self, item: Item, shots: int | None = None) -> Rendered:
        """The item as it is sent, with its examples or only the first `shots` of them.

        Raises:
            TaskError: a template cannot be filled in for this item.
        """
        return render(self.task, self.pool, self.seed, item, shots)


def prepare(task: Task, variant: str = "default", *, seed: int = 0) -> Prepared:
    """Read the data once, check every item, and give what is asked its digest.

    Memory stays flat in the number of rows, but for 8 bytes or so of every id and for a sampled pool.

    Raises:
        TaskError: anything wrong with the task or its data, with file, line and field.
    """
    task = task.with_variant(variant)
    scorer = _scorer(task)
    rows = open_source(task, task.data, ("data",))
    pool = load_pool(task, rows, seed)
    consumed = consumed_columns(task)
    content, schemas, chance, ids = ContentDigest(), ContentDigest(), Fraction(0), set[int]()
    n_items, images = 0, False
    for item in read_items(task, rows):
        # Documents are few and every one of them must have a text.
        if n_items == 0 or task.ask == "perplexity":
            render(task, pool, seed, item)
        _check(task, pool, item)
        if constraint := constraint_of(task, item):
            schemas.add(canonical_json([item.id, constraint.text]))
        if hash(item.id) in ids:
            _refuse_twice(task, rows, item.id, n_items)
        ids.add(hash(item.id))
        content.add(item_content(item, consumed))
        chance += Fraction(1, len(item.choices)) if item.choices else 0
        images |= _has_images(item)
        n_items += 1
    guessing = float(chance / n_items) if task.chance is None else task.chance
    parts = parts_of(
        task, pool, seed, data=str(content), scorer=scorer.id, chance=guessing, schemas=str(schemas)
    )
    return Prepared(
        task=task,
        variant=variant,
        seed=seed,
        scorer=scorer,
        digest=digest_of_parts(parts),
        parts=parts,
        n_items=n_items,
        chance=guessing,
        images=images,
        source=rows.facts,
        rows=rows,
        pool=pool,
    )


def _has_images(item: Item) -> bool:
    return not isinstance(item.input, str) and any(message.has_images for message in item.input)


def _scorer(task: Task) -> Scorer:
    from bakeoff.score import build_scorer

    try:
        scorer: Scorer = build_scorer(task.scorer)
    except TaskError as error:
        raise task.error(("scorer",), error.message.removeprefix("scorer: "), error.hint) from None
    if scorer.asks != task.ask:
        raise task.error(
            ("scorer",),
            f"{scorer.id} judges {scorer.asks} answers, but the task has ask: {task.ask}",
            f"set ask: {scorer.asks}, or choose another scorer",
        )
    return scorer


def _check(task: Task, pool: Pool, item: Item) -> None:
    if task.ask == "perplexity" and item.choices:
        raise task.error(
            ("ask",),
            f"item {item.id} has choices, and a document has none",
            "leave fields.choices out, or set ask: loglikelihood to compare the choices",
        )
    if task.ask == "loglikelihood" and len(item.choices) < 2:
        there = "no choices" if not item.choices else "one choice only"
        raise task.error(
            ("ask",),
            f"a log-likelihood request compares choices, but item {item.id} has {there}",
            "name the column of the choices in fields.choices, or set ask: generate",
        )
    pool.check(item)


def _refuse_twice(task: Task, rows: Source, item_id: str, index: int) -> None:
    """Raise unless two different ids merely have the same hash."""
    for first, other in enumerate(islice(read_items(task, rows), index)):
        if other.id == item_id:
            raise task.error(
                ("fields", "id"),
                f"the id {item_id!r} is there twice, in rows {first + 1} and {index + 1}",
                "ids must be unique; without an id column, ids are made from the content of the rows",
            )
