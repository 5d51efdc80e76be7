"""Threads and flags, for people. What somebody wrote is indented, so that no line of it can pass for ours."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from textwrap import indent

from rich.console import Console

from bakeoff.board.community.discussion import Act, Post
from bakeoff.board.community.flags import Flag
from bakeoff.visible import visible


def print_thread(console: Console, flags: Sequence[Flag], posts: Sequence[Post]) -> None:
    """The flags on a subject, then the posts, the oldest first."""
    if not flags and not posts:
        console.print("nothing has been said yet")
    print_flags(console, flags)
    for each in posts:
        for_ = f" for {_line(each.organisation)}" if each.organisation else ""
        console.print(f"post {each.id}  {_time(each.created)}  {_line(each.author)}{for_}", soft_wrap=True)
        for done, act in (("hidden", each.hidden), ("erased", each.erased)):
            if act is not None:
                console.print(f"  {done} by {_act(act)}", soft_wrap=True)
        if each.body:
            console.print(indent(visible(each.body), "    ", lambda _: True), soft_wrap=True)


def print_flags(console: Console, flags: Iterable[Flag]) -> None:
    """Each flag with its reason, its reply and its ruling."""
    for each in flags:
        console.print(
            f"flag {each.id}  {_time(each.created)}  {_line(each.raised_by)} on submission "
            f"{each.submission} under {_line(each.rule)}: {each.state}",
            soft_wrap=True,
        )
        console.print(f"    {_line(each.reason)}", soft_wrap=True)
        if each.reply is not None:
            console.print(f"  {_line(each.replied_by or '')} replied:", soft_wrap=True)
            console.print(f"    {_line(each.reply)}", soft_wrap=True)
        if each.ruling is not None:
            urgent = ", urgent: before the time to reply was over" if each.urgent else ""
            act = Act(each.ruled_by or "", each.ruled, each.ruling)
            console.print(f"  {each.state} by {_act(act)}{urgent}", soft_wrap=True)


def _act(act: Act) -> str:
    when = "" if act.at is None else f", {_time(act.at)}"
    return f"{_line(act.by)}{when}: {_line(act.reason)}"


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
