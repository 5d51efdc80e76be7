"""A language model small enough to know all its log-probabilities, behind three kinds of `echo`.

Its tokens are characters; a character's probability depends on the one before. The kinds replay what was
measured on real servers: vLLM echoes right, llama-cpp-python's server looks each token up one place too late
when there is no beginning-of-text token, llama-server ignores `echo`.
"""

import hashlib
import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from aiohttp import web

from tests.servers.fault_server import Behaviour, Call

ALPHABET = [chr(code) for code in range(32, 127)] + ["é", "日"]
BOS = "<s>"


@cache
def row(before: str) -> dict[str, float]:
    """Log-probabilities of every character after `before`."""
    logits = {
        each: 8 * int.from_bytes(hashlib.sha256((before + each).encode()).digest()[:4], "big") / 2**32
        for each in ALPHABET
    }
    total = math.log(sum(math.exp(value) for value in logits.values()))
    return {each: value - total for each, value in logits.items()}


def true_logprob(context: str, continuation: str) -> float:
    """The log-probability of `continuation` after `context`, or after BOS when that is empty."""
    whole = [context[-1:] or BOS, *continuation]
    return sum(row(before)[after] for before, after in pairwise(whole))


def completions(kind: str, *, bos: bool = False) -> Behaviour:
    """`/completions` of the kind `vllm`, `off_by_one` or `ignored`."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        prompt = [*([BOS] if bos else []), *call.body["prompt"]]
        written: list[str] = []
        for _ in range(call.body["max_tokens"]):
            after = row((prompt + written)[-1])
            written.append(max(after, key=lambda each: after[each]))
        echo = call.body.get("echo") and kind != "ignored"
        listed = prompt + written if echo else written
        logprobs: dict[str, Any]
        if kind == "ignored":
            logprobs = {"content": [{"token": each, "logprob": -0.5} for each in written]}
        else:
            late = kind == "off_by_one" and bool(echo)
            logprobs = _columns(listed, prompt[-1] if not echo else None, late=late)
        text = "".join([*call.body["prompt"], *written] if echo else written)
        choice = {"index": 0, "text": text, "logprobs": logprobs, "finish_reason": "length"}
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(written)}
        return web.json_response({"model": call.model, "choices": [choice], "usage": usage})

    return behave


def _columns(tokens: Sequence[str], before: str | None, *, late: bool) -> dict[str, Any]:
    previous = [before, *tokens[:-1]]
    # "Late" looks a token up in the distribution of the token after it.
    rows = [row(each) for each in tokens] if late else [row(each) if each else {} for each in previous]
    values = [places.get(token) if places else None for places, token in zip(rows, tokens, strict=True)]
    if before is None:
        values[0] = None
    offsets = [sum(len(each) for each in tokens[:n]) for n in range(len(tokens))]
    top = [None if not places else _top(places) for places in rows]
    return {"tokens": tokens, "token_logprobs": values, "text_offset": offsets, "top_logprobs": top}


def _top(places: dict[str, float]) -> dict[str, float]:
    best = max(places, key=lambda each: places[each])
    return {best: places[best]}
