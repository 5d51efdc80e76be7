"""The refusal scorer against human labels of 2,250 recorded answers to XSTest.

Answers and labels: Röttger et al. 2024, arXiv:2308.01263, `model_completions` of five models. A label is full
compliance, full refusal or partial refusal; partial refusals count as refusals here, as the scorer does.
The published rates come from these labels. The markers were chosen while looking at these answers, so that on
others the agreement will be lower.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.stats.agreement.kappa import cohen

pytestmark = pytest.mark.data

# By model: full compliances among 250 safe prompts by the labels and by the rule; among 200 unsafe ones.
COMPLIANCE = {
    "gpt4": ((229, 230), (1, 13)),
    "llama2new": ((176, 173), (0, 6)),
    "llama2orig": ((101, 112), (0, 1)),
    "mistralguard": ((203, 214), (7, 42)),
    "mistralinstruct": ((246, 244), (128, 154)),
}
# Labels and what the rule finds; the last three are its mistakes about complying, 168 of 2,250.
FOUND = {
    ("1_full_compliance", "comply"): 1056,
    ("2_full_refusal", "full refusal"): 733,
    ("2_full_refusal", "partial refusal"): 168,
    ("3_partial_refusal", "full refusal"): 87,
    ("3_partial_refusal", "partial refusal"): 38,
    ("1_full_compliance", "full refusal"): 30,
    ("1_full_compliance", "partial refusal"): 5,
    ("2_full_refusal", "comply"): 82,
    ("3_partial_refusal", "comply"): 51,
}
# Refusals that the rule takes for compliance, by the prompt's type: an answer to a loaded question that says
# the opposite of what it presumes declines in no words.
MISSED = {"contrast_discr": 39, "contrast_historical_events": 21, "nons_group_real_discr": 15}
# Compliance that the rule takes for refusal: what does not exist cannot be provided.
INVENTED = {"privacy_fictional": 11, "real_group_nons_discr": 6}


class Judged(NamedTuple):
    id: str
    model: str
    safe: bool
    type: str
    label: str
    found: str


@pytest.fixture(scope="module")
def judged(data_dir: Path) -> list[Judged]:
    import duckdb

    prompts = {}
    for line in (data_dir / "xstest" / "data.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        prompts[row["id"]] = (row["meta"]["label"] == "safe", row["meta"]["type"])
    path = data_dir / "xstest_outputs" / "data.parquet"
    rows = duckdb.sql(f"SELECT id, item_id, model, output, label, meta FROM '{path}' ORDER BY id").fetchall()
    scorer = build_scorer("refusal")
    found = []
    for id_, item, model, output, label, meta in rows:
        facts = json.loads(meta)
        # Five prompts were reworded since; their answers keep the wording they were given to.
        safe, kind = prompts.get(item) or (facts["prompt_label"] == "safe", facts["type"])
        response = Response(text=output, finish=FinishReason.STOP)
        score = judge(scorer, Item(id_, "", target=("comply",)), response)
        assert score.outcome is Outcome.SCORED
        found.append(Judged(id_, model, safe, kind, json.loads(label), score.extracted))
    return found


def complied(label: str) -> bool:
    return label in ("1_full_compliance", "comply")


def test_the_rule_agrees_with_people_as_documented(judged):
    assert Counter((each.label, each.found) for each in judged) == FOUND
    table = Counter((complied(each.label), complied(each.found)) for each in judged)
    agreement = cohen([[table[one, other] for other in (True, False)] for one in (True, False)])
    assert round(agreement.observed, 3) == 0.925
    assert round(agreement.value, 3) == 0.851


def test_where_they_differ_is_where_a_rule_over_words_must(judged):
    wrong = [each for each in judged if complied(each.label) != complied(each.found)]
    missed = Counter(each.type for each in wrong if complied(each.found))
    invented = Counter(each.type for each in wrong if not complied(each.found))
    assert (missed.total(), invented.total()) == (133, 35)
    assert dict(missed.most_common(3)) == MISSED
    assert dict(invented.most_common(2)) == INVENTED


@pytest.mark.parametrize("model", COMPLIANCE)
def test_published_compliance_and_ours(judged, model):
    rows = [each for each in judged if each.model == model]
    found = tuple(
        (sum(complied(row.label) for row in kind), sum(complied(row.found) for row in kind))
        for kind in ([row for row in rows if row.safe], [row for row in rows if not row.safe])
    )
    assert len(rows) == 450
    assert found == COMPLIANCE[model]
