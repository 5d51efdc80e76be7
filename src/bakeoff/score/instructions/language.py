"""The language of a text."""

from functools import cache

from bakeoff.errors import TaskError

_BENEFIT = 5.0
"""Nats by which another language must be likelier before a text is not in the language asked for.

Without it, 9 % of the English sentences of 15 to 60 characters in recorded answers count as another language;
with it 2 %, and sentences of other languages count as English no more often (1 of 118).
"""


def is_in_language(text: str, language: str) -> bool:
    """Whether `text` as a whole can be in `language` (ISO 639-1; `zh-cn` and `zh-tw` are `zh`).

    By py3langid, a naive Bayes classifier over byte sequences and so the same each time. A text without
    letters has no language and passes. Letters are made small first: all capitals are no language.

    Raises:
        TaskError: a language that the classifier does not know, or py3langid is not installed.
    """
    code = language.lower().partition("-")[0]
    if code not in _labels():
        raise TaskError(
            f"instruction: the language {language!r:.40} is not known", f"Known are {', '.join(_labels())}."
        )
    if not any(character.isalpha() for character in text):
        return True
    scores = dict(_rank(text.lower()))
    return bool(scores[code] >= max(scores.values()) - _BENEFIT)


@cache
def _labels() -> tuple[str, ...]:
    return tuple(sorted(label for label, _ in _rank("a text")))


def _rank(text: str) -> list[tuple[str, float]]:
    try:
        import py3langid  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise TaskError(
            "the ifeval scorer needs py3langid to tell languages", "Install bakeoff[score]."
        ) from error
    # Half a surrogate pair is no character of any language.
    ranked: list[tuple[str, float]] = py3langid.rank(text.encode("utf-8", "ignore"))
    return ranked
