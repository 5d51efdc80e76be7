"""`manifest.json`: what was run, on what, by whom, and how it ended."""

from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bakeoff.errors import StoreError
from bakeoff.store.files import shut, write_atomically

SCHEMA_VERSION = 3

Status = Literal["running", "complete", "incomplete", "failed"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TaskRecord(_Record):
    """What was asked, frozen."""

    name: str
    version: int | str
    ref: str
    """How the task was named on the command line; a resume loads it from here."""
    data: str | None = None
    """The file that replaced the task's own data, if any."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Arguments of the generator that were given for this run; `source` has them all."""
    where: dict[str, Any] = Field(default_factory=dict)
    """Conditions on the rows that were given for this run."""
    variant: str = "default"
    digest: str
    parts: dict[str, Any] = Field(default_factory=dict)
    """The parts the digest is made of, so that two digests can be told apart by name."""
    ask: str
    scorer: str
    n_items: int
    """Items in the dataset, before any limit."""
    chance: float | None = None
    refused: float = 0.0
    private: bool = False
    """Whether the texts of its items and answers stay in the run folder (`store.privacy`)."""
    source: dict[str, Any] = Field(default_factory=dict)
    """Where the data came from, resolved: a commit, a file digest, a generator and its seed."""


class ModelRecord(_Record):
    """Who answered. `settings` are as given by the user; secrets are never among them."""

    ref: str
    settings: dict[str, str] = Field(default_factory=dict)
    identity: dict[str, Any] = Field(default_factory=dict)
    capabilities: dict[str, Any] = Field(default_factory=dict)
    probe: dict[str, Any] | None = None


class Until(_Record):
    """Ask only until it is decided whether the run beats `baseline`, a run folder of the same task."""

    baseline: str
    level: float = Field(default=0.95, gt=0, lt=1)
    """1 - level bounds the chance of each false decision, however often one looks."""
    margin: float | None = Field(default=None, gt=0, lt=1)
    """Also stop when the difference is known to be smaller than this."""


class Settings(_Record):
    """How the run was made."""

    seed: int = 0
    limit: int | None = None
    repeats: int = 1
    cache: bool = True
    pmi: bool = False
    """Whether options were also scored without their context, whatever the scorer."""
    determinism: int = 0
    """How many of the first items were asked again after the run, to see whether answers repeat."""
    until: Until | None = None
    unscored_budget: float = 0.0
    """The share of samples that may stay unscored in a complete run."""


class PassRecord(_Record):
    """One more asking of the same items, against the answers of the run."""

    compared: int
    failed: int
    """Items without an answer here or in the run, which cannot be compared."""
    disagreements: int
    """Items with another text, or another most likely option."""
    rate: float | None
    """Disagreements of those compared."""
    examples: list[str] = Field(default_factory=list)
    """The ids of up to ten that disagree."""
    largest_change: float | None = None
    """The largest change of one option's log-likelihood, in nats; None where there are none."""
    near_ties: int | None = None
    """Items whose two best options lie within twice that change, which could have turned them; None where no
    item has two options."""
    error: str = ""
    """What ended this pass early."""


class DeterminismRecord(_Record):
    """Whether the first `items` of the run are answered the same again.

    Passes: `again`, the same at the engine's full window; `alone`, one at a time; `reversed`, in the opposite
    order at full window. None of them reads or fills the cache.
    """

    items: int
    passes: dict[str, PassRecord]


class DecisionRecord(_Record):
    """How a run that asked only until it was decided stood against its baseline, this run minus the baseline.

    `items` of the `of` that the baseline has a score for were needed, in `units` (groups, or items by
    themselves). `low` and `high` are limits that hold although the run could stop at any time.
    """

    baseline: str
    """The run id of the baseline."""
    level: float
    margin: float | None
    verdict: Literal["better", "worse", "equivalent", "cannot tell"]
    items: int
    units: int
    of: int
    passed_over: int
    """Items that ended without a score and so could not be compared."""
    difference: float | None
    low: float | None
    high: float | None
    e_value: float
    """Evidence that the two differ; decisive from 1 / (1 - level)."""
    e_value_equivalent: float | None
    """Evidence that they differ by less than the margin."""


class PreflightRecord(_Record):
    """What every item showed, where answers are run, before any answer was judged.

    An item whose own reference fails, or that a program which does nothing passes, is not scored.
    """

    place: str
    """Where answers were run, with versions."""
    items: int
    references: int
    """Items that hold a reference solution."""
    reference_fails: list[str] = Field(default_factory=list)
    """The ids of the items whose reference, or whose tests, fail here."""
    idle_passes: list[str] = Field(default_factory=list)
    """The ids of the items that a program which does nothing passes."""


class CalibrationRecord(_Record):
    """What people's labels say of a judge with this rubric on this task (`bakeoff judge calibrate`)."""

    id: str
    made: str
    """UTC, ISO 8601."""
    expires: str
    """UTC, ISO 8601. After it the judge counts as uncalibrated again."""
    labels: int
    """Items that people labelled and the judge judged."""
    agreement: float
    """The share of them on which both say the same, in [0, 1]."""
    low: float
    high: float
    level: float


class JudgingRecord(_Record):
    """The language model whose verdicts are the scores of a run, and what it was asked.

    In the judge's own run `verdicts` is None; in a judged run it is the id of that run.
    """

    rubric: dict[str, Any]
    rubric_digest: str
    judge: dict[str, Any]
    """The judge's identity, without its details."""
    runs: list[str]
    """The ids of the runs whose answers were judged."""
    folders: list[str]
    """Where they lay."""
    verdicts: str | None = None
    calibration: CalibrationRecord | None = None
    """None: the scores are opinions of unknown worth, and every report says *uncalibrated*."""


class FileRecord(_Record):
    """A file of the run folder and the digest of its bytes."""

    digest: str
    bytes: int
    rows: int | None = None


class Manifest(_Record):
    """The identity and the state of a run."""

    schema_version: int = SCHEMA_VERSION
    run_id: str
    status: Status
    created: str
    """UTC, ISO 8601."""
    finished: str | None = None
    bakeoff: str
    task: TaskRecord
    model: ModelRecord
    settings: Settings
    environment: dict[str, Any] = Field(default_factory=dict)
    preflight: PreflightRecord | None = None
    """For a scorer that runs answers."""
    determinism: DeterminismRecord | None = None
    """Where it was asked for."""
    decision: DecisionRecord | None = None
    """For a run that asked only until it was decided."""
    judging: JudgingRecord | None = None
    """Where a language model was the judge."""
    counts: dict[str, int] = Field(default_factory=dict)
    """Samples in all (`total`) and by outcome."""
    files: dict[str, FileRecord] = Field(default_factory=dict)
    resumed: int = 0
    """How often the run was taken up again."""
    parent: str | None = None
    """The run whose answers were scored anew, for a rescored run."""


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `manifest.json` whole. The folder of a private task is shut to all but its owner."""
    data = orjson.dumps(
        manifest.model_dump(mode="json"), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )
    write_atomically(folder / "manifest.json", data)
    if manifest.task.private:
        shut(folder)


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a run folder.

    Raises:
        StoreError: there is none, it is damaged, or a newer bakeoff wrote it.
    """
    path = folder / "manifest.json"
    try:
        value = orjson.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(
            f"{folder} is not a run folder: it has no manifest.json",
            "`bakeoff show` lists the runs there are",
        ) from error
    except orjson.JSONDecodeError as error:
        raise StoreError(
            f"{path} is damaged: {error}", "restore it from a copy; the samples are untouched"
        ) from error
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema version {version}; this bakeoff reads up to {SCHEMA_VERSION}",
            f"upgrade bakeoff (the run was written by {value.get('bakeoff', 'a newer one')})",
        )
    try:
        return Manifest.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise StoreError(f"{path}, field {field}: {first['msg']}", "restore it from a copy") from error
