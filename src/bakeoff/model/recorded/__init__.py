"""Answers that were made elsewhere: `recorded:FILE[#MODEL]`."""

from bakeoff.model.recorded.model import RecordedModel

__all__ = ["RecordedModel"]
