"""The runs of a folder by their ids."""

import json
import os
import shutil

import pytest

from bakeoff.errors import StoreError
from bakeoff.run.index import RunIndex
from bakeoff.store import read_manifest, write_manifest
from tests.comparison.making import altered, run


@pytest.fixture
def folder(tmp_path):
    """Two runs."""
    run(tmp_path, "a", [1, 2, 3], 9)
    run(tmp_path, "b", [1, 2], 9)
    return tmp_path


def test_runs_are_listed_with_what_was_measured(folder):
    runs = RunIndex(folder / "runs").runs()
    assert {(each.model, each.score.value, each.samples) for each in runs} == {
        ("a", 3 / 9, 9),
        ("b", 2 / 9, 9),
    }
    assert [each.created for each in runs] == sorted((each.created for each in runs), reverse=True)


def test_a_run_is_found_by_its_whole_id_alone(folder):
    index = RunIndex(folder / "runs")
    known = index.runs()[0]
    assert index.find(known.id) == known
    for other in (known.id[-6:], "last", str(known.folder), f"../{known.id}", "", "manifest.json", "x\x00"):
        with pytest.raises(StoreError, match="there is no run"):
            index.find(other)


def test_what_changes_is_read_again_and_what_goes_is_gone(folder):
    index = RunIndex(folder / "runs")
    first, second = index.runs()
    write_manifest(first.folder, read_manifest(first.folder).model_copy(update={"status": "failed"}))
    assert index.find(first.id).status == "failed"
    assert [each.status for each in index.runs()] == ["failed", "complete"]
    shutil.rmtree(second.folder)
    assert [each.id for each in index.runs()] == [first.id]
    with pytest.raises(StoreError):
        index.find(second.id)
    run(folder, "c", [1], 9)
    assert {each.model for each in index.runs()} == {first.model, "c"}


def test_what_is_unchanged_is_not_read_again(folder):
    """Its manifest is replaced by rubbish of the same size, time and place, which nobody notices."""
    index = RunIndex(folder / "runs")
    known = index.runs()[0]
    path = known.folder / "manifest.json"
    there = path.stat()
    with path.open("r+b") as file:
        file.write(b"x")
    os.utime(path, ns=(there.st_atime_ns, there.st_mtime_ns))
    assert index.runs()[0] == known


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", "{"),
        ("manifest.json", "[]"),
        ("manifest.json", "{}"),
        ("metrics.json", "{"),
        ("metrics.json", "{}"),
        ("metrics.json", '{"score": 1}'),
    ],
)
def test_a_damaged_run_hides_no_other_and_is_said(folder, file, content):
    index = RunIndex(folder / "runs")
    broken, sound = index.runs()
    path = broken.folder / file
    path.write_text(content)
    os.utime(broken.folder / "manifest.json", ns=(1, 1))
    assert [each.id for each in index.runs()] == [sound.id]
    (said,) = index.unlisted()
    assert (said.folder, file in said.reason) == (broken.folder, True)


def test_two_folders_with_one_id_are_one_run_and_a_remark(folder):
    index = RunIndex(folder / "runs")
    known = index.runs()[0]
    copy = altered(known.folder, known.folder.parent / "copy", name="z")
    write_manifest(copy, read_manifest(copy).model_copy(update={"run_id": known.id}))
    assert len(index.runs()) == 2
    (said,) = index.unlisted()
    first, second = sorted([known.folder, copy])
    assert (index.find(known.id).folder, said.folder) == (first, second)
    assert first.name in said.reason


def test_runs_of_submissions_are_there_but_for_dry_ones_and_private_boards(folder):
    known = RunIndex(folder / "runs").runs()[0]
    tail = known.folder.relative_to(folder / "runs")
    for place in ("submission-3", "submission-3/dry-run", "submission-4", "elsewhere"):
        to = folder / "runs" / place / tail
        shutil.copytree(known.folder, to)
        data = json.loads((to / "manifest.json").read_text())
        data["run_id"] = f"in {place}"
        data["task"]["private"] = place == "submission-4"
        (to / "manifest.json").write_text(json.dumps(data))
    found = {each.id for each in RunIndex(folder / "runs").runs()}
    assert {each for each in found if each.startswith("in")} == {"in submission-3"}


def test_a_folder_that_is_not_there_has_no_runs(tmp_path):
    assert RunIndex(tmp_path / "none").runs() == ()
