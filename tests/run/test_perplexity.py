"""From documents to the perplexity of all of them, against a model whose probabilities are known."""

import json
import math

import pytest

from bakeoff import Task, evaluate
from bakeoff.errors import ModelError, TaskError
from bakeoff.run import rescore
from bakeoff.stats import ratio
from tests.run.runs import answers
from tests.run.unigram import logprob

TEXTS = {"short": "eel", "long": "we see the deer  here, every year\n", "wide": "Zoë et Noë"}
DOCUMENTS = [{"id": name, "input": text} for name, text in TEXTS.items()]
BASE = {
    "name": "texts",
    "data": DOCUMENTS,
    "ask": "perplexity",
    "scorer": "perplexity",
    "prompt": {"kind": "plain"},
}


def documents(**changes) -> Task:
    return Task(**BASE | changes)


def test_the_perplexities_are_those_of_the_sums(tmp_path, unigram):
    result = evaluate(documents(), "unigram:a", out=tmp_path, pmi=True)
    found = result.metrics.perplexity
    nats = -sum(logprob(text) for text in TEXTS.values())
    assert (found.words, found.bytes) == (1 + 8 + 3, 3 + 34 + 12)
    assert found.bits_per_byte.value == pytest.approx(nats / 49 / math.log(2))
    assert found.byte_perplexity.value == pytest.approx(math.exp(nats / 49))
    assert found.word_perplexity.value == pytest.approx(math.exp(nats / 12))
    assert found.bits_per_byte.n == 3
    limits = ratio([-logprob(text) for text in TEXTS.values()], [3, 34, 12], range(3))
    assert found.byte_perplexity.interval.high == pytest.approx(math.exp(limits.high))
    assert result.manifest.status == "complete"


def test_what_is_asked_is_the_templated_document_in_windows_after_nothing(tmp_path, unigram):
    task = documents(prompt={"kind": "plain", "template": "{{ input | upper }}"})
    result = evaluate(task, "unigram:a", out=tmp_path)
    for sample in result.samples():
        text = TEXTS[sample.item_id].upper()
        assert sample.continuations == (text,)
        (turn,) = sample.turns
        assert turn.input == ""
        assert turn.response.options[0].logprob == pytest.approx(logprob(text))
        assert turn.response.options[0].unconditional is None


def test_a_document_longer_than_the_context_is_asked_all_the_same(tmp_path, unigram, monkeypatch):
    from tests.run.unigram import Unigram

    monkeypatch.setattr(Unigram, "context_length", 4)
    counts = evaluate(documents(), "unigram:a", out=tmp_path).metrics.counts
    assert counts["scored"] == 3


def test_repeats_are_averaged_within_their_document(tmp_path, unigram):
    one = evaluate(documents(), "unigram:a", out=tmp_path).metrics.perplexity
    two = evaluate(documents(), "unigram:a", out=tmp_path, repeats=2).metrics.perplexity
    assert two == one


def test_a_document_without_a_number_is_left_out_and_counted(tmp_path):
    rows = [{"item_id": "short", "logprobs": [-3 * math.log(2)]}, {"item_id": "long", "error": "timeout"}]
    result = evaluate(documents(), answers(tmp_path, rows), out=tmp_path)
    assert result.metrics.perplexity.bits_per_byte.value == pytest.approx(1.0)
    assert result.metrics.perplexity.bits_per_byte.interval is None
    assert "one document" in result.metrics.perplexity.bits_per_byte.note
    assert result.metrics.counts["model_error"] == 2
    assert result.manifest.status == "incomplete"


def test_documents_of_groups_have_an_interval_over_groups(tmp_path, unigram):
    rows = [row | {"group": group} for row, group in zip(DOCUMENTS, "aab", strict=True)]
    found = evaluate(documents(data=rows), "unigram:a", out=tmp_path).metrics.perplexity.byte_perplexity
    assert found.clusters == 2
    limits = ratio([-logprob(text) for text in TEXTS.values()], [3, 34, 12], "aab")
    assert found.interval.high == pytest.approx(math.exp(limits.high))


def test_rescoring_reads_the_document_from_the_sample(tmp_path, unigram):
    first = evaluate(documents(), "unigram:a", out=tmp_path)
    from bakeoff import Result

    again = Result(rescore(first.folder, "perplexity", out=tmp_path / "again"))
    assert list(again.samples()) == list(first.samples())
    assert again.metrics.perplexity == first.metrics.perplexity


def test_an_engine_without_log_likelihoods_is_refused_before_anything_is_asked(tmp_path):
    with pytest.raises(ModelError, match="log-probabilities"):
        evaluate(documents(), answers(tmp_path, {"short": "eel"}), out=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prompt": {"kind": "chat"}}, r"prompt\.kind: a document is no message"),
        ({"prompt": {"kind": "plain", "system": "Be good."}}, r"prompt\.system"),
        ({"prompt": {"kind": "plain", "lead": "So"}}, r"prompt\.lead"),
        ({"shots": {"n": 1}}, "without examples"),
        ({"scorer": "exact"}, "judges generate answers, but the task has ask: perplexity"),
        ({"scorer": "loglikelihood"}, "judges loglikelihood answers"),
        ({"data": [{"id": "a", "input": "x", "choices": ["x", "y"], "target": 0}]}, "item a has choices"),
        ({"data": [*DOCUMENTS, {"id": "none", "input": ""}]}, "item none: the document is empty"),
        (
            {"data": [{"id": "m", "messages": [{"role": "user", "content": "x"}]}]},
            "item m: a document is a text",
        ),
    ],
)
def test_what_no_document_can_have_is_a_mistake(tmp_path, unigram, changes, message):
    with pytest.raises(TaskError, match=message):
        evaluate(documents(**changes), "unigram:a", out=tmp_path)


def test_the_report_shows_it_and_json_holds_it(tmp_path, unigram, capsysbinary):
    from bakeoff.cli.show import show

    folder = str(evaluate(documents(), "unigram:a", out=tmp_path).folder)
    show(folder)
    text = capsysbinary.readouterr().out.decode()
    for part in ("bits per byte  ", "per byte  ", "per word  ", "3 with 12 words and 49 bytes", "ratio-t"):
        assert part in text
    assert "if answered" not in text
    show(folder, json=True)
    found = json.loads(capsysbinary.readouterr().out)["metrics"]["perplexity"]
    assert found["words"] == 12


def test_lint_finds_nothing_in_sound_documents():
    from bakeoff.task import lint

    assert lint(documents(), count_tokens=len, context=2) == []
