"""Two results of one task side by side: how far they agree, and what each took."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Run = Mapping[str, Any]
"""What `ours.py` and `peer.py` write."""


@dataclass(frozen=True)
class Parity:
    """Agreement on the items of one task. Differences are in nats; counts of options and items."""

    task: str
    template: bool
    items: int
    options: int
    same_text: int
    """Options whose context and continuation are the same text."""
    difference: float
    """The largest absolute difference of two log-likelihoods."""
    same_choice: int
    """Items where the most likely option is the same."""
    same_greedy: int
    """Options of which both say alike whether they are the greedy continuation."""
    acc: tuple[float, float]
    acc_norm: tuple[float, float] | None
    """Ours and the harness's; None for a task for which the harness has none."""


@dataclass(frozen=True)
class Cost:
    """What a task took. Tokens are those to be read by the network: `naive` one request after the other,
    `distinct` with no shared beginning read twice, `computed` as our engine counted what it read (None where
    it does not). `limit` is the time in which the machine could read the distinct ones, as a share of the CPU
    seconds we took."""

    task: str
    template: bool
    cpu_s: tuple[float, float]
    wall_s: tuple[float, float]
    ratio_cpu: float
    ratio_wall: float
    peak_mb: tuple[float, float]
    naive_tokens: int
    distinct_tokens: int
    computed_tokens: int | None
    tokens_per_cpu_s: float
    limit: float


def parity(task: str, template: bool, ours: Run, theirs: Run) -> Parity:
    if ours["items"].keys() != theirs["items"].keys():
        raise SystemExit(f"{task}: the two did not ask the same items")
    pairs = [(ours["items"][name], theirs["items"][name]) for name in theirs["items"]]
    options = [option for pair in pairs for option in zip(*map(_options, pair), strict=True)]
    normed = pairs[0][1]["acc_norm"] is not None
    return Parity(
        task=task,
        template=template,
        items=len(pairs),
        options=len(options),
        same_text=sum(one[0] == other[0] for one, other in options),
        difference=max(abs(one[1] - other[1]) for one, other in options),
        same_choice=sum(_argmax(one["logprobs"]) == _argmax(other["logprobs"]) for one, other in pairs),
        same_greedy=sum(one[2] == other[2] for one, other in options),
        acc=_means(pairs, "acc"),
        acc_norm=_means(pairs, "acc_norm") if normed else None,
    )


def cost(task: str, template: bool, ours: Run, theirs: Run, rate: float) -> Cost:
    """`rate` is what the machine reads at best, in tokens per CPU second."""
    computed = ours["engine"].get("tokens_computed")
    return Cost(
        task=task,
        template=template,
        cpu_s=(ours["cpu_s"], theirs["cpu_s"]),
        wall_s=(ours["wall_s"], theirs["wall_s"]),
        ratio_cpu=theirs["cpu_s"] / ours["cpu_s"],
        ratio_wall=theirs["wall_s"] / ours["wall_s"],
        peak_mb=(ours["peak_mb"], theirs["peak_mb"]),
        naive_tokens=theirs["naive_tokens"],
        distinct_tokens=theirs["distinct_tokens"],
        computed_tokens=None if computed is None else int(computed),
        tokens_per_cpu_s=theirs["distinct_tokens"] / ours["cpu_s"],
        limit=theirs["distinct_tokens"] / rate / ours["cpu_s"],
    )


def printed(parities: Sequence[Parity], costs: Sequence[Cost]) -> str:
    lines = [
        "task             chat  items options  same text  max |diff|  same choice  same greedy  acc of both"
    ]
    lines += map(_parity_line, parities)
    lines += [
        "",
        "task             chat  CPU s ours/theirs  ratio   wall s ours/theirs  ratio   peak MB    tokens",
    ]
    return "\n".join([*lines, *map(_cost_line, costs)])


def as_json(parities: Sequence[Parity], costs: Sequence[Cost], rate: Mapping[str, float]) -> dict[str, Any]:
    return {"parity": [*map(asdict, parities)], "cost": [*map(asdict, costs)], "prefill_tokens_per_s": rate}


def _options(item: Mapping[str, Any]) -> list[tuple[list[str], float, bool]]:
    return list(zip(item["texts"], item["logprobs"], item["greedy"], strict=True))


def _means(pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], name: str) -> tuple[float, float]:
    ours, theirs = (sum(float(item[name]) for item in side) / len(pairs) for side in zip(*pairs, strict=True))
    return ours, theirs


def _argmax(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def _parity_line(row: Parity) -> str:
    norm = "" if row.acc_norm is None else " norm {:.4f}/{:.4f}".format(*row.acc_norm)
    acc = "{:.4f}/{:.4f}".format(*row.acc)
    return (
        f"{row.task:<16} {_yes(row.template)} {row.items:6} {row.options:7}  {row.same_text:9}"
        f"  {row.difference:10.1e}  {row.same_choice:11}  {row.same_greedy:11}  {acc}{norm}"
    )


def _cost_line(row: Cost) -> str:
    computed = "" if row.computed_tokens is None else f" {row.computed_tokens:,} computed,"
    return (
        f"{row.task:<16} {_yes(row.template)}  {row.cpu_s[0]:7.1f} {row.cpu_s[1]:8.1f}  {row.ratio_cpu:5.2f}x"
        f"  {row.wall_s[0]:8.1f} {row.wall_s[1]:8.1f}  {row.ratio_wall:5.2f}x"
        f"  {row.peak_mb[0]:.0f}/{row.peak_mb[1]:.0f}"
        f"  {row.naive_tokens:,} naive, {row.distinct_tokens:,} distinct,{computed}"
        f" {row.tokens_per_cpu_s:.0f} a second, {row.limit:.0%} of the limit"
    )


def _yes(flag: bool) -> str:
    return "yes " if flag else "no  "
