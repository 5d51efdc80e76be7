"""A model that is handed in over the web, by the page or by the API: the same checks, the same way in.

What names a file or code of the server's is not taken: weights come from the hub, answers as an upload.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from sqlalchemy import Connection

from bakeoff.board.community.people import written
from bakeoff.board.definition import Board
from bakeoff.board.entry.door import address, check_settings
from bakeoff.board.entry.keys import Lent, announced
from bakeoff.board.entry.predictions import is_kept, keep
from bakeoff.board.submissions import Model, Submission, Way
from bakeoff.board.work.handing_in import hand_in as enter
from bakeoff.board.work.handing_in import name_of
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.model.hub import read_hub_name
from bakeoff.model.packaged import PACKAGED
from bakeoff.model.reach import check_reach
from bakeoff.model.recorded.index import AnswerIndex
from bakeoff.model.recorded.rows import FORMATS

WeightType = Literal["original", "adapter", "merge", "quantised"]
WEIGHT_TYPES: tuple[WeightType, ...] = get_args(WeightType)
WEIGHTS = ("hf", "vllm")
ENDPOINTS = ("openai", "anthropic", "http", "https", "endpoint")
LONGEST = 300
"""Characters of a reference, and of each fact about a model."""
MOST_SETTINGS = 40
_LONGEST_NAME = 200
"""Bytes of the name of a file, of which file systems take 255."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody hands in. `model` is a reference: `hf:ORG/NAME@COMMIT`, an endpoint, or what `upload`
    returned. `parameters` are in billions. `key` is lent for this evaluation alone, and never shown.
    """

    model: str
    organisation: str
    licence: str = ""
    parameters: float | None = None
    weight_type: WeightType = "original"
    base: str = ""
    supersedes: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    key: str = field(default="", repr=False)


class FieldError(BakeoffError):
    """A mistake in one field of what is handed in; `field` is its name in `Asked`."""

    def __init__(self, field: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.field = field


def hand_in(connection: Connection, board: Board, asked: Asked, *, submitter: str) -> Submission:
    """Hand in a model, and have a worker look at it. Whether `submitter` speaks for the organisation is for
    the caller to know.

    Raises:
        FieldError: one field is wrong.
        BakeoffError: the board does not take the model, or the quota is used up (`submit`).
    """
    way = _way(asked.model)
    _check_words(asked)
    settings = _settings(asked)
    lent = _lent(asked, way, settings)
    name, found = name_of(asked.model, way)
    said = Model(
        name=name,
        revision=found,
        engine=asked.model.partition(":")[0],
        weight_type=asked.weight_type,
        base=asked.base,
        licence=asked.licence,
        parameters=asked.parameters,
    )
    if lent is not None and not announced(connection):
        hint = "whoever keeps the site makes one: bakeoff board key new FILE"
        raise FieldError("key", "this site has no key to seal yours with", hint)
    made, _ = enter(
        connection,
        board,
        asked.model,
        said,
        way=way,
        organisation=asked.organisation,
        submitter=submitter,
        settings=settings,
        lent=lent,
        supersedes=asked.supersedes,
    )
    return made


def upload(file: Path, name: str, out: Path, *, model: str = "") -> str:
    """The reference of predictions that were uploaded to `file` under the name `name`; kept under `out`.

    They are read once as a worker will, so that a mistake is told while whoever made it is there.

    Raises:
        FieldError: the name has other signs than letters, digits, `_`, `-` and `.`, or another ending than a
            file of predictions; or a line of it cannot be read.
        StoreError: it cannot be kept.
    """
    # The name is only ever the last part of a path, whatever it says; and one that a folder can hold.
    last = Path(name.replace("\\", "/")).name
    fits = last not in ("", "..") and last.isprintable() and len(last.encode()) <= _LONGEST_NAME
    aside = file.with_name(last if fits else "unnamed")
    if aside != file:
        file.rename(aside)
    mark = f"#{model}" if model else ""
    try:
        if aside.suffix.lower() in FORMATS:
            AnswerIndex(aside, model, {}).close()
        return keep(f"recorded:{aside}{mark}", out)
    except StoreError:
        raise
    except BakeoffError as error:
        # Where the file lies here is nothing to whoever sent it.
        message, hint = (each.replace(str(aside), aside.name) for each in (error.message, error.hint))
        raise FieldError("file", message, hint) from None


def _way(ref: str) -> Way:
    engine, colon, name = ref.partition(":")
    if colon and engine in WEIGHTS:
        _check_hub(engine, name)
        return "weights"
    if colon and engine in ENDPOINTS:
        if "@" in ref.partition("//")[2].partition("/")[0]:  # what is handed in can be read by everybody
            raise FieldError(
                "model", "the address holds a name or a password", "a key has a field of its own"
            )
        return "endpoint"
    if is_kept(ref):
        return "predictions"
    raise FieldError(
        "model",
        f"{ref[:LONGEST]!r} names no model that can be handed in here",
        "write hf:ORG/NAME@COMMIT, openai:MODEL, anthropic:MODEL or https://HOST/v1#MODEL, or upload answers",
    )


def _check_hub(engine: str, name: str) -> None:
    asked = None if name in PACKAGED else read_hub_name(name)
    if asked is None or "/" not in asked.repository or not asked.pinned:
        raise FieldError(
            "model",
            f"{name[:LONGEST]!r} does not say which weights of the hub",
            f"write {engine}:ORG/NAME@COMMIT, with all 40 digits of the commit: a branch or a tag can move",
        )


def _check_words(asked: Asked) -> None:
    _check("model", asked.model)
    _check("organisation", asked.organisation)
    for name in ("licence", "base"):
        if text := getattr(asked, name):
            _check(name, text)
    if asked.weight_type not in WEIGHT_TYPES:
        raise FieldError("weight_type", f"weights are {', '.join(WEIGHT_TYPES)}, and not {asked.weight_type}")


def _check(name: str, text: str, longest: int = LONGEST) -> None:
    try:
        written(text, name.replace("_", " "), longest)
    except BakeoffError as error:
        raise FieldError(name, error.message, error.hint) from None
    if text != " ".join(text.split()):
        raise FieldError(name, f"the {name} has space around it, or several lines", "write it in one line")


def _settings(asked: Asked) -> dict[str, str]:
    if len(asked.settings) > MOST_SETTINGS:
        raise FieldError(
            "settings", f"{len(asked.settings)} settings are given, and {MOST_SETTINGS} the most"
        )
    for name, text in asked.settings.items():
        try:
            written(name, "name of a setting", LONGEST)
            written(text, f"setting {name}", 10_000)
        except BakeoffError as error:
            raise FieldError("settings", error.message, error.hint) from None
    try:
        check_settings(asked.settings)
    except BakeoffError as error:
        raise FieldError("settings", error.message, error.hint) from None
    return dict(asked.settings)


def _lent(asked: Asked, way: Way, settings: Mapping[str, str]) -> Lent | None:
    """The key, for the address where the model is asked. A mistake in the reference is found here, too."""
    if way != "endpoint":
        if asked.key:
            raise FieldError("key", "only a model at an address takes a key", "leave it out")
        return None
    try:
        url = address(asked.model, settings)
    except BakeoffError as error:
        raise FieldError("model", error.message, error.hint) from None
    if not asked.key:
        return None
    _check("key", asked.key, 10_000)
    if not asked.key.isascii() or not asked.key.isprintable():
        raise FieldError("key", "the key has signs that no key has", "paste it again")
    try:
        check_reach(url, key=True, private=True)
    except BakeoffError as error:
        raise FieldError("model", error.message, error.hint) from None
    return Lent(url, asked.key)
