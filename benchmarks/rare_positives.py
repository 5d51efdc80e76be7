"""Real sets with few positives, put to a real model: what it finds, and what its errors cost.

    python benchmarks/rare_positives.py DATA OUT     # folders: of the data sets, and where the runs go
    python benchmarks/rare_positives.py DATA OUT sms # one set

Each set is asked by log-likelihood after four examples and, fewer items, without them, and for a label with
a confidence in words. The floor is TF-IDF with logistic regression on the same items, each judged by a model
that was trained without its fold. Needs scikit-learn, and SmolLM2-135M in `hf:` and `gguf:` form.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from pathlib import Path
from typing import Any

from bakeoff import Task
from bakeoff.classification import Costs, classify
from bakeoff.run import evaluate
from bakeoff.stats import Interval

LONGEST = 800
"""Characters; longer texts are left out."""
MOST = 1_300
"""Items of a set."""
FEWER = 300
"""Items that are asked without examples, and for a label with a confidence."""
SURE = (97, 90, 80, 99)
"""What the examples say of their confidence, in per cent."""
COSTS = {"false_positive": 1.0, "false_negative": 10.0}


@dataclass(frozen=True)
class Set:
    """A data set: its folder, what a positive is, how it is asked, and how many items are."""

    folder: str
    label: str  # SQL: 1, 0, or NULL where it is not known
    question: str
    shots: Sequence[tuple[str, str]]


SETS = {
    "sms": Set(
        "sms_spam",
        "(label = '\"spam\"')::INT",
        "Is the message spam (an advertisement, a prize, a paid number)?",
        (
            ("See you at seven then, bring the keys", "no"),
            ("WIN a 500 voucher! Reply YES to 80555 now, 1.50 per msg", "yes"),
            ("ok, running late, sorry", "no"),
            ("Your account was chosen for a free gift. Claim at www.gift-4-u.example", "yes"),
        ),
    ),
    "violence": Set(
        "openai_moderation",
        "json_extract(label, '$.violence')::INT",
        "Does the text contain, praise or wish for violence?",
        (
            ("How do I repot a cactus without breaking its roots?", "no"),
            ("I will break every bone in his body tonight", "yes"),
            ("The train leaves at nine from platform two.", "no"),
            ("They all deserve to be shot", "yes"),
        ),
    ),
    "hate": Set(
        "hate_speech_davidson",
        "(label = '\"hate_speech\"')::INT",
        "Is the tweet hate speech against a group of people?",
        (
            ("what a game last night, cannot believe that goal", "no"),
            ("those people are vermin and should all leave", "yes"),
            ("my brother is such an idiot lol", "no"),
            ("their kind does not belong in our country", "yes"),
        ),
    ),
}


def rows(data: Path, one: Set) -> list[dict[str, Any]]:
    """At most `MOST` rows with a known label, no text twice, drawn by a hash of the text, so that the order
    of the file does not matter.
    """
    import duckdb

    found = duckdb.sql(
        f"""SELECT min(id), input, any_value(y)
            FROM (SELECT id, input, {one.label} AS y FROM '{data / one.folder / "data.parquet"}')
            WHERE y IS NOT NULL AND length(input) <= {LONGEST} GROUP BY input
            HAVING count(DISTINCT y) = 1 ORDER BY md5(input) LIMIT {MOST}"""
    ).fetchall()
    return [{"id": name, "input": text, "y": y} for name, text, y in found]


def task(name: str, one: Set, items: Sequence[Mapping[str, Any]], kind: str) -> Task:
    """The items of a set, asked one of three ways: `p`, `p_shots`, `stated`."""
    asked = [
        {"id": row["id"], "input": row["input"], "choices": ["no", "yes"], "target": row["y"]}
        | {"length": len(row["input"])}
        for row in items
    ]
    common: dict[str, Any] = {
        "name": f"{name}-{kind}",
        "data": {"items": asked},
        "fields": {"metadata": {"length": "length"}},
    }
    examples = [
        {"input": text, "choices": ["no", "yes"], "target": label, "length": len(text), "sure": sure}
        for (text, label), sure in zip(one.shots, SURE, strict=True)
    ]
    shown = {"rule": "fixed", "data": {"items": examples}}
    prompt = {
        "kind": "plain",
        "system": f"{one.question} Answer yes or no.\n\n",
        "template": "Text: {{ input | replace('\n', ' ') }}\nAnswer:",
    }
    if kind == "stated":
        how = f"{one.question} Answer yes or no, and how sure you are in per cent.\n\n"
        return Task(
            **common,
            prompt=prompt | {"system": how, "answer": "{{ target }}, {{ sure }} %"},
            shots=shown,
            generation={"max_tokens": 12, "stop": ["\n"]},
            scorer="label_confidence",
        )
    return Task(
        **common,
        prompt=prompt,
        shots=shown if kind == "p_shots" else {"n": 0},
        ask="loglikelihood",
        scorer="loglikelihood",
    )


def floor(items: Sequence[Mapping[str, Any]]) -> list[float]:
    """Probabilities of being positive by words and pairs of words, by models that never saw the item."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), LogisticRegression(C=10))
    texts, labels = [row["input"] for row in items], [row["y"] for row in items]
    found = cross_val_predict(model, texts, labels, cv=StratifiedKFold(10), method="predict_proba")
    return [float(p) for p in found[:, 1]]


