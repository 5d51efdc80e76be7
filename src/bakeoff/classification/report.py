"""What is said of a classification, as data."""

from dataclasses import dataclass
from typing import Literal

from bakeoff.classification.actions import ActionRow
from bakeoff.classification.calibration import Calibration
from bakeoff.classification.confusion import Cell
from bakeoff.classification.costs import Costs, Matrix
from bakeoff.classification.ranking import Ranking
from bakeoff.classification.slices import Slice
from bakeoff.stats.classes.balanced import BalancedAccuracy
from bakeoff.stats.classes.cost import Cost
from bakeoff.stats.classes.rare import Detection, FBeta
from bakeoff.stats.classes.share import Rate

NoAnswer = Literal["wrong", "negative", "positive"]
"""What an item without a label counts as: the wrong decision, not flagged, or flagged."""
Decision = Literal[
    "labels", "flag nothing", "flag everything", "break-even", "calibrated", "nested", "other run"
]
"""How it is decided what is flagged: the model's own labels; nothing; everything; by the probability from
which flagging pays, as given or calibrated on the other folds; by a threshold chosen on the other folds; by
one chosen on another run."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Detection by the model's labels at one share of positives. Recall, specificity and their mean, balanced
    accuracy, do not depend on it. `flagged` is the share of cases that is flagged.
    """

    prevalence: float
    detection: Detection
    balanced_accuracy: BalancedAccuracy | None
    flagged: float | None


@dataclass(frozen=True, slots=True)
class CostRow:
    """Expected cost of 1,000 cases at `prevalence` under one way to decide.

    `threshold` is what to use on new cases: None where there is none, or where nothing is to be flagged.
    `apparent` is the cost on the items that the threshold was chosen on, too low for others. Of "flag
    nothing" and "flag everything" the cost is known, and `interval` of no width.
    """

    decision: Decision
    prevalence: float
    cost: Cost
    threshold: float | None = None
    fold_thresholds: tuple[float | None, ...] = ()
    apparent: float | None = None
    recall: Rate | None = None
    specificity: Rate | None = None


@dataclass(frozen=True, slots=True)
class SweepRow:
    """The same answers at another share of positives. `nested` is the cost where the threshold is chosen for
    that share, by the other folds; None without costs or probabilities.
    """

    prevalence: float
    flagged: float | None
    precision: Rate | None
    f_beta: FBeta | None
    cost: Cost | None
    nested: Cost | None


@dataclass(frozen=True, slots=True)
class Report:
    """A run as yes-or-no decisions about `positive`.

    `counted` of the `items`, answers where there are several to an item, enter the rates; `unlabelled` has
    those that ended without a label,
    by how they ended; those that are not counted (`too_long`, `model_error`, `scorer_error`) are in it too.
    `clusters` is the number of groups of answers, where any holds several, else None.
    `rates` and `rankings` begin with the share of positives of the items, and go on with the one asked for.
    Without probabilities `rankings` is empty and `calibration` None. `actions` are there where costs are a
    matrix, `cost` where they are of two errors. `notes` say what a reader must know.
    """

    run: str
    task: str
    model: str
    positive: str
    labels: tuple[str, ...]
    no_answer: NoAnswer
    level: float
    items: int
    counted: int
    positives: int
    negatives: int
    clusters: int | None
    unlabelled: dict[str, int]
    confusion: tuple[Cell, ...]
    rates: tuple[Rates, ...]
    rankings: tuple[Ranking, ...]
    calibration: Calibration | None
    costs: Costs | Matrix | None
    cost: tuple[CostRow, ...]
    actions: tuple[ActionRow, ...]
    sweep: tuple[SweepRow, ...]
    column: str | None
    slices: tuple[Slice, ...]
    notes: tuple[str, ...]
