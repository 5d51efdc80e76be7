"""Whether one text follows one instruction, to the letter or loosely."""

from typing import Literal

from bakeoff.score.instructions.given import Instruction

Followed = Literal["strict", "loose", "no"]


def followed(instruction: Instruction, text: str) -> Followed:
    """`strict` if `text` itself follows it, `loose` if only a relaxed variant does. A blank text never."""
    if text.strip() and instruction.holds(text):
        return "strict"
    return "loose" if any(instruction.holds(variant) for variant in relaxed(text)) else "no"


def relaxed(text: str) -> tuple[str, ...]:
    """The variants of Zhou et al. 2023, section 2.2, without empty ones and repetitions.

    An introduction ("Sure, here is …"), a closing line and Markdown's asterisks are forgiven, in every
    combination.
    """
    lines = text.split("\n")
    parts = [text, *("\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1]))]
    variants = dict.fromkeys(parts + [part.replace("*", "") for part in parts])
    return tuple(variant for variant in variants if variant.strip() and variant != text)
