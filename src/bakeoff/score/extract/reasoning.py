"""Thinking aloud is not an answer: reasoning blocks inside a text."""

import re
from dataclasses import dataclass

# (opening mark, closing mark), as written by the chat templates of, among others, DeepSeek-R1 and Qwen3,
# Claude-style prompts, EXAONE, Seed-OSS, Kimi-VL, Sky-T1 and OpenThinker, Magistral, Command A Reasoning,
# and gpt-oss (harmony; there the closing mark opens the answer's channel).
_BLOCKS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis", "<|channel|>final"),
    ("<|channel|>commentary", "<|channel|>final"),
)
# Marks around or after the answer itself: no part of it.
_ANSWER_MARKS = re.compile(
    r"<\|begin_of_solution\|>|<\|end_of_solution\|>|<\|START_RESPONSE\|>|<\|END_RESPONSE\|>"
    r"|<\|channel\|>final|<\|start\|>assistant|<\|message\|>|<\|return\|>|<\|end\|>"
)
_CLOSE_OF = {opening.lower(): closing.lower() for opening, closing in _BLOCKS}
_CLOSINGS = frozenset(_CLOSE_OF.values())
_MARK = re.compile("|".join(re.escape(mark) for mark in (*_CLOSE_OF, *_CLOSINGS)), re.IGNORECASE)
_ANY_MARK = re.compile("[" + re.escape("".join({mark[0] for mark in (*_CLOSE_OF, *_CLOSINGS)})) + "]")
# A harmony answer decoded without its special tokens.
_BARE_HARMONY = re.compile(r"\s*analysis\b.*?assistantfinal|\s*analysis(?=[A-Z]).*?assistantfinal", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parted:
    """A text parted into the answer and whether a reasoning block was there, and was left open."""

    answer: str
    reasoned: bool
    unclosed: bool


def part_reasoning(text: str) -> Parted:
    """The answer without reasoning blocks.

    A closing mark without an opening one ends a block that the prompt opened: everything before it is
    reasoning. A block that is never closed leaves no answer: `unclosed`, and the answer is what stood before.
    """
    if (harmony := _BARE_HARMONY.match(text)) is not None:
        return Parted(text[harmony.end() :], reasoned=True, unclosed=False)
    if _ANY_MARK.search(text) is None:
        return Parted(text, reasoned=False, unclosed=False)
    kept: list[str] = []
    reasoned, closing, start = False, None, 0
    for mark in _MARK.finditer(text):
        word = mark.group().lower()
        if closing is not None:
            if word == closing:
                closing, start = None, mark.end()
        elif word in _CLOSE_OF:
            kept.append(text[start : mark.start()])
            reasoned, closing = True, _CLOSE_OF[word]
        elif word != "<|channel|>final":
            kept.clear()
            reasoned, start = True, mark.end()
    if closing is None:
        kept.append(text[start:])
    answer = "".join(kept)
    if "<|" in answer:
        answer = _ANSWER_MARKS.sub("", answer)
    return Parted(answer, reasoned, unclosed=closing is not None)
