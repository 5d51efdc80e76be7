"""scikit-learn as another implementation, on random scores with ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.stats.classes.rare import average_precision, detection
from bakeoff.stats.confidence.auroc import auroc
from bakeoff.stats.confidence.brier import brier

metrics = pytest.importorskip("sklearn.metrics")

rows = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 1)), min_size=4, max_size=80).filter(
    lambda rows: len({label for _, label in rows}) == 2
)


def arrays(rows):
    return np.array([score / 20 for score, _ in rows]), np.array([label for _, label in rows])


@settings(max_examples=60, deadline=None)
@given(rows, st.floats(0.01, 0.99))
def test_average_precision_at_any_prevalence_is_its_weighted_one(rows, prevalence):
    scores, labels = arrays(rows)
    found = average_precision(scores, labels, draws=1)
    assert found.value == pytest.approx(metrics.average_precision_score(labels, scores))
    weights = np.where(labels == 1, prevalence / labels.mean(), (1 - prevalence) / (1 - labels.mean()))
    there = average_precision(scores, labels, prevalence=prevalence, draws=1)
    expected = metrics.average_precision_score(labels, scores, sample_weight=weights)
    assert there.value == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_the_area_under_roc_and_the_brier_score_are_its_own(rows):
    scores, labels = arrays(rows)
    assert auroc(scores, labels).value == pytest.approx(metrics.roc_auc_score(labels, scores))
    assert brier(scores, labels) == pytest.approx(metrics.brier_score_loss(labels, scores))


@settings(max_examples=60, deadline=None)
@given(rows, st.sampled_from([0.5, 1.0, 2.0]))
def test_rates_of_flags_are_its_own(rows, beta):
    scores, labels = arrays(rows)
    flags = (scores > 0.5).astype(int)
    found = detection(flags, labels, beta=beta, draws=1)
    assert found.recall.value == pytest.approx(metrics.recall_score(labels, flags))
    assert found.specificity.value == pytest.approx(metrics.recall_score(labels, flags, pos_label=0))
    precision = metrics.precision_score(labels, flags, zero_division=np.nan)
    assert (found.precision is None) == np.isnan(precision)
    assert found.precision is None or found.precision.value == pytest.approx(precision)
    assert found.f_beta.value == pytest.approx(metrics.fbeta_score(labels, flags, beta=beta, zero_division=0))
