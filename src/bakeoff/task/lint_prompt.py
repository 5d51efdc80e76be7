"""Lint rules about the prompt, its examples and its answers."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Response
from bakeoff.task.render import Rendered, answer_text, shown_item
from bakeoff.task.survey import CountTokens, Remark, Remarks, Survey
from bakeoff.task.template import names_used


def unrenderable(survey: Survey) -> Remarks:
    """An item for which a template cannot be filled in."""
    for item, rendered in zip(survey.items, survey.rendered, strict=True):
        if isinstance(rendered, TaskError):
            yield Remark("error", item.id, rendered.message)


def ignored_input(survey: Survey) -> Remarks:
    """A template without the input: every item is asked the same, but for a lead from its columns."""
    prompt = survey.task.prompt
    if prompt.lead and (names_used(prompt.lead) | names_used(prompt.answer)) - _OF_THE_CHOICE:
        return
    used = names_used(prompt.template)
    if not used & {"input", survey.task.fields.input or "input"}:
        yield Remark("warning", None, "prompt.template does not use `input`")


def hidden_choices(survey: Survey) -> Remarks:
    """Choices that are not in the prompt, where the answer is a letter or the template shows some of them."""
    task = survey.task
    columns = task.fields.choices if isinstance(task.fields.choices, tuple) else (task.fields.choices,)
    names = names_used(task.prompt.template) | names_used(task.prompt.system)
    shows = bool(names & {"choices", "letters", *(name for name in columns if name)})
    by_text = task.ask == "generate" and not survey.prepared.scorer.id.startswith("choice@")
    if not shows and (by_text or (task.ask == "loglikelihood" and task.options == "texts")):
        return
    for item, text in survey.texts:
        hidden = [choice for choice in item.choices if choice.strip() and choice.strip() not in text]
        if hidden:
            yield Remark(
                "error" if shows or task.options == "letters" else "warning",
                item.id,
                f"the choice {hidden[0]!r:.80} is not in the prompt",
            )


def shown_gold(survey: Survey) -> Remarks:
    """A template that uses the column of the right answer."""
    column = survey.task.fields.target or "target"
    for name in ("system", "template"):
        if column in names_used(getattr(survey.task.prompt, name)):
            yield Remark("error", None, f"prompt.{name} uses {column!r}, the column of the right answer")
    # There, `target` is the choice and not the column of that name.
    if column != "target" and column in names_used(survey.task.prompt.lead):
        yield Remark("error", None, f"prompt.lead uses {column!r}, the column of the right answer")


def equal_continuations(survey: Survey) -> Remarks:
    """Different choices of which the same is scored: the first of them always wins."""
    for each in survey.rendered:
        if not isinstance(each, Rendered) or len(set(each.item.choices)) < len(each.item.choices):
            continue
        counts = Counter(zip(_leads(each), each.continuations, strict=True))
        twice = [continuation for (_, continuation), count in counts.items() if count > 1]
        if twice:
            yield Remark(
                "error", each.item.id, f"different choices have the same continuation {twice[0]!r:.80}"
            )


def wrong_labels(survey: Survey) -> Remarks:
    """A prompt that names the letters of a fixed number of choices, where an item has another number."""
    for name in ("system", "template"):
        literal = re.sub(r"{[{%#].*?[}%#]}", " ", getattr(survey.task.prompt, name), flags=re.DOTALL)
        for labels, count in _label_lists(literal):
            for item in survey.items:
                if item.choices and len(item.choices) != count:
                    message = f"prompt.{name} says {labels!r}, but there are {len(item.choices)} choices"
                    yield Remark("error" if len(item.choices) > count else "warning", item.id, message)


def stop_in_answer(survey: Survey) -> Remarks:
    """A stop string that occurs in a right answer or in an example's: it would cut that answer short."""
    task = survey.task
    if task.ask != "generate":
        return
    for stop in task.generation.stop:
        for place, texts in (
            ("the answer of example", survey.shot_answers),
            ("the answer of item", _golds(survey)),
        ):
            cut = [(name, text) for name, text in texts if stop in text]
            if cut:
                others = f" and {len(cut) - 1} more" if len(cut) > 1 else ""
                message = f"the stop string {stop!r} is in {place} {cut[0][0]}{others}: {cut[0][1]!r:.80}"
                yield Remark("error", None, message)


