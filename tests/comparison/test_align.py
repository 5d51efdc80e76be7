import numpy as np
import pytest

from bakeoff.comparison.align import align
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.run import rescore
from bakeoff.store import Journal, journal_path, read_manifest, read_samples, write_manifest
from tests.comparison.making import altered, items, rewritten, run


def _labels(found):
    return [candidate.label for candidate in found.candidates]


def test_candidates_stand_by_label_and_items_by_id_whatever_the_order(tmp_path):
    b, a = run(tmp_path, "b", range(5), 12), run(tmp_path, "a", range(3), 12)
    found, other = align([b, a]), align([a, b])
    assert _labels(found) == _labels(other) == ["a", "b"]
    assert found.items == ("0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9")
    assert np.array_equal(found.values, other.values)
    assert found.values[0, 0].tolist() == [1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert (found.task, found.variants, found.left_out, found.notes) == ("sums", ("default",), {}, ())


def test_repeats_are_averaged_and_their_variance_kept(tmp_path):
    asked = run(tmp_path, "a", [[0, 1], [0], [0]], 3), run(tmp_path, "b", range(2), 3)
    found = align(asked)
    assert found.values[0, 0].tolist() == pytest.approx([1, 1 / 3, 0])
    # Variance of 1, 0, 0 is 1/3; of their mean a third of it.
    assert found.within[0, 0].tolist() == pytest.approx([0, 1 / 9, 0])
    assert np.isnan(found.within[1]).all()
    assert found.repeats[:, 0].tolist() == [[3, 3, 3], [1, 1, 1]]


def test_items_that_only_some_runs_have_are_left_out_and_counted(tmp_path):
    found = align([run(tmp_path, "a", range(9), 30), run(tmp_path, "b", range(9), 30, limit=20)])
    assert len(found.items) == 20
    assert found.left_out == {"not in every run": 10}


def test_items_without_a_score_are_left_out_by_reason(tmp_path):
    whole = run(tmp_path, "a", range(9))
    holed = run(tmp_path, "b", range(9), unanswered=(3, 4))
    with pytest.raises(BakeoffError, match=r"2 of 30 samples without a score"):
        align([whole, holed])
    found = align([whole, holed], incomplete=True)
    assert len(found.items) == 28
    assert found.left_out == {"unscored: model_error": 2}
    assert found.notes[0].startswith("the run ")
    assert found.notes[0].endswith("of b is not complete: 2 of 30 samples without a score")


def test_a_run_that_was_stopped_is_read_from_its_journal(tmp_path):
    whole, other = run(tmp_path, "a", range(9)), run(tmp_path, "b", range(9))
    samples = list(read_samples(other))
    (other / "samples.parquet").unlink()
    with Journal(journal_path(other)) as journal:
        for sample in reversed(samples[:25]):
            journal.append(sample)
    write_manifest(other, read_manifest(other).model_copy(update={"status": "running"}))
    found = align([whole, other], incomplete=True)
    assert found.left_out == {"not in every run": 5}
    assert found.values[1, 0].tolist() == [float(int(item) < 9) for item in found.items]


def test_tasks_that_differ_are_refused_by_the_name_of_what_differs(tmp_path):
    a = run(tmp_path, "a", range(9))
    b = run(tmp_path, "b", range(9), changes={"generation": {"max_tokens": 7}})
    with pytest.raises(BakeoffError, match=r"generation\.max_tokens: (\d+ → 7|7 → \d+)") as refused:
        align([a, b])
    assert "--across" in refused.value.hint
    assert str(a) in refused.value.message
    assert str(b) in refused.value.message
    (note,) = align([a, b], across=True).notes
    assert note.startswith("across tasks that differ: generation.max_tokens")


def test_across_tasks_items_meet_by_what_they_ask(tmp_path):
    asked = items(10)
    moved = [row | {"id": f"n{row['id']}"} for row in reversed(asked)]
    a, b = run(tmp_path, "a", range(4), asked), run(tmp_path, "b", range(4), moved)
    found = align([a, b], across=True)
    assert found.items == tuple(row["id"] for row in asked)
    assert found.left_out == {}
    # The second answers the last four of the first right, because its rows are the other way round.
    assert found.values[:, 0].tolist() == [[1] * 4 + [0] * 6, [0] * 6 + [1] * 4]


def test_an_id_that_asks_something_else_is_left_out_as_such(tmp_path):
    asked = items(10)
    changed = [*asked[:8], asked[8] | {"target": 99}, {"id": "x", "input": "7 + 7 =", "target": 14}]
    found = align([run(tmp_path, "a", [0], asked), run(tmp_path, "b", [1], changed)], across=True)
    assert len(found.items) == 8
    assert found.left_out == {"not in every run": 2, "same id, other content": 1}


def test_a_question_asked_twice_is_matched_by_its_id_as_well(tmp_path):
    asked = [*items(4), {"id": "again", "input": "0 + 1 =", "target": 1}]
    a, b = run(tmp_path, "a", [0], asked), run(tmp_path, "b", [4], asked[::-1])
    found = align([a, b], across=True)
    assert found.items == ("0", "1", "2", "3", "again")
    assert found.values[:, 0].tolist() == [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0]]


