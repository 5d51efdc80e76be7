"""Asking again: what changes is told, what fails is counted."""

import json

import pytest

from bakeoff import Item, Task, evaluate
from bakeoff.cli.show import show
from bakeoff.errors import BakeoffError
from bakeoff.run import rescore, resume
from bakeoff.store import read_manifest
from tests.run.unigram import Unigram

TEXTS = Task(
    name="texts", data=[Item(str(n), "x" * n, target=("e",)) for n in range(8)], scorer="exact", refused=0
)
OPTIONS = Task(
    name="options",
    data=[
        Item("close", "?", choices=("ex", "x"), target=0),
        Item("far", "?", choices=("e", "xx"), target=0),
        Item("last", "?", choices=("e", "xxx"), target=0),
    ],
    prompt={"kind": "plain", "delimiter": ""},
    ask="loglikelihood",
    scorer="loglikelihood",
)


def _passes(task, folder, *, determinism, **chosen):
    return evaluate(task, "unigram:a", out=folder, determinism=determinism, **chosen).manifest.determinism


def test_a_model_that_repeats_itself_has_no_disagreement(tmp_path, unigram):
    found = _passes(TEXTS, tmp_path, determinism=5)
    assert found.items == 5
    assert list(found.passes) == ["again", "alone", "reversed"]
    for each in found.passes.values():
        assert (each.compared, each.failed, each.disagreements, each.rate) == (5, 0, 0, 0.0)
        assert each.largest_change is None, "a text has no log-likelihood"
        assert each.near_ties is None


def test_a_model_that_answers_every_other_time_differently_is_found_out(tmp_path, unigram):
    # The run is the first answer, the passes the second, third and fourth: the third is the first again.
    found = _passes(TEXTS, tmp_path, determinism=8, settings={"drifts": "1"}).passes
    assert [each.disagreements for each in found.values()] == [8, 0, 8]
    assert found["again"].rate == 1.0
    assert found["again"].examples == [str(n) for n in range(8)]


def test_the_cache_hides_nothing(tmp_path, unigram):
    first = _passes(TEXTS, tmp_path, determinism=8, settings={"drifts": "1"})
    # All answers of the second run come from the cache; only its passes ask its model.
    second = evaluate(TEXTS, "unigram:a", out=tmp_path, determinism=8, settings={"drifts": "1"})
    assert second.metrics.cached == 8
    assert [each.disagreements for each in second.manifest.determinism.passes.values()] == [0, 8, 0]
    assert first.passes["again"].compared == 8


def test_log_likelihoods_tell_the_largest_change_and_who_is_near_a_tie(tmp_path, unigram):
    drift = 6.0
    found = _passes(OPTIONS, tmp_path, determinism=3, settings={"drifts": str(drift)}).passes
    # `ex` is 1.39 nats below `x`: never picked. `e` is 10.3 above `xx` and 16.1 above `xxx`.
    assert [each.disagreements for each in found.values()] == [0, 0, 0]
    assert found["again"].largest_change == pytest.approx(drift)
    assert found["alone"].largest_change == 0.0
    assert found["again"].near_ties == 2, "6 nats up and down are 12: more than 1.39 and 10.3"
    assert found["alone"].near_ties == 0
    turned = _passes(OPTIONS, tmp_path, determinism=3, settings={"drifts": "12"}).passes
    assert turned["reversed"].examples == ["far"]


def test_a_document_has_no_other_option_so_any_other_number_disagrees(tmp_path, unigram):
    task = Task(
        name="d", data=[Item("a", "e")], ask="perplexity", prompt={"kind": "plain"}, scorer="perplexity"
    )
    found = _passes(task, tmp_path, determinism=1, settings={"drifts": "0.5"}).passes
    assert [each.disagreements for each in found.values()] == [1, 0, 1]
    assert {each.near_ties for each in found.values()} == {None}


