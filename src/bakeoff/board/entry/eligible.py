"""Whether a model may be on a board.

Told in two steps, each time in full: before anything is opened by what the submitter says, and once it was
opened by what its own files say.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from bakeoff.board.definition import Board, Eligibility
from bakeoff.board.submissions import Model, Way
from bakeoff.errors import BakeoffError
from bakeoff.model.found import Found
from bakeoff.model.hub import is_local, read_hub_name

_BILLION = 1e9


class NotEligibleError(BakeoffError):
    """A model that a board does not take. Nothing was queued."""

    exit_code = 1


def check_stated(board: Board, ref: str, said: Model, way: Way) -> None:
    """Hold what is said of a model against the board's rules, before anything is opened or queued.

    Raises:
        NotEligibleError: with all that stands in the way, a line each.
    """
    if found := list(obstacles(board.eligibility, said, way, ref=ref)):
        raise NotEligibleError(f"{board.name} does not take this model", "\n".join(found))


def obstacles(
    rules: Eligibility, said: Model, way: Way, *, ref: str = "", found: Found | None = None
) -> Iterator[str]:
    """Why a model is not eligible, each with what would make it so; nothing where it is.

    `ref` is the reference it is opened by. `found` is what its files say, once it was opened: it counts
    before what the submitter says, and a licence has to be the same in both.
    """
    model = said if found is None else as_found(said, found)
    yield from _reference(ref)
    yield from _openness(rules, way)
    if model.licence and said.licence and _licence(said) != _licence(model):
        yield (
            f"its own files say that its licence is {_licence(model)}, and the submission says "
            f"{_licence(said)}: hand it in with the licence it has, or correct its files"
        )
    # What is not said of weights, their files may say when they are opened.
    final = found is not None or way != "weights"
    yield from _allowed(rules, model, final=final)
    yield from _size(rules, model, final=final)
    yield from _origin(model)
    if found is not None and way == "weights":
        yield from _card(rules, model, found)
        if found.own_code:
            yield (
                f"its configuration asks for code of its own ({', '.join(found.own_code)}), which is never "
                "run: hand in a version that names classes of transformers"
            )


def as_found(said: Model, found: Found) -> Model:
    """What is said of a model, replaced by what its files say where they do; the rest is marked as stated."""
    parameters = said.parameters if found.parameters is None else found.parameters / _BILLION
    told = replace(
        said,
        licence=found.licence or said.licence,
        parameters=parameters,
        base=", ".join(found.base) or said.base,
        weight_type=found.weight_type or said.weight_type,
    )
    silent = {
        "licence": not found.licence,
        "parameters": found.parameters is None,
        "base": not found.base,
    }
    stated = [name for name, unsaid in silent.items() if unsaid and getattr(told, name)]
    return replace(told, stated=", ".join(stated))


def _reference(ref: str) -> Iterator[str]:
    """Files and folders are named by a digest of what they hold; on the hub only a commit stays the same."""
    engine, _, name = ref.partition(":")
    if engine not in ("hf", "vllm") or is_local(name):
        return
    asked = read_hub_name(name)
    if asked is None:
        yield f"{name!r} can be no model on the hub: write {engine}:ORG/NAME@COMMIT"
    elif not asked.pinned:
        yield (
            f"its revision is not pinned, and a branch or tag can move: write "
            f"{engine}:{asked.repository}@COMMIT, with all 40 digits"
        )


def _openness(rules: Eligibility, way: Way) -> Iterator[str]:
    if rules.openness == "weights" and way != "weights":
        yield f"the board is for open weights, and this is handed in as {way}: hand in the weights"


def _allowed(rules: Eligibility, model: Model, *, final: bool) -> Iterator[str]:
    allowed = ", ".join(rules.licences)
    if rules.licences and not model.licence:
        if final:
            yield f"its licence is not stated, and the board is for {allowed}: state it, --licence NAME"
    elif rules.licences and _licence(model) not in rules.licences:
        yield f"its licence is {_licence(model)}, and the board is for {allowed}"


def _size(rules: Eligibility, model: Model, *, final: bool) -> Iterator[str]:
    size, most = model.parameters, rules.max_parameters
    if size is not None and not 0 < size < math.inf:
        yield f"its size is given as {size:g} billion, which no model has: state it, --parameters BILLIONS"
    elif most is not None and size is None:
        if final:
            yield (
                f"its size is not stated, and the board is for up to {most:g} billion: state it, "
                "--parameters BILLIONS"
            )
    elif most is not None and size is not None and size > most:
        yield f"it has {size:g} billion parameters, and the board is for up to {most:g} billion"


def _origin(model: Model) -> Iterator[str]:
    if model.weight_type in ("adapter", "merge") and not model.base:
        kind = "an adapter" if model.weight_type == "adapter" else "a merge"
        yield f"it is {kind}, and what it was made from is not named: name it, --base ORG/NAME"


def _card(rules: Eligibility, model: Model, found: Found) -> Iterator[str]:
    """A file that comes without a card has to say its licence at least, or the submitter for it."""
    if found.card is None:
        if rules.card and not model.licence:
            yield (
                "it has neither a model card nor a licence: put a README.md beside its file, or state the "
                "licence, --licence NAME"
            )
    elif found.card < rules.card:
        yield (
            f"the text of its model card has {found.card} characters, and the board asks for {rules.card}: "
            "its README.md is to say what it is, how it was made and what for"
        )


def _licence(model: Model) -> str:
    return model.licence.strip().lower()
