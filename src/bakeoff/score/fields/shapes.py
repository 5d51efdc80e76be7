"""How the fields of an object are compared: a tree of objects, lists and single values."""

from collections.abc import Mapping
from dataclasses import dataclass

from bakeoff.score.fields.scalars import Scalar


@dataclass(frozen=True, slots=True)
class Ignored:
    """Not compared, whatever it is."""


@dataclass(frozen=True, slots=True)
class Typed:
    """As the target's own value is: texts and numbers exactly, objects name by name, lists aligned."""


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object. A name that is not in `fields` is `Typed` if `open`, else a target must not have it."""

    fields: Mapping[str, "Shape"]
    open: bool = False

    def shape(self, name: str) -> "Shape":
        """How the field `name` is compared."""
        return self.fields.get(name, _TYPED)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list. Elements are paired by the field `key`, each with that in its own place where `in_order`, or,
    in any order, so that most fields are right.
    """

    element: "Shape"
    key: str | None = None
    in_order: bool = False


Shape = Ignored | Typed | ObjectOf | ListOf | Scalar
_TYPED = Typed()
