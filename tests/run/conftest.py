import pytest

from bakeoff.model import open as opening


@pytest.fixture
def unigram(monkeypatch, tmp_path):
    """The engine `unigram:`, beside the real ones, and a cache of the test's own."""
    engine = opening._Engine("tests.run.unigram:Unigram", "unigram:NAME")
    monkeypatch.setitem(opening._ENGINES, "unigram", engine)
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
