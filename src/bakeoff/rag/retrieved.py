"""What was retrieved, against the passages that were needed; and whether it made the answer right."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bakeoff.rag.answers import Answer
from bakeoff.rag.measure import Measure, Without, measure
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import item_mean
from bakeoff.stats.retrieval.measures import MEASURES, hit

RIGHT = 0.5
"""From this score on an answer counts as right."""
_SHOWN = ("recall", "precision", "mrr", "ndcg")


@dataclass(frozen=True, slots=True)
class Given:
    """The items for which a passage that was needed was retrieved, or none: the run's own score over them,
    how many abstained, and how many of the others are right."""

    score: Estimate
    right: int
    wrong: int
    abstained: int


@dataclass(frozen=True, slots=True)
class Together:
    """Retrieval and generation at once, over the answerable items with gold passages and a score.

    Wrong or abstaining with a passage that was needed is the generator's doing. Without one, abstaining is
    the retriever's and wrong is both's; right came from elsewhere: another passage, or the model's memory.
    """

    found: Given
    not_found: Given


def retrieval_measures(answers: Sequence[Answer], level: float = 0.95) -> Iterator[Measure]:
    """Recall, precision, MRR and nDCG of all that was passed on; none where no item says what was needed."""
    if not any(each.gains and each.ranking is not None for each in answers):
        return
    for name in _SHOWN:
        yield measure("retrieval", name, "gold passages", answers, _value(name), level=level)


def together(answers: Sequence[Answer], level: float = 0.95) -> Together | None:
    """The run's own score with a needed passage and without; None where no item says what was needed."""
    found: dict[bool, list[Answer]] = {True: [], False: []}
    for each in answers:
        if (
            each.gains
            and each.ranking is not None
            and each.value is not None
            and each.answerable is not False
        ):
            got = hit(each.ranking, each.gains)
            if got is not None:
                found[got == 1].append(each)
    if not any(found.values()):
        return None
    return Together(_given(found[True], level), _given(found[False], level))


def _value(name: str) -> Callable[[Answer], float | Without]:
    def value(answer: Answer) -> float | Without:
        if answer.ranking is None:
            return "failed" if answer.ended == "failed" else "not scorable"
        found = MEASURES[name](answer.ranking, answer.gains or {}, None)
        return "not scorable" if found is None else found

    return value


def _given(answers: Sequence[Answer], level: float) -> Given:
    said = [each.value is not None and each.value >= RIGHT for each in answers if each.ended != "abstained"]
    score = item_mean([(each.value, each.group) for each in answers], "auto", level)
    return Given(score, sum(said), len(said) - sum(said), len(answers) - len(said))
