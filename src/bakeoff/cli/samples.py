"""Samples for people: the exact prompt, the raw answer, what was made of it and why."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from bakeoff.cli.message import shown
from bakeoff.nouns import Message, Response, Sample
from bakeoff.visible import visible

_STYLE = {
    "scored": "green",
    "no_answer": "yellow",
    "truncated": "yellow",
    "refused": "yellow",
    "empty": "yellow",
}
_LONGEST_LINE = 160


def print_samples(console: Console, samples: Iterable[Sample]) -> int:
    """Print samples one after the other; returns how many there were."""
    number = 0
    for sample in samples:
        _print_sample(console, sample)
        number += 1
    return number


def _print_sample(console: Console, sample: Sample) -> None:
    score = sample.score
    name = f"{sample.item_id} #{sample.repeat}" if sample.repeat else sample.item_id
    console.print(Rule(Text(visible(name), style="bold"), align="left", style="dim"))
    style = _STYLE.get(score.outcome.value, "red")
    if score.outcome == "scored" and score.value == 0:
        style = "red"
    value = "unscored" if score.value is None else f"value {score.value:g}"
    console.print(Text.assemble((f"{score.outcome} · {value}", style)))
    extracted = "nothing" if score.extracted is None else repr(visible(score.extracted))
    _field(console, "target", _target(sample))
    _field(console, "extracted", f"{extracted} – {score.reason}")
    for turn in sample.turns:
        _prompt(console, turn.input)
        _answer(console, sample, turn.response)
    console.print()


def shown_continuation(lead: str, text: str) -> str:
    """A continuation, after what stands before it unscored."""
    scored = repr(visible(text))
    return f"{visible(lead)!r} then {scored}" if lead else scored


def _prompt(console: Console, asked: str | tuple[Message, ...]) -> None:
    if isinstance(asked, str):
        _block(console, "prompt", asked)
        return
    for message in asked:
        _block(console, message.role, shown(message))


def _answer(console: Console, sample: Sample, response: Response) -> None:
    if response.failure is not None:
        _field(console, "failure", f"{response.failure.kind}: {response.failure.message}")
    if response.reasoning:
        _block(console, "reasoning", response.reasoning)
    leads = sample.leads or ("",) * len(sample.continuations)
    for lead, text, option in zip(leads, sample.continuations, response.options, strict=False):
        _field(console, f"{option.logprob:10.4f}", shown_continuation(lead, text))
    if response.text:
        _block(console, "answer", response.text)
    _stages(console, response.stages)
    if not response.options:
        ended = response.finish.value + (f" at {response.stop!r}" if response.stop else "")
        _field(console, "ended by", ended)


def _stages(console: Console, stages: Mapping[str, Any]) -> None:
    """A line for each passage and for each other stage: all of it is in the samples."""
    passages = stages.get("passages")
    for rank, passage in enumerate(passages if isinstance(passages, list) else [], 1):
        score = f" ({passage['score']:g})" if isinstance(passage.get("score"), float | int) else ""
        _field(console, f"passage {rank}", f"{passage.get('id')}{score}: {_line(passage.get('text', ''))}")
    if passages == []:
        _field(console, "passages", "none")
    for name, value in stages.items():
        if name != "passages":
            _field(console, visible(name), _line(value))


def _line(value: Any) -> str:
    """A value in a line of at most 160 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + "…"


def _target(sample: Sample) -> str:
    if isinstance(sample.target, int):
        return f"{chr(ord('A') + sample.target)}: {sample.choices[sample.target]}"
    return " | ".join(sample.target)


def _field(console: Console, name: str, text: str) -> None:
    console.print(Text.assemble((f"{name}  ", "dim"), visible(text)))


def _block(console: Console, name: str, text: str) -> None:
    console.print(Text(name, style="dim"))
    console.print(Text("\n".join("  │ " + line for line in visible(text).split("\n"))))
