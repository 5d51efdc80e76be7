"""What a judge said of runs, for people."""

from pathlib import Path

from rich.console import Console

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text, print_report
from bakeoff.run import metrics
from bakeoff.store import caveats, read_manifest
from bakeoff.verdicts import Pairs
from bakeoff.visible import visible


def print_judged(console: Console, verdicts: Path, judged: Path) -> None:
    """The report of the judged run, then where the judge's own is and how it went."""
    print_report(console, judged, read_manifest(judged), metrics(judged))
    own = metrics(verdicts)
    read, total = own.counts["scored"], own.counts["total"]
    cost = "" if own.cost is None else f", ${own.cost:.4f}"
    console.print(
        f"\n{read:,} of {total:,} verdicts readable{cost}; they are the run {verdicts}", soft_wrap=True
    )
    console.print(f"bakeoff show {verdicts} --outcome scorer_error   for those that are not", soft_wrap=True)


def print_pairs(console: Console, verdicts: Path, found: Pairs) -> None:
    """Which of the two runs the judge prefers, and how far its verdicts hang on the order."""
    manifest = read_manifest(verdicts)
    assert manifest.judging is not None
    first, second = manifest.judging.folders
    rate = found.win_rate
    console.print(f"first   {visible(first)}\nsecond  {visible(second)}\n", soft_wrap=True)
    console.print(
        f"the first wins {percent(rate.value)} %  {interval_text(rate.interval)}  of {rate.n:,} items"
        f"  ({found.wins:,} pairs won, {found.ties:,} tied, {found.losses:,} lost)",
        soft_wrap=True,
    )
    if rate.note:
        console.print(rate.note, soft_wrap=True)
    said = f"{found.verdicts - found.verdicts_unreadable:,} of {found.verdicts:,} verdicts readable"
    console.print(
        f"{said}; {found.unreadable:,} pairs without any, {found.by_default:,} decided because one run has "
        f"no answer, {found.failed:,} left out because an answer failed",
        soft_wrap=True,
    )
    if (position := found.position) is not None:
        console.print(
            f"{percent(position.flips)} %  {interval_text(position.flips_interval)}  of pairs go to another "
            f"answer when the order changes; leans to the first place by {100 * position.lean:+.1f} points, "
            f"p = {position.p:.2g}",
            soft_wrap=True,
        )
    for caveat in caveats(manifest):
        console.print(caveat, soft_wrap=True)
