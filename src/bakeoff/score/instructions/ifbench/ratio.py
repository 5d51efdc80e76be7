"""Shares of words and of kinds of sentence."""

from collections import Counter

from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import runs

# The function words that the published figures count (NLTK's English list), as runs of letters: "don't" is
# "don" and "t".
_STOP_WORDS = frozenset(
    (  # noqa: SIM905 (words are read as words)
        "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her "
        "hers herself it its itself they them their theirs themselves what which who whom this that these "
        "those am is are was were be been being have has had having do does did doing a an the and but if "
        "or because as until while of at by for with about against between into through during before after "
        "above below to from up down in out on off over under again further then once here there when where "
        "why how all any both each few more most other some such no nor not only own same so than too very "
        "can will just should now s t d m o y ll re ve ma don ain aren couldn didn doesn hadn hasn haven "
        "isn mightn mustn needn shan shouldn wasn weren won wouldn"
    ).split()
)
_WITHIN = 2


def stop_words(text: str, *, percentage: int) -> bool:
    """At most `percentage` % of the words are stop words."""
    words = [word.lower() for word in runs(text)]
    if not words:
        return False
    return 100 * sum(word in _STOP_WORDS for word in words) / len(words) <= percentage


def sentence_type(text: str) -> bool:
    """Twice as many sentences end in a period as in a question mark; none of either will do."""
    ends = _ends(text)
    return ends["."] == 2 * ends["?"]


def sentence_balance(text: str) -> bool:
    """As many sentences end in a period as in a question mark and in an exclamation mark."""
    ends = _ends(text)
    return ends["."] == ends["?"] == ends["!"]


def sentence_words(text: str) -> bool:
    """Three sentences of the same number of characters. That their words differ is not checked."""
    lengths = [len(sentence.strip()) for sentence in sentences(text)]
    return len(lengths) == 3 and len(set(lengths)) == 1


def overlap(text: str, *, reference_text: str, percentage: int) -> bool:
    """`percentage` % of the text's different trigrams are in the reference, give or take 2 points.

    Trigrams of characters, as published, not of words.
    """
    trigrams = _trigrams(text)
    if not trigrams:
        return False
    share = 100 * len(trigrams & _trigrams(reference_text)) / len(trigrams)
    return percentage - _WITHIN <= share <= percentage + _WITHIN


def _ends(text: str) -> Counter[str]:
    return Counter(sentence[-1:] for sentence in sentences(text))


def _trigrams(text: str) -> set[str]:
    return {text[start : start + 3] for start in range(len(text) - 2)}
