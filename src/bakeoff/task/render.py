"""From an item to what is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bakeoff.nouns import Constraint, Input, Item, Message, Part
from bakeoff.seed import item_random
from bakeoff.task.constraint import constraint_of
from bakeoff.task.gold import LETTERS
from bakeoff.task.messages import scripted_turns
from bakeoff.task.pool import Pool
from bakeoff.task.task import Task
from bakeoff.task.template import TemplateFailure, fill_in


@dataclass(frozen=True, slots=True)
class Rendered:
    """One item, ready to ask.

    `item` is as shown: choices in the order shown, the target with them. A document whose perplexity is asked
    for is the item's input and its one continuation, after nothing. `turns` is what is sent, one
    element unless the item's messages are scripted turns; each further element holds only the messages
    that come next. `continuations` are what a log-likelihood request scores, in the order of
    `item.choices`, and `leads` what stands before each, if anything does. `shots` are the ids of the examples
    shown. `constraint` is what a written answer is held to.
    """

    item: Item
    turns: tuple[Input, ...]
    continuations: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    shots: tuple[str, ...] = ()
    constraint: Constraint | None = None


def render(task: Task, pool: Pool, seed: int, item: Item, shots: int | None = None) -> Rendered:
    """The item with its examples, or with only the first `shots` of them.

    Raises:
        TaskError: a template cannot be filled in, or the item does not fit the kind of prompt.
    """
    if task.ask == "perplexity":
        return _document(task, item)
    shown = shown_item(task, item, seed)
    examples = [shown_item(task, each, seed) for each in pool.choose(item)[:shots]]
    if task.prompt.kind == "plain":
        turns: tuple[Input, ...] = (_plain(task, shown, examples),)
    else:
        turns = _chat(task, shown, examples)
    names = tuple(each.id for each in examples)
    if task.ask == "generate":
        return Rendered(shown, turns, shots=names, constraint=constraint_of(task, item))
    if len(turns) > 1:
        raise _misfit(task, ("ask",), shown, "scripted turns cannot be scored by log-likelihood")
    options = range(len(shown.choices))
    delimiter = task.prompt.delimiter if task.prompt.kind == "plain" else ""
    continuations = tuple(delimiter + answer_text(task, shown, i) for i in options)
    leads = tuple(lead_text(task, shown, i) for i in options) if task.prompt.lead else ()
    return Rendered(shown, turns, continuations, leads, names)


def shown_item(task: Task, item: Item, seed: int) -> Item:
    """The item with its choices in the order shown.

    The order depends on the seed, the task's name and the item's id: the same in every variant.
    """
    if not task.shuffle_choices or len(item.choices) < 2:
        return item
    order = list(range(len(item.choices)))
    item_random(seed, task.name, item.id, "choices").shuffle(order)
    target = order.index(item.target) if isinstance(item.target, int) else item.target
    return replace(item, choices=tuple(item.choices[i] for i in order), target=target)


def prompt_text(task: Task, item: Item) -> str:
    """The question: the template filled in for one item."""
    return _filled(task, "template", item, template_values(task, item))


def answer_text(task: Task, item: Item, choice: int | None = None) -> str:
    """The gold answer as a shot shows it; with `choice`, that choice in place of the gold one."""
    values = _answer_values(task, item, choice)
    if task.prompt.answer == "{{ target }}" and values:
        return str(values["target"])
    return _filled(task, "answer", item, {**template_values(task, item), **values})


def lead_text(task: Task, item: Item, choice: int | None = None) -> str:
    """What stands between the prompt and that choice's continuation; the gold one's without `choice`."""
    if not task.prompt.lead:
        return ""
    return _filled(task, "lead", item, {**template_values(task, item), **_answer_values(task, item, choice)})


def template_values(task: Task, item: Item) -> dict[str, Any]:
    """What a template sees: every column, then `input`, `choices` and `letters`.

    Where choices are shuffled, the columns they and the target came from are gone: they tell the old order.
    """
    values = dict(item.fields)
    if task.shuffle_choices and item.choices:
        fields = task.fields
        columns = fields.choices if isinstance(fields.choices, tuple) else (fields.choices,)
        for stale in (*columns, fields.target or "target"):
            values.pop(stale or "choices", None)
    values["input"] = item.input if isinstance(item.input, str) else item.input[-1].text
    values["choices"] = list(item.choices)
    values["letters"] = list(LETTERS[: len(item.choices)])
    return values


def _answer_values(task: Task, item: Item, choice: int | None) -> dict[str, Any]:
    """`target` and `letter`; nothing for an item without choices and without an accepted text."""
    index = item.target if choice is None else choice
    if item.choices:
        if not isinstance(index, int):
            raise _misfit(task, ("fields", "target"), item, "is shown as an example and has no right choice")
        letter = LETTERS[index] if index < len(LETTERS) else ""
        if task.options == "letters" and not letter:
            raise _too_many(task, item)
        return {"target": letter if task.options == "letters" else item.choices[index], "letter": letter}
    if isinstance(item.target, tuple) and item.target:
        return {"target": item.target[0]}
    return {}


def _document(task: Task, item: Item) -> Rendered:
    if not isinstance(item.input, str):
        raise _misfit(task, ("ask",), item, "a document is a text, not messages")
    text = prompt_text(task, item)
    if not text:
        raise _misfit(task, ("prompt", "template"), item, "the document is empty")
    return Rendered(replace(item, input=text), ("",), (text,))


def _plain(task: Task, item: Item, examples: list[Item]) -> str:
    for each in (item, *examples):
        if not isinstance(each.input, str):
            raise _misfit(task, ("prompt", "kind"), each, "messages need prompt.kind: chat")
    prompt = task.prompt
    shots = [
        prompt_text(task, each) + lead_text(task, each) + prompt.delimiter + answer_text(task, each)
        for each in examples
    ]
    return _system(task, item) + prompt.separator.join([*shots, prompt_text(task, item)])


def _chat(task: Task, item: Item, examples: list[Item]) -> tuple[tuple[Message, ...], ...]:
    own = _messages(task, item)
    system = [text for text in (_system(task, item), own[0].text if own[0].role == "system" else "") if text]
    # Chat templates take one system message, at the start: the task's and the item's are joined.
    opening = [Message.of("system", "\n\n".join(system))] if system else []
    for each in examples:
        shot = _with_lead(_messages(task, each), lead_text(task, each))
        if len(scripted_turns(shot)) > 1:
            raise _misfit(task, ("shots",), each, "has scripted turns and cannot be shown as an example")
        opening += [*_without_system(shot), Message.of("assistant", answer_text(task, each))]
    first, *others = scripted_turns(_without_system(own))
    return ((*opening, *first), *others)


def _messages(task: Task, item: Item) -> tuple[Message, ...]:
    """The item's own messages, with the template applied to the last; or its text as one user message."""
    if isinstance(item.input, str):
        return (Message.of("user", prompt_text(task, item)),)
    if task.prompt.template == "{{ input }}":
        return item.input
    *before, last = item.input
    images = tuple(part for part in last.parts if part.kind == "image")
    return (*before, Message("user", (*images, Part("text", prompt_text(task, item)))))


def _with_lead(messages: tuple[Message, ...], lead: str) -> tuple[Message, ...]:
    *before, last = messages
    return (*before, replace(last, parts=(*last.parts, Part("text", lead)))) if lead else messages


def _without_system(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return messages[1:] if messages[0].role == "system" else messages


def _system(task: Task, item: Item) -> str:
    return _filled(task, "system", item, template_values(task, item)) if task.prompt.system else ""


def _filled(
    task: Task, name: Literal["system", "template", "answer", "lead"], item: Item, values: Mapping[str, Any]
) -> str:
    source = getattr(task.prompt, name)
    if "letters" in source and len(item.choices) > len(LETTERS):
        raise _too_many(task, item)
    try:
        return fill_in(source, values)
    except TemplateFailure as error:
        raise task.error(("prompt", name), f"item {item.id}: {error.problem}", error.hint) from None


def _too_many(task: Task, item: Item) -> Exception:
    return _misfit(
        task, ("fields", "choices"), item, f"has {len(item.choices)} choices, but letters end at Z"
    )


def _misfit(task: Task, place: tuple[str | int, ...], item: Item, problem: str) -> Exception:
    return task.error(place, f"item {item.id}: {problem}")
