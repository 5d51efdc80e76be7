"""Local models through transformers and torch, in this process."""

from bakeoff.model.hf.model import HfModel

__all__ = ["HfModel"]
