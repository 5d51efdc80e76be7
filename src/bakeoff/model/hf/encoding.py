"""Text to token ids, with exactly one beginning-of-text."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from bakeoff.model.pair import Ids, Pair, encode_pair, specials_in_front


class Encoder:
    """A tokenizer, asked for ids only. Safe to use from several threads.

    A text gets the special tokens that the tokenizer puts in front, and none that it appends; a text that
    already begins with the first of them (a rendered chat template) gets no second one.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = Lock()
        self._front = specials_in_front(self._ids("x", specials=True), self._ids("x", specials=False))
        self._front_text = tokenizer.convert_ids_to_tokens(self._front[0]) if self._front else None
        bos = tokenizer.bos_token_id
        self.prefix: int | None = tokenizer.eos_token_id if bos is None else bos
        """What stands for an empty context: the beginning-of-text token, else the end-of-text token."""

    def encode(self, text: str) -> Ids:
        """`text` with exactly one beginning-of-text, if the tokenizer wants one."""
        bare = self.encode_bare(text)
        return bare if self._front_text and text.startswith(self._front_text) else self._front + bare

    def encode_bare(self, text: str) -> Ids:
        """`text` alone."""
        return self._ids(text, specials=False)

    def prompt(self, text: str) -> Ids:
        """`text` to generate from; never empty where there is a prefix token."""
        return self.encode(text) or (() if self.prefix is None else (self.prefix,))

    def pair(self, context: str, continuation: str) -> Pair:
        """See `encode_pair`. Without a prefix token an empty context stays empty."""
        return encode_pair(self.encode, self.encode_bare, self.prefix, context, continuation)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`, without special tokens and otherwise as it is."""
        text: str = self._tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text

    def special(self, text: str) -> int | None:
        """The id of the special token spelled `text`, if there is one."""
        ids = self.encode_bare(text)
        return ids[0] if len(ids) == 1 and ids[0] in self._tokenizer.all_special_ids else None

    def _ids(self, text: str, *, specials: bool) -> Ids:
        with self._lock:
            return tuple(self._tokenizer.encode(text, add_special_tokens=specials, verbose=False))
