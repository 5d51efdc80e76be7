"""A pytest fixture that gates a run: `bakeoff_gate(run, baseline=…, policy=…)`.

Loaded whenever pytest starts where bakeoff is installed, so it imports nothing of ours before it is used.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bakeoff.gate.policy import Policy
    from bakeoff.gate.report import Report


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--bakeoff-inconclusive`."""
    parser.getgroup("bakeoff").addoption(
        "--bakeoff-inconclusive",
        choices=("fail", "skip"),
        default="fail",
        help="what a test is whose gate is inconclusive (fail)",
    )


@pytest.fixture
def bakeoff_gate(request: pytest.FixtureRequest) -> Callable[..., "Report"]:
    """Hold a run (or several, one a task) against a baseline and a policy.

    Returns the report of a pass. A fail fails the test with the reasons; so does an inconclusive gate, unless
    `--bakeoff-inconclusive=skip`. Wrong input raises, as from the command line. Paths start at pytest's root
    folder.
    """
    root = request.config.rootpath

    def gate(
        run: Any,
        baseline: Any = None,
        policy: "Policy | Path | str | None" = None,
        *,
        baselines: Path | str | None = None,
        out: Path | str = "runs",
        across: bool = False,
    ) -> "Report":
        __tracebackhide__ = True
        from bakeoff.gate import decide
        from bakeoff.gate.policy import Policy
        from bakeoff.gate.sentences import told

        if baselines is None and policy is None:
            baselines = "baselines"
        report = decide(
            _several(run, root),
            baseline=_several(baseline, root),
            policy=policy if policy is None or isinstance(policy, Policy) else root / policy,
            baselines=None if baselines is None else root / baselines,
            out=root / out,
            across=across,
        )
        if report.verdict == "pass":
            return report
        if report.verdict == "inconclusive" and request.config.getoption("--bakeoff-inconclusive") == "skip":
            pytest.skip(told(report))
        pytest.fail(told(report), pytrace=False)

    return gate


def _several(given: Any, root: Path) -> Sequence[Path | str]:
    """One run or many, each a folder, a name, or a Result; a relative folder starts at `root`."""
    if given is None:
        return ()
    many = given if isinstance(given, list | tuple) else [given]
    return [_reference(each, root) for each in many]


def _reference(given: Any, root: Path) -> Path | str:
    reference: Path | str = getattr(given, "folder", given)
    return root / reference if (root / reference).exists() else reference
