"""Log-probabilities of given tokens, from an engine that only reports those it writes."""

from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from functools import lru_cache
from threading import Event, Lock
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.gguf.runtime import Runtime
from bakeoff.model.pair import Ids, Pair
from bakeoff.nouns import OptionScore

# Above any logit, so that the token to be scored is the one chosen.
_FORCE = 1e4
_KEPT = 4096


def score(
    runtime: Runtime, pairs: Sequence[Pair], *, reuse: bool, slot: int, cancelled: Event | None = None
) -> list[OptionScore]:
    """The log-probability of each pair's continuation after its context, on a slot that is ours meanwhile.

    Each token of a continuation is forced by a logit bias; the log-probability reported with it comes from
    the model's own logits, before the bias and before any sampling. A token costs one step of decoding on
    the cached context. The context is read first, so that the first token of every continuation is computed
    in the same way, whatever its place among the options. `reuse` as in `write`.

    Raises:
        ModelError: llama.cpp fails, or answers with another token than the one forced.
        CancelledError: `cancelled` was set meanwhile.
    """
    scores: dict[Pair, OptionScore] = {}
    for context in dict.fromkeys(pair.context for pair in pairs):
        branch = _Branch(runtime, context, slot, reuse=reuse, cancelled=cancelled or Event())
        for pair in pairs:
            if pair.context == context and pair not in scores:
                scores[pair] = branch.score(pair.continuation)
    return [scores[pair] for pair in pairs]


class Unconditional:
    """Scores continuations that follow nothing, on a slot kept for them.

    A slot of their own leaves the long prompt that the items share in its place: measured with 600 tokens of
    shots, 5 times faster, and the same to the last bit. What short options come again with every item is
    kept.
    """

    def __init__(self, runtime: Runtime, slot: int) -> None:
        self._runtime = runtime
        self._slot = slot
        self._lock = Lock()
        self._kept = lru_cache(maxsize=_KEPT)(self._score)

    def logprob(self, pair: Pair) -> float | None:
        """The log-probability of a pair's continuation; its context is the beginning of text alone.

        None where the model has no such token, or the continuation is nothing else.
        """
        if not (pair.context and pair.continuation):
            return None
        with self._lock:
            return self._kept(pair)

    def _score(self, pair: Pair) -> float:
        return score(self._runtime, [pair], reuse=False, slot=self._slot)[0].logprob


class _Branch:
    """Continuations of one context; a beginning they share is computed once."""

    def __init__(self, runtime: Runtime, context: Ids, slot: int, *, reuse: bool, cancelled: Event) -> None:
        self._runtime = runtime
        self._context = context
        self._slot = slot
        self._cancelled = cancelled
        # A trie: from a place (0 is the context's end) and a token to the next place and the token's score.
        self._known: dict[tuple[int, int], tuple[int, float, bool]] = {}
        self._ask(context, {"cache_prompt": reuse})

    def score(self, continuation: Ids) -> OptionScore:
        ids, place, logprobs, greedy = list(self._context), 0, [], True
        for token in continuation:
            if (place, token) not in self._known:
                self._known[place, token] = (len(self._known) + 1, *self._forced(ids, token))
            place, logprob, likeliest = self._known[place, token]
            logprobs.append(logprob)
            greedy = greedy and likeliest
            ids.append(token)
        return OptionScore(sum(logprobs), len(logprobs), greedy)

    def _forced(self, ids: Sequence[int], token: int) -> tuple[float, bool]:
        """The log-probability of `token` after `ids`; whether it is the likeliest."""
        if self._cancelled.is_set():
            raise CancelledError
        written = self._ask(ids, {"logit_bias": [[token, _FORCE]], "n_probs": 1})
        if written["id"] != token:
            raise ModelError(f"llama.cpp wrote token {written['id']} where {token} was forced")
        return written["logprob"], written["top_logprobs"][0]["id"] == token

    def _ask(self, ids: Sequence[int], more: Mapping[str, Any]) -> Any:
        """One token written after `ids`, with its log-probability if `more` asks for it."""
        chunks: list[Mapping[str, Any]] = []

        def keep(chunk: Mapping[str, Any]) -> bool:
            chunks.append(chunk)
            return False

        body = {
            "prompt": list(ids),
            "max_tokens": 1,
            "temperature": 0.0,
            "samplers": ["temperature"],
            "post_sampling_probs": False,
            "cache_prompt": True,
            "id_slot": self._slot,
            **more,
        }
        self._runtime.complete(body, keep)
        answer = chunks[0] if chunks else {}
        if not answer.get("choices"):
            raise ModelError(f"llama.cpp cannot score a continuation: {answer.get('error') or answer}")
        if answer["usage"]["prompt_tokens"] != len(ids):
            read = answer["usage"]["prompt_tokens"]
            raise ModelError(f"llama.cpp read {read} tokens of a prompt of {len(ids)}")
        logprobs = answer["choices"][0]["logprobs"]
        return logprobs["content"][0] if logprobs else None
