"""Tiny models and tokenizers with real code paths: made in a moment, saved and loaded like big ones."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.chat import Rendered
from bakeoff.nouns import Generate, Generation, Loglikelihood, Response

CORPUS = [
    "Answer Answer Answer Ans wer",
    "The capital of France is Paris.",
    "Question: the the and and 1 2 3 4",
]
CHAT = (
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)
BOS_CHAT = "{{ bos_token }}" + CHAT


def toy_tokenizer(*, adds_bos=False, adds_eos=False, template=CHAT, bos="<s>") -> PreTrainedTokenizerFast:
    """A byte-level BPE in which "Answer" is one token and so is "Ans"."""
    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator(CORPUS, trainer)
    if adds_bos or adds_eos:
        inner.post_processor = processors.TemplateProcessing(
            single=f"{'<s> ' * adds_bos}$A{' </s>' * adds_eos}", special_tokens=[("<s>", 0), ("</s>", 1)]
        )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=bos, eos_token="</s>")
    tokenizer.chat_template = template
    return tokenizer


def toy_llama(vocabulary: int, *, context=64, seed=0) -> LlamaForCausalLM:
    """Two layers of rotary attention; logits spread over several nats."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        initializer_range=0.4,
        bos_token_id=0,
        eos_token_id=1,
    )
    return LlamaForCausalLM(config).eval()


def toy_gpt2(vocabulary: int, *, context=64, seed=0) -> GPT2LMHeadModel:
    """Two layers with learned positions: a wrong position id shows, one beyond the table raises."""
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=vocabulary,
        n_positions=context,
        n_embd=32,
        n_layer=2,
        n_head=4,
        initializer_range=0.4,
        bos_token_id=0,
        eos_token_id=1,
    )
    return GPT2LMHeadModel(config).eval()


def saved(folder: Path, model, tokenizer) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


class Scripted(torch.nn.Module):
    """Writes `script` after any prompt of `prompt_length` tokens, token by token, then `</s>` for ever."""

    def __init__(self, script: Sequence[int], prompt_length: int, vocabulary: int, end: int = 1) -> None:
        super().__init__()
        self.config = LlamaConfig(num_hidden_layers=1)
        self.device = torch.device("cpu")
        self._script, self._from = [*script, end], prompt_length - 1
        self._head = torch.nn.Embedding(vocabulary, 1)
        self._vocabulary = vocabulary

    def get_output_embeddings(self):
        return self._head

    def forward(self, input_ids, position_ids, attention_mask=None, past_key_values=None, use_cache=True):
        places = (position_ids - self._from).clamp(0, len(self._script) - 1)
        tokens = torch.tensor(self._script)[places]
        return Output(10.0 * torch.nn.functional.one_hot(tokens, self._vocabulary).float())


class Output:
    def __init__(self, logits) -> None:
        self.logits = logits


def generate(prompt, key="q", *, seed=0, **generation) -> Generate:
    return Generate(key, prompt, Generation(**generation), seed)


def answers(work, requests: Iterable[Generate | Loglikelihood]) -> list[Response]:
    """What `work` answers to `requests`, put to it as one batch of tickets."""

    async def put():
        tickets = [Ticket(Rendered(request, request.input)) for request in requests]
        await asyncio.to_thread(work, tickets)
        return await asyncio.gather(*[ticket.future for ticket in tickets])

    return asyncio.run(put())
