"""From scores of documents to their order."""

from collections.abc import Iterable, Mapping
from math import isfinite


def ranked(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Document ids from the highest score down; of equal scores, the greater id (as UTF-8) first.

    That is trec_eval's order, which ignores the ranks a run file writes. It is arbitrary but the same
    everywhere; ties in the order of the input would let a retriever be lucky with how its index was built.

    Raises:
        ValueError: a score that is not finite.
    """
    for document, score in scores.items():
        if not isfinite(score):
            raise ValueError(f"document {document}: a score must be finite, got {score}")
    return tuple(
        sorted(scores, key=lambda document: (scores[document], document.encode("utf-8", "surrogatepass")))[
            ::-1
        ]
    )


def without_repeats(ranking: Iterable[str]) -> tuple[str, ...]:
    """The ranking with each document where it stands first; what follows a repeat moves up."""
    return tuple(dict.fromkeys(ranking))
