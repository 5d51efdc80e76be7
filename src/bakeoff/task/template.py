"""Sandboxed Jinja."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bakeoff.task.spec import nearest

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment


class TemplateFailure(Exception):  # noqa: N818 (not an error of its own: it becomes a TaskError)
    """A template that could not be filled in: what went wrong, and what to do."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


@lru_cache(maxsize=256)
def compiled(source: str) -> "Template":
    """The template of `source`.

    Raises:
        jinja2.TemplateSyntaxError: with its line.
    """
    return _environment().from_string(source)


@lru_cache(maxsize=256)
def names_used(source: str) -> frozenset[str]:
    """The names a template takes from outside."""
    from jinja2 import meta

    return frozenset(meta.find_undeclared_variables(_environment().parse(source)))


def fill_in(source: str, values: Mapping[str, Any]) -> str:
    """`source` with `values` filled in.

    Raises:
        TemplateFailure: an undefined name, a forbidden attribute, or an expression that fails.
    """
    from jinja2 import TemplateError, UndefinedError

    try:
        return compiled(source).render(values)
    except UndefinedError as error:
        unknown = sorted(names_used(source) - set(values))
        hint = nearest(unknown[0] if unknown else "", values, "the template sees")
        raise TemplateFailure(str(error), hint) from None
    except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        raise TemplateFailure(f"{type(error).__name__}: {error}") from None


@lru_cache(maxsize=1)
def _environment() -> "SandboxedEnvironment":
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Prompts are plain text: nothing is escaped, and a last newline is part of the prompt.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    # Jinja's own makes JSON for web pages: quotes and brackets escaped, keys sorted.
    environment.filters["tojson"] = _json
    return environment


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
