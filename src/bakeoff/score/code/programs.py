"""The program in an answer.

Nothing is parsed here: hostile source can take a parser down with it. What is proposed are texts in order of
plausibility; the sandbox takes the first that compiles.
"""

import re
from dataclasses import dataclass
from typing import Literal

from bakeoff.score.extract.extraction import Nothing

Take = Literal["last", "first"]

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*$", re.MULTILINE)
_PYTHON = frozenset({"", "python", "python3", "py", "py3", "python2", "pycon"})
_LOOKS_LIKE_CODE = re.compile(r"^(?:def|class|import|from|for|while|if|print|@|\w+\s*=)", re.MULTILINE)
_LONGEST = 1 << 18


@dataclass(frozen=True, slots=True)
class Program:
    """A text that may be the program, and how it was come by. `explicit` if it was marked or must be code."""

    text: str
    how: str
    explicit: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Programs in order of plausibility. `end` is where the code ends in the text that was searched."""

    programs: tuple[Program, ...]
    end: int


def find_programs(text: str, entry_point: str | None, prompt: str, take: Take) -> Found | Nothing:
    """What may be the program in `text`.

    Of fenced blocks in Python, those that define `entry_point` go before others, and of these `take` says
    which. Without a fence, the text is code if it defines the entry point; else, with a `prompt`, it is the
    body that goes on after it, up to the first line that is not indented.
    """
    text = text.replace("\r\n", "\n")
    blocks = [block for block in _blocks(text) if block.content.strip()]
    if blocks:
        defining = [block for block in blocks if _defines(block.content, entry_point)]
        block = (defining or blocks)[-1 if take == "last" else 0]
        how = f"{'the only' if len(blocks) == 1 else f'the {take}'} code block"
        if defining and len(blocks) > 1 and entry_point:
            how += f" that defines {entry_point}"
        found = _in_context(block.content, entry_point, prompt, how, explicit=True)
        return _bounded(Found(found, block.end))
    if _defines(text, entry_point) if entry_point else _LOOKS_LIKE_CODE.search(text):
        explicit = entry_point is not None
        how = "the whole text"
        return _bounded(Found(_in_context(text, entry_point, prompt, how, explicit=explicit), len(text)))
    if prompt:
        body, end = _body(text)
        return _bounded(
            Found(_in_context(body, entry_point, prompt, "the prompt continued", explicit=False), end)
        )
    wanted = f" and nothing defines {entry_point}" if entry_point else ""
    return Nothing(f"no code block{wanted}")


@dataclass(frozen=True, slots=True)
class _Block:
    content: str
    end: int


def _blocks(text: str) -> list[_Block]:
    """Fenced blocks without a language or in Python. One that is never closed runs to the end."""
    blocks: list[_Block] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[2]:
            if opening[2].lower() in _PYTHON:
                blocks.append(_Block(text[opening.end() + 1 : fence.start()], fence.end() - len(fence[1])))
            opening = None
    if opening is not None and opening[2].lower() in _PYTHON:
        blocks.append(_Block(text[opening.end() + 1 :], len(text)))
    return blocks


def _defines(text: str, entry_point: str | None) -> bool:
    if entry_point is None:
        return True
    name = re.escape(entry_point.partition(".")[0])
    return re.search(rf"^(?:async\s+)?(?:def|class)\s+{name}\b|^{name}\s*=", text, re.MULTILINE) is not None


def _in_context(
    code: str, entry_point: str | None, prompt: str, how: str, *, explicit: bool
) -> tuple[Program, ...]:
    """The code with the prompt that it belongs to: behind it as a program of its own, or as its body."""
    if not prompt:
        return (Program(code, how, explicit),)
    if _defines(code, entry_point):
        # Its own definition replaces that of the prompt, whose imports and helpers stay.
        return (Program(f"{prompt}\n\n{code}", how, explicit), Program(code, how, explicit))
    stripped = code.lstrip("\n")
    indented = Program(f"{prompt}    {stripped}", f"{how}, its first line indented", explicit)
    shifted = "\n".join(f"    {line}" for line in stripped.split("\n"))
    return (
        Program(prompt + code, how, explicit),
        Program(f"{prompt}\n{code}", how, explicit),
        indented,
        Program(f"{prompt}\n{shifted}", f"{how}, all its lines indented", explicit),
    )


def _body(text: str) -> tuple[str, int]:
    """The text up to the first line after the first that starts at the margin, where a base model runs on."""
    margin = re.compile(r"^(?=[^\s])", re.MULTILINE)
    start = len(text) - len(text.lstrip("\n"))
    after_first = text.find("\n", start)
    found = margin.search(text, after_first + 1) if after_first >= 0 else None
    return (text, len(text)) if found is None else (text[: found.start()], found.start())


def _bounded(found: Found) -> Found | Nothing:
    size = max(len(program.text) for program in found.programs)
    if size > _LONGEST:
        return Nothing(f"a program of {size:,} characters is longer than {_LONGEST:,}")
    return found
