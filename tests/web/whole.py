"""A whole site: boards of every kind, runs, people, what they said, and something hostile in every text."""

import json
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from bakeoff.accounts import Role
from bakeoff.board.community.discussion import about, hide, say
from bakeoff.board.community.flags import raise_flag
from bakeoff.board.definition import load_board
from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import take
from bakeoff.board.reported.importing import import_reported
from bakeoff.board.reported.layout import Layout
from bakeoff.board.submissions import move, publish
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.task.suite import load_suite
from tests.arena.policy.making import Arena
from tests.board.making import model
from tests.board.recorded import ITEMS, TASKS, answers, little, submitted, work_off
from tests.web import showcase, voted
from tests.web.people import account

HOSTILE = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\"]]>\u202e{{7*7}}"
RAW = ("<script>window.hacked", "<img src=x", "\u202e", '49"]]>')
"""What would be in a page where that was not made safe."""
SECRET = "zephyrcanary"
MEMBER, MODERATOR, ADMIN = "ann", "mia", "root"


def build(folder):
    """All of it under `folder`, where `tests.web.live.settings` looks for it; returns people's tokens."""
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    _evaluated(engine, folder)
    _private(engine, folder / "private")
    with writing(engine) as connection:
        showcase.publish_history(connection, many=24, states=3)
        board = showcase.BOARD.model_copy(update={"name": "hostile", "title": HOSTILE, "about": HOSTILE})
        rows = showcase.entrants(20, names=[f"{HOSTILE}{number}" for number in range(3)])
        showcase.publish(connection, board, rows)
        table = folder / "table.csv"
        table.write_text(
            "model,score,licence\norg/=1+1,0.5,mit\n" + "\n".join(f"org/m{n},0.{n},mit" for n in range(1, 9))
        )
        layout = Layout(
            score="score", licence="licence", date="2026-01-01", source=f"https://example.org/{HOSTILE}"
        )
        import_reported(connection, "reported", table, layout, actor="bob")
    _arena(engine)
    engine.dispose()
    roles = {MEMBER: Role.MEMBER, MODERATOR: Role.MODERATOR, ADMIN: Role.ADMIN}
    return {name: account(folder, name, role=role, organisations=("org",)) for name, role in roles.items()}


def _evaluated(engine, folder):
    """A board with submissions: published, withdrawn, rejected, waiting; and what was said of it."""
    board = little(folder)
    for name in TASKS:  # prompts that mean harm
        path = folder / f"{name}.yaml"
        task = json.loads(path.read_text())
        for item in task["data"]["items"]:
            item["input"] = f"{HOSTILE} {item['input']}"
        path.write_text(json.dumps(task))
    board = load_board(folder / "board.yaml")
    numbers = []
    for number, right in enumerate((11, 10, 6, 3)):
        ref = answers(folder, right, f"m{number}")
        path = folder / f"m{number}.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        rows[-1]["output"] = HOSTILE
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        named = model(number, name=f"org/model-{number}" if number else f"org/{HOSTILE}", base=HOSTILE)
        numbers.append(submitted(engine, board, ref, given=named, organisation="org" if number else HOSTILE))
        work_off(engine, folder)
    with writing(engine) as connection:
        for number in numbers[:3]:
            publish(connection, number, actor="bob")
        move(connection, numbers[3], State.REJECTED, actor="bob", reason=HOSTILE)
        take(connection, board, actor="bob")
        move(connection, numbers[2], State.WITHDRAWN, actor="ann", reason=HOSTILE)
        take(connection, board, actor="bob")
        tasks = [f"task little/{ref}" for suite in board.suites for ref in load_suite(suite.suite).refs]
        for subject in ("board little", tasks[0], f"submission {numbers[0]}"):
            text = f"{HOSTILE} [x](javascript:hacked) **bold**"
            say(connection, about(connection, subject), text, author=MEMBER)
        hidden = say(connection, about(connection, "board little"), f"hidden {HOSTILE}", author=HOSTILE)
        hide(connection, hidden.id, actor="bob", reason=HOSTILE)
        raise_flag(connection, numbers[0], "conduct", HOSTILE, actor="eve")
    submitted(engine, board, answers(folder, 5, "later"), given=model(9, licence=HOSTILE))
    return numbers


