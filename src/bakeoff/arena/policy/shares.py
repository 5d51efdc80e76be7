"""Who is shown how often, against a fair share: each variant that could be shown on a day, alike."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """Of a model, a provider or a licence class: how often it was shown, and which share that is of all
    appearances (0 to 1; each pair is two). `fair` is the share that it would have if on each day all variants
    that could be shown had been shown alike. `most` is its largest share of one day, on `most_day` (days
    since 1970).
    """

    name: str
    appearances: int
    share: float
    fair: float
    most: float
    most_day: int

    @property
    def ratio(self) -> float:
        """How many times its fair share; 0 where none is due."""
        return self.share / self.fair if self.fair else 0.0


@dataclass(frozen=True, slots=True)
class Exposure:
    """Appearances in all, the shares of models, providers and licence classes, each with the largest first,
    and Gini's coefficient of how many times its fair share each model has: 0 if all are shown alike, near 1
    if one is shown nearly always.
    """

    appearances: int
    models: tuple[Share, ...]
    providers: tuple[Share, ...]
    licences: tuple[Share, ...]
    gini: float


def exposure(
    shown: Iterable[tuple[int, str, int]],
    could_be: Mapping[int, Collection[str]],
    provider: Mapping[str, str],
    licence: Mapping[str, str],
) -> Exposure:
    """Shares from counts of (day, model, appearances), with the models that could be shown on each day.

    A model that was shown could be, whatever `could_be` says. One without a provider or licence class is in a
    group of its own, "unknown".
    """
    counts: dict[int, dict[str, int]] = {}
    for day, name, times in shown:
        of_day = counts.setdefault(day, {})
        of_day[name] = of_day.get(name, 0) + times
    models = _shares(counts, could_be, {})
    return Exposure(
        appearances=sum(sum(each.values()) for each in counts.values()),
        models=models,
        providers=_shares(counts, could_be, provider, "unknown"),
        licences=_shares(counts, could_be, licence, "unknown"),
        gini=gini([each.ratio for each in models]),
    )


def gini(values: Iterable[float]) -> float:
    """Gini's coefficient: half the mean absolute difference of two, over the mean. 0 for none or all zero.

    Raises:
        ValueError: a value is below 0 or no number.
    """
    ordered = sorted(values)
    if not all(each >= 0 for each in ordered):
        raise ValueError("Gini's coefficient is of values of 0 and above")
    n, total = len(ordered), sum(ordered)
    if not total:
        return 0.0
    return sum((2 * place - n - 1) * value for place, value in enumerate(ordered, 1)) / (n * total)


def _shares(
    counts: Mapping[int, Mapping[str, int]],
    could_be: Mapping[int, Collection[str]],
    groups: Mapping[str, str],
    otherwise: str | None = None,
) -> tuple[Share, ...]:
    """The shares of groups; with `otherwise` None each model is one of its own."""
    had: dict[str, int] = {}
    due: dict[str, float] = {}
    most: dict[str, tuple[float, int]] = {}
    total = 0
    for day, of_day in sorted(counts.items()):
        all_ = sum(of_day.values())
        total += all_
        of_group: dict[str, int] = {}
        able = sorted(
            {*of_day, *could_be.get(day, ())}
        )  # in one order, or sums would differ in their last digit
        for name in able:
            group = groups.get(name, otherwise or name)
            of_group[group] = of_group.get(group, 0) + of_day.get(name, 0)
            due[group] = due.get(group, 0.0) + all_ / len(able)
        for group, times in of_group.items():
            had[group] = had.get(group, 0) + times
            here = (times / all_ if all_ else 0.0, -day)
            most[group] = max(most.get(group, here), here)
    found = (
        Share(
            group,
            had[group],
            had[group] / total if total else 0.0,
            due[group] / total if total else 0.0,
            most[group][0],
            -most[group][1],
        )
        for group in had
    )
    return tuple(sorted(found, key=lambda each: (-each.share, each.name)))
