"""Items, responses and log-likelihoods in few words."""

from typing import Any

from bakeoff.nouns import FinishReason, Item, OptionScore, Response

CAPITALS = ("Paris", "London", "Rome", "Berlin")


def choice_item(target: int = 1, choices: tuple[str, ...] = CAPITALS) -> Item:
    return Item("capital", "What is the capital of the United Kingdom?", choices, target)


def text_item(*targets: str) -> Item:
    return Item("free", "A question", (), targets)


def said(text: str, finish: FinishReason = FinishReason.STOP, **fields: Any) -> Response:
    return Response(text=text, finish=finish, **fields)


def lls(*logprobs: float, tokens: int = 1, unconditional: tuple[float | None, ...] = ()) -> Response:
    alone = unconditional or (None,) * len(logprobs)
    return Response(
        options=tuple(
            OptionScore(logprob, tokens, None, without)
            for logprob, without in zip(logprobs, alone, strict=True)
        )
    )
