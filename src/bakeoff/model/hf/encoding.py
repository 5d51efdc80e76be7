"""Text to token ids: exactly one beginning-of-text, and where a context ends and its continuation begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A context and a continuation as token ids.

    `continuation` is empty when the continuation adds no token of its own: it is the empty text, or a merge
    across the boundary swallowed it. `joined` says that the text of both, encoded at once, begins with the
    context's own tokens; where it is False a merge moved the boundary, and the tokens scored do not follow
    the tokens the joint encoding would have put before them.
    """

    context: Ids
    continuation: Ids
    joined: bool = True

    @property
    def length(self) -> int:
        """Tokens of both."""
        return len(self.context) + len(self.continuation)


def move_whitespace(context: str, continuation: str) -> tuple[str, str]:
    """The trailing white space of `context` put in front of `continuation`, where tokenizers expect it."""
    kept = context.rstrip()
    return kept, context[len(kept) :] + continuation


def encode_pair(
    encode: Callable[[str], Ids],
    encode_bare: Callable[[str], Ids],
    prefix: int | None,
    context: str,
    continuation: str,
) -> Pair:
    """`context` and `continuation` as lm-eval 0.4 splits them (`TemplateLM._encode_pair`).

    White space moves from the end of the context to the continuation. The context is encoded alone; the
    continuation is what the joint encoding has beyond that many tokens. `prefix` stands in for an empty
    context, and a continuation that begins with it gives that token up to the context.

    `encode` adds the special tokens a text begins with, `encode_bare` none.
    """
    stand_in = () if prefix is None else (prefix,)
    if not context:
        ids = encode_bare(continuation)
        return Pair(stand_in, ids[1:] if stand_in and ids[:1] == stand_in else ids)
    context, continuation = move_whitespace(context, continuation)
    alone = encode(context)
    whole = encode(context + continuation)
    return Pair(alone or stand_in, whole[len(alone) :], whole[: len(alone)] == alone)


class Encoder:
    """A tokenizer, asked for ids only. Safe to use from several threads.

    A text gets the special tokens that the tokenizer puts in front, and none that it appends; a text that
    already begins with the first of them (a rendered chat template) gets no second one.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._lock = Lock()
        self._front = _front(self._ids("x", specials=True), self._ids("x", specials=False))
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


def _front(with_specials: Ids, bare: Ids) -> Ids:
    """What stands before `bare` in `with_specials`."""
    for start in range(len(with_specials) - len(bare) + 1):
        if with_specials[start : start + len(bare)] == bare:
            return with_specials[:start]
    return ()
