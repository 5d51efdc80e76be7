"""A million short answers through `exact`, `number` and `choice`: rate, peak memory and share right.

    python benchmarks/short_answers.py [ITEMS] [--kinds exact number choice] [--without-peer]

Beside them lm-evaluation-harness's filters and `exact_match` on the same answers, as its own task files use
them: `remove_whitespace`; GSM8K's flexible-extract; `multi_choice_regex`. Each in a process of its own. Time
is processor time of judging alone; memory that of the whole process: ours makes answers when they are needed,
the harness holds all instances, as it does in a run. All answers are right: the share shows what each reads.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

CITIES = ("Paris", "London", "Rome", "Berlin")
STYLES = {
    "exact": ("{0}", " {0}", "{0}\n"),
    "number": (
        "{0}",
        "The answer is {0}.",
        "#### {0}",
        "${0}.00",
        "\\boxed{{{0}}}",
        "{1} + {2} = {0}",
        "So the total is {0:,} apples.",
    ),
    "choice": (
        "{0}",
        "({0})",
        "The answer is {0}.",
        "{0}. {1}",
        "The correct answer is ({0}) {1}.",
        "**{0}**",
        "Answer: {0}",
    ),
}


def answers(kind: str, items: int) -> Iterator[tuple[str, str]]:
    """Target and answer, in every style of the kind by turns. A choice's target is its label."""
    for index in range(items):
        style = STYLES[kind][index % len(STYLES[kind])]
        if kind == "number":
            number = index * 7919 % 100_000
            yield str(number), style.format(number, number // 2, number - number // 2)
        else:
            city = CITIES[index % 4]
            label = "ABCD"[index % 4]
            yield (city, style.format(city)) if kind == "exact" else (label, style.format(label, city))


def ours(kind: str, items: int) -> tuple[float, float]:
    """CPU seconds, and the share right."""
    from bakeoff.nouns import FinishReason, Item, Response
    from bakeoff.score import build_scorer, judge

    scorer, choice = build_scorer(kind), kind == "choice"
    right, spent, made = 0.0, 0.0, answers(kind, items)
    while batch := [
        (
            Item(text, "", CITIES if choice else (), "ABCD".index(target) if choice else (target,)),
            Response(text=text, finish=FinishReason.STOP),
        )
        for target, text in islice(made, 1000)
    ]:
        begun = time.process_time()
        right += sum(judge(scorer, item, response).value or 0.0 for item, response in batch)
        spent += time.process_time() - begun
    return spent, right / items


def lm_eval(kind: str, items: int) -> tuple[float, float]:
    """CPU seconds, and the share right."""
    from lm_eval.api.instance import Instance
    from lm_eval.api.metrics import exact_match_fn
    from lm_eval.filters import build_filter_ensemble

    functions = {
        "exact": [["remove_whitespace", None], ["take_first", None]],
        "number": [
            ["regex", {"group_select": -1, "regex_pattern": "(-?[$0-9.,]{2,})|(-?[0-9]+)"}],
            ["take_first", None],
        ],
        "choice": [
            ["multi_choice_regex", {"regex_pattern": "(\\([A-Z]\\))", "ignore_case": True}],
            ["take_first", None],
        ],
    }[kind]
    options = {
        "exact": {},
        "number": {"ignore_case": True, "regexes_to_ignore": [",", "\\$", "(?s).*#### ", "\\.$"]},
        "choice": {},
    }[kind]
    instances = []
    for target, text in answers(kind, items):
        doc = {"choices": list(CITIES), "target": f"({target})" if kind == "choice" else target}
        instances.append(Instance("generate_until", doc, ("",), 0, resps=[text]))
    begun = time.process_time()
    build_filter_ensemble("filter", functions).apply(instances)
    right = 0.0
    for instance in instances:
        said, target = instance.filtered_resps["filter"], instance.doc["target"]
        right += exact_match_fn(predictions=[said], references=[target], **options)["exact_match"]
    return time.process_time() - begun, right / items


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("items", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--kinds", nargs="+", choices=STYLES, default=list(STYLES))
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument("--side", choices=("bakeoff", "lm-eval"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.side:
        seconds, right = (ours if chosen.side == "bakeoff" else lm_eval)(chosen.kinds[0], chosen.items)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": seconds, "right": right, "peak_mb": peak}))
        return
    pythons = {"bakeoff": sys.executable}
    if not chosen.without_peer:
        from remote_clients import environment

        pythons["lm-eval"] = str(environment("lm-eval[api]==0.4.13") / "python")
    print(f"{'':<8}{'':<9}{'CPU s':>9}{'a second':>11}{'peak MB':>9}{'right':>8}   of {chosen.items:,}")
    for kind in chosen.kinds:
        for side, python in pythons.items():
            command = [python, __file__, str(chosen.items), "--kinds", kind, "--side", side]
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
            )
            found = json.loads(done.stdout.splitlines()[-1])
            rate = chosen.items / found["seconds"]
            print(
                f"{kind:<8}{side:<9}{found['seconds']:>9.1f}{rate:>11,.0f}{found['peak_mb']:>9.0f}"
                f"{100 * found['right']:>7.1f}%",
                flush=True,
            )


if __name__ == "__main__":
    main()
