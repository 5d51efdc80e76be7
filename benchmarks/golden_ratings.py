"""Ratings as arena-rank 0.1.1 gives them, as figures that the tests hold ours against.

    python benchmarks/golden_ratings.py [--python FILE] [--out tests/conformance/golden/arena_rank.json]

The battles are `parity/battles.py`. arena-rank runs in an environment of its own (`--python`; made on first
use otherwise). What is kept is, for each way to rate, ratings and variances in Elo points by model, and the
coefficients of covariates in log-odds.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "arena-rank==0.1.1"


def main() -> None:
    from parity.battles import COVARIATES, made_battles
    from remote_clients import environment

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", type=Path, help=f"a Python that has {PACKAGE}")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "tests" / "conformance" / "golden" / "arena_rank.json"
    )
    args = parser.parse_args()
    python = args.python or environment(PACKAGE, "pyarrow") / "python"
    rows = [
        {
            "model_a": f"model {each.first}",
            "model_b": f"model {each.second}",
            "winner": {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}[each.outcome],
            **dict(zip(COVARIATES, each.covariates, strict=True)),
        }
        for each in made_battles()
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "battles.json"
        file.write_text(json.dumps(rows))
        command = [str(python), __file__, "--child", str(file), *COVARIATES]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    golden = {"package": PACKAGE, **json.loads(done.stdout.splitlines()[-1])}
    args.out.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    print(args.out.relative_to(ROOT) if args.out.is_relative_to(ROOT) else args.out)


def child(file: str, *covariates: str) -> dict[str, Any]:
    """Every way to rate, in arena-rank's environment. Penalties on covariates are off."""
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
    from arena_rank.utils.data_utils import ContextualPairDataset, PairDataset

    frame = pd.DataFrame(json.loads(Path(file).read_text()))
    found = {}
    for name, even in (("votes", False), ("even", True)):
        data = PairDataset.from_pandas(frame, reweighted=even)
        model = BradleyTerry(len(data.competitors))
        found[name] = figures(model.compute_ratings_and_cis(data))
    data = ContextualPairDataset.from_pandas(
        frame, list(covariates), reweighted=False, normalize_features=False
    )
    model = ContextualBradleyTerry(len(data.competitors), len(covariates), reg=0.0)
    found["covariates"] = figures(model.compute_ratings_and_cis(data))
    return found


def figures(found: Any) -> dict[str, list[float]]:
    names = {"ratings": "ratings", "variances": "variances", "coeffs": "coefficients"}
    return {names[key]: [round(float(value), 6) for value in found[key]] for key in names if key in found}


if __name__ == "__main__":
    if "--child" in sys.argv:
        at = sys.argv.index("--child")
        print(json.dumps(child(*sys.argv[at + 1 :])))
    else:
        main()
