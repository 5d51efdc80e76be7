"""What costs no language model: a judge that says no more than these adds nothing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bakeoff.judging.units import sentences_of
from bakeoff.rag.answers import Answer
from bakeoff.rag.measure import Measure, Without, measure, unanswered
from bakeoff.score.overlap import share_of_words, support
from bakeoff.score.token_f1 import token_f1

if TYPE_CHECKING:
    from bakeoff.rag.nli import Entailment


def floor_measures(
    answers: Sequence[Answer], nli: "Entailment | None" = None, level: float = 0.95
) -> Iterator[Measure]:
    """Token F1 with the reference, overlap with the passages and, with a model of it, entailment by them."""
    yield measure("generation", "token F1 with the reference", "rule", answers, _f1, level=level)
    yield measure("generation", "words in the passages", "rule", answers, _words, level=level)
    if nli is not None:
        yield measure(
            "generation",
            "sentences entailed by a passage",
            nli.name,
            answers,
            lambda answer: _entailed(answer, nli),
            level=level,
        )


def _f1(answer: Answer) -> float | Without:
    if (why := unanswered(answer)) is not None:
        return why
    if answer.case is None or answer.case.reference is None:
        return "not scorable"
    return token_f1(answer.text, answer.case.reference)


def _words(answer: Answer) -> float | Without:
    if (why := unanswered(answer)) is not None:
        return why
    if answer.case is None or answer.case.context is None:
        return "not scorable"
    found = support(answer.text, "\n".join(answer.case.passages))
    return share_of_words(found) if found else "not scorable"


def _entailed(answer: Answer, nli: "Entailment") -> float | Without:
    if (why := unanswered(answer)) is not None:
        return why
    units = sentences_of(answer.text)
    if answer.case is None or answer.case.context is None or not units:
        return "not scorable"
    return nli.share(units, answer.case.passages)
