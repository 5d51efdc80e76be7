"""Answers held to a constraint, token by token, by llguidance."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from bakeoff.model import guidance
from bakeoff.model.answer import MARKS
from bakeoff.model.hf.encoding import Encoder
from bakeoff.nouns import Constraint, Failure, FailureKind


class Guide:
    """Which tokens may come next in one answer.

    Its reasoning is free: `reasoned`, the matcher of an answer behind reasoning, takes over where the answer
    begins. Where the prompt has not `opened` reasoning, a first token of `opening` may do so; else `direct`,
    the matcher of an answer alone, holds from the first token on. `tokens` reads a text as token ids.
    """

    def __init__(
        self,
        direct: Any,
        reasoned: Any,
        tokens: Callable[[str], Sequence[int]],
        opening: frozenset[int],
        *,
        opened: bool,
    ) -> None:
        self._matcher = None if opened else direct
        self._reasoned = reasoned
        self._tokens = tokens
        self._opening = opening

    @property
    def done(self) -> bool:
        """Whether the answer is whole and nothing may follow."""
        return self._matcher is not None and bool(self._matcher.is_stopped())

    @property
    def error(self) -> str:
        """What llguidance gave up at (a pattern may take it too long), empty if at nothing."""
        return "" if self._matcher is None else str(self._matcher.get_error())

    def mask(self) -> bytearray | None:
        """A bit for each token, the first in the lowest bit of the first byte; None where any may come."""
        if self._matcher is None:
            return None
        bits = bytearray(self._matcher.compute_bitmask())
        for token in self._opening:
            bits[token // 8] |= 1 << token % 8
        return bits

    def push(self, token: int, answer: str | None) -> None:
        """Take the token that came; `answer` is the answer's text with it, None while there is none yet."""
        opening, self._opening = self._opening, frozenset()
        if self._matcher is not None and token not in opening:
            self._matcher.consume_token(token)
        elif answer is None:
            self._matcher = None
        else:
            self._matcher = self._reasoned
            self._matcher.consume_tokens(self._tokens(answer))


class Guides:
    """Makes the guides of a model's answers. `ends` end an answer; `vocabulary` is the number of logits."""

    def __init__(self, tokenizer: Any, encoder: Encoder, ends: frozenset[int], vocabulary: int) -> None:
        self._tokenizer = tokenizer
        self._encoder = encoder
        self._ends = ends
        self._vocabulary = vocabulary
        self._matcher = lru_cache(maxsize=256)(self._new_matcher)

    @property
    def available(self) -> bool:
        """Whether answers can be held to constraints. llguidance reads fast tokenizers only."""
        return guidance.installed() and bool(getattr(self._tokenizer, "is_fast", False))

    def guide(self, constraint: Constraint, *, opened: bool) -> Guide | Failure:
        """The guide of one answer; `opened` says that the prompt leaves a reasoning block open."""
        if not self.available:
            return Failure(FailureKind.UNSUPPORTED, "answers of this model cannot be constrained")
        if reason := guidance.refusal(constraint):
            message = f"an answer cannot be held to this {constraint.kind}: {reason}"
            return Failure(FailureKind.REJECTED, message)
        direct, reasoned = (self._matcher(constraint, flag).deep_copy() for flag in (False, True))
        return Guide(direct, reasoned, self._tokens.tokenize_str, self._opening, opened=opened)

    def _new_matcher(self, constraint: Constraint, reasoned: bool) -> Any:
        import llguidance

        return llguidance.LLMatcher(
            self._tokens, guidance.grammar(constraint, reasoned=reasoned), log_level=0
        )

    @cached_property
    def _tokens(self) -> Any:
        """The vocabulary as llguidance reads it; reading a large one takes a second."""
        from llguidance.hf import from_tokenizer

        size = max(self._vocabulary, len(self._tokenizer))
        return from_tokenizer(self._tokenizer, n_vocab=size, eos_token=sorted(self._ends) or None)

    @cached_property
    def _opening(self) -> frozenset[int]:
        """The tokens that open a reasoning block."""
        ids = [self._encoder.encode_bare(mark) for mark, _ in MARKS]
        return frozenset(each[0] for each in ids if len(each) == 1)


def guided(logits: Any, masks: Sequence[bytearray | None]) -> Any:
    """`logits` [rows, vocabulary] with minus infinity for each token that its row's mask does not allow."""
    import torch

    if not any(mask is not None for mask in masks):
        return logits
    logits = logits.clone()
    for row, mask in enumerate(masks):
        if mask is not None:
            packed = torch.frombuffer(mask, dtype=torch.uint8)
            bits = (packed[:, None] >> torch.arange(8, dtype=torch.uint8)) & 1
            allowed = bits.flatten()[: logits.shape[-1]].bool().to(logits.device)
            logits[row].masked_fill_(~allowed, float("-inf"))
    return logits
