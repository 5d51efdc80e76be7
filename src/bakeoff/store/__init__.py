"""Where results are kept: run folders on disk and the response cache.

A run folder holds `manifest.json`, a journal while the run goes on, `samples.parquet` once it is compacted
and `metrics.json`.
"""

from bakeoff.store.cache import ResponseCache, cache_folder, cache_key
from bakeoff.store.caveats import caveats, expired, judge_name
from bakeoff.store.files import write_atomically
from bakeoff.store.folder import find_run, find_runs, new_run_folder, slug
from bakeoff.store.journal import Journal, journal_rows
from bakeoff.store.manifest import (
    SCHEMA_VERSION,
    CalibrationRecord,
    DecisionRecord,
    DeterminismRecord,
    FileRecord,
    JudgingRecord,
    Manifest,
    ModelRecord,
    PassRecord,
    PreflightRecord,
    Settings,
    Status,
    TaskRecord,
    Until,
    read_manifest,
    write_manifest,
)
from bakeoff.store.proven import Proven
from bakeoff.store.record import COLUMNS, from_row, to_row
from bakeoff.store.samples import (
    compact,
    finished_keys,
    has_samples,
    journal_path,
    query,
    read_samples,
)

__all__ = [
    "COLUMNS",
    "SCHEMA_VERSION",
    "CalibrationRecord",
    "DecisionRecord",
    "DeterminismRecord",
    "FileRecord",
    "Journal",
    "JudgingRecord",
    "Manifest",
    "ModelRecord",
    "PassRecord",
    "PreflightRecord",
    "Proven",
    "ResponseCache",
    "Settings",
    "Status",
    "TaskRecord",
    "Until",
    "cache_folder",
    "cache_key",
    "caveats",
    "compact",
    "expired",
    "find_run",
    "find_runs",
    "finished_keys",
    "from_row",
    "has_samples",
    "journal_path",
    "journal_rows",
    "judge_name",
    "new_run_folder",
    "query",
    "read_manifest",
    "read_samples",
    "slug",
    "to_row",
    "write_atomically",
    "write_manifest",
]
