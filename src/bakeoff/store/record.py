"""A sample as a flat row: one line of the journal, one row of `samples.parquet`.

Lists and nested values are JSON text in a row, so that the columns stay plain wherever they are read. The
last response of a sample is spread over columns of its own; the responses of earlier scripted turns are in
`earlier`.
"""

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any

import orjson

from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Message,
    OptionScore,
    Outcome,
    Part,
    Response,
    Sample,
    Score,
    Timing,
    Turn,
    Usage,
    image_line,
)

COLUMNS: Mapping[str, str] = {
    "item_id": "VARCHAR",
    "item_digest": "VARCHAR",
    "repeat": "INTEGER",
    "group": "VARCHAR",
    "outcome": "VARCHAR",
    "value": "DOUBLE",
    "extracted": "VARCHAR",
    "reason": "VARCHAR",
    "scorer": "VARCHAR",
    "output": "VARCHAR",
    "reasoning": "VARCHAR",
    "finish": "VARCHAR",
    "stop": "VARCHAR",
    "refusal": "VARCHAR",
    "options": "VARCHAR",
    "failure": "VARCHAR",
    "failure_message": "VARCHAR",
    "failure_status": "INTEGER",
    "prompt_tokens": "BIGINT",
    "completion_tokens": "BIGINT",
    "reasoning_tokens": "BIGINT",
    "cached_tokens": "BIGINT",
    "latency_s": "DOUBLE",
    "first_token_s": "DOUBLE",
    "attempts": "INTEGER",
    "served_by": "VARCHAR",
    "fingerprint": "VARCHAR",
    "stages": "VARCHAR",
    "cached": "BOOLEAN",
    "cost": "DOUBLE",
    "seed": "BIGINT",
    "choices": "VARCHAR",
    "target": "VARCHAR",
    "continuations": "VARCHAR",
    "leads": "VARCHAR",
    "shots": "VARCHAR",
    "inputs": "VARCHAR",
    "earlier": "VARCHAR",
    "metadata": "VARCHAR",
    "finished_at": "DOUBLE",
}
"""Column names and their DuckDB types. `finished_at` is seconds since 1970 in UTC; times are seconds."""

Row = dict[str, Any]

_LOGPROBS = ("logprob", "unconditional", "other")


def to_row(sample: Sample, finished_at: float) -> Row:
    """The flat row of `sample`. Of an image its line is kept (`image_line`), not its bytes."""
    last = sample.turns[-1].response
    return {
        "item_id": sample.item_id,
        "item_digest": sample.item_digest or None,
        "repeat": sample.repeat,
        "group": sample.group,
        "outcome": sample.score.outcome.value,
        "value": sample.score.value,
        "extracted": sample.score.extracted,
        "reason": sample.score.reason,
        "scorer": sample.score.scorer,
        **_response_columns(last),
        "cached": sample.cached,
        "cost": sample.cost,
        "seed": sample.seed,
        "choices": _json(sample.choices),
        "target": _json(sample.target),
        "continuations": _json(sample.continuations),
        "leads": _json(sample.leads),
        "shots": _json(sample.shots),
        "inputs": _json([_input_json(turn.input) for turn in sample.turns]),
        "earlier": _json([_response_columns(turn.response) for turn in sample.turns[:-1]]),
        "metadata": _json(dict(sample.metadata)),
        "finished_at": finished_at,
    }


