from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.gate import Policy, read_policy
from bakeoff.gate.policy import RULES, Coverage, Latency, NonInferiority, NoRegression, RequiredItems

EXAMPLE = Path(__file__).parents[2] / "examples" / "gate" / "gate.yaml"

GOOD = """\
alpha: 0.05
coverage:
  items: 100
  unscored: 0.01
rules:
  - rule: no_regression
    tasks: [sums, "sums:letters"]
  - rule: non_inferiority
    margin: 0.02
  - rule: floor
    score: 0.8
  - rule: required_items
    ids: [a, b]
  - rule: cost
    per_item: 0.01
  - rule: latency
    p95: 3
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "gate.yaml"
    path.write_text(text)
    return path


def test_a_policy_says_what_its_file_says(tmp_path):
    policy = read_policy(written(tmp_path, GOOD))
    assert policy.coverage == Coverage(items=100, unscored=0.01)
    assert [rule.rule for rule in policy.rules] == list(RULES)
    assert policy.rules[1] == NonInferiority(margin=0.02)
    assert policy.baselines_folder == tmp_path / "baselines"


def test_without_rules_it_is_no_regression_and_full_coverage(tmp_path):
    assert read_policy(written(tmp_path, "alpha: 0.05\n")) == Policy()
    assert Policy().rules == (NoRegression(),)
    assert Policy().coverage.unscored == Policy().coverage.missing == 0


# One mistake in each part of the file: the line, the field and what to do are named.
@pytest.mark.parametrize(
    ("right", "wrong", "line", "says"),
    [
        ("alpha: 0.05", "alpha: 5", 1, ["alpha", "0.5", "5 % is 0.05"]),
        ("alpha: 0.05", "alfa: 0.05", 1, ["alfa", "did you mean 'alpha'"]),
        ("items: 100", "items: 0", 3, ["coverage.items"]),
        ("items: 100", "items: many", 3, ["coverage.items", "many"]),
        ("unscored: 0.01", "unscored: 1.5", 4, ["coverage.unscored", "between 0 and 1"]),
        ("unscored: 0.01", "broken: pass", 4, ["coverage.broken", "inconclusive"]),
        ("rule: no_regression", "rule: no_regresion", 6, ["rules[0].rule", "did you mean 'no_regression'"]),
        ('[sums, "sums:letters"]', "sums", 7, ["rules[0].tasks", "['sums']"]),
        ("margin: 0.02", "margin: 2", 9, ["rules[1].margin", "2 points are 0.02"]),
        ("margin: 0.02", "margins: 0.02", 9, ["rules[1].margins", "did you mean 'margin'"]),
        ("    margin: 0.02\n", "", 8, ["rules[1].margin", "is missing"]),
        ("score: 0.8", "score: 80", 11, ["rules[2].score", "80 % is 0.8"]),
        ("ids: [a, b]", "ids: []", 13, ["rules[3].ids"]),
        ("ids: [a, b]", "ids: [a, a]", 13, ["rules[3].ids", "'a' is there twice"]),
        ("ids: [a, b]", "ids: [a, b]\n    at_least: 3", 14, ["rules[3].at_least", "at most 2"]),
        ("per_item: 0.01", "per_item: 0", 15, ["rules[4].per_item", "above 0"]),
        ("p95: 3", "p99: 3", 17, ["rules[5].p99", "p95"]),
        ("    p95: 3\n", "", 16, ["rules[5]", "p50, p95 or both"]),
        ("  - rule: floor\n    score: 0.8", "  - floor", 10, ["rules[2]", "mapping"]),
        ("  - rule: floor\n    score: 0.8", "  - score: 0.8", 10, ["rules[2].rule", "is missing"]),
    ],
)
def test_a_mistake_is_named_with_its_file_line_and_field(tmp_path, right, wrong, line, says):
    assert right in GOOD
    path = written(tmp_path, GOOD.replace(right, wrong, 1))
    with pytest.raises(TaskError) as caught:
        read_policy(path)
    assert f"{path}:{line}: " in caught.value.message
    for word in says:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"), [("rules: []", "rules"), ("- a", "key"), ("a: [", "YAML"), ("", "key")]
)
def test_a_file_that_is_no_policy_is_refused_by_name(tmp_path, text, says):
    path = written(tmp_path, text)
    with pytest.raises(TaskError) as caught:
        read_policy(path)
    assert str(path) in caught.value.message
    assert says in str(caught.value)


def test_a_missing_file_is_named_with_its_neighbours(tmp_path):
    written(tmp_path, GOOD)
    with pytest.raises(TaskError, match=r"(?s)none\.yaml.*gate\.yaml"):
        read_policy(tmp_path / "none.yaml")


def test_a_policy_built_in_python_is_held_to_the_same():
    with pytest.raises(TaskError, match="margin"):
        NonInferiority(margin=2)
    with pytest.raises(TaskError, match="p50"):
        Latency()
    with pytest.raises(TaskError, match="twice"):
        RequiredItems(ids=["a", "a"])


@given(st.sampled_from(["sums", "other"]), st.sampled_from(["default", "letters"]))
def test_a_rule_applies_to_the_tasks_it_names_and_without_names_to_all(task, variant):
    assert NoRegression().applies_to(task, variant)
    assert NoRegression(tasks=["sums"]).applies_to(task, variant) == (task == "sums")
    only = NoRegression(tasks=["sums:letters"])
    assert only.applies_to(task, variant) == ((task, variant) == ("sums", "letters"))


def test_the_example_is_a_policy():
    assert {rule.rule for rule in read_policy(EXAMPLE).rules} >= {"no_regression", "floor"}
