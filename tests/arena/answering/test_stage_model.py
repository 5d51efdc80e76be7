"""A turn of a battle between two answers of SmolLM2-135M, sampled apart."""

import asyncio

import pytest

from bakeoff.arena.answering.column import Side
from bakeoff.arena.answering.conversation import conversation
from bakeoff.arena.answering.scrub import scrub_of
from bakeoff.arena.answering.stage import Stage
from bakeoff.model import open_model
from bakeoff.nouns import Generate, Generation

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.model


def test_a_model_answers_on_both_sides_and_what_is_shown_is_what_it_wrote(smollm2_path):
    def asked(seed):
        messages = conversation("Be brief.", ("Name a colour.", "Another one?"), ("Red.",))
        return Generate("battle", messages, Generation(max_tokens=8, temperature=0.8), seed)

    async def main():
        async with open_model(f"gguf:{smollm2_path}", {"threads": "1", "context_length": "256"}) as model:
            stage = Stage(Side(model, asked(1)), Side(model, asked(2)), scrub_of(["smollm2"]))
            running = asyncio.create_task(stage.run())
            events = [event async for event in stage.events()]
            return *await running, events

    left, right, events = asyncio.run(main())
    assert "".join(event.left for event in events) == (left.shown or left.text)
    assert "".join(event.right for event in events) == (right.shown or right.text)
    assert left.text != right.text
    assert all(0 < answer.tokens <= 8 and answer.total_s > 0 for answer in (left, right))