def _arena(engine):
    """An arena whose variants have hostile names, one of which was taken back."""
    arena, name = Arena(engine), HOSTILE.replace("\u202e", "")[:150]
    arena.adopt()
    arena.register("taken-back", provider=name, family=name)
    arena.move("taken-back", "testing")
    arena.move("taken-back", "withdrawn", reason=HOSTILE)
    arena.public(name, provider="Birds")
    arena.public("wren", provider="Birds", licence="open_weights")
    arena.count((name, "wren", 4, 3, 2.0))
    arena.rate(**{name: 1010.0, "wren": 990.0})
    said = {"prompt": HOSTILE, "answers": (HOSTILE, f"**{HOSTILE}**"), "language": HOSTILE, "tags": HOSTILE}
    voted.go_live(engine, [name, "wren"])
    voted.vote(engine, [(name, "wren", "ab"[each % 3 == 0], said) for each in range(30)])
    voted.vote(engine, [(name, "wren", "a", {"guesses": (name, "wren")}) for _ in range(6)], start=30)


def _private(engine, folder):
    """A board with private answers, which no page may show."""
    folder.mkdir()
    little(folder)
    for name in TASKS:
        path = folder / f"{name}.yaml"
        task = json.loads(path.read_text()) | {"private": True, "name": f"private-{name}"}
        for item in task["data"]["items"]:
            item |= {"input": f"{SECRET} {item['input']}", "target": f"{SECRET}{item['target']}"}
        path.write_text(json.dumps(task))
    path = folder / "board.yaml"
    path.write_text(path.read_text().replace("name: little", "name: hidden") + "policy: {private: true}\n")
    board = load_board(path)
    rows = [{"id": f"{task}{each}", "output": f"{SECRET}{each}"} for task in TASKS for each in range(ITEMS)]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    number = submitted(engine, board, f"recorded:{folder / 'answers.jsonl'}", given=model(50))
    work_off(engine, folder.parent)
    with writing(engine) as connection:
        publish(connection, number, actor="bob")
        take(connection, board, actor="bob")


class Page(HTMLParser):
    """What a page leads to: `links` and the `actions` of its forms; and what of it could act by itself."""

    def __init__(self, text):
        super().__init__()
        self.links, self.actions, self.acting = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        inside = tag == "script" and known.get("type") != "application/json" and "src" not in known
        if inside or tag in ("style", "iframe", "object", "embed", "base"):
            self.acting.append(tag)
        self.acting += [name for name in known if name == "style" or name.startswith("on")]
        self.acting += [each for each in known.values() if each and each.lower().startswith("javascript:")]
        if tag == "a" and known.get("href"):
            self.links.append(known["href"])
        if tag in ("link", "script", "img") and (known.get("href") or known.get("src")):
            self.links.append(known.get("href") or known["src"])
        if tag == "form":
            self.actions.append((known.get("method", "get").lower(), known.get("action", "")))


def crawl(client, start="/", most=400):
    """Every page that links lead to from `start`, by its path and query: what was answered.

    Of pages that differ in names or values alone a few are read: views of a board have no end.
    """
    waiting, answers, seen = [start], {}, Counter()
    while waiting and len(answers) < most:
        path = waiting.pop(0)
        parts = urlsplit(path)
        like = (kind(parts.path), *sorted(each.partition("=")[0] for each in parts.query.split("&")))
        if path in answers or seen[like] >= 6 or "/events" in parts.path:
            continue
        seen[like] += 1
        answers[path] = answer = client.get(path, follow_redirects=True)
        if answer.headers.get("content-type", "").startswith("text/html"):
            for link in Page(answer.text).links:
                target = urldefrag(urljoin(f"http://127.0.0.1{path}", link)).url
                if target.startswith("http://127.0.0.1/"):
                    waiting.append(target.removeprefix("http://127.0.0.1"))
    return answers


def kind(path):
    """What a page is: its address without names."""
    parts = unquote(path.partition("?")[0]).strip("/").split("/")
    return "/".join("…" if place in (1, 3) else each for place, each in enumerate(parts) if place < 4)
