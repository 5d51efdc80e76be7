"""Entailment by a model: a tiny one of random weights, made here, shows whether the way to it is right."""

import json
from pathlib import Path

import pytest

from bakeoff.errors import ModelError
from bakeoff.rag import rag_report
from bakeoff.rag.nli import open_entailment
from tests.rag.system import PASSAGES, QUESTIONS, asked

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = sorted({word for text in PASSAGES.values() for word in text.lower().replace(".", " .").split()})
LABELS = {0: "contradiction", 1: "neutral", 2: "entailment"}
LONGEST = 40


def made(folder: Path, labels: dict[int, str] = LABELS, **changes) -> Path:
    """A BERT of one layer over the words of the passages."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {word: place for place, word in enumerate([*special, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=LONGEST,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,
        num_labels=len(labels),
        id2label=labels,
        label2id={label: place for place, label in labels.items()},
        **changes,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def by_hand(folder: Path, passage: str, sentence: str, label: int) -> float:
    """The probability of a label for one pair that fits, straight from the model."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        logits = model(**tokenizer(passage, sentence, return_tensors="pt")).logits
    return float(torch.softmax(logits[0], -1)[label])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("nli"))


SENTENCES = ("The tower is 30 m high.", "The river is 30 km long.", "A. Rossi built the fair.", "May opens.")


def test_the_probability_is_that_of_the_best_passage(folder):
    nli = open_entailment(str(folder))
    passages = list(PASSAGES.values())
    alone = {s: [by_hand(folder, passage, s, 2) for passage in passages] for s in SENTENCES}
    for sentence, found in alone.items():
        assert nli.probability(sentence, passages) == pytest.approx(max(found), abs=1e-5)
        assert nli.probability(sentence, passages[:1]) == pytest.approx(found[0], abs=1e-5)
    assert len({round(p, 3) for found in alone.values() for p in found}) > 6
    assert nli.probability(SENTENCES[0], ()) == 0


def test_the_share_is_that_of_sentences_more_likely_entailed_than_not(tmp_path):
    for place in range(3):
        labels = {0: "neutral", 1: "neutral_too", 2: "contradiction"} | {place: "entailment"}
        folder = made(tmp_path / str(place), labels)
        found = [by_hand(folder, PASSAGES["tower"], each, place) for each in SENTENCES]
        share = open_entailment(str(folder)).share(SENTENCES, [PASSAGES["tower"]])
        assert share == sum(each > 0.5 for each in found) / len(SENTENCES) == float(place == 2)


def test_the_label_is_found_by_its_name_wherever_it_stands(tmp_path):
    folder = made(tmp_path, {0: "ENTAILMENT", 1: "not_entailment"})
    passage, sentence = PASSAGES["tower"], SENTENCES[1]
    found = open_entailment(str(folder)).probability(sentence, [passage])
    assert found == pytest.approx(by_hand(folder, passage, sentence, 0), abs=1e-5)


def test_a_long_passage_is_read_to_its_end_in_windows_that_overlap(folder):
    nli = open_entailment(str(folder))
    sentence = "May opens ."
    words = [WORDS[(7 * place) % len(WORDS)] for place in range(90)]
    # Three marks and the sentence leave room for 34 words, of which 5 stand in two windows.
    starts = [0, 29, 58]
    alone = [by_hand(folder, " ".join(words[start : start + 34]), sentence, 2) for start in starts]
    assert len({round(each, 3) for each in alone}) == 3
    assert nli.probability(sentence, [" ".join(words)]) == pytest.approx(max(alone), abs=1e-5)


def test_a_sentence_that_leaves_no_room_for_a_passage_is_not_entailed(folder):
    nli = open_entailment(str(folder))
    assert nli.probability("may " * (LONGEST // 2), ["may " * 100]) == 0


@pytest.mark.parametrize("labels", [{0: "LABEL_0", 1: "LABEL_1"}, {0: "entails", 1: "entailment"}])
def test_a_model_whose_labels_do_not_say_which_is_entailment_is_refused(tmp_path, labels):
    with pytest.raises(ModelError, match="which label is entailment") as caught:
        open_entailment(str(made(tmp_path, labels)))
    assert "id2label" in caught.value.hint


def test_code_that_comes_with_a_model_is_not_run(tmp_path):
    folder = made(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "ours",
        "auto_map": {"AutoConfig": "evil.C", "AutoModelForSequenceClassification": "evil.M"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_entailment(str(folder))
    assert not (tmp_path / "ran").exists()


def test_a_model_that_is_not_there_is_an_error_of_ours(tmp_path):
    with pytest.raises(ModelError, match="cannot be loaded"):
        open_entailment(str(tmp_path / "nowhere"))


def test_it_stands_beside_the_other_floors(tmp_path, folder):
    run = asked(tmp_path, QUESTIONS)
    (row,) = (each for each in rag_report(run, nli=str(folder)).measures if each.by == str(folder))
    assert (row.scored, row.not_scorable, row.not_answered, row.failed) == (4, 1, 4, 1)
    assert 0 <= row.estimate.value <= 1
