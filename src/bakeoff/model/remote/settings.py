"""The settings of a remote model, checked by name and by value before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from bakeoff.digest import canonical_json
from bakeoff.errors import ModelError
from bakeoff.model.settings import check_names, whole_number, yes_or_no

SHARED = (
    "base_url",
    "api_key_env",
    "concurrency",
    "deadline_s",
    "stall_s",
    "attempts",
    "stream",
    "stops",
    "omit",
    "served_as",
    "context_length",
    "body",
    "price_in",
    "price_out",
    "max_cost",
    "max_tokens_total",
)
"""Settings of every remote engine."""

OPENAI = (*SHARED, "api", "max_tokens_field", "reasoning_effort", "constrain")
"""Settings of the OpenAI wire format."""

CONSTRAIN = ("response_format", "structured_outputs", "guided", "json_schema")
"""Request fields that hold an answer to a JSON Schema: of OpenAI and most servers; of vLLM since 0.12; of
vLLM before, as `guided_json`; of llama.cpp. The second and third also take a regular expression."""

_OMITTABLE = ("temperature", "top_p", "seed", "stop", "stream_options", "max_tokens")
_OURS = ("model", "messages", "prompt", "stream", "n", "echo")


@dataclass(frozen=True, slots=True)
class RemoteSettings:
    """How a remote model is asked.

    `concurrency` is the most requests in flight. `deadline_s` bounds one request from its first sending,
    retries and pauses included; `stall_s` bounds the silence of a server between two bytes of a stream.
    `attempts` counts the tries of a request that met a broken server or a broken answer; being told to wait
    (429, 503, 529) does not count, only the deadline bounds it. `stops` says who applies stop strings, the
    server or we (see `answer`). `omit` names request fields the model does not take. `served_as` is the name
    the server answers with where that is not the name asked for. `body` is laid over every request.
    `constrain` is the field that a constraint is sent in (`CONSTRAIN`).
    Prices are US dollars per million tokens.
    """

    base_url: str = ""
    api_key_env: str = ""
    concurrency: int = 64
    deadline_s: float = 900.0
    stall_s: float = 180.0
    attempts: int = 8
    stream: bool = True
    stops: str = "server"
    omit: frozenset[str] = frozenset()
    served_as: str = ""
    context_length: int | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    price_in: float | None = None
    price_out: float | None = None
    max_cost: float | None = None
    max_tokens_total: int | None = None
    api: str = "chat"
    max_tokens_field: str = ""
    reasoning_effort: str = ""
    constrain: str = CONSTRAIN[0]

    @property
    def recorded(self) -> dict[str, str]:
        """Those that can move an answer, as they enter a model's identity."""
        facts = {
            "api": "" if self.api == "chat" else self.api,
            "constrain": "" if self.constrain == CONSTRAIN[0] else self.constrain,
            "stops": "" if self.stops == "server" else self.stops,
            "omit": ",".join(sorted(self.omit)),
            "body": canonical_json(dict(self.body)).decode() if self.body else "",
            "reasoning_effort": self.reasoning_effort,
            "served_as": self.served_as,
        }
        return {name: value for name, value in facts.items() if value}


def read_settings(engine: str, given: Mapping[str, str], known: tuple[str, ...]) -> RemoteSettings:
    """The settings `given` as text.

    Raises:
        ModelError: a name outside `known` (the nearest one is named), a value outside its range, or a money
            limit without prices.
    """
    check_names(engine, given, known)
    settings = RemoteSettings(
        base_url=given.get("base_url", ""),
        api_key_env=given.get("api_key_env", ""),
        concurrency=whole_number(engine, given, "concurrency", 64),
        deadline_s=_positive(engine, given, "deadline_s") or 900.0,
        stall_s=_positive(engine, given, "stall_s") or 180.0,
        attempts=whole_number(engine, given, "attempts", 8),
        stream=yes_or_no(engine, given, "stream", default=True),
        stops=_one_of(engine, given, "stops", ("server", "client")),
        omit=_omitted(engine, given),
        served_as=given.get("served_as", ""),
        context_length=_optional_whole(engine, given, "context_length"),
        body=_extra_body(engine, given),
        price_in=_positive(engine, given, "price_in", zero=True),
        price_out=_positive(engine, given, "price_out", zero=True),
        max_cost=_positive(engine, given, "max_cost"),
        max_tokens_total=_optional_whole(engine, given, "max_tokens_total"),
        api=_one_of(engine, given, "api", ("chat", "completions")),
        max_tokens_field=_one_of(
            engine, given, "max_tokens_field", ("", "max_tokens", "max_completion_tokens")
        ),
        reasoning_effort=given.get("reasoning_effort", ""),
        constrain=_one_of(engine, given, "constrain", CONSTRAIN),
    )
    if settings.max_cost is not None and None in (settings.price_in, settings.price_out):
        raise ModelError(
            f"the {engine} setting max_cost needs the prices it is counted with",
            "Set price_in and price_out, in US dollars per million tokens.",
        )
    return settings


def _positive(engine: str, given: Mapping[str, str], name: str, *, zero: bool = False) -> float | None:
    if name not in given:
        return None
    text = given[name]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not (0 < value < float("inf") or (zero and value == 0)):
        least = "of 0 or more" if zero else "above 0"
        raise ModelError(f"the {engine} setting {name} must be a number {least}, got {text!r}")
    return value


def _optional_whole(engine: str, given: Mapping[str, str], name: str) -> int | None:
    return whole_number(engine, given, name, 1) if name in given else None


def _one_of(engine: str, given: Mapping[str, str], name: str, values: tuple[str, ...]) -> str:
    value = given.get(name, values[0])
    if value not in values:
        choices = " or ".join(each for each in values if each)
        raise ModelError(f"the {engine} setting {name} must be {choices}, got {value!r}")
    return value


def _omitted(engine: str, given: Mapping[str, str]) -> frozenset[str]:
    names = frozenset(name.strip() for name in given.get("omit", "").split(",") if name.strip())
    if wrong := sorted(names - set(_OMITTABLE)):
        raise ModelError(
            f"the {engine} setting omit cannot leave out {wrong[0]!r}",
            f"It can leave out: {', '.join(_OMITTABLE)}.",
        )
    return names


def _extra_body(engine: str, given: Mapping[str, str]) -> Mapping[str, Any]:
    if not given.get("body"):
        return {}
    try:
        body = orjson.loads(given["body"])
    except orjson.JSONDecodeError as error:
        raise ModelError(f"the {engine} setting body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise ModelError(f"the {engine} setting body must be a JSON object, got {given['body']!r}")
    if taken := sorted(body.keys() & set(_OURS)):
        raise ModelError(f"the {engine} setting body cannot set {taken[0]!r}: that is ours to fill in")
    return body
