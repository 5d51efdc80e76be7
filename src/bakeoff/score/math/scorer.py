"""A mathematical answer that means the same as the target."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Response, Score
from bakeoff.score.extract.extraction import Nothing
from bakeoff.score.math.equivalence import is_words, same
from bakeoff.score.math.final_answer import LONGEST, final_answer
from bakeoff.score.math.symbolic import Finding, symbolic
from bakeoff.score.math.tidy import tidy
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import settle

_HOW: dict[Finding, str] = {
    "equal": "equal by algebra",
    "different": "not equal",
    "unreadable": "not equal, and not readable as mathematics",
    "limit": "not shown equal within the limits of time and memory",
}


@dataclass(frozen=True, slots=True)
class Math:
    """The mathematical answer means the target: `\\boxed{\\frac12}` is 0.5, `(1, 2)` a pair, `x=5` is 5.

    Target and answer are read by the same rules. First by spelling and as plain numbers, words, labels and
    lists, exactly; what is left goes to a computer algebra system (math-verify) in a process of its own, with
    `time_limit` seconds of processor time and 2 GiB of memory: what is not shown equal in that is wrong, and
    the reason says so. `tolerance` is relative to the target, for decimals; a target written as a whole
    number is met by no other. Units and currencies are not judged, 50% is 50 and 0.5. `take` and `fallback`
    are as in `number`. With `metadata.answer_type: list of …` (TheoremQA) the targets are one list, in any
    order, and not each an answer of its own.
    """

    name: ClassVar[str] = "math"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"
    blocking: ClassVar[bool] = True

    tolerance: float = 1e-6
    take: Literal["last", "first"] = "last"
    fallback: bool = True
    time_limit: float = 5.0

    def __post_init__(self) -> None:
        if self.tolerance < 0:
            raise TaskError(f"scorer math: tolerance must be 0 or more, got {self.tolerance}")
        if self.time_limit <= 0:
            raise TaskError(f"scorer math: time_limit must be above 0 seconds, got {self.time_limit}")

    @property
    def id(self) -> str:
        """`math@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the answer means an accepted text, else 0."""
        golds = tuple(_gold(item.id, text) for text in _targets(item, self.name))
        found = final_answer(response.text, take=self.take, fallback=self.fallback)
        if isinstance(found, Nothing):
            return settle(self.id, response, found, 0.0)
        right, how = _judged(golds, found.text[:LONGEST], self.tolerance, self.time_limit)
        return settle(self.id, response, replace(found, how=f"{found.how}, {how}"), float(right))


def _targets(item: Item, scorer: str) -> tuple[str, ...]:
    texts = accepted_texts(item, scorer)
    kind = item.metadata.get("answer_type")
    return (", ".join(texts),) if isinstance(kind, str) and kind.startswith("list") else texts


@lru_cache(maxsize=4096)
def _gold(item_id: str, text: str) -> str:
    """A target in the one spelling; a worked solution's is what it marks as its answer."""
    marked = final_answer(text, fallback=False) if "\\boxed" in text or "####" in text else None
    gold = tidy(text if marked is None or isinstance(marked, Nothing) else marked.text)
    if not gold:
        raise TaskError(
            f"item {item_id}: there is no answer in the target {text!r:.80}",
            "Write the answer alone, such as \\frac{1}{2}, or a solution with \\boxed{…}.",
        )
    return gold


@lru_cache(maxsize=16_384)
def _judged(golds: tuple[str, ...], written: str, tolerance: float, time_limit: float) -> tuple[bool, str]:
    """Whether an answer means one of `golds`, and how that was found."""
    answer = tidy(written)
    found = [same(gold, answer, Fraction(tolerance)) for gold in golds]
    if True in found:
        return True, "the same"
    how = "not the same"
    for gold, decided in zip(golds, found, strict=True):
        if decided is None and not is_words(gold):
            finding = symbolic(time_limit).compare(gold, answer, tolerance)
            how = _HOW[finding]
            if finding == "equal":
                return True, how
    return False, how
