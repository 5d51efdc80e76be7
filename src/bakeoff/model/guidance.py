"""Constraints as llguidance reads them: a grammar, which tokens may come next, and whether a text fits.

llguidance (Microsoft) is also what llama.cpp in xllamacpp and, as one of its backends, vLLM are built with.
Its JSON Schema refuses a keyword that it does not implement, rather than ignore it.
"""

import json
import re
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from bakeoff.nouns import Constraint

# JSON on one line, as `json.dumps` writes it. Were more white space left open, a small model would write it
# until its tokens are used up: SmolLM2 does.
_ONE_LINE = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def installed() -> bool:
    """Whether answers can be constrained here."""
    return find_spec("llguidance") is not None


def grammar(constraint: Constraint, *, reasoned: bool = False) -> str:
    """`constraint` in llguidance's variant of Lark.

    JSON stands on one line, its properties in the schema's order, unless the schema says otherwise under
    `x-guidance`. A pattern is one of Rust's `regex`, without look-around.

    Where the model has `reasoned` before, up to two line breaks may stand in front, as they do behind
    reasoning; they are not part of the answer.
    """
    import llguidance

    if constraint.kind == "regex":
        answer = f"/{llguidance.regex_to_lark(constraint.text, '')}/"
    else:
        schema = json.loads(constraint.text)
        answer = "%json " + json.dumps({"x-guidance": _ONE_LINE, **schema})
    return f"start: BREAK? answer\nanswer: {answer}\nBREAK: /\\n{{1,2}}/" if reasoned else f"start: {answer}"


@lru_cache(maxsize=1024)
def refusal(constraint: Constraint) -> str:
    """What llguidance cannot do of `constraint`, in its words; empty if it can do all of it."""
    import llguidance

    error, said = llguidance.LLMatcher.validate_grammar_with_warnings(grammar(constraint))
    # Around the reason stands where in the grammar it is, which nobody has seen.
    return re.sub(r"^at \d+\(\d+\): |\n +1 \| (.|\n)*", "", said[0]).strip() if error else ""


def fits(constraint: Constraint, answer: str, *, whole: bool) -> bool:
    """Whether `answer` is one that `constraint` leaves open or, if it is not `whole`, begins like one."""
    import llguidance

    matcher = llguidance.LLMatcher(_bytes(), grammar(constraint), log_level=0)
    # A character cut in the middle is no character.
    written = list((answer if whole else answer.rstrip("\ufffd")).encode("utf-8", "surrogatepass"))
    if matcher.try_consume_tokens(written) < len(written):
        return False
    return bool(matcher.is_accepting()) if whole else True


@lru_cache(maxsize=1)
def _bytes() -> Any:
    """A vocabulary in which each byte is a token."""
    import llguidance

    return llguidance.LLTokenizer("byte")