def test_runs_from_before_there_were_digests_are_matched_by_id(tmp_path):
    a, b = run(tmp_path, "a", range(3)), run(tmp_path, "b", range(3), changes={"refused": 1.0})
    rewritten(b, "SELECT * EXCLUDE (item_digest) FROM samples")
    found = align([a, b], across=True)
    assert len(found.items) == 30
    assert any("matched by id" in note for note in found.notes)


def test_a_rescored_run_is_told_apart_by_its_scorer(tmp_path):
    first = run(tmp_path, "a", range(9))
    second = rescore(first, "contains", out=tmp_path / "runs")
    with pytest.raises(BakeoffError, match=r"scorer: '(number|contains)"):
        align([first, second])
    labels = _labels(align([first, second], across=True))
    assert len(labels) == 2
    assert all(label.startswith("a (scorer ") for label in labels)


@pytest.mark.parametrize(
    ("identity", "labels"),
    [
        ({"precision": "int4"}, ["m (precision int4)", "m (precision none)"]),
        ({"engine": "hf", "revision": "b" * 40}, ["m (engine hf)", "m (engine recorded)"]),
        ({"settings": {"context": "2048"}}, ["m (context 2048)", "m (context none)"]),
    ],
)
def test_two_runs_of_a_model_are_told_apart_by_what_differs(tmp_path, identity, labels):
    one = run(tmp_path, "m", range(9))
    identity = {key: value for key, value in identity.items() if key != "revision"}
    assert _labels(align([one, altered(one, tmp_path / "x-000001", **identity)])) == labels


def test_commits_are_told_by_their_beginning(tmp_path):
    one = run(tmp_path, "m", range(9))
    two, three = (
        altered(one, tmp_path / f"x-{letter}", engine="hf", revision=letter * 40) for letter in "ab"
    )
    assert _labels(align([two, three])) == ["m (revision aaaaaaaa)", "m (revision bbbbbbbb)"]


def test_two_runs_of_a_model_that_differ_in_nothing_are_told_apart_by_their_ids(tmp_path):
    one, two = run(tmp_path, "m", range(9)), run(tmp_path, "m", range(8))
    ends = sorted(folder.name.rsplit("-", 1)[-1] for folder in (one, two))
    assert _labels(align([one, two])) == [f"m #{end}" for end in ends]


def test_a_model_named_like_the_label_of_another_loses_no_run(tmp_path):
    one = run(tmp_path, "m", range(9))
    quantised = altered(one, tmp_path / "x-1", precision="int4")
    impostor = altered(one, tmp_path / "x-2", name="m (precision int4)")
    assert _labels(align([one, quantised, impostor])) == [
        "m (precision int4)",
        "m (precision int4) #2",
        "m (precision none)",
    ]


def test_variants_that_all_models_have_are_averaged_over(tmp_path):
    runs = [
        run(tmp_path, "a", range(9)),
        run(tmp_path, "a", range(3), variant="terse"),
        run(tmp_path, "a", range(3), variant="polite"),
        run(tmp_path, "b", range(6)),
        run(tmp_path, "b", range(12), variant="terse"),
    ]
    found = align(runs)
    assert found.variants == ("default", "terse")
    assert _labels(found) == ["a", "b"]
    assert found.values.sum(axis=2).tolist() == [[9, 3], [6, 12]]
    assert found.notes == ("left out: a on the variant polite, which not every candidate has",)
    assert [len(candidate.runs) for candidate in found.candidates] == [2, 2]


