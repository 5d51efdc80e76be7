"""From rows to items."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.digest import digest
from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Message
from bakeoff.task.gold import resolve_choice
from bakeoff.task.messages import MessageFailure, read_messages
from bakeoff.task.rows import ABSENT, Row, Source, column
from bakeoff.task.rows.open import missing_column
from bakeoff.task.task import Task


def read_items(task: Task, source: Source) -> Iterator[Item]:
    """The items of a source, one at a time, in its order.

    Raises:
        TaskError: a column is missing, a value is of the wrong kind, or the gold answer is not a choice;
            with the row.
    """
    seen: Counter[str] = Counter()
    for row in source.read():
        if isinstance(row.columns, Item):
            yield _given(task, row, row.columns)
        else:
            yield _item(task, source, row, seen)


def consumed_columns(task: Task) -> frozenset[str]:
    """The columns whose content an item holds in another form."""
    fields = task.fields
    choices = fields.choices if isinstance(fields.choices, tuple) else (fields.choices or "choices",)
    named = [
        fields.id or "id",
        fields.input or "input",
        fields.messages or "messages",
        fields.target or "target",
        *(fields.group if isinstance(fields.group, tuple) else [fields.group or "group"]),
    ]
    return frozenset((*named, *choices))


def _given(task: Task, row: Row, item: Item) -> Item:
    """An item built in Python, once its target is known to be a choice or a tuple of texts."""
    target: Any = item.target
    if isinstance(target, tuple):
        return item
    if not isinstance(target, int):
        problem = f"item {item.id}: the target is {target!r:.60}"
        raise _wrong(task, row, "target", problem, "write a tuple of accepted texts, or a choice's index")
    if not 0 <= target < len(item.choices):
        problem = f"item {item.id}: there is no choice {target}: {len(item.choices)} choices count from 0"
        raise _wrong(task, row, "target", problem, "a free answer's target is a tuple of accepted texts")
    return item


def _item(task: Task, source: Source, row: Row, seen: Counter[str]) -> Item:
    assert not isinstance(row.columns, Item)
    columns = row.columns
    choices = _choices(task, row)
    return Item(
        id=_id(task, row, seen),
        input=_input(task, source, row),
        choices=choices,
        target=_target(task, row, choices, typed=source.typed),
        group=_group(task, row),
        metadata=_metadata(task, row),
        fields=columns,
    )


def _value(task: Task, row: Row, field: str) -> Any:
    """The value of a field's column; ABSENT where no column was named and there is none of that name."""
    named = getattr(task.fields, field)
    assert isinstance(row.columns, Mapping)
    value = column(row.columns, named or field)
    if value is ABSENT and named is not None:
        raise missing_column(task, ("fields", field), named, row)
    return value


def _metadata(task: Task, row: Row) -> Mapping[str, Any]:
    assert isinstance(row.columns, Mapping)
    columns = row.columns
    own: Mapping[str, Any] = next(
        (columns[k] for k in ("metadata", "meta") if isinstance(columns.get(k), Mapping)), {}
    )
    if not task.fields.metadata:
        return own
    added = {key: column(columns, name) for key, name in task.fields.metadata.items()}
    for key, value in added.items():
        if value is ABSENT:
            raise missing_column(task, ("fields", "metadata", key), task.fields.metadata[key], row)
    return {**own, **added}


def _id(task: Task, row: Row, seen: Counter[str]) -> str:
    """The row's own id, or a digest of its content; equal rows are told apart by -2, -3, …"""
    value = _value(task, row, "id")
    if value is not ABSENT and value is not None and value != "":
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
        raise _wrong(task, row, "id", f"an id is a text or a whole number, got {value!r:.60}")
    if value is not ABSENT:
        raise _wrong(task, row, "id", "the id is empty", "give every row an id, or leave the column out")
    try:
        name = digest(dict(row.columns)).removeprefix("sha256:")[:12]  # type: ignore[arg-type]
    except TypeError as error:
        raise TaskError(f"{row.place}: a row must be JSON: {error}") from None
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"


def _input(task: Task, source: Source, row: Row) -> str | tuple[Message, ...]:
    fields = task.fields
    messages = ABSENT
    text = ABSENT if fields.messages and not fields.input else _value(task, row, "input")
    if fields.messages or text is ABSENT or text is None:
        messages = _value(task, row, "messages")
    if messages is not ABSENT and messages is not None:
        try:
            return read_messages(messages, source.folder)
        except MessageFailure as error:
            hint = "if it holds JSON text, add it to data.json_columns" if isinstance(messages, str) else ""
            raise _wrong(task, row, "messages", str(error), hint) from None
    if text is ABSENT:
        raise missing_column(task, ("fields", "input"), fields.input or "input", row)
    if not isinstance(text, str):
        raise _wrong(task, row, "input", f"the input is a text, got {text!r:.60}")
    return text


def _choices(task: Task, row: Row) -> tuple[str, ...]:
    named = task.fields.choices
    if isinstance(named, tuple):
        assert isinstance(row.columns, Mapping)
        values: Any = []
        for name in named:
            value = column(row.columns, name)
            if value is ABSENT:
                raise missing_column(task, ("fields", "choices"), name, row)
            values.append(value)
    else:
        values = _value(task, row, "choices")
    if values is ABSENT or values is None:
        return ()
    if not isinstance(values, list | tuple):
        raise _wrong(
            task,
            row,
            "choices",
            f"the choices are a list, got {values!r:.60}",
            "if the column holds JSON text, add it to data.json_columns; or name one column per choice",
        )
    return tuple(_text(task, row, "choices", value) for value in values)


def _target(task: Task, row: Row, choices: tuple[str, ...], *, typed: bool) -> int | tuple[str, ...]:
    value = _value(task, row, "target")
    if value is ABSENT or value is None:
        return ()
    if not choices:
        if _structured(value):
            return (json.dumps(value, ensure_ascii=False),)
        accepted = value if isinstance(value, list | tuple) else [value]
        return tuple(_text(task, row, "target", each) for each in accepted)
    try:
        return resolve_choice(value, choices, typed=typed)
    except LookupError as error:
        raise _wrong(
            task,
            row,
            "target",
            str(error.args[0]),
            "the target is the index of the right choice (from 0), its letter, or its text",
        ) from None


def _structured(value: Any) -> bool:
    """Whether a free answer's target is no text or number, nor a list of them: it is then one JSON text."""
    if isinstance(value, list | tuple):
        return any(isinstance(each, bool | Mapping | list | tuple) for each in value)
    return isinstance(value, bool | Mapping)


def _group(task: Task, row: Row) -> str | None:
    named = task.fields.group
    if isinstance(named, tuple):
        return "/".join(_text(task, row, "group", _named(task, row, "group", name)) for name in named)
    value = _value(task, row, "group")
    return None if value is ABSENT or value is None else _text(task, row, "group", value)


def _named(task: Task, row: Row, field: str, name: str) -> Any:
    assert isinstance(row.columns, Mapping)
    value = column(row.columns, name)
    if value is ABSENT:
        raise missing_column(task, ("fields", field), name, row)
    return value


def _text(task: Task, row: Row, field: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(task, row, field, f"expected a text or a number, got {value!r:.60}")


def _wrong(task: Task, row: Row, field: str, problem: str, hint: str = "") -> TaskError:
    return task.error(("fields", field), f"{row.place}: {problem}", hint)
