"""Whether a passage entails a sentence, by a model of natural language inference: no prompt, no judge."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.hf.quiet import no_progress_bars

_LONGEST = 512
_STRIDE = 64
"""Tokens in which two windows of a long passage overlap."""
_BATCH = 16
_THRESHOLD = 0.5


class Entailment:
    """A sequence classifier one of whose labels is entailment; `name` as it was asked for."""

    def __init__(self, name: str, tokenizer: Any, model: Any) -> None:
        self.name = name
        self._tokenizer, self._model = tokenizer, model
        self._entails = _entailment(name, model.config.id2label)
        known = [
            _LONGEST,
            tokenizer.model_max_length,
            getattr(model.config, "max_position_embeddings", _LONGEST),
        ]
        # RoBERTa's positions begin at 2.
        self._longest = int(min(known)) - (2 if "roberta" in model.config.model_type else 0)

    def share(self, sentences: Sequence[str], passages: Sequence[str]) -> float:
        """The share of the sentences that a passage entails with a probability above 1/2, in [0, 1].

        A long passage is read in windows that overlap. A sentence that fills half a window or more is not
        entailed.

        Raises:
            ValueError: no sentences.
        """
        if not sentences:
            raise ValueError("a share needs at least one sentence, got none")
        return sum(self.probability(each, passages) > _THRESHOLD for each in sentences) / len(sentences)

    def probability(self, sentence: str, passages: Sequence[str]) -> float:
        """The highest probability with which any window of any passage entails the sentence; 0 for none."""
        length = len(self._tokenizer(sentence, add_special_tokens=False)["input_ids"])
        if 2 * length >= self._longest:
            return 0.0
        return max((p for passage in passages for p in self._windows(passage, sentence)), default=0.0)

    def _windows(self, passage: str, sentence: str) -> Iterator[float]:
        import torch

        encoded = self._tokenizer(
            passage,
            sentence,
            truncation="only_first",
            max_length=self._longest,
            stride=min(_STRIDE, self._longest // 8),
            return_overflowing_tokens=True,
            padding=True,
            return_tensors="pt",
        )
        inputs = {key: value for key, value in encoded.items() if key in self._tokenizer.model_input_names}
        for first in range(0, len(inputs["input_ids"]), _BATCH):
            batch = {key: value[first : first + _BATCH] for key, value in inputs.items()}
            with torch.inference_mode():
                logits = self._model(**batch).logits.float()
            yield from logits.softmax(dim=-1)[:, self._entails].tolist()


def open_entailment(ref: str) -> Entailment:
    """A model from a folder or, by its name, from the Hugging Face hub; code that comes with it is never run.

    Raises:
        ModelError: transformers is not installed, the model cannot be loaded without code of its own, has no
            fast tokenizer, or no label that says entailment.
    """
    try:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ModuleNotFoundError as error:
        raise ModelError("a model of entailment needs transformers", "Install bakeoff[hf].") from error
    try:
        with no_progress_bars():
            tokenizer = AutoTokenizer.from_pretrained(ref, trust_remote_code=False)
            model = AutoModelForSequenceClassification.from_pretrained(ref, trust_remote_code=False).eval()
    except (OSError, ValueError, KeyError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"--nli {ref} cannot be loaded: {first:.200}",
            "name a folder or a model of the hub that transformers knows by itself: code that comes with a "
            "model is not run",
        ) from error
    if not tokenizer.is_fast:
        raise ModelError(f"--nli {ref} has no fast tokenizer", "long passages cannot be parted without one")
    return Entailment(ref, tokenizer, model)


def _entailment(name: str, labels: dict[int, str]) -> int:
    found = [place for place, label in labels.items() if re.fullmatch(r"(?i)entail(?:ment|s|ed)?", label)]
    if len(found) != 1:
        raise ModelError(
            f"--nli {name}: which label is entailment? They are {', '.join(labels.values())}",
            "name it `entailment` under id2label in the model's config.json",
        )
    return int(found[0])
