"""Answers that say who gave them, so that the vote was not blind after all."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, get_args

from bakeoff.arena.cleaning.filter import Flags, flags_of
from bakeoff.arena.cleaning.makers import MAKERS, Maker, made, own_word
from bakeoff.arena.votes.votes import Votes

# No letter or digit of these scripts on either side; Chinese and Japanese put no space around a name.
_START, _END = r"(?<![A-Za-z0-9_À-ɏ])", r"(?![A-Za-z0-9_À-ɏ])"
# How an answer comes to speak of itself. What may stand between that and a name is listed, so that "I'm not
# able to search Google" says nothing of Google's model.
_BETWEEN = (
    r"(?:(?:actually|indeed|also|just|called|named|known as|an?|the|your|ai|assistant|chatbot|large|language"
    r"|model|version|of|based on|from|by|friendly|helpful)\b[ ,:]+)*"
)
_SELF = (
    r"(?:(?:\bi am|\bi['’]m|\bmy name is|\bcall me|\bich bin|\bje suis|\bje m['’]appelle|\bsoy|\bme llamo"
    rf"|\bsono|\bmi chiamo|\bsou)[ ,:]+{_BETWEEN}|(?:我是|我叫|私は)\W{{0,3}}|\bменя зовут |\bя[ —-]+)"
)
_MADE = (
    r"(?:\b(?:i|i['’]m|me|my)\b|\bas an? [^.!?\n]{0,40}?\b(?:model|assistant|ai|chatbot)\b)[^.!?\n]{0,80}?"
    r"\b(?:trained|developed|created|made|built|designed|powered|provided|from|work)\b[^.!?\n]{0,20}?"
    r"(?:\b(?:by|at|for) |(?<=from) )(?:\w+ ){0,3}?"
)
OF_ITSELF = rf"(?:{_SELF}|{_MADE})"
"""A pattern of what stands before a name where an answer speaks of itself. Letters' case is to be ignored."""

_A_VERSION = r"[-_ ]?v?\d[\w.]*"
_VERSION = f"(?:{_A_VERSION})?"

Whose = Literal["own", "any"]


@dataclass(frozen=True, slots=True)
class IdentityLeaks:
    """Battles in which an answer names the model that gave it, or its maker; the reason says the word.

    Looked for in an answer are the name and the family of its own model and the names of its makers, or, with
    `whose="any"`, those of all makers, as a model may take itself for another; `more` makers are added to
    `MAKERS`. Whole words only. A word that also means something else, or that the prompt brought up, counts
    where the answer speaks of itself.
    Battles without answers stay, unjudged.

    Raises:
        ValueError: `whose` is something else.
    """

    whose: Whose = "own"
    more: tuple[Maker, ...] = ()
    name: ClassVar[str] = "identity leaks"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.whose not in get_args(Whose):
            raise ValueError(f"whose is own or any, got {self.whose!r}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag battles with the word that an answer gave away."""
        makers = (*MAKERS, *self.more)
        signs = [_signs(model, makers, self.whose) for model in votes.models]
        reasons: list[str | None] = []
        unjudged = 0
        for a, b, said in zip(votes.model_a.tolist(), votes.model_b.tolist(), votes.texts, strict=True):
            unjudged += said.answer_a is None and said.answer_b is None
            word = signs[a].leak(said.answer_a, said.prompt) or signs[b].leak(said.answer_b, said.prompt)
            reasons.append(None if word is None else f"an answer says {word!r}")
        return flags_of(reasons, unjudged)


@dataclass(frozen=True, slots=True)
class _Signs:
    """The words of one model: those that give it away anywhere, and those that do in speaking of oneself."""

    anywhere: re.Pattern[str]
    of_itself: re.Pattern[str]
    words: tuple[str, ...]
    stems: tuple[str, ...]

    def leak(self, answer: str | None, prompt: str | None) -> str | None:
        folded = "" if answer is None else answer.casefold()
        if answer is None or not any(stem in folded for stem in self.stems):
            return None  # nearly all answers, at a tenth of the patterns' time
        for found in self.anywhere.finditer(answer):
            word = self._word(found)
            if not (prompt and _word_pattern(word).search(prompt)):
                return word
        spoken = self.of_itself.search(answer)
        return None if spoken is None else self._word(spoken)

    def _word(self, found: re.Match[str]) -> str:
        assert found.lastgroup is not None
        return self.words[int(found.lastgroup[1:])]


def _signs(model: str, makers: tuple[Maker, ...], whose: str) -> _Signs:
    meant = makers if whose == "any" else made(model, makers)
    families = dict.fromkeys(family for maker in meant for family in maker.families)
    ordinary = dict.fromkeys(word for maker in meant for word in maker.ordinary)
    unknown = own_word(model) if not made(model, makers) else None
    if unknown is not None:
        ordinary[unknown] = None
    names = dict.fromkeys([model.casefold(), *(word for maker in meant for word in maker.names)])
    words = tuple(dict.fromkeys([*names, *families, *ordinary]))
    # A family's name that means something else is nobody's until a version follows it.
    forms = {word: _spelt(word) for word in names}
    forms |= {word: _spelt(word) + (_A_VERSION if word in ordinary else _VERSION) for word in families}
    anywhere = [_group(words.index(word), form) for word, form in forms.items()]
    itself = [_group(number, _spelt(word) + _VERSION) for number, word in enumerate(words)]
    return _Signs(
        anywhere=_compiled(_either(anywhere)),
        of_itself=_compiled(rf"{OF_ITSELF}{_either(itself)}"),
        words=words,
        stems=tuple(dict.fromkeys(re.split(r"[-_ ]", word)[0].casefold() for word in words)),
    )


@cache
def _word_pattern(word: str) -> re.Pattern[str]:
    return _compiled(_START + _spelt(word) + _VERSION + _END)


def _either(groups: Iterable[str]) -> str:
    return f"{_START}(?:{'|'.join(groups)}){_END}"


def _group(number: int, pattern: str) -> str:
    return f"(?P<w{number}>{pattern})"


def _spelt(word: str) -> str:
    """A word with hyphens, spaces or nothing where it has one of them."""
    return "[-_ ]?".join(re.escape(part) for part in re.split(r"[-_ ]", word))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
