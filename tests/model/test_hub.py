"""Names of models on the hub, held against the hub's own library."""

import pytest
from huggingface_hub.utils import HFValidationError, validate_repo_id
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hub import is_local, read_hub_name

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def _allowed(repository):
    try:
        validate_repo_id(repository)
    except HFValidationError:
        return False
    return True


@given(st.text("aZ9_.-/", min_size=1, max_size=12) | st.text("ab/", min_size=90, max_size=100))
def test_what_we_take_for_a_repository_the_hub_does_too(repository):
    if read_hub_name(repository) is not None:
        assert _allowed(repository)


@pytest.mark.parametrize(
    "repository", ["gpt2", "org/name", "Org-1/Na.me_2-b", "a/b", "o_/_n", "org/" + "n" * 90, "1/2"]
)
def test_names_that_there_are_are_read(repository):
    assert _allowed(repository)
    assert read_hub_name(repository) == (repository, "")
    assert read_hub_name(f"{repository}@refs/pr/3") == (repository, "refs/pr/3")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "a/b/c",
        "a--b/c",
        "-a/b",
        "a/.b",
        "a/b.",
        "a..b",
        "what is this?",
        "ä/b",
        "a/b@",
        "a/b@x y",
        "a/b@../c",
        "a/b@c@d",
    ],
)
def test_what_can_be_no_name_is_refused(name):
    assert read_hub_name(name) is None


@pytest.mark.parametrize(
    ("revision", "pinned"),
    [
        (COMMIT, True),
        (COMMIT[:-1], False),
        (COMMIT[:7], False),
        ("main", False),
        ("v1.0", False),
        ("G" * 40, False),
    ],
)
def test_only_a_whole_commit_stays_what_it_is(revision, pinned):
    found = read_hub_name(f"org/name@{revision}")
    assert found is not None
    assert found.pinned is pinned


def test_files_and_folders_are_no_names_on_the_hub(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org" / "name").mkdir(parents=True)
    for name in ("smollm2", "file.gguf", "./here", "~/there", "/there", "org/name"):
        assert is_local(name)
    assert not is_local("org/other")
