"""The `fields` of a task file, read.

A field is a kind (`date`), or a kind with its options (`amount: {tolerance: 0.01}`).
"""

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.score.fields.amounts import money_of
from bakeoff.score.fields.scalars import Amount, Boolean, Date, Enum, Exact, Fuzzy, Number, Text
from bakeoff.score.fields.shapes import Ignored, ListOf, ObjectOf, Shape
from bakeoff.score.options import check_options


def read_object(spec: Any, place: str) -> ObjectOf:
    """How the fields of an object are compared. `place` is where `spec` stands, for messages.

    Raises:
        TaskError: not a mapping, no fields, an unknown kind, or options that the kind does not have.
    """
    if not isinstance(spec, Mapping) or not spec or not all(isinstance(name, str) for name in spec):
        raise TaskError(
            f"scorer fields: {place} must be a mapping from names to kinds, got {spec!r:.60}",
            "Write `fields: {total: amount, due: date}`.",
        )
    return ObjectOf({name: read_field(each, f"{place}.{name}") for name, each in spec.items()})


def read_field(spec: Any, place: str) -> Shape:
    """How one field is compared.

    Raises:
        TaskError: as for `read_object`.
    """
    kind, options = _kind_and_options(spec, place)
    if kind not in _KINDS:
        near = difflib.get_close_matches(kind, _KINDS, n=1, cutoff=0.5)
        did_you_mean = f"Did you mean `{near[0]}`? " if near else ""
        raise TaskError(
            f"scorer fields: {place}: there is no kind {kind!r:.40}",
            f"{did_you_mean}The kinds are {', '.join(_KINDS)}.",
        )
    return _KINDS[kind](options, place)


def _kind_and_options(spec: Any, place: str) -> tuple[str, Any]:
    if isinstance(spec, str):
        return spec, None
    if isinstance(spec, Mapping) and len(spec) == 1:
        ((kind, options),) = spec.items()
        return str(kind), options
    raise TaskError(
        f"scorer fields: {place}: expected a kind, or one kind with its options, got {spec!r:.60}",
        "Write `total: amount` or `total: {amount: {tolerance: 0.01}}`.",
    )


def _scalar(made: type[Any]) -> Callable[[Any, str], Shape]:
    def read(options: Any, place: str) -> Shape:
        if options is not None and not isinstance(options, Mapping):
            raise TaskError(f"scorer fields: {place}: options are a mapping, got {options!r:.40}")
        chosen = {str(key): value for key, value in (options or {}).items()}
        check_options(f"fields: {place}", made, chosen)
        if chosen.get("tolerance", 0) < 0:
            raise TaskError(f"scorer fields: {place}: tolerance must be 0 or more, got {chosen['tolerance']}")
        if not 0 < chosen.get("at_least", 1) <= 1:
            raise TaskError(
                f"scorer fields: {place}: at_least must lie above 0 and up to 1, got {chosen['at_least']}"
            )
        if chosen.get("currency") and money_of(f"1 {chosen['currency']}") is None:
            raise TaskError(
                f"scorer fields: {place}: currency must be a code such as EUR, got {chosen['currency']!r:.40}"
            )
        shape: Shape = made(**chosen)
        return shape

    return read


def _enum(options: Any, place: str) -> Shape:
    if not isinstance(options, list | tuple) or not options or not all(isinstance(v, str) for v in options):
        raise TaskError(
            f"scorer fields: {place}: an enum needs the list of its values, got {options!r:.60}",
            "Write `status: {enum: [paid, open]}`; quote what YAML reads as no text.",
        )
    return Enum(tuple(options))


def _list(options: Any, place: str) -> Shape:
    if not isinstance(options, Mapping) or "of" not in options or set(options) - {"of", "key", "align"}:
        raise TaskError(
            f"scorer fields: {place}: a list needs `of`, the kind of its elements, and may have `key` or "
            f"`align`, got {options!r:.60}",
            "Write `lines: {list: {key: sku, of: {object: {sku: text, quantity: number}}}}`.",
        )
    element, key, align = read_field(options["of"], f"{place}[]"), options.get("key"), options.get("align")
    if "align" in options and (align not in _ALIGNMENTS or key is not None):
        raise TaskError(
            f"scorer fields: {place}: align is `best` or `position`, without a `key`, got {options!r:.60}",
            "best (the default) pairs elements so that most fields are right, position the first with the "
            "first; a key needs neither.",
        )
    if key is not None and not (isinstance(element, ObjectOf) and _is_scalar(element.fields.get(key))):
        raise TaskError(
            f"scorer fields: {place}: the key {key!r:.40} is no single value of the elements' object",
            "Name a field of `of: {object: {…}}`, or leave `key` out to pair elements by similarity.",
        )
    return ListOf(element, key, align == "position")


def _is_scalar(shape: Shape | None) -> bool:
    return shape is not None and not isinstance(shape, Ignored | ObjectOf | ListOf)


def _ignored(options: Any, place: str) -> Shape:
    if options is not None:
        raise TaskError(f"scorer fields: {place}: ignore has no options, got {options!r:.40}")
    return Ignored()


_ALIGNMENTS = ("best", "position")
_KINDS: Mapping[str, Callable[[Any, str], Shape]] = {
    "exact": _scalar(Exact),
    "text": _scalar(Text),
    "fuzzy": _scalar(Fuzzy),
    "number": _scalar(Number),
    "amount": _scalar(Amount),
    "date": _scalar(Date),
    "boolean": _scalar(Boolean),
    "enum": _enum,
    "object": read_object,
    "list": _list,
    "ignore": _ignored,
}
