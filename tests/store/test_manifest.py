import orjson
import pytest

from bakeoff.errors import StoreError
from bakeoff.store import (
    SCHEMA_VERSION,
    Manifest,
    ModelRecord,
    Settings,
    TaskRecord,
    read_manifest,
    write_manifest,
)

MANIFEST = Manifest(
    run_id="r",
    status="running",
    created="2026-01-01T00:00:00+00:00",
    bakeoff="0.1.0",
    task=TaskRecord(
        name="t", version=1, ref="t", digest="sha256:0", ask="generate", scorer="exact@1", n_items=3
    ),
    model=ModelRecord(ref="recorded:a.jsonl"),
    settings=Settings(),
)


def _changed(folder, **changes):
    value = orjson.loads((folder / "manifest.json").read_bytes()) | changes
    (folder / "manifest.json").write_bytes(orjson.dumps(value))


def test_a_manifest_is_read_as_it_was_written(tmp_path):
    write_manifest(tmp_path, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_a_newer_schema_is_refused_by_name(tmp_path):
    write_manifest(tmp_path, MANIFEST)
    _changed(tmp_path, schema_version=SCHEMA_VERSION + 1, bakeoff="9.9")
    with pytest.raises(StoreError, match=rf"schema version {SCHEMA_VERSION + 1}.*\n.*9\.9"):
        read_manifest(tmp_path)


def test_a_wrong_field_is_named(tmp_path):
    write_manifest(tmp_path, MANIFEST)
    _changed(tmp_path, status="done")
    with pytest.raises(StoreError, match="field status"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[1"])
def test_a_damaged_manifest_is_an_error_not_a_crash(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        read_manifest(tmp_path)


def test_a_folder_without_a_manifest_is_no_run(tmp_path):
    with pytest.raises(StoreError, match="not a run folder"):
        read_manifest(tmp_path)
