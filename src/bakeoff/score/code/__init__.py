"""Code that is judged by running it."""

from bakeoff.score.code.scorer import Code

__all__ = ["Code"]