def test_the_variants_of_one_model_are_the_candidates(tmp_path):
    found = align([run(tmp_path, "m", range(9)), run(tmp_path, "m", range(4), variant="terse")])
    assert _labels(found) == ["default", "terse"]
    assert {candidate.model for candidate in found.candidates} == {"m"}
    assert found.values.sum(axis=(1, 2)).tolist() == [9, 4]
    assert found.notes == ("the candidates are the prompt variants of m",)


def test_models_without_a_common_variant_are_refused_and_compared_across(tmp_path):
    runs = [run(tmp_path, "a", range(9)), run(tmp_path, "b", range(4), variant="terse")]
    with pytest.raises(BakeoffError, match="a has default; b has terse"):
        align(runs)
    found = align(runs, across=True)
    assert any("prompt.template" in note for note in found.notes)
    assert found.values.sum(axis=(1, 2)).tolist() == [9, 4]


def test_variants_over_other_data_are_refused(tmp_path):
    runs = [run(tmp_path, "m", range(9)), run(tmp_path, "m", range(4), 29, variant="terse")]
    with pytest.raises(BakeoffError, match="data: sha256"):
        align(runs)


def test_several_runs_of_a_model_on_several_variants_that_do_not_pair_up_are_refused(tmp_path):
    runs = [
        run(tmp_path, "m", range(n), variant=v) for n, v in ((3, "default"), (4, "default"), (5, "terse"))
    ]
    with pytest.raises(BakeoffError, match="variant default, and nothing says which go together"):
        align(runs)


def test_a_candidate_whose_runs_are_of_two_revisions_says_so(tmp_path):
    a, b = run(tmp_path, "a", range(9)), run(tmp_path, "b", range(8))
    terse = run(tmp_path, "a", range(7), variant="terse"), run(tmp_path, "b", range(6), variant="terse")
    newer = altered(terse[0], tmp_path / "x-1", precision="int4")
    notes = align([a, b, newer, terse[1]]).notes
    assert notes == ("the runs of a on its variants differ in precision",)


def test_groups_come_with_the_items(tmp_path):
    found = align([run(tmp_path, model, range(3), items(6, groups=2)) for model in "ab"])
    assert found.groups == ("g0", "g1", "g0", "g1", "g0", "g1")
    assert found.clusters == tuple(f"group {group}" for group in found.groups)
    assert align([run(tmp_path, model, range(3), 6) for model in "cd"]).clusters is None


def test_the_score_of_guessing_is_known_where_all_tasks_agree_on_it(tmp_path):
    a, b = (run(tmp_path, model, [0], changes={"chance": 0.25}) for model in "ab")
    c = run(tmp_path, "c", [0], changes={"chance": 0.5})
    assert align([a, b]).chance == 0.25
    assert align([a, c], across=True).chance is None


@pytest.mark.parametrize(
    ("number", "says"), [(0, "got none"), (1, "got 1 of sums")], ids=["no run", "one run"]
)
def test_a_comparison_needs_two_runs(tmp_path, number, says):
    with pytest.raises(BakeoffError, match=says):
        align([run(tmp_path, "a", range(9)) for _ in range(number)])


def test_a_run_given_twice_is_refused(tmp_path):
    folder = run(tmp_path, "a", range(9))
    with pytest.raises(BakeoffError, match="given twice"):
        align([folder, folder.parent / "." / folder.name])


def test_runs_without_a_common_item_are_refused(tmp_path):
    runs = [run(tmp_path, "a", [0], items(8)[:4]), run(tmp_path, "b", [0], items(8)[4:])]
    with pytest.raises(BakeoffError, match=r"share no scored item \(not in every run: 8\)"):
        align(runs, across=True)


def test_a_folder_that_is_no_run_and_a_damaged_table_are_named(tmp_path):
    good, bad = run(tmp_path, "a", range(9)), run(tmp_path, "b", range(9))
    with pytest.raises(StoreError, match=r"no manifest\.json"):
        align([good, tmp_path])
    (bad / "samples.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(StoreError, match="cannot be read"):
        align([good, bad])
