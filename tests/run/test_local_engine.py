"""Gaps, documents and second askings through a real engine, against the network's own logits."""

import pytest

from bakeoff import Item, Task, evaluate

torch = pytest.importorskip("torch")

from tests.model.hf.toy import saved, toy_llama, toy_tokenizer  # noqa: E402

TEXTS = {"short": "The capital of France is Paris.", "accents": "Zoë, the 1 2 3 Answer"}


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    tokenizer = toy_tokenizer()
    network = toy_llama(len(tokenizer), context=128)
    return saved(tmp_path_factory.mktemp("toy"), network, tokenizer), network, tokenizer


def _logprob(network, context: list[int], continuation: list[int]) -> float:
    ids = torch.tensor([context + continuation])
    with torch.no_grad():
        rows = network(ids).logits[0].double().log_softmax(-1)
    places = range(len(context) - 1, ids.shape[1] - 1)
    return float(sum(rows[place, ids[0, place + 1]] for place in places))


def test_a_document_is_scored_from_its_first_token_on(tmp_path, toy):
    folder, network, tokenizer = toy
    task = Task(
        name="texts",
        data=[Item(name, text) for name, text in TEXTS.items()],
        ask="perplexity",
        prompt={"kind": "plain"},
        scorer="perplexity",
    )
    result = evaluate(task, f"hf:{folder}", out=tmp_path, cache=False)
    for sample in result.samples():
        ids = tokenizer.encode(TEXTS[sample.item_id], add_special_tokens=False)
        expected = _logprob(network, [tokenizer.bos_token_id], ids)
        assert sample.turns[0].response.options[0].logprob == pytest.approx(expected, abs=1e-3)


def test_a_gap_is_judged_by_what_follows_it_and_stays_so_when_asked_again(tmp_path, toy):
    folder, network, tokenizer = toy
    task = Task(
        name="gaps",
        data=[Item("a", "So the _ is Paris.", choices=("capital", "Answer"), target=0)],
        prompt={
            "kind": "plain",
            "template": "{{ input.split('_')[0] }}",
            "lead": "{{ target }}",
            "answer": "{{ input.split('_')[1] | trim }}",
        },
        ask="loglikelihood",
        scorer="loglikelihood",
    )
    result = evaluate(task, f"hf:{folder}", out=tmp_path, cache=False, determinism=1)
    (sample,) = result.samples()
    for choice, option in zip(sample.choices, sample.turns[0].response.options, strict=True):
        context = tokenizer.encode(f"So the {choice}", add_special_tokens=False)
        following = tokenizer.encode(" is Paris.", add_special_tokens=False)
        assert option.logprob == pytest.approx(_logprob(network, context, following), abs=1e-3)
        assert option.unconditional is None
    for each in result.manifest.determinism.passes.values():
        assert (each.compared, each.disagreements) == (1, 0)
        assert each.largest_change < 1e-3
