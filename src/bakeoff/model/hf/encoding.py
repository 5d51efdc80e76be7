"""Text to token ids, with exactly one beginning-of-text; or as lm-eval gets them."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Literal

from bakeoff.model.pair import Ids, Pair, encode_pairs, specials_in_front

Mode = Literal["corrected", "lm-eval"]
"""How a request becomes token ids: as lm-eval 0.4 does it, or without its mistakes."""


class Encoder:
    """A tokenizer, asked for ids only. Safe to use from several threads.

    A text gets the special tokens that the tokenizer puts in front, and none that it appends; a text that
    already begins with the first of them (a rendered chat template) gets no second one.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = Lock()
        bare, whole = self._ids("x", specials=False), self._ids("x", specials=True)
        self._front = specials_in_front(whole, bare)
        self._front_text = tokenizer.convert_ids_to_tokens(self._front[0]) if self._front else None
        bos = tokenizer.bos_token_id
        self.prefix: int | None = tokenizer.eos_token_id if bos is None else bos
        """What stands for an empty context: the beginning-of-text token, else the end-of-text token."""
        self._prefix_text = "" if self.prefix is None else tokenizer.decode([self.prefix])
        self._agrees = whole == self._front + bare and self._front in ((), (self.prefix,))

    def encode(self, text: str) -> Ids:
        """`text` with exactly one beginning-of-text, if the tokenizer wants one."""
        bare = self.encode_bare(text)
        return bare if self._front_text and text.startswith(self._front_text) else self._front + bare

    def encode_bare(self, text: str) -> Ids:
        """`text` alone."""
        return self._ids(text, specials=False)

    def encode_lm_eval(self, text: str) -> Ids:
        """`text` as lm-eval 0.4 encodes it (`HFLM.tok_encode`).

        With all the special tokens that the tokenizer adds, at either end; none if the text begins with the
        prefix token.
        """
        if self._agrees:
            return self.encode(text)
        opened = bool(self._prefix_text) and text.startswith(self._prefix_text)
        return self._ids(text, specials=not opened)

    def prompt(self, text: str) -> Ids:
        """`text` to generate from; never empty where there is a prefix token."""
        return self.encode(text) or (() if self.prefix is None else (self.prefix,))

    def pairs(self, mode: Mode, context: str, continuations: Sequence[str]) -> list[Pair]:
        """See `encode_pairs`. Without a prefix token an empty context stays empty."""
        encode = self.encode_lm_eval if mode == "lm-eval" else self.encode
        return encode_pairs(encode, self.encode_bare, self.prefix, context, continuations)

    def pair(self, context: str, continuation: str) -> Pair:
        """See `encode_pair`: as lm-eval splits them, with exactly one beginning-of-text."""
        (pair,) = self.pairs("corrected", context, (continuation,))
        return pair

    def document(self, text: str) -> Ids:
        """`text` to be scored from its first token on, without a prefix token of its own."""
        bare = self.encode_bare(text)
        return bare[1:] if bare[:1] == (self.prefix,) else bare

    def agrees(self, text: str) -> bool:
        """Whether `encode` and `encode_lm_eval` give `text` the same special tokens."""
        return self._agrees or self.encode(text) == self.encode_lm_eval(text)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`, without special tokens and otherwise as it is."""
        text: str = self._tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text

    def special(self, text: str) -> int | None:
        """The id of the token spelled `text` that vanishes in decoding, if there is one."""
        ids = self.encode_bare(text)
        return ids[0] if text and len(ids) == 1 and not self.decode(ids) else None

    def _ids(self, text: str, *, specials: bool) -> Ids:
        with self._lock:
            return tuple(self._tokenizer.encode(text, add_special_tokens=specials, verbose=False))
