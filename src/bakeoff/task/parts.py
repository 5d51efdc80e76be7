"""What a task's digest is made of, and what differs between two."""

from collections.abc import Mapping
from typing import Any

from bakeoff.digest import digest
from bakeoff.task.pool import Pool
from bakeoff.task.task import Task

Parts = Mapping[str, Any]


def parts_of(
    task: Task, pool: Pool, seed: int, *, data: str, scorer: str, chance: float, schemas: str = ""
) -> dict[str, Any]:
    """What can change a prompt or a score, by name; what has no effect is left out.

    `data` is the digest of the items' content, `schemas` that of the schemas their answers are held to. The
    seed and the task's name are in it where something is drawn with them.
    """
    prompt, shots = task.prompt, task.shots
    drawn = {"seed": seed, "task": task.name}
    used = {"kind": prompt.kind, "system": prompt.system, "template": prompt.template}
    if shots.shown or task.ask == "loglikelihood":
        used["answer"] = prompt.answer
        if prompt.lead:
            used["lead"] = prompt.lead
        if prompt.kind == "plain":
            used["delimiter"] = prompt.delimiter
    if shots.shown and prompt.kind == "plain":
        used["separator"] = prompt.separator
    parts: dict[str, Any] = {
        "data": data,
        "prompt": used,
        "shots": {"n": 0},
        "ask": task.ask,
        "options": {"shown": task.options, "shuffled": drawn if task.shuffle_choices else False},
        "generation": None,
        "scorer": scorer,
        "chance": chance,
        "refused": task.refused,
    }
    if shots.shown:
        parts["shots"] = {"n": shots.n, "rule": shots.rule, "same": shots.same, "pool": pool.digest}
        if shots.rule == "sampled":
            parts["shots"] |= drawn
    if task.ask == "generate":
        settings = task.generation
        parts["generation"] = {
            "max_tokens": settings.max_tokens,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "stop": list(settings.stop),
        }
        if settings.constrain is not None:
            parts["generation"]["constrain"] = settings.constrain.stated
            if settings.constrain.json_schema_column is not None:
                # An item's content is in `data` without the order of a schema's properties.
                parts["generation"]["constrain"] |= {"schemas": schemas}
    return parts


def digest_of_parts(parts: Parts) -> str:
    """The digest of a task: `sha256:` and the hex digest of its parts."""
    return digest(dict(parts))


def differences(parts_a: Parts, parts_b: Parts) -> list[str]:
    """What differs between two tasks, one line a part: `generation.max_tokens: 256 → 512`.

    Empty exactly when the two digests are equal.
    """
    a, b = _flat(parts_a), _flat(parts_b)
    names = list(dict.fromkeys((*a, *b)))
    return [
        f"{name}: {_short(a.get(name, 'absent'))} → {_short(b.get(name, 'absent'))}"
        for name in names
        if name not in a or name not in b or a[name] != b[name]
    ]


def _flat(parts: Parts, prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in parts.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _short(value: Any) -> str:
    if isinstance(value, str) and value.startswith("sha256:"):
        return value[:19] + "…"
    text = value if value == "absent" else repr(value)
    return text if len(text) <= 120 else text[:119] + "…"
