"""Bakeoff: evaluate language models, and say what the numbers can bear."""

__version__ = "0.1.0"
