"""GGUF files through llama.cpp, in this process: `gguf:FILE`."""

from bakeoff.model.gguf.model import GgufModel

__all__ = ["GgufModel"]
