"""What vLLM answers, in its shapes, and a language of seven tokens to answer from."""

import math
import random
from dataclasses import dataclass, field

VOCABULARY = range(7)


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    index: int = 0
    text: str = ""
    token_ids: list[int] = field(default_factory=list)
    cumulative_logprob: float | None = None
    logprobs: list[dict[int, Logprob]] | None = None
    finish_reason: str | None = None
    stop_reason: int | str | None = None


@dataclass
class RequestOutput:
    outputs: list[CompletionOutput]
    prompt_token_ids: list[int] = field(default_factory=list)
    prompt_logprobs: list[dict[int, Logprob] | None] | None = None
    finished: bool = False
    num_cached_tokens: int | None = 0


def logprobs(before):
    """The language: log-probabilities of each token after the ids `before`."""
    draw = random.Random(repr(tuple(before)))
    weights = [draw.random() + 0.01 for _ in VOCABULARY]
    return [math.log(weight / sum(weights)) for weight in weights]


def scored(context, continuation):
    """Log-probability of a continuation, and whether all of it is the likeliest: by the definition."""
    ids, total, greedy = list(context), 0.0, True
    for token in continuation:
        after = logprobs(ids)
        total += after[token]
        greedy = greedy and after[token] == max(after)
        ids.append(token)
    return total, greedy


def answer(ids, arguments, *, cached=0, cut=False):
    """What vLLM says to a request of one token. `cached` tokens were not computed: their log-probabilities
    are arbitrary, or left out in front (`cut`), as its two model runners do."""
    prompt = None
    if "prompt_logprobs" in arguments:
        known = [None, *(_position(logprobs(ids[:at]), ids[at]) for at in range(1, len(ids)))]
        lost = [{0: Logprob(-1e30, 1)}] * min(cached, len(ids) - 1)
        prompt = [None, *([] if cut else lost), *known[1 + len(lost) :]]
    after = logprobs(ids)
    likeliest = after.index(max(after))
    wanted = dict.fromkeys([likeliest, *arguments["logprob_token_ids"]])
    written = CompletionOutput(
        token_ids=[likeliest],
        logprobs=[{token: Logprob(after[token], place + 1) for place, token in enumerate(wanted)}],
        finish_reason="length",
    )
    return RequestOutput([written], list(ids), prompt, finished=True, num_cached_tokens=cached)


def _position(after, token):
    """The token itself, and the likeliest beside it (`prompt_logprobs=1`)."""
    rank = 1 + sum(other > after[token] for other in after)
    likeliest = after.index(max(after))
    return {token: Logprob(after[token], rank), likeliest: Logprob(after[likeliest], 1)}
