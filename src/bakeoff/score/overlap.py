"""How much of an answer stands in its context, word by word: the floor under any judge of groundedness."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.extract.characters import plain
from bakeoff.score.extract.numeral import NUMERAL, value_of
from bakeoff.score.extract.sentence import sentences
from bakeoff.score.options import identifier
from bakeoff.score.passages import passages_of
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, zero

_LONGEST = 200_000
"""Characters of an answer."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_POSSESSIVE = re.compile(r"'s?\Z")
# Words of English that say nothing about what is claimed. "not" does.
_FUNCTION_WORDS = """
a about above after again against all also although am an and any are as at be because been before
being below between both but by can could did do does doing down during each either every few for
from further had has have having he her here hers him his how however i if in into is it its itself
just may me might more most must my nor of off on once one only or other our out over own per rather
s same she should since so some such t than that the their them then there therefore these they this
those through thus to too under until up upon us very was we were what when where whether which
while who whom whose why will with within would you your
"""
_LEFT_OUT = frozenset(_FUNCTION_WORDS.split())
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Support:
    """One sentence and what of it the context does not hold: of `words` content words and `numbers`."""

    sentence: str
    words: int
    numbers: int
    missing_words: tuple[str, ...]
    missing_numbers: tuple[str, ...]
    missing_names: tuple[str, ...]

    @property
    def supported(self) -> bool:
        """Every number and every name is in the context, and at least half of the content words."""
        few = len(self.missing_words) <= _HALF * self.words
        return few and not self.missing_numbers and not self.missing_names


@dataclass(frozen=True, slots=True)
class Supported:
    """The share of an answer's content words and numbers that its context holds: a floor, not a judge.

    The context is the passages that the answer's pipeline names, else `metadata.context`: a text, or a list
    of them. Words without case, English function words left out; numbers by value (1,200 is 1200).
    `measure: sentences` is the share of sentences in which every number and every name (a capitalised word
    that does not begin its sentence) stands in the context and at least half of the content words do.
    `extracted` is the sentences in which they do not.

    Words in other forms count as missing, and so does what is true but not in the context; what a "not"
    belongs to is not seen. Scripts without spaces between words leave sentences whole. An answer without any
    content word or number is `no_answer`.
    """

    name: ClassVar[str] = "supported"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    measure: Literal["words", "sentences"] = "words"

    @property
    def id(self) -> str:
        """`supported@1`, with the measure where it is not words."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The share, in [0, 1]. A text cut by the token limit is `truncated`: it was going on."""
        context = _context(item, response)
        answer = response.text.strip()
        if response.finish is FinishReason.LENGTH:
            return zero(self.id, Outcome.TRUNCATED, "the token limit cut the answer", answer)
        if len(answer) > _LONGEST:
            return zero(self.id, Outcome.NO_ANSWER, f"longer than {_LONGEST:,} characters", answer)
        sentences = support(answer, context)
        if not sentences:
            return zero(self.id, Outcome.NO_ANSWER, "no content words or numbers to look for", answer)
        wrong = [each for each in sentences if not each.supported]
        value = share_of_words(sentences) if self.measure == "words" else 1 - len(wrong) / len(sentences)
        return scored(self.id, value, "\n".join(each.sentence for each in wrong) or None, _reason(sentences))


def support(answer: str, context: str) -> tuple[Support, ...]:
    """The sentences of an answer that have a content word or a number, each held against the context."""
    held_words, held_numbers = _held(context)
    found = (_sentence(text, held_words, held_numbers) for text in sentences(answer))
    return tuple(each for each in found if each.words or each.numbers)


def share_of_words(sentences: tuple[Support, ...]) -> float:
    """The share of content words and numbers, over all sentences together, that the context holds.

    Raises:
        ValueError: no sentences.
    """
    if not sentences:
        raise ValueError("a share needs at least one sentence, got none")
    total = sum(each.words + each.numbers for each in sentences)
    missing = sum(len(each.missing_words) + len(each.missing_numbers) for each in sentences)
    return 1 - missing / total


def _sentence(text: str, held_words: frozenset[str], held_numbers: frozenset[Fraction]) -> Support:
    words, numbers = _read(text)
    content = [(place, word) for place, word in enumerate(words) if _folded(word) not in _LEFT_OUT]
    missing = [(place, word) for place, word in content if _folded(word) not in held_words]
    return Support(
        sentence=text,
        words=len(content),
        numbers=len(numbers),
        missing_words=tuple(word for _, word in missing),
        missing_numbers=tuple(written for written, value in numbers if value not in held_numbers),
        missing_names=tuple(word for place, word in missing if place and word[0].isupper()),
    )


def _read(text: str) -> tuple[list[str], list[tuple[str, Fraction]]]:
    """The words in order, and the numbers as written and by value: the e of 2.85e3 is no word."""
    written = plain(text)
    numbers = ((match.group().strip(), value_of(match)) for match in NUMERAL.finditer(written))
    known = [(number, value) for number, value in numbers if value is not None]
    return _WORD.findall(NUMERAL.sub(" ", written)), known


def _folded(word: str) -> str:
    return _POSSESSIVE.sub("", word.casefold())


# One context is often held against several answers.
@lru_cache(maxsize=64)
def _held(context: str) -> tuple[frozenset[str], frozenset[Fraction]]:
    words, numbers = _read(context)
    return frozenset(map(_folded, words)), frozenset(value for _, value in numbers)


def _reason(sentences: tuple[Support, ...]) -> str:
    words, numbers = sum(each.words for each in sentences), sum(each.numbers for each in sentences)
    missing_words = [word for each in sentences for word in each.missing_words]
    missing_numbers = [number for each in sentences for number in each.missing_numbers]
    supported = sum(each.supported for each in sentences)
    counts = (
        f"{words - len(missing_words)} of {words} content words, "
        f"{numbers - len(missing_numbers)} of {numbers} numbers, {supported} of {len(sentences)} sentences"
    )
    missing = ", ".join(dict.fromkeys([*missing_numbers, *missing_words]))
    return f"{counts}; missing: {missing:.120}" if missing else counts


def _context(item: Item, response: Response) -> str:
    if (passages := passages_of(response)) is not None:
        return "\n".join(passage.text for passage in passages)
    given: Any = item.metadata.get("context")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise TaskError(
            f"item {item.id}: the supported scorer needs metadata.context, text or texts, got {given!r:.40}",
            "Write `fields: {metadata: {context: COLUMN}}` with the column that holds the context.",
        )
    return "\n".join(texts)
