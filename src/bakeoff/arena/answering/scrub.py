"""Names of models and makers, blacked out of answers while these come in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bakeoff.arena.cleaning.leaks import OF_ITSELF
from bakeoff.arena.cleaning.makers import MAKERS, Maker, made, own_word

BLACK = "█████"

_REACH = 80
"""No name with its version is longer: further than that nothing is held back."""

_CONTEXT = 240
"""Characters before a name in which an answer may have begun to speak of itself."""

# Letters of a name that no two other words are likely to make together.
_LONG = 6
# Families' names that are words of every other answer: a version behind them says nothing either.
_PLAIN = frozenset({"step", "seed"})
# A painter and a rhyme scheme, where no version follows.
_ALSO_ORDINARY = _PLAIN | {"davinci", "abab"}
# Written between letters these change what is seen little or not at all: a name in bold is still a name.
_UNSEEN = r"[*_~`\u00ad\u200b-\u200f\u2060-\u2064\ufeff]"
_GAPS = re.compile(rf"{_UNSEEN}|[-. ]")
_START, _END = r"(?<![A-Za-z0-9À-ɏ])", r"(?![A-Za-z0-9À-ɏ])"
_NUMBER = r"v?\d[A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*"
_SIZES = r"sonnet|opus|haiku|turbo|pro|flash|ultra|instruct|coder|preview"
_MORE = rf"{_SIZES}|nano|mini|large|medium|small|max|plus|lite|chat|it|thinking|base|latest|exp|{_NUMBER}"
_VERSION = rf"(?:[-_ ]?{_NUMBER}|[-_ ](?:{_SIZES})|-(?:{_MORE}))"
_TAIL = rf"(?:[-_ ](?:{_SIZES})|[-_](?:{_MORE}))*"
_UNFINISHED = re.compile(r"[-_ .]?[\w+]*")

# Whoever is asked for a name will give it in one word.
_ASKS_WHO = re.compile(
    r"\bwh(?:o|at) (?:exactly )?(?:are|r) (?:you|u)\b|\bare you (?:an? )?\w+|\byour (?:own |real )?(?:name"
    r"|maker|creators?|developers?|company|identity|model|version|provider|vendor|system prompt)\b"
    r"|\b(?:which|what) (?:\w+ ){0,3}(?:model|llm|ai|assistant|chatbot|company|lab)\b"
    r"|\b(?:made|created|trained|developed|built|designed|runs?|powers?) (?:you|u)\b|\byourself\b"
    r"|\bwer bist du\b|\bwie hei(?:ß|ss)t du\b|\bwelches (?:\w+ )?modell\b|\bqui es-tu\b|\bqui êtes-vous\b"
    r"|\bquel (?:\w+ )?modèle\b|\bquién eres\b|\bqué modelo\b|\bquem é você\b|\bchi sei\b|\bкто ты\b"
    r"|你是谁|你是誰|什么模型|什麼模型|你叫什么|あなたは誰|何のモデル",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scrub:
    """Which names are blacked out in an arena: of its own candidates, and of all makers that are known.

    A word that also means something else (google, llama) counts where a version follows, where the answer
    speaks of itself, where it is capitalised and a candidate's own, and everywhere once the voter asked
    for a name.
    """

    starts: re.Pattern[str]
    names: re.Pattern[str]
    of_itself: re.Pattern[str]
    beginnings: frozenset[str]
    own: frozenset[str]

    def scrubber(self, prompts: Iterable[str]) -> "Scrubber":
        """What scrubs one answer to the last of a conversation's `prompts`."""
        return Scrubber(self, strict=any(_ASKS_WHO.search(prompt) for prompt in prompts))


