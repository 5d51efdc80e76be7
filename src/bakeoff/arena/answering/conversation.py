"""What one model of a battle is asked: the prompts so far, and its own answers to them."""

from collections.abc import Sequence

from bakeoff.nouns import Message


def conversation(system: str, prompts: Sequence[str], answers: Sequence[str]) -> tuple[Message, ...]:
    """The messages for the newest of `prompts`. `answers` are this model's own to those before, as it wrote
    them, names and all; an empty `system` prompt is left out.

    Raises:
        ValueError: there is not one answer for each prompt but the newest.
    """
    if len(answers) != len(prompts) - 1:
        raise ValueError(f"{len(prompts)} prompts need {len(prompts) - 1} answers, got {len(answers)}")
    messages = [Message.of("system", system)] if system else []
    for prompt, answer in zip(prompts, answers, strict=False):
        messages += [Message.of("user", prompt), Message.of("assistant", answer)]
    return (*messages, Message.of("user", prompts[-1]))
