"""An arena without any file: the packaged small model against itself, at two temperatures."""

from bakeoff.arena.definition.candidate import Candidate, Sampling
from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.policy.rules import Policy

MODEL = "smollm2"
TEMPERATURES = (0.0, 1.0)


def default_arena(name: str = "default") -> Arena:
    """Which temperature do people prefer? On this machine's processor, for anyone who may see the page."""
    return Arena(
        name=name,
        title="A small model, cold and warm",
        about="SmolLM2-135M-Instruct against itself, greedy and at temperature 1.",
        policy=Policy(name=name),
        models=tuple(
            Candidate(
                name=f"{MODEL}, temperature {temperature:g}",
                model=f"gguf:{MODEL}",
                settings={"parallel": "2"},
                provider="Hugging Face",
                family="SmolLM2",
                licence="open_source",
                sampling=Sampling(temperature=temperature),
            )
            for temperature in TEMPERATURES
        ),
        max_tokens=256,
        longest_prompt=4_000,
    )
