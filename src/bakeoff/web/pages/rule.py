"""A board's rule, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.board.definition import Board

Rule = Mapping[str, Any]
"""A rule as it was registered (`Board.rule`): suites and tasks as they were then."""


def eligibility(board: Board) -> Iterator[str]:
    """Who may be on a board, a sentence each."""
    rules = board.eligibility
    if rules.openness == "weights":
        yield "Open weights alone: what is asked at an address, or comes as answers, is not taken."
    else:
        yield "Open weights, models at an address, and files of answers that were made elsewhere."
    if rules.licences:
        yield f"The licence is one of {', '.join(rules.licences)}."
    if rules.max_parameters is not None:
        yield f"Up to {rules.max_parameters:g} billion parameters."
    yield "Weights come from the hub, at a commit that is named with all 40 digits."
    if rules.card:
        yield f"Weights have a model card, of {rules.card:,} characters at least."
    yield "Adapters and merges name what they were made from."
    yield "Code of a model's own is never run."


def policy(board: Board) -> Iterator[str]:
    """What holds for everyone, a sentence each."""
    rules = board.policy
    quota = rules.quota
    times = "once" if quota.submissions == 1 else f"{quota.submissions} times"
    yield f"Each organisation may submit {times} in {quota.days} days; drafts and failures count."
    yield "Every attempt is shown, and nothing published is taken back: what is withdrawn stays in sight."
    if rules.ranked_per_organisation is not None:
        yield f"Of each organisation the {rules.ranked_per_organisation} newest rows have a rank."
    if board.limit is not None:
        yield f"Of each task {board.limit:,} items are asked, the same of every model."
    yield (
        "A model of which a sample has no score has no rank."
        if rules.unscored_budget == 0
        else f"A model has no rank where more than {100 * rules.unscored_budget:g} % of a task's samples "
        "have no score."
    )
    if rules.private:
        yield (
            "Answers are private. A score is told when it is better than the organisation's best by more "
            "than a step, and scores task by task are not told."
        )
    yield f"Ranges of ranks hold all at once, with {100 * board.level:g} % confidence."
    yield (
        f"Flags are ruled on, and posts hidden, by {', '.join(board.moderators)}."
        if board.moderators
        else "Flags are ruled on, and posts hidden, by the site's moderators."
    )
    if board.twin:
        yield f"Develop on {board.twin}, its board of public tasks."


def changes(was: Rule, now: Rule) -> Iterator[str]:
    """What differs between the rules of two versions, a sentence each."""
    before, after = (_weights(each) for each in (was, now))
    for name in after.keys() - before.keys():
        yield f"The suite {name} is new."
    for name in before.keys() - after.keys():
        yield f"The suite {name} is gone."
    for name in after.keys() & before.keys():
        if _shares(before)[name] != _shares(after)[name]:
            yield f"The suite {name} counts {_shares(after)[name]} %, before {_shares(before)[name]} %."
    yield from _tasks(was, now)
    if [each["suite"] for each in was.get("suites", ())] != [
        each["suite"] for each in now.get("suites", ())
    ] and before.keys() == after.keys():
        yield "A suite makes its score in another way."
    for name, words in (
        ("source", "The source"),
        ("limit", "The limit of items"),
        ("level", "The level"),
    ):
        if was.get(name) != now.get(name):
            yield f"{words} is {_plain(now.get(name))}, before {_plain(was.get(name))}."
    for part in ("eligibility", "policy"):
        yield from _parts(part, was.get(part, {}), now.get(part, {}))


def _tasks(was: Rule, now: Rule) -> Iterator[str]:
    before, after = (
        {task: said for suite in each.get("suites", ()) for task, said in suite.get("tasks", {}).items()}
        for each in (was, now)
    )
    for task, said in after.items():
        if task not in before:
            yield f"The task {task} is new."
        elif before[task] != said:
            yield f"The task {task} is another."
    for task in before:
        if task not in after:
            yield f"The task {task} is gone."


def _parts(part: str, was: Rule, now: Rule) -> Iterator[str]:
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            words = f"{part}, {name.replace('_', ' ')}"
            yield f"{words[:1].upper()}{words[1:]}: {_plain(now.get(name))}, before {_plain(was.get(name))}."


def _weights(rule: Rule) -> dict[str, float]:
    return {each["suite"].get("name", ""): each["weight"] for each in rule.get("suites", ())}


def _shares(weights: Mapping[str, float]) -> dict[str, str]:
    total = sum(weights.values())
    return {name: f"{100 * weight / total:.3g}" for name, weight in weights.items()}


def _plain(value: object) -> str:
    match value:
        case None:
            return "not limited"
        case Mapping():
            return ", ".join(f"{name.replace('_', ' ')} {_plain(each)}" for name, each in value.items())
        case list() | tuple():
            return ", ".join(map(_plain, value)) or "any"
        case True:
            return "yes"
        case False:
            return "no"
        case float():
            return f"{value:g}"
        case _:
            return str(value) or "none"
