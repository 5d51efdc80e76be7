import pytest

from bakeoff.errors import StoreError
from bakeoff.store import find_run, find_runs, new_run_folder, slug


def _run(out, task="t"):
    folder = new_run_folder(out, task, "org/model:x")
    (folder / "manifest.json").write_text("{}")
    return folder


def test_a_run_is_found_by_path_by_the_end_of_its_id_and_as_last(tmp_path):
    first = _run(tmp_path)
    assert find_run(str(first), tmp_path) == first
    assert find_run(first.name[-6:], tmp_path) == first
    assert find_run("last", tmp_path) == first
    assert find_runs(tmp_path) == [first]


def test_an_ambiguous_or_unknown_id_lists_what_there_is(tmp_path):
    with pytest.raises(StoreError, match="quickstart"):
        find_run("abc", tmp_path)
    one, two = _run(tmp_path, "a"), _run(tmp_path, "b")
    with pytest.raises(StoreError, match="2 run ids"):
        find_run("", tmp_path)
    with pytest.raises(StoreError) as caught:
        find_run("nosuch", tmp_path)
    assert one.name in caught.value.hint
    assert two.name in caught.value.hint


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("gsm8k:cot", "gsm8k-cot"),
        ("org/name@rev", "org-name-rev"),
        ("../../etc", "etc"),
        ("…", "unnamed"),
        ("a b\n", "a-b"),
    ],
)
def test_names_become_safe_folder_names(name, folder):
    assert slug(name) == folder