@pytest.mark.parametrize("task", [TEXTS, OPTIONS])
def test_what_fails_is_counted_and_not_taken_for_agreement(tmp_path, unigram, task):
    # Each item is answered in the run and once more.
    result = evaluate(task, "unigram:a", out=tmp_path, determinism=3, settings={"breaks": "2"})
    found = result.manifest.determinism.passes
    assert [(each.compared, each.failed) for each in found.values()] == [(3, 0), (0, 3), (0, 3)]
    assert found["alone"].rate is None
    assert result.manifest.status == "complete", "the run itself has all its answers"


def test_a_model_that_is_gone_fails_the_rest_and_says_why(tmp_path, unigram):
    result = evaluate(TEXTS, "unigram:a", out=tmp_path, determinism=3, settings={"dies": "2"})
    found = result.manifest.determinism.passes
    assert (found["alone"].failed, found["alone"].error) == (3, "the server is gone")
    assert result.metrics.counts["total"] == 8


def test_the_passes_differ_in_what_is_in_flight_and_in_order(tmp_path, unigram, monkeypatch):
    order, flights = [], []
    generate = Unigram.generate

    async def watched(self, request):
        order.append(request.key)
        flights.append(1)
        response = await generate(self, request)
        flights.append(-1)
        return response

    monkeypatch.setattr(Unigram, "generate", watched)
    _passes(TEXTS, tmp_path, determinism=6, limit=6)
    keys = [key for key in order if key != "probe"]
    asked = [f"{n}#0" for n in range(6)]
    assert keys == asked + asked + asked + asked[::-1]
    most, now = [], 0
    for step in flights[-36:]:
        now += step
        most.append(now)
    assert [max(most[start : start + 12]) for start in (0, 12, 24)] == [4, 1, 4]


def test_no_more_items_are_asked_than_the_run_has(tmp_path, unigram):
    assert _passes(TEXTS, tmp_path, determinism=50, limit=2).items == 2
    assert _passes(TEXTS, tmp_path, determinism=50).items == 8
    assert _passes(TEXTS, tmp_path, determinism=0) is None


def test_a_resumed_run_is_asked_again_too_and_a_rescored_one_keeps_the_record(tmp_path, unigram):
    path = tmp_path / "t.yaml"
    path.write_text("name: t\ndata: {items: [{id: a, input: x, target: e}]}\nscorer: exact\n")
    folder = evaluate(str(path), "unigram:a", out=tmp_path, determinism=1).folder
    before = read_manifest(folder).determinism
    resume(folder)
    assert read_manifest(folder).determinism == before
    assert before.items == 1
    assert read_manifest(rescore(folder, "contains", out=tmp_path / "again")).determinism == before


def test_the_report_shows_it_and_json_holds_it(tmp_path, unigram, capsysbinary):
    result = evaluate(OPTIONS, "unigram:a", out=tmp_path, determinism=3, settings={"drifts": "12"})
    show(str(result.folder))
    text = " ".join(capsysbinary.readouterr().out.decode().split())
    assert "asked again: 1 of 3 differ (33.3 %); items far; largest change 12 nat; near ties 3" in text
    assert "one at a time: 0 of 3 differ (0.0 %)" in text
    show(str(result.folder), json=True)
    manifest = json.loads(capsysbinary.readouterr().out)["manifest"]
    assert manifest["determinism"]["passes"]["reversed"]["disagreements"] == 1


def test_a_negative_number_of_items_is_refused():
    from bakeoff.cli.run import run

    with pytest.raises(BakeoffError, match="--determinism is a number of items, got -1"):
        run("arithmetic", model=("gguf:smollm2",), determinism=-1)


def test_the_manifest_ends_with_the_details_the_engine_has_after_the_run(tmp_path, unigram):
    result = evaluate(TEXTS, "unigram:a", out=tmp_path)
    details = result.manifest.model.identity["details"]
    assert int(details["requests"]) >= 8
