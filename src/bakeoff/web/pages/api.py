"""What the API is: its endpoints, what each takes and answers, from its own description."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a shape. `shape` is the name of the shape it holds, "" where it is plain."""

    name: str
    kind: str
    about: str
    required: bool = False
    default: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method and a path. `answer` is the name of the shape of its answer, and `sent` of what it takes, ""
    where it has none.
    """

    method: str
    path: str
    title: str
    about: str
    parameters: tuple[Field, ...]
    sent: str
    answer: str
    errors: tuple[tuple[str, str], ...]
    needs_token: bool

    @property
    def anchor(self) -> str:
        """Names it within the page."""
        return f"{self.method}{self.path}".replace("/", "-").replace("{", "").replace("}", "").lower()


@dataclass(frozen=True, slots=True)
class Topic:
    """Endpoints about one thing."""

    name: str
    about: str
    endpoints: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """What an answer, or a part of one, is made of."""

    name: str
    about: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Api:
    """`server` is the address under which the paths lie; `about` are the paragraphs of an introduction."""

    server: str
    version: str
    about: tuple[str, ...]
    topics: tuple[Topic, ...]
    shapes: tuple[Shape, ...]


def api(document: Mapping[str, Any], server: str) -> Api:
    """The page's data, from an OpenAPI description."""
    endpoints = list(_endpoints(document))
    topics = (
        Topic(tag["name"], tag["description"], tuple(each for name, each in endpoints if name == tag["name"]))
        for tag in document["tags"]
    )
    shapes = document["components"]["schemas"]
    return Api(
        server=server,
        version=document["info"]["version"],
        about=tuple(" ".join(each.split()) for each in document["info"]["description"].split("\n\n")),
        topics=tuple(topic for topic in topics if topic.endpoints),
        shapes=tuple(_shape(name, shapes[name]) for name in sorted(shapes)),
    )


def _endpoints(document: Mapping[str, Any]) -> Iterator[tuple[str, Endpoint]]:
    for path, operations in document["paths"].items():
        for method in METHODS:
            if method not in operations:
                continue
            operation = operations[method]
            title, _, about = operation.get("description", "").partition("\n")
            answers = operation["responses"]
            yield (
                operation["tags"][0],
                Endpoint(
                    method=method.upper(),
                    path=path,
                    title=title,
                    about=" ".join(about.split()),
                    parameters=tuple(map(_parameter, operation.get("parameters", ()))),
                    sent=_content(operation.get("requestBody", {})),
                    answer=next((_content(answers[code]) for code in answers if code.startswith("2")), ""),
                    errors=tuple(
                        (code, answers[code]["description"]) for code in answers if not code.startswith("2")
                    ),
                    needs_token=bool(operation.get("security")),
                ),
            )


def _parameter(said: Mapping[str, Any]) -> Field:
    schema = said["schema"]
    return Field(
        name=said["name"],
        kind=_kind(schema),
        about=said.get("description") or schema.get("description", ""),
        required=said.get("required", False),
        default=_default(schema),
    )


def _shape(name: str, schema: Mapping[str, Any]) -> Shape:
    required = schema.get("required", ())
    if "enum" in schema:
        return Shape(name, f"{_sentence(schema)} One of {', '.join(schema['enum'])}.".strip(), ())
    fields = (
        Field(
            name=each,
            kind=_kind(what),
            about=what.get("description", ""),
            required=each in required,
            default=_default(what),
            shape=_named(what),
        )
        for each, what in schema.get("properties", {}).items()
    )
    return Shape(name, _sentence(schema), tuple(fields))


def _sentence(schema: Mapping[str, Any]) -> str:
    return " ".join(schema.get("description", "").split())


def _content(part: Mapping[str, Any]) -> str:
    return next((_named(each.get("schema", {})) for each in part.get("content", {}).values()), "")


def _named(schema: Mapping[str, Any]) -> str:
    """The shape that a schema names, itself or as the parts of a list."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    inner = [*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties")]
    return next((found for each in inner if isinstance(each, dict) and (found := _named(each))), "")


def _kind(schema: Mapping[str, Any]) -> str:
    """The kind of a value in words: `list of Post or null`."""
    if "$ref" in schema:
        return _named(schema)
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(each or '""' for each in map(str, schema["enum"]))
    if "prefixItems" in schema:
        return f"list of {', '.join(map(_kind, schema['prefixItems']))}"
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    if kind == "string":
        return str(schema.get("format", "text"))
    return {"integer": "whole number", "boolean": "true | false"}.get(kind, kind)


def _default(schema: Mapping[str, Any]) -> str:
    found = schema.get("default")
    return "" if found in (None, "", {}, []) else str(found)
