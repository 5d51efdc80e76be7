"""Ratings of many models from a file of votes: seconds and peak memory, beside other packages.

    python benchmarks/arena_ratings.py [VOTES ...]     # 100,000 and 2,000,000 without

Made-up votes between 200 models, strengths N(0, .9), 27 % ties, some models met more often (Zipf, .5), in a
Parquet file with the models' names. Timed is what follows the imports, once, from opening the file to scores
with intervals, so with what a package compiles on the way. `points` is how far scores are from ours at most,
with equal means. Packages others than ours and scikit-learn are in environments of their own. One process a
figure, one thread for linear algebra.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

MODELS = 200
FEATURES = 4
GAMMA = (0.25, 0.03, 0.0, -0.1)
POINTS = 400 / np.log(10)
SIZES = (100_000, 2_000_000)
DRAWS = 1_000
Scores = dict[str, float]
Timed = Callable[[str], Scores]
"""What is timed: from the path of the votes to a score for each name."""


def main() -> None:
    sizes = [int(text) for text in sys.argv[1:]] or SIZES
    arena_rank, evalica = peer("arena-rank==0.1.1"), peer("evalica==0.4.2", "pandas")
    plan = {
        "scores and intervals": [
            ("ours", sys.executable),
            ("arena_rank", arena_rank),
            ("evalica_no_intervals", evalica),
            ("sklearn_no_intervals", sys.executable),
        ],
        "the same with 4 covariates": [("ours_style", sys.executable), ("arena_rank_style", arena_rank)],
        "and rank ranges": [("ours_ranks", sys.executable)],
        f"{DRAWS:,} bootstraps": [("ours_bootstrap", sys.executable)],
        "one more vote, from a fit": [("ours_one_more", sys.executable)],
    }
    for votes in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "votes.parquet")
            write(path, votes)
            print(f"\n{votes:,} votes\n{'':<30}{'':<22} {'seconds':>8} {'MB':>6} {'ratio':>7} {'points':>7}")
            for title, runs in plan.items():
                ours: dict[str, Any] = {}
                for name, python in runs:
                    found = in_process(python, name, path)
                    ours = ours or found
                    off = furthest(found["scores"], ours["scores"])
                    print(
                        f"{title:<30}{name:<22} {found['seconds']:>8.3f} {found['peak']:>6.0f} "
                        f"{found['seconds'] / ours['seconds']:>7.1f} {off:>7.2f}",
                        flush=True,
                    )
                    title = ""


def peer(*packages: str) -> str:
    from remote_clients import environment

    return str(environment(*packages, "pyarrow") / "python")


def furthest(scores: Scores, others: Scores) -> float:
    difference = np.array([scores[name] - others[name] for name in others])
    return float(np.abs(difference - difference.mean()).max())


def in_process(python: str, name: str, path: str) -> dict[str, Any]:
    command = [python, str(Path(__file__)), "--child", name, path]
    environ = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, check=True, env=environ)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def child(name: str, path: str) -> dict[str, Any]:
    timed = METHODS[name](path)
    begun = time.perf_counter()
    scores = timed(path)
    seconds = time.perf_counter() - begun
    return {
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "scores": scores,
    }


def write(path: str, votes: int) -> None:
    """Votes as a file: model_a, model_b, winner (model_a, model_b or tie), and f0 to f3."""
    import duckdb

    random = np.random.default_rng(0)
    strength = random.normal(0, 0.9, MODELS)
    met = random.permutation(np.arange(1, MODELS + 1) ** -0.5)
    first, second = (random.choice(MODELS, votes, p=met / met.sum()) for _ in range(2))
    second = np.where(first == second, (first + random.integers(1, MODELS, votes)) % MODELS, second)
    features = random.normal(size=(votes, FEATURES))
    z = strength[first] - strength[second] + features @ np.array(GAMMA)
    eta, u = np.log(2), random.random(votes)
    win, loss = 1 / (1 + np.exp(eta - z)), 1 / (1 + np.exp(eta + z))
    result = np.where(u < win, 0, np.where(u < win + loss, 1, 2))
    codes = {"a": first, "b": second, "r": result}
    codes |= {f"f{k}": np.ascontiguousarray(features[:, k]) for k in range(FEATURES)}
    duckdb.sql(
        f"""COPY (SELECT printf('provider/model-%03d-instruct', a) AS model_a,
                         printf('provider/model-%03d-instruct', b) AS model_b,
                         ['model_a', 'model_b', 'tie'][r + 1] AS winner,
                         {", ".join(f"f{k}" for k in range(FEATURES))} FROM codes) TO '{path}'"""
    )


def counted(path: str) -> tuple[list[str], Any]:
    """Names and pairs, counted by the database."""
    import duckdb

    from bakeoff.stats.ratings import Pairs

    rows = duckdb.sql(
        f"SELECT model_a, model_b, winner, count(*) FROM read_parquet('{path}') GROUP BY ALL"
    ).fetchall()
    names = sorted({row[side] for row in rows for side in (0, 1)})
    number = {name: place for place, name in enumerate(names)}
    won, tied = np.zeros((2, len(names), len(names)))
    for a, b, winner, count in rows:
        i, j = number[a], number[b]
        if winner == "tie":
            tied[i, j] += count
        else:
            won[(i, j) if winner == "model_a" else (j, i)] += count
    return names, Pairs.of_counts(won, tied + tied.T)


def one_by_one(path: str) -> tuple[list[str], Any, Any]:
    """Names, votes and covariates."""
    import duckdb

    from bakeoff.stats.ratings import Battles

    table = f"read_parquet('{path}')"
    database = duckdb.connect()
    names = f"SELECT model_a FROM {table} UNION SELECT model_b FROM {table} ORDER BY 1"
    database.execute(f"CREATE TYPE model AS ENUM ({names})")
    rows = database.sql(
        f"""SELECT enum_code(model_a::model)::INT AS a, enum_code(model_b::model)::INT AS b,
                   CASE winner WHEN 'model_a' THEN 1.0::DOUBLE WHEN 'model_b' THEN 0 ELSE 0.5 END AS o,
                   COLUMNS('f[0-9]') FROM {table}"""
    ).fetchnumpy()
    listed = [row[0] for row in database.sql("SELECT unnest(enum_range(NULL::model))").fetchall()]
    features = np.column_stack([rows[f"f{k}"] for k in range(FEATURES)])
    return listed, Battles(len(listed), rows["a"], rows["b"], rows["o"]), features


def scored(names: list[str], fit: Any) -> Scores:
    from bakeoff.stats.ratings import score_intervals, scores

    assert all(score_intervals(fit))
    return dict(zip(names, scores(fit).tolist(), strict=True))


def load_ours() -> None:
    """What would be imported during the timing."""
    import duckdb  # noqa: F401
    import scipy.sparse.csgraph
    import scipy.special  # noqa: F401

    import bakeoff.stats.ratings.bootstrap  # noqa: F401


def ours(_: str) -> Timed:
    from bakeoff.stats.ratings import bradley_terry

    load_ours()

    def timed(path: str) -> Scores:
        names, pairs = counted(path)
        return scored(names, bradley_terry(pairs))

    return timed


def ours_style(_: str) -> Timed:
    from bakeoff.stats.ratings import style_controlled

    load_ours()

    def timed(path: str) -> Scores:
        names, votes, features = one_by_one(path)
        return scored(names, style_controlled(votes, features).fit)

    return timed


def ours_ranks(path: str) -> Timed:
    from bakeoff.stats.ratings import bradley_terry, rank_ranges

    names, pairs = counted(path)
    fit = bradley_terry(pairs)

    def timed(_: str) -> Scores:
        assert all(rank_ranges(fit))
        return scored(names, fit)

    return timed


def ours_bootstrap(path: str) -> Timed:
    from bakeoff.stats.ratings.bootstrap import bootstrap, percentile_intervals

    names, pairs = counted(path)

    def timed(_: str) -> Scores:
        drawn = bootstrap(pairs, draws=DRAWS)
        assert all(percentile_intervals(drawn))
        return dict(zip(names, (POINTS * drawn.mean(axis=0)).tolist(), strict=True))

    return timed


def ours_one_more(path: str) -> Timed:
    from bakeoff.stats.ratings import bradley_terry

    names, pairs = counted(path)
    fit = bradley_terry(pairs)

    def timed(_: str) -> Scores:
        pairs.add(0, 1, 1)
        return scored(names, bradley_terry(pairs, start=fit))

    return timed


def arena_rank(_: str) -> Timed:
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    def timed(path: str) -> Scores:
        frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
        data = PairDataset.from_pandas(frame)
        found = BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data)
        return dict(zip(found["competitors"], map(float, found["ratings"]), strict=True))

    return timed


def arena_rank_style(_: str) -> Timed:
    """Without reweighting and, unlike its default, without the penalty that keeps style in the scores."""
    import pandas as pd
    from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
    from arena_rank.utils.data_utils import ContextualPairDataset

    def timed(path: str) -> Scores:
        frame = pd.read_parquet(path)
        columns = [f"f{k}" for k in range(FEATURES)]
        data = ContextualPairDataset.from_pandas(frame, columns, reweighted=False, normalize_features=False)
        model = ContextualBradleyTerry(len(data.competitors), FEATURES, reg=0.0)
        found = model.compute_ratings_and_cis(data)
        return dict(zip(found["competitors"], map(float, found["ratings"]), strict=True))

    return timed


def evalica_no_intervals(_: str) -> Timed:
    import pandas as pd
    from evalica import Winner, bradley_terry

    def timed(path: str) -> Scores:
        frame = pd.read_parquet(path, columns=["model_a", "model_b", "winner"])
        winner = frame["winner"].map({"model_a": Winner.X, "model_b": Winner.Y, "tie": Winner.Draw})
        found = bradley_terry(frame["model_a"], frame["model_b"], winner)
        points = POINTS * np.log(found.scores)
        return dict(zip(points.index.tolist(), points.tolist(), strict=True))

    return timed


def sklearn_no_intervals(_: str) -> Timed:
    """A row for each pair and winner, weighted by its votes: counted as ours are."""
    from sklearn.linear_model import LogisticRegression

    def timed(path: str) -> Scores:
        names, pairs = counted(path)
        first, second = np.nonzero(np.triu(pairs.battles))
        design = np.zeros((len(first), len(names)))
        design[np.arange(len(first)), first], design[np.arange(len(first)), second] = 1, -1
        weight = np.concatenate([pairs.points[first, second], pairs.points[second, first]])
        model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-8, max_iter=1_000)
        model.fit(np.tile(design, (2, 1)), np.repeat([1, 0], len(first)), sample_weight=weight)
        return dict(zip(names, (POINTS * model.coef_[0]).tolist(), strict=True))

    load_ours()
    return timed


METHODS: dict[str, Callable[[str], Timed]] = {
    each.__name__: each
    for each in (
        ours,
        ours_style,
        ours_ranks,
        ours_bootstrap,
        ours_one_more,
        arena_rank,
        arena_rank_style,
        evalica_no_intervals,
        sklearn_no_intervals,
    )
}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(child(*sys.argv[2:])))
    else:
        main()
