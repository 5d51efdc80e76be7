"""From an input to the text a model reads, and on to token ids."""

from functools import lru_cache, partial

from bakeoff.errors import ModelError
from bakeoff.model.gguf.chat import ChatTemplate
from bakeoff.model.gguf.header import Header
from bakeoff.model.gguf.runtime import Runtime
from bakeoff.model.pair import Ids, Pair, encode_pair, specials_in_front
from bakeoff.nouns import Input


class Text:
    """Inputs to text to token ids: exactly one beginning-of-text, if the model wants one."""

    def __init__(self, runtime: Runtime, header: Header, template: ChatTemplate | None) -> None:
        self.template = template
        self._bare = lru_cache(maxsize=256)(partial(runtime.tokens, specials=False))
        self._front = specials_in_front(runtime.tokens("x", specials=True), self._bare("x"))
        self._prefix = header.prefix

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
        return ids or (() if self._prefix is None else (self._prefix,))

    def beginnings(self, ids: Ids) -> int:
        """How often `ids` begin with what a text begins with; 0 for a model that wants nothing there."""
        count, width = 0, len(self._front)
        while width and ids[count * width : (count + 1) * width] == self._front:
            count += 1
        return count

    def pair(self, context: str, continuation: str) -> Pair:
        """The two as lm-eval splits them."""
        return encode_pair(self.encode, self._bare, self._prefix, context, continuation)
