"""Were the instructions of the prompt followed?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import orjson

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.instructions.following import Followed, followed
from bakeoff.score.instructions.given import given_instructions
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import zero

_LONGEST = 200_000
"""Characters that are judged: twenty times what any of the benchmarks' instructions asks for. A model that
repeats "1. " without end makes Punkt look at each for 0.1 ms, in every variant of the text."""


@dataclass(frozen=True, slots=True)
class IFEval:
    """The answer follows the item's instructions, each verified by a rule (IFEval, IFBench).

    The target, or `metadata.instructions`, is a list of `{instruction_id, kwargs}`; `instruction_id_list` and
    `kwargs` in `metadata`, as in the published files, do as well. The value at `level: prompt` is 1 where
    every instruction was followed, else 0; at `level: instruction` it is the share followed. A mean over
    samples of that share is not IFEval's instruction-level accuracy, which pools instructions over prompts:
    `pooled` has it.

    With `mode: loose` an instruction counts as followed if it holds for the answer without its asterisks,
    without its first line, without its last line, or without several of these (Zhou et al. 2023, section
    2.2). Every score keeps both: `extracted` maps each instruction to `strict`, `loose` (followed by the
    loose rule alone) or `no`.

    White space around the answer is no part of it. A refusal in words is judged like any other answer, as
    published. A text that the token limit cut is `truncated`, because what it still owes cannot be known;
    what held until then is in `extracted`.
    """

    name: ClassVar[str] = "ifeval"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    blocking: ClassVar[bool] = True

    mode: Literal["strict", "loose"] = "strict"
    level: Literal["prompt", "instruction"] = "prompt"

    @property
    def id(self) -> str:
        """`ifeval@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where every instruction was followed, or the share of those that were.

        Raises:
            TaskError: see `given_instructions`; or an optional package is missing.
        """
        instructions = given_instructions(item)
        text = response.text.strip()
        if len(text) > _LONGEST:
            return zero(self.id, Outcome.NO_ANSWER, f"longer than {_LONGEST:,} characters: {len(text):,}")
        try:
            held = [followed(instruction, text) for instruction in instructions]
        except TaskError as error:
            raise TaskError(f"item {item.id}: {error.message}", error.hint) from error
        names = _distinct([instruction.id for instruction in instructions])
        verdicts = dict(zip(names, held, strict=True))
        counted = [name for name, how in verdicts.items() if how in self._enough]
        reason = _in_words(verdicts, counted, self.mode)
        extracted = orjson.dumps(verdicts).decode()
        if response.finish is FinishReason.LENGTH:
            reason = f"the token limit cut the answer; as far as it went: {reason}"
            return Score(Outcome.TRUNCATED, 0.0, extracted, reason, self.id)
        share = len(counted) / len(verdicts)
        value = share if self.level == "instruction" else float(share == 1)
        return Score(Outcome.SCORED, value, extracted, reason, self.id)

    @property
    def _enough(self) -> frozenset[Followed]:
        return frozenset({"strict"}) if self.mode == "strict" else frozenset({"strict", "loose"})


def pooled(extracted: Sequence[str], mode: Literal["strict", "loose"] = "strict") -> float:
    """IFEval's instruction-level accuracy in [0, 1]: instructions followed of all, over all prompts.

    `extracted` are those of the prompts' scores.

    Raises:
        ValueError: no instruction at all.
    """
    counts = Counter(how for text in extracted for how in orjson.loads(text).values())
    if not counts:
        raise ValueError("instruction-level accuracy needs at least one instruction")
    return (counts["strict"] + (counts["loose"] if mode == "loose" else 0)) / counts.total()


def _distinct(ids: Sequence[str]) -> list[str]:
    """The ids, a second use of one as `id (2)`."""
    seen: Counter[str] = Counter()
    names = []
    for name in ids:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def _in_words(verdicts: Mapping[str, Followed], counted: Sequence[str], mode: str) -> str:
    missed = [name for name in verdicts if name not in counted]
    said = f"{len(counted)} of {len(verdicts)} followed ({mode})"
    return f"{said}; not: {', '.join(missed)}" if missed else said