def from_row(row: Mapping[str, Any]) -> Sample:
    """The sample of a row; the inverse of `to_row` but for images, which come back as their lines.

    A column that did not exist yet when the row was written is None.
    """
    inputs = [_input(value) for value in orjson.loads(row["inputs"])]
    responses = [_response(columns) for columns in [*orjson.loads(row["earlier"]), row]]
    target = orjson.loads(row["target"])
    return Sample(
        item_id=row["item_id"],
        repeat=row["repeat"],
        group=row["group"],
        choices=tuple(orjson.loads(row["choices"])),
        target=target if isinstance(target, int) else tuple(target),
        continuations=tuple(orjson.loads(row["continuations"])),
        shots=tuple(orjson.loads(row["shots"])),
        seed=row["seed"],
        turns=tuple(Turn(asked, answer) for asked, answer in zip(inputs, responses, strict=True)),
        score=Score(Outcome(row["outcome"]), row["value"], row["extracted"], row["reason"], row["scorer"]),
        cached=row["cached"],
        cost=row["cost"],
        leads=tuple(orjson.loads(row["leads"] or "[]")),
        item_digest=row["item_digest"] or "",
        metadata=orjson.loads(row["metadata"]),
    )


def _response_columns(response: Response) -> Row:
    failure = response.failure
    return {
        "output": response.text,
        "reasoning": response.reasoning,
        "finish": response.finish.value,
        "stop": response.stop,
        "refusal": response.refusal,
        "options": _json([option_json(option) for option in response.options]),
        "failure": failure.kind.value if failure else None,
        "failure_message": failure.message if failure else None,
        "failure_status": failure.status if failure else None,
        "prompt_tokens": response.usage.prompt_tokens,
        "completion_tokens": response.usage.completion_tokens,
        "reasoning_tokens": response.usage.reasoning_tokens,
        "cached_tokens": response.usage.cached_tokens,
        "latency_s": response.timing.latency_s,
        "first_token_s": response.timing.first_token_s,
        "attempts": response.attempts,
        "served_by": response.served_by,
        "fingerprint": response.fingerprint,
        "stages": _json(dict(response.stages)),
    }


def _response(row: Mapping[str, Any]) -> Response:
    failure = None
    if row["failure"] is not None:
        failure = Failure(FailureKind(row["failure"]), row["failure_message"], row["failure_status"])
    return Response(
        text=row["output"],
        reasoning=row["reasoning"],
        finish=FinishReason(row["finish"]),
        stop=row["stop"],
        refusal=row["refusal"],
        options=tuple(option_score(option) for option in orjson.loads(row["options"])),
        usage=Usage(
            row["prompt_tokens"], row["completion_tokens"], row["reasoning_tokens"], row["cached_tokens"]
        ),
        timing=Timing(row["latency_s"], row["first_token_s"]),
        failure=failure,
        attempts=row["attempts"],
        served_by=row["served_by"],
        fingerprint=row["fingerprint"],
        stages=orjson.loads(row.get("stages") or "{}"),
    )


def option_json(option: OptionScore) -> Row:
    """An option's score as JSON. Numbers that JSON does not know are the texts "-inf", "inf" and "nan"."""
    value = asdict(option)
    return value | {name: str(value[name]) for name in _LOGPROBS if not isfinite(value[name] or 0.0)}


def option_score(value: Mapping[str, Any]) -> OptionScore:
    """The inverse of `option_json`."""
    infinite = {name: float(value[name]) for name in _LOGPROBS if isinstance(value.get(name), str)}
    return OptionScore(**{**value, **infinite})


def _input_json(asked: str | tuple[Message, ...]) -> Any:
    if isinstance(asked, str):
        return asked
    return [
        {"role": message.role, "parts": [_part_json(part) for part in message.parts]} for message in asked
    ]


def _part_json(part: Part) -> Row:
    if part.kind == "text":
        return {"kind": "text", "data": part.data}
    return {"kind": "image", "data": image_line(part), "media_type": part.media_type}


def _input(value: Any) -> str | tuple[Message, ...]:
    if isinstance(value, str):
        return value
    return tuple(
        Message(message["role"], tuple(Part(**part) for part in message["parts"])) for message in value
    )


def _json(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return orjson.dumps(without_surrogates(value)).decode()


def without_surrogates(value: Any) -> Any:
    """`value` with lone surrogates spelt out: broken tokenizers emit them, and JSON cannot hold them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {without_surrogates(key): without_surrogates(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_surrogates(each) for each in value]
    return value
