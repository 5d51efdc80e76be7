"""A user's whole pipeline in the place of a model: `call:FILE.py:FUNCTION` and `endpoint:URL`."""

from bakeoff.model.pipeline.call import CallModel
from bakeoff.model.pipeline.endpoint import EndpointModel

__all__ = ["CallModel", "EndpointModel"]
