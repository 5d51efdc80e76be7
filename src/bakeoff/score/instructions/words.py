"""Words of a text, in the several senses the instructions use."""

import re
import string

from bakeoff.score.instructions.sentences import sentences

_ALNUM = re.compile(r"\w+")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
EDGES = string.punctuation + " "
"""What does not count at the ends of a word."""

# Marks that the Penn Treebank splits off wherever they stand; a comma or a colon between digits is part of
# a number, and one period is part of its word but at the end of a sentence.
_MARKS = re.compile(r"""(\.{2,}|--|``|''|[,:](?!\d)|[;@#$%&*?!"«»“”‘’„`<>(){}\[\]])""")
_CLITICS = ("n't", "'ll", "'re", "'ve", "'s", "'m", "'d", "'")
_CLITICS_IN_A_ROW = 3
# Words written as one that are two, and where the first ends.
_FUSED = {
    "cannot": 3,
    "d'ye": 1,
    "gimme": 3,
    "gonna": 3,
    "gotta": 3,
    "lemme": 3,
    "more'n": 4,
    "wanna": 3,
    "'tis": 2,
    "'twas": 2,
}


def runs(text: str) -> list[str]:
    """Runs of letters, digits and underscores: "don't" is two."""
    return _ALNUM.findall(text)


def bare(text: str) -> str:
    """`text` without ASCII punctuation: "don't" is "dont"."""
    return text.translate(_WITHOUT_PUNCTUATION)


def trimmed(text: str) -> str:
    """`text` without ASCII punctuation and spaces at its ends."""
    return text.strip(EDGES)


def treebank_tokens(text: str) -> list[str]:
    """Words and punctuation marks by the conventions of the Penn Treebank, sentence by sentence.

    "I'M" is two tokens, "U.S." one, "well-known" one.
    """
    return [token for sentence in sentences(text) for token in _tokens(sentence)]


def word_tokens(sentence: str) -> list[str]:
    """The Treebank tokens that hold a letter or a digit."""
    return [token for token in treebank_tokens(sentence) if any(character.isalnum() for character in token)]


def _tokens(sentence: str) -> list[str]:
    pieces = [
        piece for chunk in _last_period_apart(sentence).split() for piece in _MARKS.split(chunk) if piece
    ]
    return [token for piece in pieces for token in _without_clitics(piece)]


def _last_period_apart(sentence: str) -> str:
    body = sentence.rstrip()
    end = len(body.rstrip("])}>\"'»”’ "))
    if end > 1 and body[end - 1] == "." and body[end - 2] != ".":
        return f"{body[: end - 1]} . {body[end:]}"
    return body


def _without_clitics(piece: str) -> list[str]:
    """ "don't" as "do" and "n't", "dogs'" as "dogs" and "'"; "cannot" as "can" and "not"."""
    if (first := _FUSED.get(piece.lower())) is not None:
        return [piece[:first], piece[first:]]
    ends: list[str] = []
    for _ in range(_CLITICS_IN_A_ROW):
        small = piece[-3:].lower()
        end = next((clitic for clitic in _CLITICS if small.endswith(clitic)), "")
        if not end or len(end) == len(piece):
            break
        ends.insert(0, piece[-len(end) :])
        piece = piece[: -len(end)]
    return [piece, *ends]