def recorded(name: str, one: Set, items: Sequence[Mapping[str, Any]], out: Path) -> Path:
    """A run of the floor's probabilities, so that it is measured by the very same code."""
    import json

    out.mkdir(parents=True, exist_ok=True)
    answers = out / f"{name}-floor.jsonl"
    answers.write_text(
        "".join(
            json.dumps({"item_id": row["id"], "logprobs": [log(1 - p), log(p)]}) + "\n"
            for row, p in zip(items, floor(items), strict=True)
        )
    )
    made = task(name, one, items, "p")
    return evaluate(made.model_copy(update={"name": f"{name}-floor"}), f"recorded:{answers}", out=out).folder


def runs(data: Path, out: Path, names: Sequence[str]) -> Iterator[tuple[str, str, Path]]:
    """(set, way of asking, run folder); finished runs are taken from `out/done.json`."""
    import json

    done_file = out / "done.json"
    done = json.loads(done_file.read_text()) if done_file.exists() else {}
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        one = SETS[name]
        asked = rows(data, one)

        def by(kind: str, model: str, most: int, n: str = name, o: Set = one, a: list[Any] = asked) -> Path:
            return evaluate(task(n, o, a[:most], kind), model, out=out).folder

        ways: dict[str, Callable[[], Path]] = {
            "floor": partial(recorded, name, one, asked, out),
            "p_shots": partial(by, "p_shots", "hf:smollm2", MOST),
            "p": partial(by, "p", "hf:smollm2", FEWER),
            "stated": partial(by, "stated", "gguf:smollm2", FEWER),
        }
        for way, made in ways.items():
            key = f"{name} {way}"
            if key not in done:
                done[key] = str(made())
                done_file.write_text(json.dumps(done, indent=1))
            yield name, way, Path(done[key])


def row(name: str, way: str, folder: Path) -> str:
    """A line of the table in docs/conformance/classification.md."""
    costs = Costs(**COSTS)
    found = classify(folder, positive="yes", costs=costs, prevalence=0.01)
    cells = [name, way, f"{found.counted:,} ({found.positives})"]
    here, there = found.rankings
    area, precise = here.auroc, here.average_precision
    cells.append(f"{per_cent(precise.value)} {limits(precise.interval)}")
    cells.append(f"{per_cent(there.average_precision.value)}")
    cells.append(f"{per_cent(area.value)} {limits(area.interval)}")
    by = {(each.decision, each.prevalence): each for each in found.cost}
    for share in (here.prevalence, 0.01):
        chosen = by["nested", share]
        assert chosen.recall is not None
        spread = chosen.cost.interval
        cells.append(f"{per_cent(chosen.recall.value)} {limits(chosen.recall.interval)}")
        cells.append(f"{chosen.cost.value:,.0f} [{spread.low:,.0f}, {spread.high:,.0f}]")
        trivial = (by[f"flag {kind}", share].cost.value for kind in ("nothing", "everything"))
        cells.append(" / ".join(f"{each:,.0f}" for each in trivial))
    assert found.calibration is not None
    errors = [fit for fit in found.calibration.fits if fit.kind != "temperature"]
    cells.append(" → ".join(f"{per_cent(fit.ece)} (≤ {per_cent(fit.chance.upper)})" for fit in errors))
    return "| " + " | ".join(cells) + " |"


def per_cent(share: float) -> str:
    return f"{100 * share:.1f}"


def limits(interval: Interval | None) -> str:
    return f"[{100 * interval.low:.0f}, {100 * interval.high:.0f}]" if interval else "(too few)"


if __name__ == "__main__":
    for each in runs(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or list(SETS)):
        print(row(*each), flush=True)
