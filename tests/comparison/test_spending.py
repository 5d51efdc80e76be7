"""What answers take: priced from token counts, timed without those from a cache, over the items compared."""

from math import inf

import pytest

from bakeoff.comparison.prices import Price, read_prices
from bakeoff.comparison.runs import compare
from bakeoff.errors import BakeoffError
from bakeoff.stats.mean.quantile import quantile_interval
from tests.comparison.making import rewritten, run

# Item n reads 100 + n tokens, writes 10, takes n / 10 seconds.
SPENT = (
    "SELECT * REPLACE (100 + item_id::BIGINT AS prompt_tokens, 10::BIGINT AS completion_tokens, "
    "{cost} AS cost, {cached} AS cached, "
    "CASE WHEN {cached} THEN NULL ELSE item_id::INT / 10 END AS latency_s) FROM samples"
)


def spending_run(folder, model, right=(0, 1), number=20, cost="NULL::DOUBLE", cached="false", **chosen):
    made = run(folder, model, right, number, **chosen)
    rewritten(made, SPENT.format(cost=cost, cached=cached))
    return made


def of(found, label):
    return next(each.spending for each in found.standings if each.label == label)


def test_runs_without_prices_are_priced_afterwards_from_their_tokens(tmp_path):
    runs = [spending_run(tmp_path, "a"), spending_run(tmp_path, "b", cost="0.25::DOUBLE")]
    found = compare(runs, prices={"a": Price(2, 30)})
    # 109.5 tokens read at 2 and 10 written at 30 dollars a million; b by what its engine recorded.
    assert of(found, "a").per_thousand == pytest.approx(1000 * (109.5 * 2 + 10 * 30) / 1e6)
    assert (of(found, "a").priced_by, of(found, "b").priced_by) == (("prices",), ("run",))
    assert of(found, "b").per_thousand == pytest.approx(250)
    assert (of(found, "a").prompt_tokens, of(found, "a").completion_tokens) == (109.5, 10)
    (front, _) = found.fronts
    assert (front.by, front.price["b"]) == ("cost", pytest.approx(250))


def test_answers_from_a_cache_have_no_time_and_are_not_free(tmp_path):
    half = spending_run(
        tmp_path, "a", cost="CASE WHEN item_id::INT < 10 THEN 0 ELSE 1 END", cached="item_id::INT < 10"
    )
    all_cached = spending_run(tmp_path, "b", cached="true", cost="0::DOUBLE")
    found = compare([half, all_cached])
    a, b = of(found, "a"), of(found, "b")
    assert (a.timed, a.cached, a.p50.value) == (10, 10, pytest.approx(1.45))
    assert a.p50.interval == quantile_interval([n / 10 for n in range(10, 20)], 0.5)
    assert a.p95.interval.high == inf
    assert (b.timed, b.cached, b.p50, b.per_thousand) == (0, 20, None, None)
    # What was recorded as free would cost something if it were asked anew, so it is no price.
    assert a.per_thousand is None
    assert found.fronts == ()
    priced = compare([half, all_cached], prices={"a": Price(1, 1), "b": Price(1, 1)})
    assert of(priced, "a").per_thousand == of(priced, "b").per_thousand == pytest.approx(0.1195)


def test_what_is_compared_is_what_is_counted(tmp_path):
    whole = spending_run(tmp_path, "a", number=20)
    part = spending_run(tmp_path, "b", number=20, unanswered=range(10, 20))
    found = compare([whole, part], incomplete=True)
    assert found.n == of(found, "a").samples == of(found, "b").samples == 10
    assert of(found, "a").prompt_tokens == 104.5


def test_some_without_a_price_is_said_and_they_are_not_put_on_a_front(tmp_path):
    runs = [spending_run(tmp_path, "a"), spending_run(tmp_path, "b")]
    found = compare(runs, prices={"a": Price(1, 1)})
    assert [front.by for front in found.fronts] == ["latency"]
    assert any(note.startswith("b: no price") for note in found.notes)
    assert not any("price" in note for note in compare(runs).notes)
    assert any("no candidate has a price" in note for note in compare(runs, not_worse_by=0.1).notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {in: 1}", "a: expected the keys in and out"),
        ("a: {in: 1, out: 2, cached: 1}", "expected the keys in and out"),
        ("a: {in: -1, out: 2}", "in must be a number at or above 0, got -1"),
        ("a: {in: 1, out: free}", "out must be a number"),
        ("a: {in: 1, out: .inf}", "out must be a number"),
        ("a: 3", "expected the keys in and out, got 3"),
        ("- a", "holds `model: {in: …, out: …}` lines"),
        ("{}", "names no model"),
    ],
)
def test_a_file_of_prices_that_says_something_else_is_refused(tmp_path, text, said):
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(BakeoffError) as refused:
        read_prices(path)
    assert said in refused.value.message


def test_prices_for_other_models_alone_are_a_mistake(tmp_path):
    path = tmp_path / "prices.yaml"
    path.write_text("openai:gpt: {in: 0.25, out: 2}\n'a': {in: 0, out: 0}\n")
    prices = read_prices(path)
    assert prices == {"openai:gpt": Price(0.25, 2), "a": Price(0, 0)}
    runs = [spending_run(tmp_path, "a"), spending_run(tmp_path, "b")]
    assert of(compare(runs, prices=prices), "a").per_thousand == 0
    with pytest.raises(BakeoffError, match="no run is of such a model"):
        compare(runs, prices={"c": Price(1, 1)})
