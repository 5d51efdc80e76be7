"""Draw answers for people to label, without what the judge said of them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import BakeoffError
from bakeoff.judging import Rubric
from bakeoff.judging.prompt import orders
from bakeoff.store import read_manifest, read_samples, write_atomically
from bakeoff.verdicts.cases import Shown, Subject, paired_subjects, subject
from bakeoff.verdicts.labelled import judges_run
from bakeoff.verdicts.values import Values, drawn_order, values_of


def sample(folders: Sequence[Path], n: int, file: Path, *, seed: int = 0, out: Path) -> int:
    """Write the answers to `n` items, drawn at random, into a file for people to fill in; how many lines.

    Of one judged run, of a judge's run on pairs, or of two judged runs, whose answers to the same items stand
    on lines of their own. Only answers that a judge decided are drawn: the others need no label. The order is
    drawn by item, so that more can be drawn later: the first lines stay the same. Nothing in the file tells
    what the judge said or who answered, but the id of the run. Label from the top, and leave none out. Of a
    private task only its owner can read the file.

    Raises:
        BakeoffError: not one run or two, n below 1, no item to draw, or the file is there already.
        StoreError: a run cannot be read, or the file cannot be written.
    """
    if not 1 <= len(folders) <= 2:
        raise BakeoffError(f"name one judged run or two, got {len(folders)}")
    if n < 1:
        raise BakeoffError(f"--n must be at least 1, got {n}")
    if file.exists():
        raise BakeoffError(f"{file} is there already, and may hold people's labels", "name another file")
    sides = [values_of(folder) for folder in folders]
    pool = [item for item in _everywhere(sides) if any(item in side.judged for side in sides)]
    if not pool:
        raise BakeoffError("there is no item that a judge decided", "nothing needs a label")
    chosen = {item: draw for draw, item in enumerate(drawn_order(pool, seed)) if draw < n}
    lines = [row for side in sides for row in _rows(side, chosen, seed, out)]
    # Whose answer stands first is drawn by item, too.
    lines.sort(key=lambda row: (row["draw"], (row["run"] != _first(row["item"], sides, seed))))
    write_atomically(file, b"".join(orjson.dumps(row) + b"\n" for row in lines))
    if any(read_manifest(folder).task.private for folder in folders):
        file.chmod(0o600)
    return len(lines)


def _everywhere(sides: Sequence[Values]) -> list[str]:
    """The items that have a value in every run."""
    values = [{**side.judged, **side.known} for side in sides]
    return [item for item in values[0] if all(item in each for each in values)]


def _first(item: str, sides: Sequence[Values], seed: int) -> str:
    side = sides[orders(seed, "labels", item)[0][0] % len(sides)]
    return side.judging.runs[0]


def _rows(side: Values, chosen: Mapping[str, int], seed: int, out: Path) -> Iterator[dict[str, Any]]:
    asked = read_manifest(judges_run(side.folder, out)).task.args
    shown = Shown(asked.get("question"), asked.get("context"))
    for found in _subjects(side, shown):
        if found.repeat == 0 and found.item in chosen and found.item in side.judged:
            about = {
                "item": found.item,
                "run": side.judging.runs[0],
                "draw": chosen[found.item],
                "seed": seed,
            }
            yield about | _texts(found, side.rubric, seed)


def _subjects(side: Values, shown: Shown) -> Iterator[Subject]:
    if side.rubric.kind == "pairwise":
        first, second = map(Path, side.judging.folders)
        yield from paired_subjects(first, second, shown)
        return
    for each in read_samples(side.folder):
        found = subject(each, shown)
        if found is not None:
            yield found


def _texts(found: Subject, rubric: Rubric, seed: int) -> dict[str, Any]:
    case = found.case
    row: dict[str, Any] = {"question": case.question}
    if case.context is not None:
        row["context"] = case.context
    if rubric.reference and case.reference is not None:
        row["reference"] = case.reference
    if rubric.kind == "pairwise":
        order = orders(seed, "labels", found.item)[0]
        row |= {"answers": [case.answers[place] for place in order], "order": list(order)}
    else:
        row["answer"] = case.answers[0]
    names = [each.name for each in rubric.criteria]
    return row | {"people": dict.fromkeys(names)}
