"""Judges for tests: rules that read what a judge is shown, behind a real server."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.servers.chat_server import ChatServer, Messages, chat_server

_FENCED = re.compile(r"<<(\w+) ([0-9a-f]{8})>>\n(.*?)\n<</\1 \2>>", re.DOTALL)


@dataclass
class Judge:
    """A judge's server, and the cases it was shown; an engine also sends probes, which are none."""

    server: ChatServer

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def asked(self) -> list[Messages]:
        return [messages for messages in self.server.asked if _is_case(messages)]


@contextmanager
def judge_server(rule: Callable[[Messages], str]) -> Iterator[Judge]:
    """A judge who answers by the rule."""
    with chat_server(lambda messages: rule(messages) if _is_case(messages) else "ok") as server:
        yield Judge(server)


def _is_case(messages: Messages) -> bool:
    return _FENCED.search(messages[0]["content"]) is not None


def texts(messages: Messages) -> dict[str, str]:
    """What stands in each fence of the first message, by name, and the mark."""
    found = _FENCED.findall(messages[0]["content"])
    return {"mark": found[0][1]} | {name: text for name, _, text in found}


def grading(grade: Callable[[dict[str, str]], int], criterion: str = "good") -> Callable[[Messages], str]:
    """A judge who grades by a rule."""

    def rule(messages: Messages) -> str:
        shown = texts(messages)
        verdict = {criterion: {"why": "by the rule", "grade": grade(shown)}}
        return json.dumps({"case": shown["mark"], "verdicts": verdict})

    return rule


def preferring(
    better: Callable[[dict[str, str]], str], criterion: str = "better"
) -> Callable[[Messages], str]:
    """A judge of pairs who prefers by a rule."""

    def rule(messages: Messages) -> str:
        shown = texts(messages)
        verdict = {criterion: {"why": "by the rule", "better": better(shown)}}
        return json.dumps({"case": shown["mark"], "verdicts": verdict})

    return rule
