"""What the answer to one item is held to."""

from bakeoff.nouns import Constraint, Item
from bakeoff.task.constrain import schema_text
from bakeoff.task.rows import ABSENT, column
from bakeoff.task.task import Task


def constraint_of(task: Task, item: Item) -> Constraint | None:
    """The constraint on a written answer to `item`; None where the task states none.

    Raises:
        TaskError: the column that holds the schemas is not there, or holds none for this item.
    """
    constrain = task.generation.constrain
    if constrain is None or task.ask != "generate":
        return None
    if constrain.json_schema_column is None:
        (text,) = constrain.stated.values()
        return Constraint(constrain.kind, text)
    name = constrain.json_schema_column
    # An item made in Python may have metadata and no columns.
    value = column({"metadata": item.metadata, "meta": item.metadata, **item.fields}, name)
    try:
        if value is ABSENT:
            raise ValueError(f"there is no column {name!r} to take its schema from")
        return Constraint("json_schema", schema_text(value))
    except ValueError as error:
        raise task.error(
            ("generation", "constrain", "json_schema_column"),
            f"item {item.id}: {error}",
            "every item needs a JSON Schema there, as a mapping or as JSON text",
        ) from None