def unclean_boundary(survey: Survey) -> Remarks:
    """A plain prompt whose end and continuation do not meet at a token boundary.

    Tokenizers attach a space to the word after it: a prompt that ends in a space, or a continuation without
    one right after a letter, is cut up in a way the model never saw.
    """
    task = survey.task
    if task.prompt.kind != "plain":
        return
    delimiter = task.prompt.delimiter
    for item, text in _contexts(survey):
        if text.endswith((" ", "\t")):
            yield Remark(
                "warning", None, f"the prompt ends in white space (item {item.id}): let delimiter hold it"
            )
            return
        if task.ask == "loglikelihood" and text.endswith("\n") and delimiter.startswith((" ", "\t")):
            yield Remark(
                "warning",
                None,
                f"the prompt ends in a line break and delimiter is {delimiter!r}: two white spaces",
            )
            return
        if task.ask == "loglikelihood" and not delimiter and text[-1:].isalnum():
            yield Remark("warning", None, f"nothing parts the prompt from its continuation (item {item.id})")
            return


def over_context(survey: Survey) -> Remarks:
    """A prompt that leaves no room for its answer in the context."""
    count, context = survey.count_tokens, survey.context
    task = survey.task
    # A document is scored in as many windows as it needs.
    if count is None or context is None or task.ask == "perplexity":
        return
    room = task.generation.max_tokens if task.ask == "generate" else 0
    for item, bare in zip(survey.items, survey.rendered, strict=True):
        if isinstance(bare, TaskError):
            continue
        full = survey.prepared.render(item)
        tokens = _tokens(full, count) + room
        if tokens > context:
            least = _tokens(bare, count) + room
            answer = f"({room} for the answer); the context has {context}"
            if least > context:
                yield Remark("error", item.id, f"needs {least} tokens even without shots {answer}")
            else:
                yield Remark("warning", item.id, f"needs {tokens} tokens with all its shots {answer}")


def unread_gold(survey: Survey) -> Remarks:
    """A right answer that the task's own scorer cannot read, or that an example shows so that it scores 0."""
    task, scorer = survey.task, survey.prepared.scorer
    if task.ask != "generate":
        return
    for item in survey.items:
        shown = shown_item(task, item, survey.prepared.seed)
        try:
            answer = answer_text(task, shown) if shown.target != () else "?"
            score = scorer(shown, Response(text=answer, finish=FinishReason.STOP))
        except TaskError as error:
            yield Remark("error", item.id, error.message)
            continue
        if task.shots.shown and shown.target != () and score.value != 1:
            found = f"{answer!r:.80} ({score.reason})"
            yield Remark("error", item.id, f"as an example shows it, the right answer scores 0: {found}")


def _golds(survey: Survey) -> Iterator[tuple[str, str]]:
    for item in survey.items:
        for text in _accepted(item):
            yield item.id, text


def _accepted(item: Item) -> tuple[str, ...]:
    if isinstance(item.target, int):
        return (item.choices[item.target],)
    return item.target


def _tokens(rendered: Rendered, count: CountTokens) -> int:
    turn = rendered.turns[0]
    if isinstance(turn, str) and rendered.continuations:
        options = zip(_leads(rendered), rendered.continuations, strict=True)
        return max(count(turn + lead + continuation) for lead, continuation in options)
    return count(turn)


def _leads(rendered: Rendered) -> tuple[str, ...]:
    return rendered.leads or ("",) * len(rendered.continuations)


def _contexts(survey: Survey) -> Iterator[tuple[Item, str]]:
    """What an answer or a continuation comes right after."""
    leads = {each.item.id: each.leads for each in survey.rendered if isinstance(each, Rendered)}
    for item, text in survey.texts:
        for lead in leads[item.id] or ("",):
            yield item, text + lead


_OF_THE_CHOICE = frozenset({"target", "letter", "choices", "letters"})

_LISTED = re.compile(
    r"\(?\bA\b\)?(?:\s*[,/]\s*\(?\b[B-Z]\b\)?)*(?:,?\s+(?:or|and|to)\s+|\s*[-–,/]\s*)\(?\b(?P<last>[B-Z])\b\)?"
)
_RUN = re.compile(r"\bABC[D-Z]*\b")


def _label_lists(text: str) -> Iterator[tuple[str, int]]:
    """Lists of letters in a text (`A, B, C or D`, `A-D`, `ABCD`), and how many letters each stands for."""
    for match in _LISTED.finditer(text):
        yield match[0], ord(match["last"]) - ord("A") + 1
    for match in _RUN.finditer(text):
        if match[0] == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(match[0])]:
            yield match[0], len(match[0])


PROMPT_RULES: tuple[Callable[[Survey], Remarks], ...] = (
    unrenderable,
    ignored_input,
    hidden_choices,
    shown_gold,
    equal_continuations,
    wrong_labels,
    stop_in_answer,
    unclean_boundary,
    over_context,
    unread_gold,
)
