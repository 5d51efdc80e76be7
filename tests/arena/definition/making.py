"""A definition, what its models say of themselves, and files."""

import textwrap

import pytest

from bakeoff.arena.definition.definition import load_arena
from bakeoff.arena.definition.preparing import prepare
from bakeoff.database import writing
from bakeoff.model.protocol import Identity

__all__ = ["file", "ready", "small"]

SMALL = """\
name: chat
models:
  - {name: orca, model: "gguf:orca.gguf", provider: Acme, family: orca, licence: open_source}
  - {name: "whale, warm", model: "openai:whale", provider: Blue, family: whale, licence: proprietary}
"""


@pytest.fixture
def file(tmp_path):
    """Writes an arena's file, and reads it."""

    def written(text=SMALL, more="", **beside):
        for name, content in beside.items():
            (tmp_path / name.replace("_", ".")).write_text(content, encoding="utf-8")
        path = tmp_path / "arena.yaml"
        path.write_text(text + textwrap.dedent(more), encoding="utf-8")
        return load_arena(path)

    return written


@pytest.fixture
def small(file):
    return file()


def identities(**changes):
    return {
        "orca": Identity("gguf", "orca.gguf", revision="sha256:aa", settings={"context_length": "4096"}),
        "whale, warm": Identity("openai", "whale", revision="2026-05-01", endpoint="https://api.example.com"),
    } | changes


@pytest.fixture
def ready(engine):
    """Prepares an arena as `ann`, in one transaction."""

    def done(arena, **changes):
        with writing(engine) as connection:
            return prepare(connection, arena, identities(**changes), actor="ann")

    return done
