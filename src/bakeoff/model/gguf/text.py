"""From an input to the text a model reads, and on to token ids."""

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial

from bakeoff.errors import ModelError
from bakeoff.model.answer import MARKS
from bakeoff.model.gguf.chat import ChatTemplate
from bakeoff.model.gguf.header import Header
from bakeoff.model.gguf.runtime import Runtime
from bakeoff.model.pair import Ids, Pair, encode_pairs, specials_in_front
from bakeoff.nouns import Input


class Text:
    """Inputs to text to token ids: exactly one beginning-of-text, if the model wants one."""

    def __init__(self, runtime: Runtime, header: Header, template: ChatTemplate | None) -> None:
        self.template = template
        self.prefix = header.prefix
        self._bare = lru_cache(maxsize=256)(partial(runtime.tokens, specials=False))
        self._front = specials_in_front(runtime.tokens("x", specials=True), self._bare("x"))

    def prompt(self, given: Input) -> str:
        """`given` as the text the model reads."""
        if isinstance(given, str):
            return given
        if self.template is None:
            raise ModelError(
                "the model has no chat template, so it cannot be sent messages",
                "Choose a plain-text variant of the prompt, or the chat-tuned version of the model.",
            )
        return self.template.render(given)

    def encode(self, text: str) -> Ids:
        """The ids of `text`; for an empty one, what stands for it."""
        ids = self._bare(text)
        if ids[: len(self._front)] != self._front:
            ids = self._front + ids
        return ids or (() if self.prefix is None else (self.prefix,))

    def beginnings(self, ids: Ids) -> int:
        """How often `ids` begin with what a text begins with; 0 for a model that wants nothing there."""
        count, width = 0, len(self._front)
        while width and ids[count * width : (count + 1) * width] == self._front:
            count += 1
        return count

    @cached_property
    def thinks(self) -> bool:
        """Whether the vocabulary has a mark that opens a reasoning block, so that the model may write one."""
        return any(len(self._bare(mark)) == 1 for mark, _ in MARKS)

    def bare(self, text: str) -> Ids:
        """The ids of `text` alone."""
        return self._bare(text)

    def pairs(self, context: str, continuations: Sequence[str]) -> list[Pair]:
        """Continuations of one context as lm-eval splits them."""
        return encode_pairs(self.encode, self._bare, self.prefix, context, continuations)
