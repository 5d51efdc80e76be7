"""The real server that tests of this room share."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.servers.llama_server import llama_server


@pytest.fixture(scope="session")
def llama_url(smollm2_path: Path) -> Iterator[str]:
    """The address of a llama.cpp server that serves SmolLM2 under the name smollm2."""
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed: pip install 'bakeoff[local]'")
    with llama_server(smollm2_path) as url:
        yield url


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries follow at once; the length of pauses has tests of its own."""
    monkeypatch.setattr("bakeoff.model.remote.retry.BASE_S", 0.001)
