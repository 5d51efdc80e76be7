"""Gold solutions must pass and an idle program must fail before any code is scored."""

import pytest

from bakeoff.errors import BakeoffError, TaskError
from bakeoff.nouns import Outcome
from bakeoff.run import rescore
from bakeoff.sandbox import SandboxError, sandbox, tiers
from bakeoff.score.code import Code
from bakeoff.store import Proven, read_manifest, read_samples
from tests.run.runs import run

RIGHT = "def triple(x):\n    return 3 * x\n"
TESTS = {"entry_point": "triple", "test_list": ["assert triple(2) == 6"]}
GOOD = {"id": "good", "input": "Triple it.", "target": RIGHT, "meta": TESTS}
WITHOUT = {"id": "without", "input": "Triple it.", "meta": TESTS}
WRONG = {"id": "wrong", "input": "Triple it.", "target": RIGHT.replace("3", "2"), "meta": TESTS}
NOTHING = {
    "id": "nothing",
    "input": "Print nothing.",
    "target": "pass",
    "meta": {"stdio": [{"input": "", "output": ""}]},
}
NUMPY = {"id": "numpy", "input": "?", "target": RIGHT, "meta": TESTS | {"test_imports": ["import no_such"]}}
RAISES = {
    "id": "raises",
    "input": "?",
    "target": "def triple(x):\n    raise ValueError\n",
    "meta": {"entry_point": "triple", "inputs": [[2]]},
}
CODE = {"scorer": "code"}


@pytest.fixture(autouse=True)
def _sandboxed(monkeypatch, tmp_path):
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


def said(items: list[dict]) -> dict[str, str]:
    return {item["id"]: f"```python\n{RIGHT}```" for item in items}


def outcomes(result) -> dict[str, Outcome]:
    return {sample.item_id: sample.score.outcome for sample in result.samples()}


def test_items_that_show_what_they_must_are_scored_and_the_run_says_so(tmp_path):
    result = run(tmp_path, [GOOD, WITHOUT], said([GOOD, WITHOUT]), task=CODE)
    record = result.manifest.preflight
    assert (record.items, record.references) == (2, 1)
    assert record.reference_fails == record.idle_passes == []
    assert record.place == sandbox().name
    assert result.metrics.score.value == 1.0
    assert result.manifest.status == "complete"


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (WRONG, "its own reference solution fails here"),
        (RAISES, "reference program"),
        (NUMPY, "tests of a task do not run"),
        (NOTHING, "does nothing passes"),
    ],
    ids=lambda value: value["id"] if isinstance(value, dict) else None,
)
def test_an_item_that_does_not_is_never_scored(tmp_path, item, reason):
    items = [GOOD, item, WITHOUT]
    result = run(tmp_path, items, said(items), task=CODE)
    (sample,) = [each for each in result.samples() if each.item_id == item["id"]]
    assert (sample.score.outcome, sample.score.value) == (Outcome.SCORER_ERROR, None)
    assert reason in sample.score.reason
    assert sample.turns[-1].response.text  # kept, for a machine on which it can be judged
    record = result.manifest.preflight
    named = record.idle_passes if item is NOTHING else record.reference_fails
    assert named == [item["id"]]
    assert result.metrics.score.value == 1.0
    assert result.manifest.status == "incomplete"


def test_a_run_in_which_doing_nothing_passes_does_not_start(tmp_path):
    items = [GOOD, NOTHING, NOTHING | {"id": "again"}]
    with pytest.raises(TaskError, match=r"does nothing passes 2 of 3 items: (nothing|again)"):
        run(tmp_path, items, said(items), task=CODE)
    assert not (tmp_path / "runs").exists()


def test_a_run_of_which_nothing_could_be_scored_does_not_start(tmp_path):
    with pytest.raises(TaskError, match="no item can be judged"):
        run(tmp_path, [WRONG], said([WRONG]), task=CODE)


def test_a_run_without_a_sandbox_does_not_start(tmp_path, monkeypatch):
    monkeypatch.setenv("BAKEOFF_SANDBOX", "none of them")
    tiers._found.cache_clear()
    try:
        with pytest.raises(BakeoffError, match="there is no such sandbox"):
            run(tmp_path, [GOOD], said([GOOD]), task=CODE)
    finally:
        monkeypatch.undo()
        tiers._found.cache_clear()
    assert not (tmp_path / "runs").exists()


def test_only_the_items_asked_are_looked_at(tmp_path):
    result = run(tmp_path, [GOOD, WRONG], said([GOOD, WRONG]), task=CODE, limit=1)
    assert (result.manifest.preflight.items, result.manifest.preflight.reference_fails) == (1, [])


def test_what_was_shown_once_is_not_run_again_and_what_failed_is(tmp_path, monkeypatch):
    judged = []
    call = Code.__call__
    monkeypatch.setattr(
        Code, "__call__", lambda self, item, response: judged.append(item.id) or call(self, item, response)
    )
    items = [GOOD, WITHOUT, WRONG]
    first = run(tmp_path, items, said(items), task=CODE)
    assert sorted(judged) == ["good"] * 3 + ["without"] * 2 + ["wrong"] * 2
    judged.clear()
    second = run(tmp_path, items, said(items), task=CODE)
    assert sorted(judged) == ["good", "without", "wrong", "wrong"]
    assert first.manifest.preflight == second.manifest.preflight
    judged.clear()
    changed = [GOOD | {"meta": TESTS | {"test_list": ["assert triple(3) == 9"]}}]
    run(tmp_path, changed, said(changed), task=CODE)
    assert judged == ["good"] * 3  # other tests, another item
    judged.clear()
    run(tmp_path, [GOOD], said([GOOD]), task=CODE, cache=False)
    assert judged == ["good"] * 3


def test_rescoring_by_running_looks_first_too(tmp_path):
    items = [GOOD, WRONG, GOOD | {"id": "another"}]
    recorded = run(tmp_path, items, said(items), task={"scorer": "contains"})
    assert recorded.manifest.preflight is None
    made = rescore(recorded.folder, "code", out=tmp_path / "again")
    assert read_manifest(made).preflight.reference_fails == ["wrong"]
    fresh = run(tmp_path, items, said(items), task=CODE)
    assert list(read_samples(made)) == list(fresh.samples())


def test_proven_keys_outlive_processes_and_a_line_cut_short(tmp_path):
    Proven(tmp_path).add("sha256:one")
    with (tmp_path / "proven.txt").open("a") as file:
        file.write("sha256:tw")
    Proven(tmp_path).add("sha256:three")
    kept = Proven(tmp_path)
    assert "sha256:one" in kept
    assert "sha256:three" in kept
    assert "sha256:two" not in kept


def test_other_scorers_have_no_preflight(tmp_path):
    result = run(tmp_path, [{"id": "1", "input": "?", "target": "2"}], {"1": "2"})
    assert result.manifest.preflight is None