class Scrubber:
    """One answer while it comes in. `count` says how many names were blacked out so far."""

    def __init__(self, scrub: Scrub, *, strict: bool) -> None:
        self.count = 0
        self._scrub = scrub
        self._strict = strict
        self._before = ""
        self._pending = ""

    def add(self, piece: str) -> str:
        """Take the next piece. What can be shown by now: an end that may become a name is held back."""
        self._pending += piece
        return self._scrubbed(final=False)

    def end(self) -> str:
        """The rest, once the answer is whole."""
        return self._scrubbed(final=True)

    def _scrubbed(self, *, final: bool) -> str:
        text = self._before + self._pending
        at, out = len(self._before), []
        for start in self._scrub.starts.finditer(text, at):
            place = start.start()
            if place < at:
                continue
            head = _folded(text[place : place + _REACH])
            if head[:2] not in self._scrub.beginnings:
                continue
            found = self._scrub.names.match(text, place, place + _REACH)
            if not final and len(text) - place < _REACH and self._open(found, head, text):
                out.append(text[at:place])
                return self._released(text, place, out)
            if found is not None and self._tells(found, text):
                out += [text[at:place], BLACK]
                self.count += 1
                at = found.end()
        return self._released(text, len(text), [*out, text[at:]])

    def _open(self, found: re.Match[str] | None, head: str, text: str) -> bool:
        """Whether what comes next may make a name of this, or a longer one."""
        unfinished = found is not None and _UNFINISHED.fullmatch(text, found.end()) is not None
        return unfinished or head in self._scrub.beginnings

    def _tells(self, found: re.Match[str], text: str) -> bool:
        word = found["ordinary"]
        if word is None:
            return True
        folded = _folded(word)
        if (found["version"] or self._strict) and folded not in _PLAIN:
            return True
        if word[0].isupper() and folded in self._scrub.own:
            return True
        before = text[max(0, found.start() - _CONTEXT) : found.start()]
        return self._scrub.of_itself.search(before) is not None

    def _released(self, text: str, end: int, out: list[str]) -> str:
        self._before, self._pending = text[max(0, end - _CONTEXT) : end], text[end:]
        return "".join(out)


def scrub_of(candidates: Iterable[str], makers: Iterable[Maker] = MAKERS) -> Scrub:
    """The names to black out; `candidates` are names, families and providers of the models of an arena."""
    makers = tuple(makers)
    given = {word for name in candidates for word in (name, name.rpartition("/")[2])}
    given = {word for word in given if len(_folded(word)) > 1}
    given |= {word for name in given if not made(name, makers) and (word := own_word(name)) is not None}
    ordinary = {word for maker in makers for word in maker.ordinary} | _ALSO_ORDINARY
    known = {word for maker in makers for word in (*maker.families, *maker.names)}
    always = {word.casefold() for word in given | known} - ordinary
    families = {word for name in given for maker in made(name, makers) for word in maker.families}
    own = (families | set(map(str.casefold, given))) & ordinary
    folded = {_folded(word) for word in always | ordinary}
    initials = "".join(sorted({word[0] for word in folded}))
    anywhere = rf"(?:{_either(always)})(?:{_VERSION})?"
    by_context = rf"(?P<ordinary>{_either(ordinary)})(?P<version>{_VERSION})?"
    return Scrub(
        starts=_compiled(rf"{_START}[{re.escape(initials)}]"),
        names=_compiled(rf"{_START}(?:{anywhere}|{by_context}){_TAIL}{_END}"),
        of_itself=_compiled(rf"{OF_ITSELF}{_UNSEEN}*\Z"),
        beginnings=frozenset(word[:size] for word in folded for size in range(1, len(word) + 1)),
        own=frozenset(map(_folded, own)),
    )


def _folded(text: str) -> str:
    """Letters and digits alone, in one case."""
    return _GAPS.sub("", text).casefold()


def _either(words: Iterable[str]) -> str:
    return "|".join(_spelt(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _spelt(word: str) -> str:
    """A word with anything unseen between its letters, or spelt out with a gap after each; a long one with a
    gap or none wherever it may be, as in Open AI."""
    letters = [re.escape(letter) for letter in word if letter not in "-_ "]
    spelt_out = "[-. ]".join(letters)
    if len(letters) >= _LONG:
        loose = f"{_UNSEEN}*[- ]?{_UNSEEN}*".join(letters)
        return f"(?:{loose}|{spelt_out})"
    parts = [f"{_UNSEEN}*".join(map(re.escape, part)) for part in re.split(r"[-_ ]", word) if part]
    whole = f"{_UNSEEN}*[- ]?{_UNSEEN}*".join(parts)
    return f"(?:{whole}|{spelt_out})"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
