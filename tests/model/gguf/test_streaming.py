"""SmolLM2-135M told while it writes."""

import asyncio

import pytest

from bakeoff.model.streaming import stream
from bakeoff.nouns import Constraint, FailureKind
from tests.model.gguf.test_gguf_model import ask, chat, opened

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def smollm2(smollm2_path):
    with opened(smollm2_path, prompt_cache="false") as pair:
        yield pair


def told_by(model, request):
    async def main():
        told: list[str] = []
        response = await stream(model, request, told.append)
        return response, told

    return main()


def test_tokens_are_told_as_they_come_and_joined_are_the_answer_of_generate(smollm2):
    model, run = smollm2
    request = ask(chat("Name three colours."), max_tokens=12)
    response, told = run(told_by(model, request))
    assert response.failure is None
    assert "".join(told) == response.text == run(model.generate(request)).text
    assert len(told) > 5


def test_a_stop_string_is_never_told(smollm2):
    model, run = smollm2
    free = run(model.generate(ask("The capital of France is", max_tokens=8))).text
    stop = free[6:10]
    response, told = run(told_by(model, ask("The capital of France is", max_tokens=8, stop=(stop,))))
    assert (response.stop, "".join(told)) == (stop, free[: free.index(stop)])


def test_a_failure_tells_nothing_and_an_answer_nobody_waits_for_is_given_up(smollm2):
    model, run = smollm2
    response, told = run(told_by(model, ask("word " * 600)))
    assert (response.failure.kind, told) == (FailureKind.CONTEXT_LENGTH, [])

    async def leave():
        first = asyncio.Event()
        task = asyncio.create_task(
            stream(model, ask("Once upon a time", max_tokens=400), lambda _: first.set())
        )
        await first.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(leave())
    assert run(told_by(model, ask("The capital of France is", max_tokens=2)))[0].text


def test_an_answer_held_to_a_constraint_is_told_at_its_end(smollm2):
    model, run = smollm2
    if not model.capabilities.regex:
        pytest.skip("llguidance is not installed")
    request = ask(chat("Yes or no?"), max_tokens=8, constraint=Constraint("regex", "yes|no"))
    response, told = run(told_by(model, request))
    assert told == [response.text]
